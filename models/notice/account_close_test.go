package notice_test

import (
	"testing"

	"atelier/models"
	"atelier/models/account"
)

// What a person was told goes with the account, what others were told stays.
func TestNotificationsOfADeletedAccount(t *testing.T) {
	w := newWorld(t)
	accounts := &account.Service{DB: w.db, SignUpMode: "open"}
	w.notices.RegisterHooks(accounts)
	ada, ben := w.person("ada"), w.person("ben")
	w.tell(off("hook"), ada, ben)
	actor := models.ActorFrom(ada)
	actor.SessionID = actor.UserID
	w.noError(w.db.Read(t.Context()).Exec(`INSERT INTO sessions (id, user_id, origin, created_at, expires_at)
		VALUES (?, ?, 'password', now(), '2100-01-01')`, actor.SessionID, actor.UserID).Error)
	w.noError(accounts.DeleteAccount(models.WithActor(t.Context(), actor), "ada@example.com"))
	if got := w.list(ada, false); len(got) != 0 {
		t.Errorf("%d notifications left", len(got))
	}
	if got := w.list(ben, false); len(got) != 1 {
		t.Errorf("somebody else has %d notifications", len(got))
	}
}

package notice_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/dbtest"
	"atelier/models/notice"
)

type world struct {
	*testing.T
	db      *models.DB
	notices *notice.Service
}

func newWorld(t *testing.T) *world {
	t.Helper()
	db := dbtest.New(t)
	return &world{T: t, db: db, notices: &notice.Service{DB: db, Mail: true}}
}

func (w *world) person(name string) context.Context {
	w.Helper()
	id := models.NewID(time.Now())
	err := w.db.Read(context.Background()).Exec(`INSERT INTO users (id, email, address, display_name, created_at, updated_at)
		VALUES (?, ?, ?, ?, now(), now())`, id, name+"@example.com", name+"@example.com", name).Error
	w.noError(err)
	return models.WithActor(context.Background(), models.Actor{Kind: models.BySession, UserID: id, DisplayName: name})
}

func (w *world) noError(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

func (w *world) tell(news notice.News, to ...context.Context) {
	w.Helper()
	ids := make([]models.ID, len(to))
	for i, who := range to {
		ids[i] = models.ActorFrom(who).UserID
	}
	w.noError(w.db.Write(context.Background(), func(tx *models.Tx) error { return w.notices.Tell(tx, news, ids...) }))
}

func (w *world) list(who context.Context, unread bool) []*notice.Notification {
	w.Helper()
	list, err := w.notices.List(who, unread, models.Page{})
	w.noError(err)
	return list.Nodes
}

func off(key string) notice.News {
	return notice.News{Kind: notice.EndpointOff, Needs: notice.Nothing, Facts: notice.Facts{Thing: key}, Key: key}
}

func accepted(person string) notice.News {
	return notice.News{Kind: notice.InvitationAccepted, Needs: notice.Nothing, Facts: notice.Facts{Workspace: "Room", Person: person}, Key: "room", Bundles: true}
}

func TestToldOnce(t *testing.T) {
	w := newWorld(t)
	ada, bob := w.person("ada"), w.person("bob")
	var race sync.WaitGroup
	for range 10 {
		race.Go(func() { w.tell(off("one"), ada, bob, ada) })
		race.Go(func() { w.tell(accepted("Eve"), bob, ada) })
	}
	race.Wait()
	for _, who := range []context.Context{ada, bob} {
		all := w.list(who, false)
		if len(all) != 2 || all[0].Count*all[1].Count != 10 {
			t.Fatalf("told %+v", all)
		}
		if n, err := w.notices.CountUnread(who); n != 2 || err != nil {
			t.Errorf("%d unread, %v", n, err)
		}
	}
	w.noError(w.notices.MarkAllRead(ada))
	w.tell(off("one"), ada) // was told already
	w.tell(accepted("Zoe"), ada)
	unread := w.list(ada, true)
	if len(unread) != 1 || unread[0].Sentence(nil) != "Zoe accepted your invitation to Room." {
		t.Fatalf("unread %+v", unread)
	}
	w.tell(accepted("Yan"), ada)
	w.tell(accepted("Xia"), ada)
	if got := w.list(ada, true)[0].Sentence(nil); got != "3 people accepted your invitations to Room, Xia the latest." {
		t.Error(got)
	}
	if n := len(w.list(bob, true)); n != 2 {
		t.Errorf("%d unread of somebody else", n)
	}
}

func TestOthersSeeNothing(t *testing.T) {
	w := newWorld(t)
	ada, bob := w.person("ada"), w.person("bob")
	w.tell(off("one"), ada)
	id := w.list(ada, false)[0].ID
	if all := w.list(bob, false); len(all) != 0 {
		t.Errorf("somebody else sees %+v", all)
	}
	if _, err := w.notices.Follow(bob, id); !models.HasCode(err, models.CodeNotFound) {
		t.Errorf("somebody else follows it: %v", err)
	}
	w.noError(w.notices.MarkRead(bob, []models.ID{id}))
	if n, _ := w.notices.CountUnread(ada); n != 1 {
		t.Error("somebody else read it")
	}
	token := models.WithActor(context.Background(), models.Actor{Kind: models.ByToken, UserID: models.ActorFrom(ada).UserID})
	if _, err := w.notices.List(token, false, models.Page{}); !models.HasCode(err, models.CodeForbidden) {
		t.Errorf("a token: %v", err)
	}
	n, err := w.notices.Follow(ada, id)
	if err != nil || n.ReadAt == nil || len(w.list(ada, true)) != 0 {
		t.Errorf("followed %+v, %v", n, err)
	}

	// What may not be seen any more is neither listed, counted nor mailed.
	w.tell(off("two"), ada)
	w.notices.ShowWhere("n.facts->>'thing' <> 'two'")
	if unread, _ := w.notices.CountUnread(ada); unread != 0 || len(w.list(ada, false)) != 1 {
		t.Errorf("%d unread", unread)
	}
}

func TestLetters(t *testing.T) {
	w := newWorld(t)
	clock := w.db.Clock.(*dbtest.Clock)
	ada := w.person("ada")
	id := models.ActorFrom(ada).UserID
	letters := func() (at []time.Time) {
		w.noError(w.db.Read(ada).Raw(`SELECT (args->>'at')::timestamptz FROM river_job WHERE kind = 'mail_notifications' ORDER BY 1`).Scan(&at).Error)
		return at
	}
	begin := clock.Now()
	w.tell(off("1"), ada)
	for i := range 20 { // a flood is told by one more
		clock.Advance(10 * time.Second)
		w.tell(off(fmt.Sprint("more ", i)), ada)
	}
	at := letters()
	if len(at) != 2 || !at[0].Equal(begin) || !at[1].Equal(begin.Add(15*time.Minute)) {
		t.Fatalf("letters at %v", at)
	}
	first, err := w.notices.WriteLetter(context.Background(), notice.Letter{RecipientID: id, At: at[0]})
	if err != nil || first == nil || len(first.Told) != 1 || first.Address != "ada@example.com" {
		t.Fatalf("letter %+v, %v", first, err)
	}
	w.noError(w.notices.EndLetter(context.Background(), notice.Letter{RecipientID: id, At: at[0]}))
	if again, err := w.notices.WriteLetter(context.Background(), notice.Letter{RecipientID: id, At: at[0]}); again != nil || err != nil {
		t.Errorf("once more: %+v, %v", again, err)
	}
	w.tell(off("2"), ada)
	second, err := w.notices.WriteLetter(context.Background(), notice.Letter{RecipientID: id, At: at[1]})
	if err != nil || second == nil || len(second.Told) != 20 || second.More != 1 {
		t.Fatalf("letter %+v, %v", second, err)
	}
	w.noError(w.notices.MarkAllRead(ada))
	if read, err := w.notices.WriteLetter(context.Background(), notice.Letter{RecipientID: id, At: at[1]}); read != nil || err != nil {
		t.Errorf("of what was read: %+v, %v", read, err)
	}

	clock.Advance(time.Hour)
	w.tell(notice.News{Kind: notice.JobHeld, Needs: notice.Nothing, Key: "job"}, ada) // not by mail unless chosen
	choices, err := w.notices.Choose(ada, []notice.Kind{notice.JobHeld})
	w.noError(err)
	for _, c := range choices {
		if c.Mail != (c.Kind == notice.JobHeld) {
			t.Errorf("choice %+v", c)
		}
	}
	w.tell(off("3"), ada)
	if n := len(letters()); n != 2 {
		t.Errorf("%d letters", n)
	}
	w.tell(notice.News{Kind: notice.JobHeld, Needs: notice.Nothing, Key: "another"}, ada)
	if n := len(letters()); n != 3 {
		t.Errorf("%d letters", n)
	}
	if _, err := w.notices.Choose(ada, []notice.Kind{"nonsense"}); !models.HasCode(err, models.CodeValidation) {
		t.Errorf("an unknown kind: %v", err)
	}
}

func TestSweep(t *testing.T) {
	w := newWorld(t)
	clock := w.db.Clock.(*dbtest.Clock)
	ada, bob := w.person("ada"), w.person("bob")
	w.tell(off("old"), ada)
	clock.Advance(notice.Kept + time.Hour)
	w.tell(off("unread"), ada)
	w.noError(w.db.Read(ada).Exec(`INSERT INTO notifications (id, recipient_id, kind, needs, facts, key, happened_at, read_at)
		SELECT gen_random_uuid(), ?, 'job_held', 'nothing', '{}', 'k' || n, ?::timestamptz + n * interval '1 second', now() FROM generate_series(1, 600) n`,
		models.ActorFrom(ada).UserID, clock.Now()).Error)
	w.tell(off("other"), bob)
	w.noError(w.notices.Sweep(context.Background()))
	var n int64
	w.noError(w.db.Read(ada).Table("notifications").Where("recipient_id = ?", models.ActorFrom(ada).UserID).Count(&n).Error)
	if n != notice.MaxKept || len(w.list(ada, true)) != 1 || len(w.list(bob, false)) != 1 {
		t.Errorf("%d kept", n)
	}
}

// Every kind has its words, and leads somewhere.
func TestKinds(t *testing.T) {
	id := models.NewID(time.Now())
	for _, kind := range notice.Kinds {
		n := &notice.Notification{Kind: kind, OrganizationID: &id, WorkspaceID: &id, SubjectID: &id, Count: 1}
		if kind.Label(nil) == "" || n.Sentence(nil) == "" || n.Path() == "" || n.Path() == "/notifications" {
			t.Errorf("%s: %q, %q, %q", kind, kind.Label(nil), n.Sentence(nil), n.Path())
		}
	}
}

// Every kind is told and called in each language; one that no page is written in is English.
func TestKindsInTheLanguageOfTheirReader(t *testing.T) {
	id := models.NewID(time.Now())
	for _, kind := range notice.Kinds {
		n := &notice.Notification{Kind: kind, OrganizationID: &id, WorkspaceID: &id, SubjectID: &id, Count: 1}
		said := map[string]bool{n.Sentence(nil): true, kind.Label(nil): true}
		for _, code := range []string{"de", "es", "fr"} {
			said[n.Sentence(&code)], said[kind.Label(&code)] = true, true
		}
		if len(said) != 8 {
			t.Errorf("%s: %v", kind, said)
		}
		for _, code := range []string{"en", "", "tlh", strings.Repeat("de-", 1000)} {
			if n.Sentence(&code) != n.Sentence(nil) || kind.Label(&code) != kind.Label(nil) {
				t.Errorf("%s in %.10q: %q", kind, code, n.Sentence(&code))
			}
		}
	}
}

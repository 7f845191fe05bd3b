package event_test

import (
	"testing"

	"atelier/models"
	"atelier/models/account"
	"atelier/models/oauth"
)

// The endpoints of a deleted account go with all that they were sent and all that waits; those of others stay.
func TestEndpointsOfADeletedAccount(t *testing.T) {
	w := newWorld(t)
	accounts := &account.Service{DB: w.DB, SignUpMode: "open"}
	w.RegisterHooks(accounts, &oauth.Service{})
	mine, second := w.create(w.receiver.URL+"/a"), w.create(w.receiver.URL+"/b")
	w.publish(2)
	w.work()
	w.publish(1) // waits
	first := w.account
	w.account = w.newAccount()
	others := w.create(w.receiver.URL + "/c")
	w.publish(1)

	_, err := w.DB.Pool.Exec(t.Context(), `INSERT INTO sessions (id, user_id, origin, created_at, expires_at) VALUES ($1, $1, 'password', now(), '2100-01-01')`, first)
	w.must(err)
	ctx := w.as(models.Actor{Kind: models.BySession, UserID: first, SessionID: first})
	closing, err := accounts.FindClosing(ctx, first)
	w.must(err)
	if closing.Endpoints != 2 {
		t.Errorf("%d endpoints are to go, want 2", closing.Endpoints)
	}
	w.must(accounts.DeleteAccount(ctx, first.String()+"@example.com"))
	for _, id := range []models.ID{mine.Endpoint.ID, second.Endpoint.ID} {
		for table, column := range map[string]string{"webhook_endpoints": "id", "webhook_deliveries": "endpoint_id", "webhook_attempts": "endpoint_id", "lane_items": "lane_id"} {
			var n int
			w.must(w.DB.Pool.QueryRow(t.Context(), "SELECT count(*) FROM "+table+" WHERE "+column+" = $1", id).Scan(&n))
			if n != 0 {
				t.Errorf("%d rows left in %s", n, table)
			}
		}
	}
	before := len(w.receiver.got())
	if w.work(); len(w.receiver.got()) != before+1 {
		t.Errorf("%d deliveries behind the deletion, want the one of the other account", len(w.receiver.got())-before)
	}
	if got := w.deliveries(others.Endpoint.ID); len(got) != 1 {
		t.Errorf("the other account has %d deliveries", len(got))
	}
}

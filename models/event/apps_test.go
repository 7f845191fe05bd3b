package event_test

import (
	"encoding/json"
	"fmt"
	"sync"
	"testing"

	"github.com/google/uuid"

	"atelier/models"
	"atelier/models/event"
)

// newApp is a connected app that the account approved.
func (w *world) newApp(scopes ...models.Scope) models.Actor {
	w.Helper()
	actor := models.Actor{Kind: models.ByOAuth, UserID: w.account, ClientAppID: uuid.New(), TokenID: uuid.New(), Scopes: scopes}
	_, err := w.DB.Pool.Exec(w.Context(), `INSERT INTO oauth_apps (id, name, redirect_uris, created_at, updated_at) VALUES ($1, 'App', '{}', now(), now())`, actor.ClientAppID)
	w.must(err)
	w.approve(actor)
	return actor
}

func (w *world) approve(app models.Actor) {
	w.Helper()
	_, err := w.DB.Pool.Exec(w.Context(), `INSERT INTO oauth_grants (id, app_id, user_id, scopes, created_at, updated_at) VALUES ($1, $2, $3, $4, now(), now())`,
		uuid.New(), app.ClientAppID, app.UserID, app.Scopes)
	w.must(err)
}

// revoke ends the approval, and what goes with it.
func (w *world) revoke(app models.Actor) { w.revokeWith(app, true) }

func (w *world) revokeWith(app models.Actor, hook bool) {
	w.Helper()
	w.must(w.DB.Write(w.Context(), func(tx *models.Tx) error {
		err := tx.Exec(`UPDATE oauth_grants SET revoked_at = now() WHERE app_id = ? AND user_id = ? AND revoked_at IS NULL`, app.ClientAppID, app.UserID).Error
		if err != nil || !hook {
			return err
		}
		return event.EndApp(tx, app.ClientAppID, app.UserID)
	}))
}

// narrow leaves an approval with other scopes.
func (w *world) narrow(app models.Actor, scopes ...models.Scope) {
	w.Helper()
	w.must(w.DB.Write(w.Context(), func(tx *models.Tx) error {
		err := tx.Exec(`UPDATE oauth_grants SET scopes = ? WHERE app_id = ? AND revoked_at IS NULL`, models.Strings(texts(scopes)), app.ClientAppID).Error
		if err != nil {
			return err
		}
		return event.EndApp(tx, app.ClientAppID, app.UserID)
	}))
}

func texts(scopes []models.Scope) (texts []string) {
	for _, s := range scopes {
		texts = append(texts, string(s))
	}
	return texts
}

func (w *world) submit(by *models.ID) {
	w.Helper()
	w.publishJob(event.JobEvent{Type: event.JobCompleted, AppID: by, Job: json.RawMessage(`{"secret":"of the job"}`)})
}

func (w *world) createAs(app models.Actor, path string) *event.Endpoint {
	w.Helper()
	created, err := w.CreateEndpoint(w.as(app), event.CreateEndpointInput{URL: w.receiver.URL + path})
	w.must(err)
	return created.Endpoint
}

func wantEnded(t *testing.T, d *event.Delivery) {
	t.Helper()
	wantState(t, d, event.DeliveryFailed, 0, "app_revoked")
	if d.RequestBody != nil || d.NextAttemptAt != nil {
		t.Errorf("a revoked delivery keeps %s, next %v", d.RequestBody, d.NextAttemptAt)
	}
}

// What waits for an app's endpoints fails with its approval and is forgotten; the
// endpoints are off, and a new approval turns nothing on by itself.
func TestTheEndOfAnApproval(t *testing.T) {
	w := newWorld(t)
	app, other := w.newApp(models.ScopeJobsRead, models.ScopeExecute), w.newApp(models.ScopeJobsRead)
	theirs, second, mine := w.createAs(app, "/app"), w.createAs(other, "/other"), w.create(w.receiver.URL+"/mine").Endpoint
	w.submit(&app.ClientAppID)
	w.submit(&other.ClientAppID)
	_, err := w.TestEndpoint(w.as(app), theirs.ID)
	w.must(err)

	w.narrow(app, models.ScopeJobsRead)
	if !w.endpoint(theirs.ID).IsActive || len(w.deliveries(theirs.ID)) != 2 {
		t.Fatal("an approval that still includes jobs:read ends nothing")
	}
	w.revoke(app)
	for _, d := range w.deliveries(theirs.ID) {
		wantEnded(t, d)
	}
	off := w.endpoint(theirs.ID)
	if off.IsActive || off.DisabledReason != nil || off.DisabledAt == nil {
		t.Errorf("the endpoint is active %t, reason %v at %v", off.IsActive, off.DisabledReason, off.DisabledAt)
	}
	if !w.endpoint(second.ID).IsActive || !w.endpoint(mine.ID).IsActive {
		t.Error("endpoints of others ended too")
	}
	w.work()
	if n := len(w.receiver.got()); n != 3 {
		t.Errorf("%d were sent, want those of the person and of the other app", n)
	}

	w.approve(app)
	w.submit(&app.ClientAppID)
	if w.endpoint(theirs.ID).IsActive || len(w.deliveries(theirs.ID)) != 2 {
		t.Error("a new approval turned the endpoint on")
	}
	_, err = w.Redeliver(w.as(app), theirs.ID, w.deliveries(theirs.ID)[0].ID)
	wantCode(t, err, 400, models.CodeValidation)
	_, err = w.UpdateEndpoint(w.as(app), theirs.ID, event.UpdateEndpointInput{IsActive: models.Some(true)})
	w.must(err)
	w.submit(&app.ClientAppID)
	w.work()
	if last := w.deliveries(theirs.ID)[2]; last.Status != event.DeliveryDelivered {
		t.Errorf("the app turned it on, and the delivery is %s", last.Status)
	}
}

// The approval is asked when a job ends and at each attempt, alone and in batches.
func TestApprovalAtEachAttempt(t *testing.T) {
	for name, narrowed := range map[string][]models.Scope{"revoked": nil, "narrowed": {models.ScopeExecute}} {
		for _, batched := range []bool{false, true} {
			t.Run(fmt.Sprint(name, " batched ", batched), func(t *testing.T) {
				w := newWorld(t)
				app := w.newApp(models.ScopeJobsRead)
				id := w.createAs(app, "/app").ID
				w.submit(&app.ClientAppID)
				w.receiver.answers(status(500))
				w.deliverAll(batched)
				wantState(t, w.only(id), event.DeliveryPending, 1, "http_500")
				if narrowed == nil {
					w.revokeWith(app, false)
				} else {
					_, err := w.DB.Pool.Exec(t.Context(), `UPDATE oauth_grants SET scopes = $1`, narrowed)
					w.must(err)
				}
				w.submit(&app.ClientAppID)
				w.clock.Advance(event.Retention / 10)
				w.deliverAll(batched)
				d := w.only(id)
				wantState(t, d, event.DeliveryFailed, 1, "app_revoked")
				if d.RequestBody != nil || len(w.receiver.got()) != 1 {
					t.Errorf("%d were sent, body %s", len(w.receiver.got()), d.RequestBody)
				}
			})
		}
	}
}

// deliverAll does what is due, by one attempt each or as a dispatcher does.
func (w *world) deliverAll(batched bool) {
	w.Helper()
	leases := w.claim()
	if !batched {
		for _, lease := range leases {
			w.must(w.Deliver(w.Context(), lease))
		}
		return
	}
	handle := w.NewDeliverer().Begin(w.Context(), leases)
	for _, lease := range leases {
		w.must(handle(w.Context(), lease))
	}
}

// An endpoint that is registered, turned on or sent to while the approval ends is
// off afterwards, or was refused.
func TestApprovalEndsMeanwhile(t *testing.T) {
	w := newWorld(t)
	for i := range 12 {
		app := w.newApp(models.ScopeJobsRead)
		var all sync.WaitGroup
		for n := range 3 {
			all.Go(func() {
				_, err := w.CreateEndpoint(w.as(app), event.CreateEndpointInput{URL: fmt.Sprintf("https://example.com/%d/%d", i, n)})
				if err != nil {
					refusal, _ := models.AsError(err)
					if refusal.Code != models.CodeUnauthorized && refusal.Code != models.CodeLimitReached && refusal.Code != models.CodeRateLimitExceeded {
						t.Error(err)
					}
				}
			})
		}
		all.Go(func() { w.revoke(app) })
		all.Wait()
		var left int
		w.must(w.DB.Pool.QueryRow(t.Context(), `SELECT count(*) FROM webhook_endpoints WHERE app_id = $1 AND is_active`, app.ClientAppID).Scan(&left))
		if left != 0 {
			t.Fatalf("%d endpoints of an app without approval are on", left)
		}
		_, err := w.DB.Pool.Exec(t.Context(), `DELETE FROM webhook_endpoints`)
		w.must(err)
		w.clock.Advance(2 * 60 * 1e9)
	}
}

// What the person may do with an app's endpoint: see and delete it.
func TestPeopleSeeAndDeleteEndpointsOfApps(t *testing.T) {
	w := newWorld(t)
	app := w.newApp(models.ScopeJobsRead)
	theirs := w.createAs(app, "/app")
	w.submit(&app.ClientAppID)
	w.revoke(app)
	for name, actor := range map[string]models.Actor{
		"session": {Kind: models.BySession, UserID: w.account}, "token": {Kind: models.ByToken, UserID: w.account},
	} {
		t.Run(name, func(t *testing.T) {
			ctx := w.as(actor)
			list, err := w.ListEndpoints(ctx)
			w.must(err)
			if len(list) != 1 || list[0].ID != theirs.ID {
				t.Errorf("%d endpoints are seen", len(list))
			}
			_, err = w.UpdateEndpoint(ctx, theirs.ID, event.UpdateEndpointInput{IsActive: models.Some(true)})
			wantCode(t, err, 403, models.CodeForbidden)
			_, err = w.RotateSecret(ctx, theirs.ID, nil)
			wantCode(t, err, 403, models.CodeForbidden)
			_, err = w.TestEndpoint(ctx, theirs.ID)
			wantCode(t, err, 403, models.CodeForbidden)
		})
	}
	_, err := w.UpdateEndpoint(w.as(app), theirs.ID, event.UpdateEndpointInput{IsActive: models.Some(true)})
	wantCode(t, err, 401, models.CodeUnauthorized)
	w.must(w.DeleteEndpoint(w.ctx(), theirs.ID))
}

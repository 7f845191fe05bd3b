package event_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"atelier/models"
	"atelier/models/event"
)

func TestCreateEndpoint(t *testing.T) {
	w := newWorld(t)
	created := w.create("https://Example.com:443/hook?a=B")
	e := w.endpoint(created.Endpoint.ID)
	if !strings.HasPrefix(created.Secret, "whsec_") || len(created.Secret) < 40 {
		t.Errorf("secret %q", created.Secret)
	}
	if e.URL != "https://Example.com:443/hook?a=B" || e.Description != "" || !e.IsActive || e.AppID != nil ||
		fmt.Sprint(e.Events) != "[job.completed job.failed]" || e.SecretCreatedAt == nil || e.PreviousSecretExpiresAt != nil {
		t.Errorf("endpoint %+v", e)
	}
	if strings.Contains(*e.Secret, created.Secret) {
		t.Error("the secret is kept readable")
	}

	text := "for tests"
	for name, c := range map[string]struct {
		in    event.CreateEndpointInput
		field string
	}{
		"no scheme":       {event.CreateEndpointInput{URL: "example.com"}, "url"},
		"http":            {event.CreateEndpointInput{URL: "http://example.com/"}, "url"},
		"localhost":       {event.CreateEndpointInput{URL: "https://localhost/"}, "url"},
		"private":         {event.CreateEndpointInput{URL: "https://10.0.0.1/"}, "url"},
		"other loopback":  {event.CreateEndpointInput{URL: "https://127.0.0.2/"}, "url"},
		"link-local":      {event.CreateEndpointInput{URL: "https://169.254.169.254/"}, "url"},
		"internal":        {event.CreateEndpointInput{URL: "https://a.internal/"}, "url"},
		"local":           {event.CreateEndpointInput{URL: "https://a.local/"}, "url"},
		"user":            {event.CreateEndpointInput{URL: "https://a:b@example.com/"}, "url"},
		"no events":       {event.CreateEndpointInput{URL: "https://example.com/1", Events: []string{}}, "events"},
		"ping":            {event.CreateEndpointInput{URL: "https://example.com/2", Events: []string{"ping"}}, "events"},
		"long text":       {event.CreateEndpointInput{URL: "https://example.com/3", Description: new(strings.Repeat("x", 501))}, "description"},
		"unknown event":   {event.CreateEndpointInput{URL: "https://example.com/4", Description: &text, Events: []string{"job.completed", "x"}}, "events"},
		"unusual address": {event.CreateEndpointInput{URL: "https://2130706433/"}, "url"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := w.CreateEndpoint(w.ctx(), c.in)
			wantCode(t, err, 400, models.CodeValidation)
			if refusal, _ := models.AsError(err); refusal.Field != c.field {
				t.Errorf("field %q, want %q", refusal.Field, c.field)
			}
		})
	}
	t.Run("ErrURLTaken", func(t *testing.T) {
		_, err := w.CreateEndpoint(w.ctx(), event.CreateEndpointInput{URL: "https://EXAMPLE.com/hook?a=B"})
		wantCode(t, err, 409, models.CodeURLTaken)
		if _, err := w.CreateEndpoint(w.ctx(), event.CreateEndpointInput{URL: "https://example.com/hook?a=b"}); err != nil {
			t.Errorf("another query is another address: %v", err)
		}
		other := w.as(models.Actor{Kind: models.BySession, UserID: w.newAccount()})
		if _, err := w.CreateEndpoint(other, event.CreateEndpointInput{URL: "https://example.com/hook?a=B"}); err != nil {
			t.Errorf("another account: %v", err)
		}
	})
}

func TestEndpointsAreTenAtMost(t *testing.T) {
	w := newWorld(t)
	var all sync.WaitGroup
	results := make(chan error, 14)
	for i := range 14 {
		all.Go(func() {
			_, err := w.CreateEndpoint(w.ctx(), event.CreateEndpointInput{URL: fmt.Sprintf("https://example.com/%d", i)})
			results <- err
		})
	}
	all.Wait()
	close(results)
	refused := 0
	for err := range results {
		if err != nil {
			wantCode(t, err, 400, models.CodeLimitReached)
			refused++
		}
	}
	if list, err := w.ListEndpoints(w.ctx()); err != nil || len(list) != 10 || refused != 4 {
		t.Errorf("%d endpoints, %d refused, %v", len(list), refused, err)
	}
}

func TestWhoMayManageEndpoints(t *testing.T) {
	w := newWorld(t)
	mine := w.create("https://example.com/mine").Endpoint
	app := w.newApp(models.ScopeJobsRead)
	theirs, err := w.CreateEndpoint(w.as(app), event.CreateEndpointInput{URL: "https://example.com/app"})
	w.must(err)
	if *theirs.Endpoint.AppID != app.ClientAppID {
		t.Errorf("appId %v", theirs.Endpoint.AppID)
	}

	refused := map[string]struct {
		actor  models.Actor
		status int
		code   models.Code
	}{
		"anonymous":        {models.Actor{Kind: models.Anonymous}, 401, models.CodeUnauthorized},
		"without scope":    {models.Actor{Kind: models.ByOAuth, UserID: w.account, ClientAppID: app.ClientAppID, Scopes: []models.Scope{models.ScopeExecute}}, 403, models.CodeInsufficientScope},
		"restricted token": {models.Actor{Kind: models.ByToken, UserID: w.account, WorkflowIDs: []models.ID{uuid.New()}}, 403, models.CodeForbidden},
		"stranger":         {models.Actor{Kind: models.BySession, UserID: w.newAccount()}, 404, models.CodeNotFound},
		"another app":      {w.newApp(models.ScopeJobsRead), 404, models.CodeNotFound},
	}
	for name, c := range refused {
		t.Run(name, func(t *testing.T) {
			ctx := w.as(c.actor)
			for _, id := range []models.ID{mine.ID, theirs.Endpoint.ID} {
				_, err := w.FindEndpoint(ctx, id)
				wantCode(t, err, c.status, c.code)
				_, err = w.UpdateEndpoint(ctx, id, event.UpdateEndpointInput{})
				wantCode(t, err, c.status, c.code)
				wantCode(t, w.DeleteEndpoint(ctx, id), c.status, c.code)
				_, err = w.RotateSecret(ctx, id, nil)
				wantCode(t, err, c.status, c.code)
				_, err = w.TestEndpoint(ctx, id)
				wantCode(t, err, c.status, c.code)
				_, err = w.ListDeliveries(ctx, id, nil, models.Page{})
				wantCode(t, err, c.status, c.code)
				_, err = w.FindDelivery(ctx, id, uuid.New())
				wantCode(t, err, c.status, c.code)
				_, err = w.Redeliver(ctx, id, uuid.New())
				wantCode(t, err, c.status, c.code)
			}
		})
	}
	t.Run("an app sees its own", func(t *testing.T) {
		list, err := w.ListEndpoints(w.as(app))
		if err != nil || len(list) != 1 || list[0].ID != theirs.Endpoint.ID {
			t.Errorf("list %v, %v", list, err)
		}
		_, err = w.FindEndpoint(w.as(app), mine.ID)
		wantCode(t, err, 404, models.CodeNotFound)
	})
	t.Run("the person sees all and deletes, no more", func(t *testing.T) {
		list, err := w.ListEndpoints(w.ctx())
		if err != nil || len(list) != 2 || list[0].ID != theirs.Endpoint.ID {
			t.Errorf("list %v, %v", list, err)
		}
		_, err = w.RotateSecret(w.ctx(), theirs.Endpoint.ID, nil)
		wantCode(t, err, 403, models.CodeForbidden)
		w.must(w.DeleteEndpoint(w.ctx(), theirs.Endpoint.ID))
	})
	t.Run("without a key", func(t *testing.T) {
		w.Vault = nil
		_, err := w.ListEndpoints(w.as(models.Actor{Kind: models.Anonymous}))
		wantCode(t, err, 401, models.CodeUnauthorized)
		_, err = w.ListEndpoints(w.ctx())
		wantCode(t, err, 503, models.CodeEncryptionKeyMissing)
	})
}

func TestUpdateEndpoint(t *testing.T) {
	w := newWorld(t)
	e, other := w.create("https://example.com/a").Endpoint, w.create("https://example.com/b").Endpoint
	for name, in := range map[string]event.UpdateEndpointInput{
		"url null":         {URL: models.Null[string]()},
		"description null": {Description: models.Null[string]()},
		"events null":      {Events: models.Null[[]string]()},
		"isActive null":    {IsActive: models.Null[bool]()},
		"events empty":     {Events: models.Some([]string{})},
		"url private":      {URL: models.Some("https://192.168.1.1/")},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := w.UpdateEndpoint(w.ctx(), e.ID, in)
			wantCode(t, err, 400, models.CodeValidation)
		})
	}
	_, err := w.UpdateEndpoint(w.ctx(), e.ID, event.UpdateEndpointInput{URL: models.Some("https://EXAMPLE.com:443/b")})
	wantCode(t, err, 409, models.CodeURLTaken)

	w.clock.Advance(time.Minute)
	got := w.set(e.ID, event.UpdateEndpointInput{
		URL: models.Some("https://example.com/A"), Description: models.Some("x"), Events: models.Some([]string{"job.failed", "job.failed"}),
	})
	if got.URL != "https://example.com/A" || got.Description != "x" || fmt.Sprint(got.Events) != "[job.failed]" || !got.UpdatedAt.Equal(w.clock.Now()) {
		t.Errorf("endpoint %+v", got)
	}
	off := w.set(e.ID, event.UpdateEndpointInput{IsActive: models.Some(false)})
	if off.IsActive || off.DisabledAt == nil || off.DisabledReason != nil {
		t.Errorf("turned off by hand: %+v", off)
	}
	w.clock.Advance(time.Minute)
	if again := w.set(e.ID, event.UpdateEndpointInput{IsActive: models.Some(false)}); !again.DisabledAt.Equal(*off.DisabledAt) {
		t.Error("turning off once more changed when")
	}
	if on := w.set(e.ID, event.UpdateEndpointInput{IsActive: models.Some(true)}); !on.IsActive || on.DisabledAt != nil {
		t.Errorf("turned on: %+v", on)
	}
	w.must(w.DeleteEndpoint(w.ctx(), other.ID))
	if got := w.set(e.ID, event.UpdateEndpointInput{URL: models.Some("https://example.com/b")}); got.URL != "https://example.com/b" {
		t.Errorf("a freed address: %+v", got)
	}
}

func TestEnablingAndTestingNeedAnAddressAndASecret(t *testing.T) {
	w := newWorld(t)
	e := w.create(w.receiver.URL).Endpoint
	w.set(e.ID, event.UpdateEndpointInput{IsActive: models.Some(false)})
	enable := event.UpdateEndpointInput{IsActive: models.Some(true)}

	allowed := w.AllowCIDRs
	w.AllowCIDRs = nil
	_, err := w.UpdateEndpoint(w.ctx(), e.ID, enable)
	wantCode(t, err, 409, models.CodeURLInvalid)
	_, err = w.TestEndpoint(w.ctx(), e.ID)
	wantCode(t, err, 409, models.CodeURLInvalid)
	w.AllowCIDRs = allowed

	_, err = w.DB.Pool.Exec(t.Context(), `UPDATE webhook_endpoints SET secret = NULL, secret_created_at = NULL`)
	w.must(err)
	_, err = w.UpdateEndpoint(w.ctx(), e.ID, enable)
	wantCode(t, err, 409, models.CodeSecretRequired)
	_, err = w.TestEndpoint(w.ctx(), e.ID)
	wantCode(t, err, 409, models.CodeSecretRequired)

	rotated, err := w.RotateSecret(w.ctx(), e.ID, nil)
	w.must(err)
	if rotated.Endpoint.PreviousSecretExpiresAt != nil {
		t.Error("there was no secret before")
	}
	if on := w.set(e.ID, enable); !on.IsActive {
		t.Error("still off")
	}
}

func TestRotateSecret(t *testing.T) {
	w := newWorld(t)
	e := w.create("https://example.com/a").Endpoint
	for _, seconds := range []int{-1, 7*24*3600 + 1} {
		_, err := w.RotateSecret(w.ctx(), e.ID, &seconds)
		wantCode(t, err, 400, models.CodeValidation)
	}
	for _, c := range []struct {
		seconds *int
		want    time.Duration
	}{{nil, 24 * time.Hour}, {new(7 * 24 * 3600), 7 * 24 * time.Hour}, {new(1), time.Second}, {new(0), 0}} {
		rotated, err := w.RotateSecret(w.ctx(), e.ID, c.seconds)
		w.must(err)
		end := rotated.Endpoint.PreviousSecretExpiresAt
		if c.want == 0 && end != nil || c.want != 0 && (end == nil || !end.Equal(w.clock.Now().Add(c.want))) {
			t.Errorf("grace %v: ends %v", c.want, end)
		}
	}
}

func TestLimits(t *testing.T) {
	t.Run("thirty changes a minute, refused ones included", func(t *testing.T) {
		w := newWorld(t)
		e := w.create("https://example.com/a").Endpoint
		for i := range 29 {
			switch i % 4 {
			case 0:
				_, err := w.CreateEndpoint(w.ctx(), event.CreateEndpointInput{URL: "http://example.com"})
				wantCode(t, err, 400, models.CodeValidation)
			case 1:
				_, err := w.UpdateEndpoint(w.ctx(), uuid.New(), event.UpdateEndpointInput{})
				wantCode(t, err, 404, models.CodeNotFound)
			case 2:
				wantCode(t, w.DeleteEndpoint(w.ctx(), uuid.New()), 404, models.CodeNotFound)
			case 3:
				_, err := w.RotateSecret(w.ctx(), e.ID, nil)
				w.must(err)
			}
		}
		_, err := w.RotateSecret(w.ctx(), e.ID, nil)
		wantCode(t, err, 429, models.CodeRateLimitExceeded)
		wantCode(t, w.DeleteEndpoint(w.ctx(), e.ID), 429, models.CodeRateLimitExceeded)
		w.clock.Advance(time.Minute)
		w.must(w.DeleteEndpoint(w.ctx(), e.ID))
	})
	t.Run("ten pings a minute", func(t *testing.T) {
		w := newWorld(t)
		e := w.create(w.receiver.URL).Endpoint
		for range 10 {
			_, err := w.TestEndpoint(w.ctx(), e.ID)
			w.must(err)
		}
		_, err := w.TestEndpoint(w.ctx(), e.ID)
		wantCode(t, err, 429, models.CodeRateLimitExceeded)
	})
}

func TestDeleteEndpoint(t *testing.T) {
	w := newWorld(t)
	kept, gone := w.create(w.receiver.URL+"/kept").Endpoint, w.create(w.receiver.URL+"/gone").Endpoint
	w.receiver.answers(status(500))
	w.publish(3)
	w.work()
	leases := w.deliveries(gone.ID)
	w.must(w.DeleteEndpoint(w.ctx(), gone.ID))
	_, err := w.FindDelivery(w.ctx(), gone.ID, leases[0].ID)
	wantCode(t, err, 404, models.CodeNotFound)
	for table, want := range map[string]int{"webhook_deliveries": 3, "webhook_attempts": 3, "lane_items": 3, "lanes": 1} {
		var n int
		w.must(w.DB.Pool.QueryRow(t.Context(), "SELECT count(*) FROM "+table).Scan(&n))
		if n != want {
			t.Errorf("%d rows left in %s, want %d", n, table, want)
		}
	}
	if len(w.deliveries(kept.ID)) != 3 {
		t.Error("another endpoint's deliveries went too")
	}
}

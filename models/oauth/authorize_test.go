package oauth_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/oauth"
)

// TestAuthorizationRequests tries everything about a request that may be wrong.
func TestAuthorizationRequests(t *testing.T) {
	w := newWorld(t)
	app := w.app(false)
	for name, c := range map[string]struct {
		change func(*oauth.AuthorizationInput)
		want   string // of the answer; an error of the house where it has capitals
	}{
		"an unknown app":   {func(in *oauth.AuthorizationInput) { in.ClientID = models.NewID(time.Now()).String() }, "NOT FOUND"},
		"no app":           {func(in *oauth.AuthorizationInput) { in.ClientID = "" }, "INVALID"},
		"an odd id":        {func(in *oauth.AuthorizationInput) { in.ClientID = "urn:uuid:" + in.ClientID }, "INVALID"},
		"another redirect": {func(in *oauth.AuthorizationInput) { in.RedirectURI = text(back + "?x") }, "INVALID"},
		"a bad redirect, denied": {func(in *oauth.AuthorizationInput) {
			in.RedirectURI, in.ResponseType = text("https://evil.example"), nil
		}, "INVALID"},
		"no response type":    {func(in *oauth.AuthorizationInput) { in.ResponseType = nil }, "invalid_request"},
		"a token at once":     {func(in *oauth.AuthorizationInput) { in.ResponseType = text("token") }, "unsupported_response_type"},
		"more than a code":    {func(in *oauth.AuthorizationInput) { in.ResponseType = text("code id_token") }, "unsupported_response_type"},
		"no challenge":        {func(in *oauth.AuthorizationInput) { in.CodeChallenge = nil }, "invalid_request"},
		"no method":           {func(in *oauth.AuthorizationInput) { in.CodeChallengeMethod = nil }, "invalid_request"},
		"the plain method":    {func(in *oauth.AuthorizationInput) { in.CodeChallengeMethod = text("plain") }, "invalid_request"},
		"a short challenge":   {func(in *oauth.AuthorizationInput) { in.CodeChallenge = text(strings.Repeat("x", 42)) }, "invalid_request"},
		"a long challenge":    {func(in *oauth.AuthorizationInput) { in.CodeChallenge = text(strings.Repeat("x", 44)) }, "invalid_request"},
		"a padded challenge":  {func(in *oauth.AuthorizationInput) { in.CodeChallenge = text(strings.Repeat("x", 42) + "=") }, "invalid_request"},
		"a line at its end":   {func(in *oauth.AuthorizationInput) { in.CodeChallenge = text(strings.Repeat("x", 43) + "\n") }, "invalid_request"},
		"no scope":            {func(in *oauth.AuthorizationInput) { in.Scope = nil }, "invalid_scope"},
		"an empty scope":      {func(in *oauth.AuthorizationInput) { in.Scope = text(" ") }, "invalid_scope"},
		"an unknown scope":    {func(in *oauth.AuthorizationInput) { in.Scope = text("jobs:read admin") }, "invalid_scope"},
		"a scope in capitals": {func(in *oauth.AuthorizationInput) { in.Scope = text("JOBS:READ") }, "invalid_scope"},
		"another service":     {func(in *oauth.AuthorizationInput) { in.Resource = []string{issuer, "https://elsewhere.example"} }, "invalid_target"},
		"nobody to be asked":  {func(in *oauth.AuthorizationInput) { in.Prompt = text("none") }, "consent_required"},
		"asked and not":       {func(in *oauth.AuthorizationInput) { in.Prompt = text("none consent") }, "invalid_request"},
		"a very long state":   {func(in *oauth.AuthorizationInput) { in.State = text(strings.Repeat("x", 4001)) }, "invalid_request"},
	} {
		t.Run(name, func(t *testing.T) {
			w := &world{t: t, here: w.here, guest: w.guest}
			in := asks(app)
			c.change(&in)
			shown, err := w.here.FindAuthorization(w.guest, in)
			switch c.want {
			case "NOT FOUND":
				w.code(err, models.CodeNotFound)
				_, err = w.here.Approve(w.guest, in)
				w.code(err, models.CodeNotFound)
				return
			case "INVALID":
				w.code(err, models.CodeValidation)
				_, err = w.here.Deny(w.guest, in)
				w.code(err, models.CodeValidation)
				return
			}
			w.no(err)
			if shown.Answer == nil {
				t.Fatal("the person is asked")
			}
			if query := w.answered(*shown.Answer); query.Get("error") != c.want || query.Get("code") != "" || query.Get("state") != "a state" && len(*in.State) < 100 {
				t.Errorf("answered %s", *shown.Answer)
			}
			if in.Prompt == nil && len(*in.State) < 100 {
				to, err := w.here.Approve(w.guest, in)
				w.no(err)
				if w.answered(to).Get("error") != c.want {
					t.Errorf("approved to %s", to)
				}
			}
		})
	}
	to, err := w.here.Deny(w.guest, asks(app))
	w.no(err)
	if query := w.answered(to); query.Get("error") != "access_denied" || query.Get("state") != "a state" {
		t.Errorf("denied to %s", to)
	}
	if apps, err := w.here.ListConnectedApps(w.guest); err != nil || len(apps) != 0 {
		t.Errorf("%d apps are connected by refusals: %v", len(apps), err)
	}
}

// TestRedirectOfOne leaves redirect_uri out, which an app with one may.
func TestRedirectOfOne(t *testing.T) {
	w := newWorld(t)
	app := w.app(false)
	in := asks(app)
	in.RedirectURI = nil
	for _, sent := range []string{"", back} {
		to, err := w.here.Approve(w.guest, in)
		w.no(err)
		request := exchanges(app, w.answered(to).Get("code"))
		request.RedirectURI = "https://elsewhere.example"
		_, err = w.here.Exchange(visitor("198.51.100.1"), request)
		w.refused(err, "invalid_grant")
		request.RedirectURI = sent
		_, err = w.here.Exchange(visitor("198.51.100.1"), request)
		w.no(err)
	}
	_, err := w.here.UpdateApp(w.owner, app.App.ID, oauth.UpdateAppInput{RedirectURIs: []string{back, back + "/two"}})
	w.no(err)
	_, err = w.here.FindAuthorization(w.guest, in)
	w.code(err, models.CodeValidation)
}

// TestWhoIsNotAskedAgain allows everything before: everyone is asked once more,
// unless an app asks not to, keeps a secret, and a person answers for it.
func TestWhoIsNotAskedAgain(t *testing.T) {
	w := newWorld(t)
	byItself, err := w.here.Register(visitor("198.51.100.1"), oauth.Registration{RedirectURIs: []string{back}})
	w.no(err)
	for name, c := range map[string]struct {
		app   *oauth.CreatedApp
		quiet bool
	}{"by hand": {w.app(false), true}, "without a secret": {w.app(true), false}, "by itself": {&byItself.CreatedApp, false}} {
		w.token(w.guest, c.app)
		shown, err := w.here.FindAuthorization(w.guest, asks(c.app))
		w.no(err)
		if shown.Answer != nil || len(shown.Granted) != 2 {
			t.Errorf("%s: answered %v, granted %v", name, shown.Answer, shown.Granted)
		}
		none := asks(c.app)
		none.Prompt = text("none")
		shown, err = w.here.FindAuthorization(w.guest, none)
		w.no(err)
		if c.app == &byItself.CreatedApp {
			if shown.Answer != nil || shown.Refusal == nil {
				t.Errorf("prompt=none of an app that registered itself leads away: %+v", shown)
			}
		} else if w.answered(*shown.Answer).Has("code") != c.quiet {
			t.Errorf("%s, prompt=none: %v", name, *shown.Answer)
		}
		if c.quiet {
			_, err := w.here.Exchange(visitor("198.51.100.1"), exchanges(c.app, w.answered(*shown.Answer).Get("code")))
			w.no(err)
		}
		more, again := asks(c.app), asks(c.app)
		more.Scope, again.Prompt = text("jobs:read workspaces:write"), text("consent")
		for _, in := range []oauth.AuthorizationInput{more, again} {
			if shown, err = w.here.FindAuthorization(w.guest, in); err != nil || shown.Answer != nil {
				t.Errorf("%s: more was given without asking (%v)", name, err)
			}
		}
		w.no(w.here.RevokeConnectedApp(w.guest, c.app.App.ID))
		w.code(w.here.RevokeConnectedApp(w.guest, c.app.App.ID), models.CodeNotFound)
		if shown, err = w.here.FindAuthorization(w.guest, asks(c.app)); err != nil || shown.Answer != nil {
			t.Errorf("%s: answered after it was taken back (%v)", name, err)
		}
	}
}

// TestApprovalsRace approves at once on two replicas: one grant, and as many codes.
func TestApprovalsRace(t *testing.T) {
	w := newWorld(t)
	app := w.app(false)
	var wait sync.WaitGroup
	for i := range 16 {
		s := []*oauth.Service{w.here, w.there}[i%2]
		wait.Go(func() {
			in := asks(app)
			in.Scope = text(string(oauth.Scopes[i%4]))
			to, err := s.Approve(w.guest, in)
			if err != nil {
				t.Error(err)
				return
			}
			if _, err := s.Exchange(visitor("198.51.100.1"), exchanges(app, w.answered(to).Get("code"))); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	connected, err := w.here.ListConnectedApps(w.guest)
	w.no(err)
	if len(connected) != 1 || len(connected[0].Scopes) != 4 {
		t.Errorf("connected: %+v", connected)
	}
}

// TestApprovalAgainstDeletion deletes an app while people approve it and
// exchange codes: afterwards no token counts.
func TestApprovalAgainstDeletion(t *testing.T) {
	w := newWorld(t)
	app := w.app(false)
	people := []context.Context{w.guest, w.person(), w.person(), w.person()}
	tokens := make(chan string, 100)
	var wait sync.WaitGroup
	for _, who := range people {
		wait.Go(func() {
			for range 4 {
				to, err := w.there.Approve(who, asks(app))
				if err != nil {
					return // deleted
				}
				if issued, err := w.here.Exchange(visitor("198.51.100.1"), exchanges(app, w.answered(to).Get("code"))); err == nil {
					tokens <- issued.Token
				}
			}
		})
	}
	time.Sleep(30 * time.Millisecond)
	w.no(w.here.DeleteApp(w.owner, app.App.ID))
	wait.Wait()
	close(tokens)
	for token := range tokens {
		w.dead(token)
	}
	var left int64
	w.no(w.here.DB.Read(w.owner).Model(&oauth.Grant{}).Where("revoked_at IS NULL").Count(&left).Error)
	if left != 0 {
		t.Errorf("%d grants are left", left)
	}
}

// TestRevocationAgainstExchange takes an app back while codes are exchanged.
func TestRevocationAgainstExchange(t *testing.T) {
	for range 5 {
		w := newWorld(t)
		app := w.app(false)
		codes := []string{w.approve(w.guest, app), w.approve(w.guest, app), w.approve(w.guest, app), w.approve(w.guest, app)}
		tokens := make(chan string, len(codes))
		var wait sync.WaitGroup
		for _, code := range codes {
			wait.Go(func() {
				if issued, err := w.there.Exchange(visitor("198.51.100.1"), exchanges(app, code)); err == nil {
					tokens <- issued.Token
				}
			})
		}
		w.no(w.here.RevokeConnectedApp(w.guest, app.App.ID))
		wait.Wait()
		close(tokens)
		for token := range tokens {
			w.dead(token)
		}
	}
}

func TestRegistration(t *testing.T) {
	w := newWorld(t)
	for name, c := range map[string]struct {
		in   oauth.Registration
		want string
	}{
		"no redirect":        {oauth.Registration{}, "invalid_redirect_uri"},
		"a bad redirect":     {oauth.Registration{RedirectURIs: []string{back, "http://app.example"}}, "invalid_redirect_uri"},
		"eleven":             {oauth.Registration{RedirectURIs: make([]string, 11)}, "invalid_redirect_uri"},
		"a turned name":      {oauth.Registration{RedirectURIs: []string{back}, ClientName: text("a\u202eb")}, "invalid_client_metadata"},
		"refreshing alone":   {oauth.Registration{RedirectURIs: []string{back}, GrantTypes: []string{"refresh_token"}}, "invalid_client_metadata"},
		"no grant":           {oauth.Registration{RedirectURIs: []string{back}, GrantTypes: []string{}}, "invalid_client_metadata"},
		"tokens at once":     {oauth.Registration{RedirectURIs: []string{back}, ResponseTypes: []string{"token"}}, "invalid_client_metadata"},
		"a very long scope":  {oauth.Registration{RedirectURIs: []string{back}, Scope: text(strings.Repeat("jobs:read ", 500))}, "invalid_client_metadata"},
		"an impossible name": {oauth.Registration{RedirectURIs: []string{back}, ClientName: text("")}, "invalid_client_metadata"},
	} {
		t.Run(name, func(t *testing.T) {
			w := &world{t: t}
			_, err := (&oauth.Service{}).Register(context.Background(), c.in)
			w.refused(err, c.want)
		})
	}
	made, err := w.here.Register(visitor("198.51.100.1"), oauth.Registration{RedirectURIs: []string{back}, Scope: text("jobs:read workflows:execute")})
	w.no(err)
	if made.ClientSecret == nil || made.AuthMethod != "client_secret_basic" || made.App.Name != "app.example" || made.App.OwnerID != nil {
		t.Errorf("registered %+v of %+v", made, made.App)
	}
	more := asks(&made.CreatedApp)
	more.Scope = text("workspaces:read")
	stepUp, err := w.here.FindAuthorization(w.guest, more)
	w.no(err)
	if len(stepUp.Scopes) != 1 || stepUp.Answer != nil || stepUp.Refusal != nil {
		t.Errorf("it may not ask for more than it registered for: %+v", stepUp)
	}
	all := asks(&made.CreatedApp)
	all.Scope = nil // what it registered for
	shown, err := w.here.FindAuthorization(w.guest, all)
	w.no(err)
	if len(shown.Scopes) != 2 || !shown.App.SelfRegistered || shown.App.OwnerName != nil {
		t.Errorf("the person is shown %+v of %+v", shown, shown.App)
	}
	w.token(w.guest, &made.CreatedApp)
	if _, err := w.here.Register(visitor("198.51.100.1"), oauth.Registration{RedirectURIs: []string{back}}); err != nil {
		t.Error(err)
	}
	w.clock.Advance(31 * 24 * time.Hour)
	w.no(w.there.Sweep(context.Background()))
	var left []oauth.App
	w.no(w.here.DB.Read(context.Background()).Find(&left).Error)
	if len(left) != 1 || left[0].ID != made.App.ID {
		t.Errorf("%d registrations are left", len(left))
	}
}

// TestRegistrationsAreCounted registers from two networks, on two replicas.
func TestRegistrationsAreCounted(t *testing.T) {
	w := newWorld(t)
	var admitted, refused atomic.Int64
	var wait sync.WaitGroup
	for i := range 30 {
		s, ip := []*oauth.Service{w.here, w.there}[i%2], fmt.Sprintf("2001:db8:1::%d", i+1) // one /64
		wait.Go(func() {
			err := s.AdmitRegistration(visitor(ip))
			if err == nil {
				admitted.Add(1)
			} else if refusal, _ := models.AsError(err); refusal.Code == models.CodeRateLimitExceeded && refusal.RetryAfter > 0 {
				refused.Add(1)
			}
		})
	}
	wait.Wait()
	if admitted.Load() != 10 || refused.Load() != 20 {
		t.Errorf("%d admitted, %d refused", admitted.Load(), refused.Load())
	}
	w.no(w.here.AdmitRegistration(visitor("192.0.2.9")))
	w.clock.Advance(time.Minute)
	w.no(w.here.AdmitRegistration(visitor("2001:db8:1::1")))
}

// TestWrongSecretsAreCounted guesses a secret: the network is stopped, others go on.
func TestWrongSecretsAreCounted(t *testing.T) {
	w := newWorld(t)
	app := w.app(false)
	wrong := oauth.ClientAuth{ID: app.App.ID.String(), Secret: text("wrong")}
	for range 30 {
		w.refused(w.there.Revoke(visitor("203.0.113.5"), wrong, "x"), "invalid_client")
	}
	w.code(w.here.Revoke(visitor("203.0.113.5"), wrong, "x"), models.CodeRateLimitExceeded)
	w.no(w.here.Revoke(visitor("203.0.113.6"), exchanges(app, "").Client, "x"))
	rotated, err := w.here.RotateSecret(w.owner, app.App.ID)
	w.no(err)
	w.refused(w.there.Revoke(visitor("203.0.113.6"), exchanges(app, "").Client, "x"), "invalid_client")
	w.no(w.there.Revoke(visitor("203.0.113.6"), exchanges(rotated, "").Client, "x"))
	_, err = w.here.RotateSecret(w.owner, w.app(true).App.ID)
	w.code(err, models.CodeValidation)
}

// TestBounds connects as many apps, and makes as many tokens, as there may be.
func TestBounds(t *testing.T) {
	w := newWorld(t)
	for i := range 100 {
		made, err := w.here.Register(visitor("198.51.100.1"), oauth.Registration{RedirectURIs: []string{back}})
		w.no(err)
		if i%50 == 0 {
			w.clock.Advance(time.Minute)
		}
		w.approve(w.guest, &made.CreatedApp)
	}
	w.clock.Advance(time.Minute)
	_, err := w.here.Approve(w.guest, asks(w.app(false)))
	w.code(err, models.CodeLimitReached)
	app := w.app(false)
	other := w.person()
	var tokens []string
	for i := range 52 {
		if i%50 == 0 {
			w.clock.Advance(time.Minute)
		}
		tokens = append(tokens, w.token(other, app))
	}
	w.dead(tokens[0])
	w.dead(tokens[1])
	w.alive(tokens[2])
	w.alive(tokens[51])
	w.clock.Advance(time.Minute)
	for range 60 {
		w.approve(other, app)
	}
	_, err = w.there.Approve(other, asks(app))
	w.code(err, models.CodeRateLimitExceeded)
}

// TestSelfRegisteredAppsGetNothingByThemselves asks wrongly as an app without an owner: no
// answer leaves before its person sends it, and theirs says what is wrong.
func TestSelfRegisteredAppsGetNothingByThemselves(t *testing.T) {
	w := newWorld(t)
	made, err := w.here.Register(visitor("198.51.100.1"), oauth.Registration{RedirectURIs: []string{back}})
	w.no(err)
	for want, wrong := range map[string]func(*oauth.AuthorizationInput){
		"invalid_scope":             func(in *oauth.AuthorizationInput) { in.Scope = text("everything") },
		"unsupported_response_type": func(in *oauth.AuthorizationInput) { in.ResponseType = text("token") },
		"invalid_request":           func(in *oauth.AuthorizationInput) { in.CodeChallenge = nil },
		"invalid_target":            func(in *oauth.AuthorizationInput) { in.Resource = []string{"https://elsewhere.example"} },
	} {
		for _, prompt := range []string{"", "none", "consent"} {
			in := asks(&made.CreatedApp)
			in.Prompt = &prompt
			wrong(&in)
			shown, err := w.here.FindAuthorization(w.guest, in)
			w.no(err)
			if shown.Answer != nil || shown.Refusal == nil || *shown.Refusal == "" {
				t.Errorf("%s, prompt=%s: answer %v, refusal %v", want, prompt, shown.Answer, shown.Refusal)
			}
			to, err := w.here.Deny(w.guest, in)
			w.no(err)
			if got := w.answered(to).Get("error"); got != want {
				t.Errorf("the person sends back %s, not %s", got, want)
			}
		}
	}
}

// TestOnlyConfirmedSessionsAllowApps approves with a session of long ago: nothing is allowed but
// what an app that keeps a secret was allowed before.
func TestOnlyConfirmedSessionsAllowApps(t *testing.T) {
	w := newWorld(t)
	app := w.app(false)
	w.token(w.guest, app)
	w.clock.Advance(models.ConfirmationLasts + time.Second)
	_, err := w.here.Approve(w.guest, asks(app))
	w.code(err, models.CodeReauthentication)
	none := asks(app)
	none.Prompt = text("none")
	shown, err := w.here.FindAuthorization(w.guest, none)
	w.no(err)
	if !w.answered(*shown.Answer).Has("code") {
		t.Errorf("an app that was allowed it all is answered %s", *shown.Answer)
	}
	for _, in := range []oauth.UpdateAppInput{{RedirectURIs: []string{back + "/more"}}, {AllowedOrigins: []string{"https://more.example"}}} {
		_, err = w.here.UpdateApp(w.owner, app.App.ID, in)
		w.code(err, models.CodeReauthentication)
	}
	_, err = w.here.UpdateApp(w.owner, app.App.ID, oauth.UpdateAppInput{Name: text("Renamed")})
	w.no(err)
}

// TestRegistrationDropsUnknownScopes: what is no scope here is left out (RFC 7591).
func TestRegistrationDropsUnknownScopes(t *testing.T) {
	w := newWorld(t)
	made, err := w.here.Register(visitor("198.51.100.1"), oauth.Registration{RedirectURIs: []string{back}, Scope: text("openid jobs:read profile email")})
	w.no(err)
	if oauth.JoinScopes(made.Scopes) != "jobs:read" {
		t.Errorf("registered for %v", made.Scopes)
	}
}

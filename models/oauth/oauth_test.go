package oauth_test

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/account"
	"atelier/models/dbtest"
	"atelier/models/oauth"
)

const (
	issuer   = "https://atelier.example"
	back     = "https://app.example/back"
	verifier = "a-verifier-of-the-tests-that-is-long-enough-1234"
)

// world is a service on a database, and a second replica of it.
type world struct {
	t            testing.TB
	here, there  *oauth.Service
	clock        *dbtest.Clock
	people       atomic.Int64
	owner, guest context.Context
}

func newWorld(t testing.TB) *world {
	t.Helper()
	address, clock := dbtest.NewURL(t), dbtest.NewClock()
	replica := func() *oauth.Service {
		db := dbtest.Open(t, address, clock)
		accounts := &account.Service{DB: db, SessionKey: []byte(strings.Repeat("k", 32)), SignUpMode: "open"}
		s := &oauth.Service{DB: db, Accounts: accounts, PublicURL: issuer}
		s.RegisterHooks()
		return s
	}
	w := &world{t: t, here: replica(), there: replica(), clock: clock}
	w.owner, w.guest = w.person(), w.person()
	return w
}

// visitor is a person at an address of the network.
func visitor(ip string) context.Context {
	return models.WithActor(context.Background(), models.Actor{Kind: models.Anonymous, IP: ip})
}

// person is the session of a new account.
func (w *world) person() context.Context {
	w.t.Helper()
	n := w.people.Add(1)
	result, err := w.here.Accounts.SignUp(visitor(fmt.Sprintf("192.0.2.%d", n%250)), account.SignUpInput{
		Email: fmt.Sprintf("p%d@example.com", n), Password: "correct horse", DisplayName: fmt.Sprintf("Person %d", n),
	})
	w.no(err)
	credentials, err := w.here.Accounts.Authenticate(context.Background(), result.SignedIn.Token)
	w.no(err)
	return models.WithActor(context.Background(), credentials.Actor)
}

func (w *world) no(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) code(err error, code models.Code) {
	w.t.Helper()
	if !models.HasCode(err, code) {
		w.t.Fatalf("error = %v, want %s", err, code)
	}
}

// refused checks for a refusal of the protocol.
func (w *world) refused(err error, code string) {
	w.t.Helper()
	if r, ok := err.(*oauth.Refusal); !ok || r.Code != code {
		w.t.Fatalf("error = %v, want %s", err, code)
	}
}

func (w *world) app(public bool) *oauth.CreatedApp {
	w.t.Helper()
	made, err := w.here.CreateApp(w.owner, oauth.CreateAppInput{Name: "Posters", RedirectURIs: []string{back}, Public: &public})
	w.no(err)
	return made
}

func text(s string) *string { return &s }

// asks is a request of an app that is right.
func asks(app *oauth.CreatedApp) oauth.AuthorizationInput {
	sum := sha256.Sum256([]byte(verifier))
	return oauth.AuthorizationInput{
		ClientID: app.App.ID.String(), RedirectURI: text(back), ResponseType: text("code"), Scope: text("jobs:read workflows:execute"), State: text("a state"),
		CodeChallenge: text(base64.RawURLEncoding.EncodeToString(sum[:])), CodeChallengeMethod: text("S256"),
	}
}

// answered reads the query of an answer, which leads to the app.
func (w *world) answered(to string) url.Values {
	w.t.Helper()
	u, err := url.Parse(to)
	if err != nil || !strings.HasPrefix(to, back+"?") || u.Query().Get("iss") != issuer {
		w.t.Fatalf("the answer is %q (%v)", to, err)
	}
	return u.Query()
}

func (w *world) approve(who context.Context, app *oauth.CreatedApp) string {
	w.t.Helper()
	to, err := w.here.Approve(who, asks(app))
	w.no(err)
	code := w.answered(to).Get("code")
	if code == "" {
		w.t.Fatalf("no code in %s", to)
	}
	return code
}

func exchanges(app *oauth.CreatedApp, code string) oauth.TokenRequest {
	return oauth.TokenRequest{
		Client: oauth.ClientAuth{ID: app.App.ID.String(), Secret: app.ClientSecret}, GrantType: "authorization_code",
		Code: code, RedirectURI: back, CodeVerifier: verifier,
	}
}

func (w *world) token(who context.Context, app *oauth.CreatedApp) string {
	w.t.Helper()
	issued, err := w.here.Exchange(visitor("198.51.100.1"), exchanges(app, w.approve(who, app)))
	w.no(err)
	return issued.Token
}

func (w *world) dead(token string) {
	w.t.Helper()
	for _, s := range []*oauth.Service{w.here, w.there} {
		_, err := s.Accounts.Authenticate(context.Background(), token)
		w.code(err, models.CodeUnauthorized)
	}
}

func (w *world) alive(token string) models.Actor {
	w.t.Helper()
	credentials, err := w.there.Accounts.Authenticate(context.Background(), token)
	w.no(err)
	return credentials.Actor
}

func TestFlow(t *testing.T) {
	w := newWorld(t)
	app := w.app(false)
	request, err := w.here.FindAuthorization(w.guest, asks(app))
	w.no(err)
	if request.Answer != nil || request.App.Place != "app.example" || request.App.SelfRegistered || *request.App.OwnerName != "Person 1" || len(request.Granted) != 0 {
		t.Errorf("the person is shown %+v of %+v", request, request.App)
	}
	to, err := w.here.Approve(w.guest, asks(app))
	w.no(err)
	query := w.answered(to)
	if query.Get("state") != "a state" {
		t.Errorf("answered %s", to)
	}
	issued, err := w.there.Exchange(visitor("198.51.100.1"), exchanges(app, query.Get("code")))
	w.no(err)
	if !strings.HasPrefix(issued.Token, "svc_app_") || issued.ExpiresIn != 7776000*time.Second || oauth.JoinScopes(issued.Scopes) != "workflows:execute jobs:read" {
		t.Errorf("issued %+v", issued)
	}
	actor := w.alive(issued.Token)
	guest := models.ActorFrom(w.guest)
	if actor.Kind != models.ByOAuth || actor.UserID != guest.UserID || actor.ClientAppID != app.App.ID || !actor.HasScope(models.ScopeJobsRead) || actor.HasScope(models.ScopeWorkspacesRead) {
		t.Errorf("the token stands for %+v", actor)
	}
	connected, err := w.here.ListConnectedApps(w.guest)
	w.no(err)
	if len(connected) != 1 || connected[0].Places[0] != "app.example" || connected[0].LastUsedAt == nil || *connected[0].OwnerName != "Person 1" {
		t.Errorf("connected are %+v", connected)
	}
	own, err := w.here.FindApp(w.owner, app.App.ID)
	w.no(err)
	if own.People != 1 || own.LastUsedAt == nil {
		t.Errorf("the owner sees %+v", own)
	}
	w.clock.Advance(90*24*time.Hour - time.Second)
	w.alive(issued.Token)
	w.clock.Advance(time.Second)
	w.dead(issued.Token)
}

// TestScopesAdd consents to more: the grant holds both, each token its own.
func TestScopesAdd(t *testing.T) {
	w := newWorld(t)
	app := w.app(false)
	first := w.token(w.guest, app)
	more := asks(app)
	more.Scope = text("workspaces:read")
	to, err := w.here.Approve(w.guest, more)
	w.no(err)
	issued, err := w.here.Exchange(visitor("198.51.100.1"), exchanges(app, w.answered(to).Get("code")))
	w.no(err)
	if a := w.alive(issued.Token); len(a.Scopes) != 1 || a.Scopes[0] != models.ScopeWorkspacesRead {
		t.Errorf("the second token has %v", a.Scopes)
	}
	if a := w.alive(first); len(a.Scopes) != 2 {
		t.Errorf("the first token has %v", a.Scopes)
	}
	connected, err := w.here.ListConnectedApps(w.guest)
	w.no(err)
	if len(connected) != 1 || len(connected[0].Scopes) != 3 {
		t.Errorf("connected are %+v", connected[0])
	}
}

func TestAppsByHand(t *testing.T) {
	w := newWorld(t)
	var wait sync.WaitGroup
	var made, limited atomic.Int64
	for i := range 20 {
		s := []*oauth.Service{w.here, w.there}[i%2]
		wait.Go(func() {
			_, err := s.CreateApp(w.owner, oauth.CreateAppInput{Name: "One", RedirectURIs: []string{back}})
			switch {
			case err == nil:
				made.Add(1)
			case models.HasCode(err, models.CodeLimitReached):
				limited.Add(1)
			default:
				t.Error(err)
			}
		})
	}
	wait.Wait()
	apps, err := w.here.ListApps(w.owner)
	w.no(err)
	if made.Load() != 5 || limited.Load() != 15 || len(apps) != 5 {
		t.Fatalf("%d made, %d refused, %d there", made.Load(), limited.Load(), len(apps))
	}
	_, err = w.here.FindApp(w.guest, apps[0].ID)
	w.code(err, models.CodeNotFound)
	w.code(w.here.DeleteApp(w.guest, apps[0].ID), models.CodeNotFound)
	_, err = w.here.RotateSecret(w.guest, apps[0].ID)
	w.code(err, models.CodeNotFound)
	_, err = w.here.UpdateApp(w.guest, apps[0].ID, oauth.UpdateAppInput{Name: text("Mine")})
	w.code(err, models.CodeNotFound)
	changed, err := w.here.UpdateApp(w.owner, apps[0].ID, oauth.UpdateAppInput{Name: text(" Two "), AllowedOrigins: []string{"https://APP.example:443"}})
	w.no(err)
	if changed.Name != "Two" || changed.AllowedOrigins[0] != "https://app.example" || changed.RedirectURIs[0] != back {
		t.Errorf("changed to %+v", changed)
	}
	if allowed, err := w.there.OriginAllowed(visitor(""), "https://app.example", nil); err != nil || !allowed {
		t.Errorf("the origin is not known: %v", err)
	}
	if allowed, err := w.there.OriginAllowed(visitor(""), "https://app.example", &apps[1].ID); err != nil || allowed {
		t.Errorf("the origin is another app's too: %v", err)
	}
	w.no(w.here.DeleteApp(w.owner, apps[0].ID))
	if _, err = w.here.CreateApp(w.owner, oauth.CreateAppInput{Name: "Again", RedirectURIs: []string{back}}); err != nil {
		t.Error(err)
	}
}

// TestOnlySessions has tokens of every kind refused, and old sessions where a secret is shown.
func TestOnlySessions(t *testing.T) {
	w := newWorld(t)
	app := w.app(false)
	credentials, err := w.here.Authenticate(context.Background(), w.token(w.owner, app))
	w.no(err)
	byApp := models.WithActor(context.Background(), credentials.Actor)
	byToken := models.WithActor(context.Background(), models.Actor{Kind: models.ByToken, UserID: models.ActorFrom(w.owner).UserID})
	calls := map[string]func(context.Context) error{
		"create": func(ctx context.Context) error { _, err := w.here.CreateApp(ctx, oauth.CreateAppInput{}); return err },
		"list":   func(ctx context.Context) error { _, err := w.here.ListApps(ctx); return err },
		"find":   func(ctx context.Context) error { _, err := w.here.FindApp(ctx, app.App.ID); return err },
		"update": func(ctx context.Context) error {
			_, err := w.here.UpdateApp(ctx, app.App.ID, oauth.UpdateAppInput{})
			return err
		},
		"rotate":    func(ctx context.Context) error { _, err := w.here.RotateSecret(ctx, app.App.ID); return err },
		"delete":    func(ctx context.Context) error { return w.here.DeleteApp(ctx, app.App.ID) },
		"connected": func(ctx context.Context) error { _, err := w.here.ListConnectedApps(ctx); return err },
		"revoke":    func(ctx context.Context) error { return w.here.RevokeConnectedApp(ctx, app.App.ID) },
		"look":      func(ctx context.Context) error { _, err := w.here.FindAuthorization(ctx, asks(app)); return err },
		"approve":   func(ctx context.Context) error { _, err := w.here.Approve(ctx, asks(app)); return err },
		"deny":      func(ctx context.Context) error { _, err := w.here.Deny(ctx, asks(app)); return err },
	}
	for name, call := range calls {
		t.Run(name, func(t *testing.T) {
			w := &world{t: t}
			w.code(call(byApp), models.CodeForbidden)
			w.code(call(byToken), models.CodeForbidden)
			w.code(call(visitor("")), models.CodeUnauthorized)
		})
	}
	w.clock.Advance(time.Hour + time.Second)
	_, err = w.here.CreateApp(w.owner, oauth.CreateAppInput{Name: "x", RedirectURIs: []string{back}})
	w.code(err, models.CodeReauthentication)
	_, err = w.here.RotateSecret(w.owner, app.App.ID)
	w.code(err, models.CodeReauthentication)
}

// TestExchange tries everything about an exchange that may be wrong; none of it
// uses the code up.
func TestExchange(t *testing.T) {
	w := newWorld(t)
	app, other, public := w.app(false), w.app(false), w.app(true)
	code := w.approve(w.guest, app)
	for name, c := range map[string]struct {
		change func(*oauth.TokenRequest)
		want   string
	}{
		"no grant type":        {func(r *oauth.TokenRequest) { r.GrantType = "" }, "invalid_request"},
		"another grant type":   {func(r *oauth.TokenRequest) { r.GrantType = "refresh_token" }, "unsupported_grant_type"},
		"no code":              {func(r *oauth.TokenRequest) { r.Code = "" }, "invalid_request"},
		"no verifier":          {func(r *oauth.TokenRequest) { r.CodeVerifier = "" }, "invalid_request"},
		"a short verifier":     {func(r *oauth.TokenRequest) { r.CodeVerifier = verifier[:42] }, "invalid_grant"},
		"another verifier":     {func(r *oauth.TokenRequest) { r.CodeVerifier = strings.Repeat("x", 43) }, "invalid_grant"},
		"the challenge itself": {func(r *oauth.TokenRequest) { r.CodeVerifier = *asks(app).CodeChallenge }, "invalid_grant"},
		"an unknown code":      {func(r *oauth.TokenRequest) { r.Code = "svc_code_x" }, "invalid_grant"},
		"no redirect":          {func(r *oauth.TokenRequest) { r.RedirectURI = "" }, "invalid_grant"},
		"another redirect":     {func(r *oauth.TokenRequest) { r.RedirectURI = back + "/" }, "invalid_grant"},
		"no secret":            {func(r *oauth.TokenRequest) { r.Client.Secret = nil }, "invalid_client"},
		"a wrong secret":       {func(r *oauth.TokenRequest) { r.Client.Secret = text("wrong") }, "invalid_client"},
		"an unknown app":       {func(r *oauth.TokenRequest) { r.Client.ID = models.NewID(time.Now()).String() }, "invalid_client"},
		"no app":               {func(r *oauth.TokenRequest) { r.Client.ID = "" }, "invalid_client"},
		"an odd id":            {func(r *oauth.TokenRequest) { r.Client.ID = "{" + r.Client.ID + "}" }, "invalid_client"},
		"another app":          {func(r *oauth.TokenRequest) { r.Client = exchanges(other, "").Client }, "invalid_grant"},
		"a public app":         {func(r *oauth.TokenRequest) { r.Client = exchanges(public, "").Client }, "invalid_grant"},
		"a secret of none": {func(r *oauth.TokenRequest) {
			r.Client = oauth.ClientAuth{ID: public.App.ID.String(), Secret: text("x")}
		}, "invalid_client"},
		"another service": {func(r *oauth.TokenRequest) { r.Resource = []string{"https://elsewhere.example"} }, "invalid_target"},
	} {
		t.Run(name, func(t *testing.T) {
			w := &world{t: t, here: w.here}
			request := exchanges(app, code)
			c.change(&request)
			_, err := w.here.Exchange(visitor("198.51.100.1"), request)
			w.refused(err, c.want)
		})
	}
	w.clock.Advance(59 * time.Second)
	_, err := w.here.Exchange(visitor("198.51.100.1"), exchanges(app, code))
	w.no(err)
	late := w.approve(w.guest, app)
	w.clock.Advance(time.Minute)
	_, err = w.here.Exchange(visitor("198.51.100.1"), exchanges(app, late))
	w.refused(err, "invalid_grant")
}

// TestReplay exchanges one code many times at once, on two replicas: at most one
// gets a token, and no token outlives the others' attempts.
func TestReplay(t *testing.T) {
	for _, public := range []bool{false, true} {
		t.Run(fmt.Sprint("public: ", public), func(t *testing.T) {
			w := newWorld(t)
			app := w.app(public)
			keeps := w.token(w.guest, app)
			code := w.approve(w.guest, app)
			tokens := make(chan string, 50)
			var wait sync.WaitGroup
			for i := range 50 {
				s := []*oauth.Service{w.here, w.there}[i%2]
				wait.Go(func() {
					issued, err := s.Exchange(visitor("198.51.100.1"), exchanges(app, code))
					if err == nil {
						tokens <- issued.Token
					} else if r, ok := err.(*oauth.Refusal); !ok || r.Code != "invalid_grant" {
						t.Error(err)
					}
				})
			}
			wait.Wait()
			close(tokens)
			if len(tokens) != 1 {
				t.Fatalf("%d tokens", len(tokens))
			}
			w.dead(<-tokens)
			w.alive(keeps)
		})
	}
}

// TestReplayByStrangers has others send a used code: nothing happens to its token.
func TestReplayByStrangers(t *testing.T) {
	w := newWorld(t)
	app, other := w.app(true), w.app(false)
	code := w.approve(w.guest, app)
	issued, err := w.here.Exchange(visitor("198.51.100.1"), exchanges(app, code))
	w.no(err)
	stranger := exchanges(app, code)
	stranger.CodeVerifier = strings.Repeat("y", 43)
	_, err = w.here.Exchange(visitor("203.0.113.9"), stranger)
	w.refused(err, "invalid_grant")
	_, err = w.here.Exchange(visitor("203.0.113.9"), exchanges(other, code))
	w.refused(err, "invalid_grant")
	w.alive(issued.Token)
	w.no(w.here.Revoke(visitor("203.0.113.9"), exchanges(other, "").Client, issued.Token))
	w.alive(issued.Token)
	w.no(w.here.Revoke(visitor("203.0.113.9"), exchanges(app, "").Client, "svc_app_unknown"))
	w.no(w.here.Revoke(visitor("203.0.113.9"), exchanges(app, "").Client, issued.Token))
	w.dead(issued.Token)
	if connected, err := w.here.ListConnectedApps(w.guest); err != nil || len(connected) != 1 {
		t.Errorf("revoking a token took the grant: %v", err)
	}
}

// TestWhatEnds ends a token in every way there is, and what is done with it and its codes.
func TestWhatEnds(t *testing.T) {
	for name, end := range map[string]func(*world, *oauth.CreatedApp) error{
		"the person takes it back": func(w *world, app *oauth.CreatedApp) error { return w.here.RevokeConnectedApp(w.guest, app.App.ID) },
		"the app is deleted":       func(w *world, app *oauth.CreatedApp) error { return w.here.DeleteApp(w.owner, app.App.ID) },
		"the owner leaves": func(w *world, _ *oauth.CreatedApp) error {
			return w.here.Accounts.DeleteAccount(w.owner, "correct horse")
		},
		"the person leaves": func(w *world, _ *oauth.CreatedApp) error {
			return w.here.Accounts.DeleteAccount(w.guest, "correct horse")
		},
		"the person is banned": func(w *world, _ *oauth.CreatedApp) error { return w.ban(w.guest) },
		"the owner is banned":  func(w *world, _ *oauth.CreatedApp) error { return w.ban(w.owner) },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			app := w.app(false)
			var ended []models.ID
			for _, s := range []*oauth.Service{w.here, w.there} {
				s.OnEnd("test", func(_ *models.Tx, appID, userID models.ID) error {
					if appID != app.App.ID {
						t.Errorf("%s ended", appID)
					}
					ended = append(ended, userID)
					return nil
				})
			}
			token, code := w.token(w.guest, app), w.approve(w.guest, app)
			actor := w.alive(token)
			open := models.WithActor(context.Background(), actor)
			w.no(w.there.Accounts.StillValid(open))
			w.no(end(w, app))
			w.dead(token)
			w.code(w.there.Accounts.StillValid(open), models.CodeUnauthorized)
			if _, err := w.there.Exchange(visitor("198.51.100.1"), exchanges(app, code)); err == nil {
				t.Error("the code still counts")
			}
			if name != "the owner is banned" && name != "the person is banned" && (len(ended) != 1 || ended[0] != actor.UserID) {
				t.Errorf("ended for %v", ended)
			}
		})
	}
}

// ban closes an account as an operator does, below the use case.
func (w *world) ban(who context.Context) error {
	return w.here.DB.Write(who, func(tx *models.Tx) error {
		return tx.Model(&account.User{}).Where("id = ?", tx.Actor.UserID).Update("banned_at", tx.Now).Error
	})
}

// TestEndOfManyPeople deletes an app that more people allow than end in one transaction.
func TestEndOfManyPeople(t *testing.T) {
	w := newWorld(t)
	app := w.app(false)
	const people = 250
	err := w.here.DB.Write(w.owner, func(tx *models.Tx) error {
		for i := range people {
			user := account.User{ID: tx.NewID(), Email: fmt.Sprintf("many%d@example.com", i), Address: fmt.Sprintf("many%d@example.com", i), DisplayName: "x", CreatedAt: tx.Now, UpdatedAt: tx.Now}
			if err := tx.Create(&user).Error; err != nil {
				return err
			}
			grant := oauth.Grant{ID: tx.NewID(), AppID: app.App.ID, UserID: user.ID, Scopes: models.Strings{"jobs:read"}, CreatedAt: tx.Now, UpdatedAt: tx.Now}
			if err := tx.Create(&grant).Error; err != nil {
				return err
			}
		}
		return nil
	})
	w.no(err)
	ended := map[models.ID]int{}
	w.here.OnEnd("test", func(_ *models.Tx, _, userID models.ID) error { ended[userID]++; return nil })
	w.no(w.here.DeleteApp(w.owner, app.App.ID))
	if len(ended) != people {
		t.Errorf("ended for %d people", len(ended))
	}
	w.clock.Advance(100 * 24 * time.Hour)
	w.no(w.here.Sweep(context.Background()))
	w.no(w.here.Sweep(context.Background()))
	var left int64
	w.no(w.here.DB.Read(context.Background()).Model(&oauth.App{}).Count(&left).Error)
	if left != 0 {
		t.Errorf("%d apps are left", left)
	}
}

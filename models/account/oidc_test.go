package account_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"atelier/models"
	"atelier/models/account"
	"atelier/models/dbtest"
)

// badProvider is an OpenID Connect provider that does what a certified one does
// not do: each test says what it lies about.
type badProvider struct {
	t     *testing.T
	clock *dbtest.Clock
	*httptest.Server
	key, other *ecdsa.PrivateKey

	mu       sync.Mutex
	document map[string]any // what it says of itself
	claims   map[string]any // of the ID token, beside those of the flow
	without  []string       // claims that are left out
	info     map[string]any // of the userinfo endpoint; nil fails
	sign     func(payload []byte) string
	token    http.HandlerFunc // in place of the token endpoint

	asked, exchanged atomic.Int64
	nonce, challenge string // of the flow
	form             url.Values
	user, password   string // shown at the token endpoint
}

func startBadProvider(t *testing.T, clock *dbtest.Clock) *badProvider {
	t.Helper()
	p := &badProvider{t: t, clock: clock}
	for _, key := range []**ecdsa.PrivateKey{&p.key, &p.other} {
		made, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		*key = made
	}
	p.sign = p.signedBy(p.key, jose.ES256)
	mux := http.NewServeMux()
	mux.HandleFunc("/.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
		p.asked.Add(1)
		p.mu.Lock()
		defer p.mu.Unlock()
		p.write(w, p.document)
	})
	mux.HandleFunc("/keys", func(w http.ResponseWriter, _ *http.Request) {
		p.write(w, jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: p.key.Public(), KeyID: "k", Algorithm: "ES256", Use: "sig"}}})
	})
	mux.HandleFunc("/token", p.answerToken)
	mux.HandleFunc("/userinfo", func(w http.ResponseWriter, _ *http.Request) {
		if p.info == nil {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		p.write(w, p.info)
	})
	p.Server = httptest.NewServer(mux)
	t.Cleanup(p.Close)
	p.document = map[string]any{
		"issuer": p.URL, "authorization_endpoint": p.URL + "/authorize", "token_endpoint": p.URL + "/token", "jwks_uri": p.URL + "/keys",
		"id_token_signing_alg_values_supported": []string{"ES256", "HS256", "none"}, "userinfo_endpoint": p.URL + "/userinfo",
	}
	return p
}

func (p *badProvider) write(w http.ResponseWriter, value any) {
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(value); err != nil {
		p.t.Error(err)
	}
}

func (p *badProvider) signedBy(key any, alg jose.SignatureAlgorithm) func([]byte) string {
	return func(payload []byte) string {
		signer, err := jose.NewSigner(jose.SigningKey{Algorithm: alg, Key: key}, (&jose.SignerOptions{}).WithHeader("kid", "k"))
		if err != nil {
			p.t.Error(err)
			return ""
		}
		signed, err := signer.Sign(payload)
		if err != nil {
			p.t.Error(err)
			return ""
		}
		text, err := signed.CompactSerialize()
		if err != nil {
			p.t.Error(err)
		}
		return text
	}
}

func (p *badProvider) answerToken(w http.ResponseWriter, r *http.Request) {
	p.exchanged.Add(1)
	if p.token != nil {
		p.token(w, r)
		return
	}
	if err := r.ParseForm(); err != nil {
		p.t.Error(err)
	}
	p.form = r.PostForm
	p.user, p.password, _ = r.BasicAuth()
	now := p.clock.Now()
	claims := map[string]any{
		"iss": p.URL, "aud": "atelier", "sub": "person", "nonce": p.nonce, "iat": now.Unix(), "exp": now.Add(time.Minute).Unix(),
		"email": "ada@example.com", "email_verified": true, "name": "Ada",
	}
	maps.Copy(claims, p.claims)
	for _, name := range p.without {
		delete(claims, name)
	}
	payload, err := json.Marshal(claims)
	if err != nil {
		p.t.Error(err)
	}
	p.write(w, map[string]any{"access_token": "access", "token_type": "Bearer", "id_token": p.sign(payload)})
}

// withOIDC is a service that knows providers, by id.
func withOIDC(t *testing.T, clock *dbtest.Clock, providers map[string]string) *account.Service {
	t.Helper()
	s := newService(t)
	s.DB = dbtest.NewWithClock(t, clock)
	s.PublicURL, s.Egress = "https://atelier.example", &http.Client{Timeout: 2 * time.Second}
	for _, id := range slices.Sorted(maps.Keys(providers)) {
		s.External.OIDC = append(s.External.OIDC, account.OIDCProvider{
			ID: id, Label: id, Issuer: providers[id], ClientID: "atelier", ClientSecret: "a secret: of %this install", Scopes: []string{"openid", "email", "profile"},
		})
	}
	return s
}

// begin begins a sign-in at the provider with that id; the answer is as the provider would give it.
func (p *badProvider) begin(s *account.Service, id, next string) account.OIDCAnswer {
	p.t.Helper()
	begun, err := s.SSO().BeginOIDC(from("192.0.2.7"), id, next)
	if err != nil {
		p.t.Fatal(err)
	}
	asked, err := url.Parse(begun.URL)
	if err != nil {
		p.t.Fatal(err)
	}
	p.nonce, p.challenge = asked.Query().Get("nonce"), asked.Query().Get("code_challenge")
	return account.OIDCAnswer{State: asked.Query().Get("state"), Code: "a code", Flow: begun.Flow.Value}
}

// A provider that changes its algorithm, or moves its keys, is asked once more what it announces.
func TestOIDCProviderChangesItsAlgorithm(t *testing.T) {
	clock := dbtest.NewClock()
	p := startBadProvider(t, clock)
	s := withOIDC(t, clock, map[string]string{"work": p.URL})
	announce := func(alg string) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.document["id_token_signing_alg_values_supported"] = []string{alg}
	}
	announce("RS256")
	answer := p.begin(s, "work", "")
	asked := p.asked.Load()
	if _, err := s.SSO().FinishOIDC(from("192.0.2.7"), "work", answer); !models.HasCode(err, models.CodeInvalidSignature) && !models.HasCode(err, models.CodeInvalidClaims) {
		t.Errorf("signed as it never announced: %v", err)
	}
	if p.asked.Load() != asked+1 {
		t.Errorf("asked %d times more", p.asked.Load()-asked)
	}
	answer = p.begin(s, "work", "")
	if _, err := s.SSO().FinishOIDC(from("192.0.2.7"), "work", answer); err == nil || p.asked.Load() != asked+1 {
		t.Errorf("asked again at once: %v", err)
	}
	announce("ES256")
	clock.Advance(11 * time.Second)
	answer = p.begin(s, "work", "")
	if _, err := s.SSO().FinishOIDC(from("192.0.2.7"), "work", answer); err != nil || p.asked.Load() != asked+2 {
		t.Errorf("after it announced the new one: %v, asked %d times", err, p.asked.Load()-asked)
	}
}

func TestOIDCSignIn(t *testing.T) {
	clock := dbtest.NewClock()
	p := startBadProvider(t, clock)
	s := withOIDC(t, clock, map[string]string{"work": p.URL})
	answer := p.begin(s, "work", "/account")
	in, err := s.SSO().FinishOIDC(from("192.0.2.7"), "work", answer)
	if err != nil {
		t.Fatal(err)
	}
	if in.Next != "/account" || in.User.Email != "ada@example.com" || in.User.DisplayName != "Ada" {
		t.Errorf("signed in %+v as %+v", in, in.User)
	}
	if p.password != url.QueryEscape("a secret: of %this install") || p.form.Get("client_secret") != "" || p.form.Get("code_verifier") == "" ||
		p.form.Get("redirect_uri") != "https://atelier.example/auth/oidc/work/callback" {
		t.Errorf("exchanged with %q and %q", p.password, p.form)
	}
	if actor := models.ActorFrom(as(t, s, in.Token)); !actor.Guarded || actor.UserID != in.User.ID {
		t.Errorf("the session stands for %+v", actor)
	}
	again := p.begin(s, "work", "")
	once, err := s.SSO().FinishOIDC(from("192.0.2.7"), "work", again)
	if err != nil || once.User.ID != in.User.ID || once.Token == in.Token {
		t.Errorf("the second sign-in is %+v, %v", once, err)
	}
	if _, err := s.SSO().FinishOIDC(from("192.0.2.7"), "work", again); !models.HasCode(err, models.CodeAssertionReplayed) {
		t.Errorf("used twice: %v", err)
	}
	if p.asked.Load() != 1 {
		t.Errorf("asked %d times what it says of itself", p.asked.Load())
	}
}

func TestOIDCSecretInTheForm(t *testing.T) {
	clock := dbtest.NewClock()
	p := startBadProvider(t, clock)
	p.document["token_endpoint_auth_methods_supported"] = []string{"client_secret_post"}
	s := withOIDC(t, clock, map[string]string{"work": p.URL})
	if _, err := s.SSO().FinishOIDC(from("192.0.2.7"), "work", p.begin(s, "work", "")); err != nil {
		t.Fatal(err)
	}
	if p.form.Get("client_secret") != "a secret: of %this install" || p.password != "" {
		t.Errorf("exchanged with %q and %q", p.password, p.form)
	}
}

func TestOIDCLies(t *testing.T) {
	none := func(payload []byte) string {
		encode := base64.RawURLEncoding.EncodeToString
		return encode([]byte(`{"alg":"none"}`)) + "." + encode(payload) + "."
	}
	for name, c := range map[string]struct {
		lie  func(*badProvider)
		code models.Code // empty signs in
	}{
		"nothing":                   {func(*badProvider) {}, ""},
		"another nonce":             {func(p *badProvider) { p.claims = map[string]any{"nonce": "x"} }, models.CodeInvalidClaims},
		"no nonce":                  {func(p *badProvider) { p.without = []string{"nonce"} }, models.CodeInvalidClaims},
		"a nonce by another name":   {func(p *badProvider) { p.claims = map[string]any{"Nonce": p.nonce, "nonce": "x"} }, models.CodeInvalidClaims},
		"another issuer":            {func(p *badProvider) { p.claims = map[string]any{"iss": "https://evil.example"} }, models.CodeInvalidClaims},
		"another audience":          {func(p *badProvider) { p.claims = map[string]any{"aud": "other"} }, models.CodeInvalidClaims},
		"several audiences, no azp": {func(p *badProvider) { p.claims = map[string]any{"aud": []string{"atelier", "other"}} }, models.CodeInvalidClaims},
		"several audiences, foreign azp": {func(p *badProvider) {
			p.claims = map[string]any{"aud": []string{"atelier", "other"}, "azp": "other"}
		}, models.CodeInvalidClaims},
		"several audiences, own azp": {func(p *badProvider) { p.claims = map[string]any{"aud": []string{"atelier", "other"}, "azp": "atelier"} }, ""},
		"foreign azp":                {func(p *badProvider) { p.claims = map[string]any{"azp": "other"} }, models.CodeInvalidClaims},
		"expired":                    {func(p *badProvider) { p.claims = map[string]any{"exp": p.clock.Now().Add(-time.Second).Unix()} }, models.CodeExpired},
		"no expiry":                  {func(p *badProvider) { p.without = []string{"exp"} }, models.CodeExpired},
		"no time":                    {func(p *badProvider) { p.without = []string{"iat"} }, models.CodeInvalidClaims},
		"no subject":                 {func(p *badProvider) { p.without = []string{"sub"} }, models.CodeInvalidClaims},
		"a blank subject":            {func(p *badProvider) { p.claims = map[string]any{"sub": " "} }, models.CodeInvalidClaims},
		"a long subject":             {func(p *badProvider) { p.claims = map[string]any{"sub": strings.Repeat("x", 256)} }, models.CodeInvalidClaims},
		"a subject with a zero byte": {func(p *badProvider) { p.claims = map[string]any{"sub": "a\x00b"} }, models.CodeInvalidClaims},
		"a foreign access token":     {func(p *badProvider) { p.claims = map[string]any{"at_hash": "AAAA"} }, models.CodeInvalidClaims},
		"no signature":               {func(p *badProvider) { p.sign = none }, models.CodeInvalidSignature},
		"another key":                {func(p *badProvider) { p.sign = p.signedBy(p.other, jose.ES256) }, models.CodeInvalidSignature},
		"the client's secret as key": {func(p *badProvider) {
			p.sign = p.signedBy([]byte("a secret: of %this install but longer"), jose.HS256)
		}, models.CodeInvalidSignature},
		"no token":           {func(p *badProvider) { p.sign = func([]byte) string { return "" } }, models.CodeInvalidClaims},
		"no JWT":             {func(p *badProvider) { p.sign = func([]byte) string { return "a.b.c" } }, models.CodeInvalidSignature},
		"not verified":       {func(p *badProvider) { p.claims = map[string]any{"email_verified": false} }, models.CodeEmailUnverified},
		"verified: \"true\"": {func(p *badProvider) { p.claims = map[string]any{"email_verified": "true"} }, models.CodeEmailUnverified},
		"verified: 1":        {func(p *badProvider) { p.claims = map[string]any{"email_verified": 1} }, models.CodeEmailUnverified},
		"verified by another name": {func(p *badProvider) {
			p.claims, p.without = map[string]any{"Email_Verified": true}, []string{"email_verified"}
		}, models.CodeEmailUnverified},
		"vouched for as by Microsoft": {func(p *badProvider) {
			p.claims, p.without = map[string]any{"xms_edov": true}, []string{"email_verified"}
		}, models.CodeEmailUnverified},
		"the address elsewhere": {func(p *badProvider) {
			p.without, p.info = []string{"email", "email_verified"}, map[string]any{"sub": "person", "email": "ada@example.com", "email_verified": true}
		}, ""},
		"the address elsewhere, not verified there": {func(p *badProvider) {
			p.without, p.info = []string{"email"}, map[string]any{"sub": "person", "email": "ada@example.com"}
		}, models.CodeEmailUnverified},
		"the address of another person": {func(p *badProvider) {
			p.without, p.info = []string{"email"}, map[string]any{"sub": "other", "email": "ada@example.com", "email_verified": true}
		}, models.CodeInvalidClaims},
		"the address of nobody": {func(p *badProvider) {
			p.without, p.info = []string{"email"}, map[string]any{"email": "ada@example.com", "email_verified": true}
		}, models.CodeInvalidClaims},
		"no address anywhere": {func(p *badProvider) { p.without, p.info = []string{"email"}, map[string]any{"sub": "person"} }, models.CodeMissingEmail},
		"a broken userinfo":   {func(p *badProvider) { p.without = []string{"email"} }, models.CodeServiceUnavailable},
		"a used code":         {func(p *badProvider) { p.token = refusing(400, `{"error":"invalid_grant"}`) }, models.CodeExpired},
		"a wrong secret":      {func(p *badProvider) { p.token = refusing(401, `{"error":"invalid_client"}`) }, models.CodeProviderError},
		"a failure":           {func(p *badProvider) { p.token = refusing(503, `no`) }, models.CodeServiceUnavailable},
		"a redirect elsewhere": {func(p *badProvider) {
			p.token = func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(302) }
		}, models.CodeProviderError},
		"an endless answer": {func(p *badProvider) {
			p.token = func(w http.ResponseWriter, r *http.Request) {
				_ = r.ParseForm() // else no one sees that the other side left
				<-r.Context().Done()
			}
		}, models.CodeServiceUnavailable},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			clock := dbtest.NewClock()
			p := startBadProvider(t, clock)
			s := withOIDC(t, clock, map[string]string{"work": p.URL})
			answer := p.begin(s, "work", "")
			c.lie(p)
			_, err := s.SSO().FinishOIDC(from("192.0.2.7"), "work", answer)
			if c.code == "" && err != nil {
				t.Error(err)
			}
			if c.code != "" {
				wantCode(t, err, c.code)
				if n := count(t, s, `SELECT count(*) FROM sessions`) + count(t, s, `SELECT count(*) FROM users`); n != 0 {
					t.Errorf("%d rows came of it", n)
				}
			}
		})
	}
}

func refusing(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}
}

func TestOIDCAnswersThatAreNone(t *testing.T) {
	clock := dbtest.NewClock()
	p, q := startBadProvider(t, clock), startBadProvider(t, clock)
	p.document["authorization_response_iss_parameter_supported"] = true
	s := withOIDC(t, clock, map[string]string{"work": p.URL, "school": q.URL})
	for name, c := range map[string]struct {
		at     string
		change func(*account.OIDCAnswer)
		code   models.Code
	}{
		"another state":           {"work", func(a *account.OIDCAnswer) { a.State += "x" }, models.CodeExpired},
		"no state":                {"work", func(a *account.OIDCAnswer) { a.State = "" }, models.CodeExpired},
		"another browser":         {"work", func(a *account.OIDCAnswer) { a.Flow = "" }, models.CodeExpired},
		"a flow that was altered": {"work", func(a *account.OIDCAnswer) { a.Flow = a.Flow[:20] + "A" + a.Flow[21:] + "A" }, models.CodeExpired},
		"another flow":            {"work", func(a *account.OIDCAnswer) { a.Flow = p.begin(s, "work", "").Flow }, models.CodeExpired},
		"another provider":        {"school", func(*account.OIDCAnswer) {}, models.CodeInvalidClaims},
		"no provider":             {"nobody", func(*account.OIDCAnswer) {}, models.CodeUnknownProvider},
		"another issuer":          {"work", func(a *account.OIDCAnswer) { a.Issuer = q.URL }, models.CodeInvalidClaims},
		"no issuer":               {"work", func(a *account.OIDCAnswer) { a.Issuer = "" }, models.CodeInvalidClaims},
		"no code":                 {"work", func(a *account.OIDCAnswer) { a.Code = "" }, models.CodeInvalidClaims},
		"a code without end":      {"work", func(a *account.OIDCAnswer) { a.Code = strings.Repeat("x", 5000) }, models.CodeInvalidClaims},
		"a refusal":               {"work", func(a *account.OIDCAnswer) { a.Error = "access_denied" }, models.CodeAccessDenied},
		"a failure there":         {"work", func(a *account.OIDCAnswer) { a.Error = "server_error" }, models.CodeServiceUnavailable},
		"a wrong setting":         {"work", func(a *account.OIDCAnswer) { a.Error = "unauthorized_client" }, models.CodeProviderError},
		"a refusal by another":    {"work", func(a *account.OIDCAnswer) { a.Error, a.Issuer = "access_denied", q.URL }, models.CodeInvalidClaims},
	} {
		answer := p.begin(s, "work", "")
		answer.Issuer = p.URL
		c.change(&answer)
		_, err := s.SSO().FinishOIDC(from("192.0.2.8"), c.at, answer)
		if !models.HasCode(err, c.code) {
			t.Errorf("%s: %v, not %s", name, err, c.code)
		}
	}
	if p.exchanged.Load() != 0 || q.exchanged.Load() != 0 {
		t.Error("a provider was asked about an answer that was none")
	}
	answer := p.begin(s, "work", "")
	answer.Issuer = p.URL
	clock.Advance(10 * time.Minute)
	_, err := s.SSO().FinishOIDC(from("192.0.2.8"), "work", answer)
	wantCode(t, err, models.CodeExpired)
}

func TestOIDCAnswerIsUsedOnce(t *testing.T) {
	clock := dbtest.NewClock()
	p := startBadProvider(t, clock)
	s := withOIDC(t, clock, map[string]string{"work": p.URL})
	answer := p.begin(s, "work", "")
	var signedIn atomic.Int64
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			_, err := s.SSO().FinishOIDC(from("192.0.2.7"), "work", answer)
			if err == nil {
				signedIn.Add(1)
			} else if !models.HasCode(err, models.CodeAssertionReplayed) {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if signedIn.Load() != 1 || p.exchanged.Load() != 1 {
		t.Errorf("%d sessions of %d exchanges", signedIn.Load(), p.exchanged.Load())
	}
}

func TestOIDCAccountsAreByProviderAndSubject(t *testing.T) {
	clock := dbtest.NewClock()
	p, q := startBadProvider(t, clock), startBadProvider(t, clock)
	s := withOIDC(t, clock, map[string]string{"work": p.URL, "school": q.URL})
	finish := func(at *badProvider, id string) (*account.OIDCSignedIn, error) {
		return s.SSO().FinishOIDC(from("192.0.2.7"), id, at.begin(s, id, ""))
	}
	first, err := finish(p, "work")
	if err != nil {
		t.Fatal(err)
	}
	_, err = finish(q, "school") // the same subject and address elsewhere
	wantCode(t, err, models.CodeLinkedOtherProvider)
	q.claims = map[string]any{"email": "grace@example.com"}
	other, err := finish(q, "school")
	if err != nil || other.User.ID == first.User.ID {
		t.Fatalf("the same subject at another provider is %+v, %v", other, err)
	}
	p.claims = map[string]any{"email": "new@example.com"}
	renamed, err := finish(p, "work")
	if err != nil || renamed.User.ID != first.User.ID || renamed.User.Email != "ada@example.com" {
		t.Errorf("with another address it is %+v, %v", renamed, err)
	}
	p.claims = map[string]any{"sub": "somebody else"}
	_, err = finish(p, "work") // who takes over an address there takes over no account here
	wantCode(t, err, models.CodeLinkedOtherSubject)
	signUp(t, s, "local@example.com")
	p.claims = map[string]any{"sub": "third", "email": "local@example.com"}
	_, err = finish(p, "work")
	wantCode(t, err, models.CodeAccountExists)
}

func TestOIDCProviderThatIsDown(t *testing.T) {
	clock := dbtest.NewClock()
	p := startBadProvider(t, clock)
	s := withOIDC(t, clock, map[string]string{"work": p.URL, "lost": "http://127.0.0.1:1"})
	begin := func(id string) error { _, err := s.SSO().BeginOIDC(from("192.0.2.7"), id, ""); return err }
	err := begin("lost")
	wantCode(t, err, models.CodeServiceUnavailable)
	if refusal, _ := models.AsError(err); refusal.RetryAfter <= 0 {
		t.Error("it is not said when to try again")
	}
	p.document["issuer"] = "https://evil.example"
	wantCode(t, begin("work"), models.CodeServiceUnavailable)
	p.document["issuer"] = p.URL
	wantCode(t, begin("work"), models.CodeServiceUnavailable)
	if p.asked.Load() != 1 {
		t.Errorf("it was asked %d times without a rest", p.asked.Load())
	}
	clock.Advance(11 * time.Second)
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			if err := begin("work"); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if p.asked.Load() != 2 {
		t.Errorf("20 who came at once asked %d times", p.asked.Load()-1)
	}
	p.mu.Lock()
	p.document["issuer"] = "https://evil.example" // what is known serves on while it cannot be refreshed
	p.mu.Unlock()
	clock.Advance(2 * time.Hour)
	if err := begin("work"); err != nil {
		t.Error(err)
	}
	for p.asked.Load() != 3 {
		time.Sleep(time.Millisecond)
	}
	clock.Advance(23 * time.Hour)
	wantCode(t, begin("work"), models.CodeServiceUnavailable)
}

func TestOIDCEndpointsInTheClear(t *testing.T) {
	clock := dbtest.NewClock()
	for field, value := range map[string]string{
		"authorization_endpoint": "javascript:alert(1)", "token_endpoint": "file:///etc/passwd", "jwks_uri": "", "userinfo_endpoint": "ftp://x",
	} {
		p := startBadProvider(t, clock)
		p.document[field] = value
		s := withOIDC(t, clock, map[string]string{"work": p.URL})
		if _, err := s.SSO().BeginOIDC(from("192.0.2.7"), "work", ""); !models.HasCode(err, models.CodeServiceUnavailable) {
			t.Errorf("%s %q: %v", field, value, err)
		}
	}
}

func TestOIDCLimits(t *testing.T) {
	clock := dbtest.NewClock()
	p := startBadProvider(t, clock)
	s := withOIDC(t, clock, map[string]string{"work": p.URL})
	for range 60 {
		if _, err := s.SSO().BeginOIDC(from("192.0.2.9"), "work", ""); err != nil {
			t.Fatal(err)
		}
	}
	_, err := s.SSO().BeginOIDC(from("192.0.2.9"), "work", "")
	wantCode(t, err, models.CodeRateLimitExceeded)
	if _, err := s.SSO().BeginOIDC(from("192.0.2.10"), "work", ""); err != nil {
		t.Error(err)
	}
}

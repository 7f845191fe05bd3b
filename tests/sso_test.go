//go:build !race

package tests

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/dbtest"
)

const (
	ssoSecret    = "a secret of the school"
	ssoProviders = `EXTERNAL_SSO_PROVIDERS=[
		{"id":"school","label":"Northgate","kind":"assertion","secret":"` + ssoSecret + `","audience":"atelier","initiateUrl":"https://idp.example/start?x=1","initiateUrlByHost":{"localhost":"https://local.example/"}},
		{"id":"quiet","label":"Quiet","kind":"assertion","secret":"another secret here","audience":"atelier","maxLifetimeSeconds":60},
		{"id":"google","label":"Google","kind":"oidc"},
		{"id":"gone","label":"Gone","kind":"oidc","domain":"example.com"},
		{"id":"old","label":"Old","kind":"saml"}]`
	ssoOIDC = `OIDC_PROVIDERS=[{"id":"google","label":"Google","issuer":"https://accounts.example","clientId":"c","clientSecret":"s"}]`
)

// idp makes the assertions of a provider of the tests.
type idp struct {
	id, secret string
	clock      models.Clock
}

// claim is an assertion for a person; changes replace claims, nil takes one away.
func (p idp) claim(email string, changes object) string {
	now := time.Now()
	if p.clock != nil {
		now = p.clock.Now()
	}
	claims := object{
		"aud": "atelier", "sub": "sub-" + email, "email": email, "email_verified": true, "jti": models.NewSecret("", 12),
		"iat": now.Unix(), "exp": now.Add(time.Minute).Unix(), "name": "Mara Lind",
	}
	maps.Copy(claims, changes)
	maps.DeleteFunc(claims, func(_ string, v any) bool { return v == nil })
	payload, _ := json.Marshal(claims)
	encode := base64.RawURLEncoding.EncodeToString
	signed := encode([]byte(`{"alg":"HS256","typ":"JWT"}`)) + "." + encode(payload)
	mac := hmac.New(sha256.New, []byte(p.secret))
	mac.Write([]byte(signed))
	return signed + "." + encode(mac.Sum(nil))
}

// withoutRedirects keeps redirects as they are answered.
var withoutRedirects = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}

// visitOnce is a GET that follows nothing.
func visitOnce(t testing.TB, address string, header ...string) *reply {
	t.Helper()
	request, err := http.NewRequest("GET", address, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		request.Header.Add(header[i], header[i+1])
		if header[i] == "Host" {
			request.Host = header[i+1]
		}
	}
	response, err := withoutRedirects.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	r := &reply{t: t, what: "GET " + address, Status: response.StatusCode, Header: response.Header, Body: readAll(response.Body)}
	_ = json.Unmarshal(r.Body, &r.JSON)
	return r
}

func (h *testServer) assert(provider, compact string, header ...string) *reply {
	h.b.Helper()
	return visitOnce(h.b, h.server.URL+"/v1/sso/"+provider+"?assertion="+url.QueryEscape(compact), header...)
}

// oneTimeToken is the token within the address of an answer.
func oneTimeToken(r *reply) string {
	r.t.Helper()
	address, err := url.Parse(r.want(302).Header.Get("Location"))
	if err != nil || address.Path != "/sso" || address.Host != "" || address.Query().Get("sso_token") == "" {
		r.t.Fatalf("%s leads to %s", r.what, r.Header.Get("Location"))
	}
	return address.Query().Get("sso_token")
}

func (h *testServer) exchange(token string) *reply {
	h.b.Helper()
	return h.visitor().post("/auth/sso/exchange", object{"ssoToken": token})
}

func TestSSOProviders(t *testing.T) {
	t.Parallel()
	off := newTestServer(t)
	off.visitor().get("/v1/sso/providers").want(200)
	if body := string(off.visitor().get("/v1/sso/providers").Body); strings.TrimSpace(body) != `{"data":[],"nextCursor":null}` {
		t.Errorf("off: %s", body)
	}
	off.assert("school", "x").wantError(404, "unknown_provider")
	visitOnce(t, off.server.URL+"/v1/sso/school").wantError(404, "unknown_provider")

	h := newTestServerOn(t, nil, dbtest.NewURL(t), ssoProviders, ssoOIDC)
	list := h.visitor().get("/v1/sso/providers").want(200)
	if len(list.list("data")) != 5 || list.text("data.0.id") != "school" || list.text("data.0.label") != "Northgate" || list.text("data.4.kind") != "saml" ||
		strings.Contains(string(list.Body), "http") || strings.Contains(string(list.Body), "secret") || len(list.path("data.0").(object)) != 3 {
		t.Errorf("%s", list.Body)
	}
	for path, want := range map[string]string{
		"school": "302 https://idp.example/start?x=1", "school?assertion=": "302 https://idp.example/start?x=1", "school?next=/orgs": "302 https://idp.example/start?x=1",
		"quiet": "400 no_assertion", "google": "302 /auth/oidc/google", "google?next=/orgs": "302 /auth/oidc/google?next=%2Forgs", "google?next=//evil": "302 /auth/oidc/google",
		"gone": "404 unknown_provider", "old": "400 not_assertion_provider", "google?assertion=x": "400 not_assertion_provider", "gone?assertion=x": "400 not_assertion_provider",
		"old?assertion=x": "400 not_assertion_provider", "nobody": "404 unknown_provider", "nobody?assertion=x": "404 unknown_provider", "School": "404 unknown_provider",
	} {
		r := visitOnce(t, h.server.URL+"/v1/sso/"+path)
		if got := fmt.Sprintf("%d %s", r.Status, r.Header.Get("Location")+r.text("error.code")); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
	if r := visitOnce(t, h.server.URL+"/v1/sso/school", "Host", "LOCALHOST:8080"); r.Header.Get("Location") != "https://local.example/" {
		t.Errorf("by host: %s", r.Header.Get("Location"))
	}
	cookie := visitOnce(t, h.server.URL+"/v1/sso/school").Header.Get("Set-Cookie")
	if !strings.HasPrefix(cookie, "atelier_sso=") || !strings.Contains(cookie, "HttpOnly") || !strings.Contains(cookie, "SameSite=Lax") {
		t.Errorf("cookie %s", cookie)
	}
	page := visitOnce(t, h.server.URL+"/v1/sso/quiet", "Accept", "text/html,application/xhtml+xml,*/*;q=0.8")
	if page.Status != 400 || !strings.HasPrefix(page.Header.Get("Content-Type"), "text/html") || bytes.Contains(page.Body, []byte("no_assertion")) {
		t.Errorf("page: %d %s", page.Status, page.Header)
	}
}

func TestSSOSignIn(t *testing.T) {
	h := newTestServerOn(t, nil, dbtest.NewURL(t), ssoProviders, "SIGN_UP=closed")
	school := idp{id: "school", secret: ssoSecret}
	var log logBuffer
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})))

	first := school.claim("mara@example.com", nil)
	arrived := h.assert("school", first)
	token := oneTimeToken(arrived)
	if arrived.Header.Get("Cache-Control") != "no-store" || arrived.Header.Get("Referrer-Policy") != "no-referrer" {
		t.Errorf("headers %v", arrived.Header)
	}
	h.assert("school", first).wantError(401, "assertion_replayed")
	if r := visitOnce(t, h.server.URL+"/sso?sso_token="+token); r.Status >= 400 { // looking uses nothing up
		t.Errorf("page: %d", r.Status)
	}
	if r := h.visitor().get("/auth/sso/exchange"); r.Status != 405 && r.Status != 404 {
		t.Errorf("GET of the exchange: %d", r.Status)
	}
	in := h.exchange(token).want(200)
	if in.text("data.user.email") != "mara@example.com" || in.text("data.user.displayName") != "Mara Lind" || !strings.HasPrefix(in.Header.Get("Set-Cookie"), "atelier_session=") {
		t.Errorf("%s %v", in.Body, in.Header)
	}
	h.exchange(token).wantError(401, "unauthorized")
	me := h.visitor().with(in.text("data.token")).get("/v1/me").want(200)
	if me.text("data.email") != "mara@example.com" || me.path("data.emailVerified") != true {
		t.Errorf("%s", me.Body)
	}
	again := h.exchange(oneTimeToken(h.assert("school", school.claim("mara@example.com", nil)))).want(200)
	if again.text("data.user.id") != in.text("data.user.id") {
		t.Error("the second sign-in made another account")
	}
	for next, want := range map[string]string{"/orgs?x=1": "/orgs?x=1", "//evil.example": "", `/\evil.example`: "", "https://evil.example": "", "/\t/evil": "", "": ""} {
		r := visitOnce(t, h.server.URL+"/v1/sso/school?assertion="+school.claim("mara@example.com", nil)+"&next="+url.QueryEscape(next))
		if address, err := url.Parse(r.want(302).Header.Get("Location")); err != nil || address.Query().Get("next") != want {
			t.Errorf("next %q became %s", next, r.Header.Get("Location"))
		}
	}
	for body, status := range map[string]int{`{}`: 400, `{"ssoToken":5}`: 400, `{"ssoToken":""}`: 401, `nonsense`: 400, `{"ssoToken":"` + strings.Repeat("x", 5000) + `"}`: 401} {
		h.visitor().post("/auth/sso/exchange", body).want(status)
	}
	for _, secret := range []string{first, token, in.text("data.token")} {
		if strings.Contains(log.String(), secret) {
			t.Errorf("the log holds %.30s…", secret)
		}
	}
	if !strings.Contains(log.String(), "/v1/sso/school") {
		t.Error("the log was not looked at")
	}
	if n := h.count(`SELECT count FROM external_sign_ins WHERE origin = 'sso' AND provider = 'school' AND code = 'ok'`); n != 8 {
		t.Errorf("%d sign-ins counted", n)
	}
	if n := h.count(`SELECT count FROM external_sign_ins WHERE code = 'assertion_replayed'`); n != 1 {
		t.Errorf("%d replays counted", n)
	}
}

// Each refusal, in the order in which they are judged, through the front door.
func TestSSORefusals(t *testing.T) {
	t.Parallel()
	h := newTestServerOn(t, nil, dbtest.NewURL(t), ssoProviders)
	school := idp{id: "school", secret: ssoSecret}
	h.visitor().post("/auth/sign-up", object{"email": "local@example.com", "password": password, "displayName": "Local"}).want(201)
	now := time.Now().Unix()
	for name, row := range map[string]struct {
		compact string
		status  int
		code    string
	}{
		"forged":         {idp{secret: "not the secret!!"}.claim("a@example.com", nil), 401, "invalid_signature"},
		"nonsense":       {"x.y.z", 401, "invalid_signature"},
		"blank":          {" ", 401, "invalid_signature"},
		"line end":       {school.claim("a@example.com", nil) + "\n", 401, "invalid_signature"},
		"audience":       {school.claim("a@example.com", object{"aud": []string{"atelier"}}), 401, "invalid_claims"},
		"expired":        {school.claim("a@example.com", object{"exp": now - 10}), 401, "expired"},
		"almost expired": {school.claim("b@example.com", object{"exp": now - 1}), 302, ""},
		"long":           {school.claim("a@example.com", object{"exp": now + 400}), 401, "too_long_lived"},
		"jti":            {school.claim("a@example.com", object{"jti": nil}), 401, "missing_jti"},
		"email":          {school.claim("a@example.com", object{"email": 5}), 401, "missing_email"},
		"unverified":     {school.claim("a@example.com", object{"email_verified": "true"}), 403, "email_unverified"},
		"exists":         {school.claim("LOCAL@example.com", nil), 403, "account_exists"},
	} {
		r := h.assert("school", row.compact)
		if r.Status != row.status || r.text("error.code") != row.code {
			t.Errorf("%s: %d %s", name, r.Status, r.Body)
		}
	}
	// Refused linkings use the assertion up; forged and expired ones nothing.
	refused := school.claim("c@example.com", object{"email_verified": false})
	h.assert("school", refused).wantError(403, "email_unverified")
	h.assert("school", refused).wantError(401, "assertion_replayed")
	h.assert("school", school.claim("d@example.com", object{"jti": "one", "email": nil})).wantError(401, "missing_email")
	h.assert("school", school.claim("d@example.com", object{"jti": "one"})).wantError(401, "assertion_replayed")
	h.assert("school", idp{secret: "not the secret!!"}.claim("e@example.com", object{"jti": "two"})).wantError(401, "invalid_signature")
	h.assert("school", school.claim("e@example.com", object{"jti": "two", "exp": now - 60})).wantError(401, "expired")
	h.assert("school", school.claim("e@example.com", object{"jti": "two"})).want(302)
	h.assert("quiet", idp{secret: "another secret here"}.claim("f@example.com", object{"jti": "two"})).want(302)
	// What a scanner or a prefetching browser fetches uses nothing up either.
	once := school.claim("g@example.com", nil)
	address := h.server.URL + "/v1/sso/school?assertion=" + once
	head, err := withoutRedirects.Head(address)
	if err != nil || head.StatusCode < 400 {
		t.Errorf("HEAD: %v %v", head, err)
	}
	h.assert("school", once, "Sec-Purpose", "prefetch;prerender").want(503)
	h.assert("school", once).want(302)
	// The same words for every account.
	for _, code := range []string{"account_exists", "email_unverified"} {
		bodies := map[string]bool{}
		for i := range 3 {
			email := fmt.Sprintf("%s%d@example.com", code, i)
			if code == "account_exists" {
				h.visitor().post("/auth/sign-up", object{"email": email, "password": password, "displayName": email}).want(201)
			}
			bodies[string(h.assert("school", school.claim(email, object{"email_verified": code == "account_exists"})).wantError(403, code).Body)] = true
		}
		if len(bodies) != 1 {
			t.Errorf("%s reads differently: %v", code, bodies)
		}
	}
}

// One assertion, fifty times at once on three replicas, and again after a restart.
func TestSSOReplayAcrossReplicas(t *testing.T) {
	t.Parallel()
	database := dbtest.NewURL(t)
	var replicas []*testServer
	for range 3 {
		replicas = append(replicas, newTestServerOn(t, nil, database, ssoProviders))
	}
	school := idp{id: "school", secret: ssoSecret}
	compact := school.claim("mara@example.com", nil)
	codes := map[string]int{}
	var tokens []string
	var mu sync.Mutex
	var all sync.WaitGroup
	for i := range 50 {
		all.Go(func() {
			r := replicas[i%3].assert("school", compact)
			mu.Lock()
			defer mu.Unlock()
			codes[fmt.Sprint(r.Status, " ", r.text("error.code"))]++
			if r.Status == 302 {
				tokens = append(tokens, oneTimeToken(r))
			}
		})
	}
	all.Wait()
	if codes["302 "] != 1 || codes["401 assertion_replayed"] != 49 {
		t.Fatalf("%v", codes)
	}
	later := newTestServerOn(t, nil, database, ssoProviders)
	later.assert("school", compact).wantError(401, "assertion_replayed")
	// Its token, too, works once on all of them, and its limit is one.
	statuses := map[int]int{}
	for i := range 15 {
		all.Go(func() {
			r := replicas[i%3].exchange(tokens[0])
			mu.Lock()
			defer mu.Unlock()
			statuses[r.Status]++
		})
	}
	all.Wait()
	if statuses[200] != 1 || statuses[401] != 14 {
		t.Errorf("%v", statuses)
	}
	limited := 0
	for i := range 25 {
		if r := replicas[i%3].exchange("x"); r.Status == 429 {
			limited++
			if r.text("error.code") != "rate_limit_exceeded" || r.Header.Get("Retry-After") == "" || r.Header.Get("RateLimit-Limit") != "20" {
				t.Errorf("%s %v", r.Body, r.Header)
			}
		}
	}
	if limited < 5 {
		t.Errorf("only %d of 40 exchanges were too many", limited)
	}
}

// The token works in the browser that began alone, where one did.
func TestSSOBrowserBinding(t *testing.T) {
	t.Parallel()
	h := newTestServerOn(t, nil, dbtest.NewURL(t), ssoProviders)
	school := idp{id: "school", secret: ssoSecret}
	began := visitOnce(t, h.server.URL+"/v1/sso/school").want(302)
	cookie, _, _ := strings.Cut(began.Header.Get("Set-Cookie"), ";")
	token := oneTimeToken(h.assert("school", school.claim("mara@example.com", nil), "Cookie", cookie))
	h.exchange(token).wantError(401, "unauthorized")
	h.visitor().sending("Cookie", "atelier_sso=another").post("/auth/sso/exchange", object{"ssoToken": token}).wantError(401, "unauthorized")
	h.visitor().sending("Cookie", "__Host-"+cookie).post("/auth/sso/exchange", object{"ssoToken": token}).wantError(401, "unauthorized")
	h.visitor().sending("Cookie", cookie).post("/auth/sso/exchange", object{"ssoToken": token}).want(200)
}

// Where sso is the only way in, password sessions of accounts without it are refused.
func TestSSOGate(t *testing.T) {
	t.Parallel()
	database := dbtest.NewURL(t)
	only := `SURFACE_PROFILE={"auth":{"methods":["sso"],"ssoLabel":"Northgate"}}`
	open := newTestServerOn(t, nil, database, ssoProviders, "BILLING_ACCOUNT_EMAIL=pay@example.com")
	up := func(email string) string {
		return open.visitor().post("/auth/sign-up", object{"email": email, "password": password, "displayName": "Somebody"}).want(201).text("data.token")
	}
	local, payer := up("local@example.com"), up("pay@example.com")
	made := open.visitor().with(local).post("/v1/api-tokens", object{"name": "t"}).want(201).text("token")
	gated := newTestServerOn(t, nil, database, ssoProviders, "BILLING_ACCOUNT_EMAIL=pay@example.com", "EXTERNAL_SSO_LINK_EXISTING=TRUE", only)
	visitor := gated.visitor()
	visitor.with(local).get("/v1/me").wantError(403, "sso_required")
	visitor.with(local).get("/v1/workflows").wantError(403, "sso_required")
	visitor.with(local).post("/graphql", object{"query": "{ me { id } }"}).wantError(403, "sso_required")
	visitor.with(local).get("/v1/nodes").want(200) // public routes stay public
	visitor.with(payer).get("/v1/me").want(200)
	visitor.with(made).get("/v1/me").want(200)
	fresh := visitor.post("/auth/sign-in", object{"email": "local@example.com", "password": password}).want(200).text("data.token")
	visitor.with(fresh).get("/v1/me").wantError(403, "sso_required")
	page := visitOnce(t, gated.server.URL+"/account", "Cookie", "atelier_session="+fresh, "Accept", "text/html")
	if page.Status != 403 && page.Status != 303 || page.Status == 403 && !bytes.Contains(page.Body, []byte(`href="/login"`)) {
		t.Errorf("console: %d %s", page.Status, page.Body)
	}
	visitOnce(t, gated.server.URL+"/login", "Cookie", "atelier_session="+fresh).want(200)
	visitor.with(fresh).post("/auth/sign-out", nil).want(200)
	visitor.with(fresh).get("/v1/me").wantError(401, "unauthorized")
	school := idp{id: "school", secret: ssoSecret}
	linked := gated.exchange(oneTimeToken(gated.assert("school", school.claim("local@example.com", nil)))).want(200).text("data.token")
	visitor.with(linked).get("/v1/me").want(200)
	visitor.with(local).get("/v1/me").want(200) // a password session of a linked account
	second := newTestServerOn(t, nil, database, ssoProviders, `SURFACE_PROFILE={"auth":{"methods":["sso","email"],"ssoLabel":"Northgate"}}`)
	second.visitor().with(up("other@example.com")).get("/v1/me").want(200)
}

// Signed claims of any kind are taken or refused, and none fails on the service's side.
func TestSSOClaimsOfAnyKind(t *testing.T) {
	t.Parallel()
	h := newTestServerOn(t, nil, dbtest.NewURL(t), ssoProviders)
	school := idp{id: "school", secret: ssoSecret}
	raw := func(text string) json.RawMessage { return json.RawMessage(text) }
	values := []any{
		raw(`null`), -1, 0, 1.5, raw(`1e400`), raw(`1e300`), raw(`-1e18`), raw(`9223372036854775807`), raw(`99999999999999999999`), "", "x", "1", "\u0000", raw(`"\ud800"`), true,
		[]any{}, []any{nil}, []any{"atelier", 1}, object{}, object{"a": []any{object{}}}, strings.Repeat("x", 5_000), "a@b@c", "\u202ea@example.com", "a@" + strings.Repeat("b.", 200) + "c",
	}
	visitor := 0
	for _, claim := range []string{"aud", "sub", "email", "email_verified", "jti", "iat", "exp", "nbf", "name", "iss"} {
		for _, value := range values {
			visitor++
			r := h.assert("school", school.claim(fmt.Sprintf("v%d@example.com", visitor), object{claim: value}), "X-Forwarded-For", fmt.Sprintf("203.0.113.%d", visitor%250))
			if r.Status != 302 && (r.Status < 400 || r.Status >= 500 || r.text("error.code") == "") {
				t.Errorf("%s of %.60v: %d %.200s", claim, value, r.Status, r.Body)
			}
		}
	}
}

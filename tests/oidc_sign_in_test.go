//go:build !race

package tests

import (
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"atelier/models/dbtest"
)

// laterClock is the time, moved on by what a test says.
type laterClock struct{ by atomic.Int64 }

func (c *laterClock) Now() time.Time { return time.Now().Add(time.Duration(c.by.Load())) }

// TestOIDCWithCertifiedProviders goes the whole way through two providers: one
// that takes the secret in the head and names the address in the ID token, one
// that takes it in the form and names the address at its userinfo endpoint.
func TestOIDCWithCertifiedProviders(t *testing.T) {
	work, school := startOIDC(t, "work", nil), startOIDC(t, "school", object{"auth": "client_secret_post", "userinfo": true})
	clock := &laterClock{}
	h := newTestServerOn(t, clock, dbtest.NewURL(t), oidcSettings(work, school), `SURFACE_PROFILE={"auth":{"methods":["email","oidc"]}}`)
	h.knows(work, school)
	signIn := func(p *oidcProvider) (*surfer, *reply) { s := h.surfer(); return s, s.get(s.callback(p.id, "")) }

	work.is("1", "ada@example.com", true)
	ada, r := signIn(work)
	if r.want(303).Header.Get("Location") != "/projects" || ada.account() != "ada@example.com" {
		t.Fatalf("%s leads to %q as %q", r.what, r.Header.Get("Location"), ada.account())
	}
	if n := h.count(`SELECT count(*) FROM sessions WHERE origin = 'oidc' AND provider = 'work'`); n != 1 {
		t.Errorf("%d sessions", n)
	}
	if n := h.count(`SELECT count(*) FROM external_sign_ins WHERE origin = 'oidc' AND provider = 'work' AND code = 'ok' AND count = 1`); n != 1 {
		t.Error("it was not counted")
	}
	before := sessionOf(ada, h)
	if r := ada.get(ada.callback("work", "?next=/account")); r.want(303).Header.Get("Location") != "/account" || sessionOf(ada, h) == before {
		t.Errorf("the second sign-in leads to %q, in a new session: %t", r.Header.Get("Location"), sessionOf(ada, h) != before)
	}
	for _, next := range []string{"//evil.example", "/\\evil.example", "https://evil.example", "/\t/evil.example"} {
		s := h.surfer()
		if r := s.get(s.callback("work", "?next="+url.QueryEscape(next))); r.Header.Get("Location") != "/projects" {
			t.Errorf("next %q leads to %q", next, r.Header.Get("Location"))
		}
	}

	// Another provider: the same subject is another person, the same address is refused.
	school.is("1", "grace@example.com", true)
	if s, r := signIn(school); r.Status != 303 || s.account() != "grace@example.com" {
		t.Errorf("through userinfo: %d %s", r.Status, r.Body)
	}
	school.is("2", "ada@example.com", true)
	_, r = signIn(school)
	r.wantError(403, "account_linked_other_provider")
	// Another address there is the same account here, under its own.
	work.is("1", "moved@example.com", true)
	if s, _ := signIn(work); s.account() != "ada@example.com" {
		t.Errorf("after the address changed there, %q is signed in", s.account())
	}
	work.is("3", "new@example.com", false)
	_, r = signIn(work)
	r.wantError(403, "email_unverified")
	work.is("4", "four@example.com", nil)
	_, r = signIn(work)
	r.wantError(403, "email_unverified")
	newPerson(t, h.server.URL, "Local")
	local := h.visitor().post("/auth/sign-up", object{"email": "local@example.com", "password": password, "displayName": "Local"})
	local.want(201)
	work.is("5", "local@example.com", true)
	_, r = signIn(work)
	r.wantError(403, "account_exists")

	// Answers that are none.
	work.is("1", "ada@example.com", true)
	s := h.surfer()
	answer := s.callback("work", "")
	change := func(name, value string) string {
		u, _ := url.Parse(answer)
		q := u.Query()
		q.Set(name, value)
		u.RawQuery = q.Encode()
		return u.String()
	}
	h.surfer().get(answer).wantError(401, "expired") // another browser
	s.get(change("state", "another")).wantError(401, "expired")
	s.get(strings.Replace(answer, "/auth/oidc/work/", "/auth/oidc/school/", 1)).wantError(401, "invalid_claims")
	s = h.surfer()
	answer = s.callback("work", "")
	s.get(change("iss", school.issuer)).wantError(401, "invalid_claims")
	s.get(answer).wantError(401, "expired") // the flow is used up
	s = h.surfer()
	answer = s.callback("work", "")
	address, _ := url.Parse(h.server.URL + "/auth/oidc/work/callback")
	kept := s.http.Jar.Cookies(address)
	s.get(answer).want(303)
	again := h.surfer()
	again.http.Jar.SetCookies(address, kept)
	again.get(answer).wantError(401, "assertion_replayed")
	// A code of one sign-in within another of the same browser.
	s = h.surfer()
	first := s.callback("work", "")
	answer = s.callback("work", "")
	u, _ := url.Parse(first)
	s.get(change("code", u.Query().Get("code"))).wantError(401, "expired")
	s.get(first).want(303) // its own flow still is

	// Two tabs, and more of them than are remembered.
	s = h.surfer()
	one, two := s.callback("work", "?next=/one"), s.callback("school", "?next=/two")
	school.is("1", "grace@example.com", true)
	if r := s.get(one); r.Header.Get("Location") != "/one" {
		t.Errorf("the first tab leads to %q", r.Header.Get("Location"))
	}
	s.get(two).want(403) // school's person is still the one whose address is taken
	for range 7 {
		s.callback("work", "")
	}
	flows := 0
	for _, cookie := range s.http.Jar.Cookies(address) {
		if strings.HasPrefix(cookie.Name, "atelier_oidc_") {
			flows++
		}
	}
	if flows != 4 {
		t.Errorf("%d sign-ins under way are kept", flows)
	}

	work.tell(object{"mood": "deny"})
	_, r = signIn(work)
	r.wantError(403, "access_denied")
	s = h.surfer()
	answer = s.callback("work", "")
	clock.by.Store(int64(11 * time.Minute))
	s.get(answer).wantError(401, "expired")
	clock.by.Store(0)

	h.surfer().get("/auth/oidc/nobody").wantError(404, "unknown_provider")
	s = h.surfer()
	answer = s.callback("school", "")
	school.stop()
	s.accept = "text/html"
	page := s.get(answer)
	body := string(page.Body)
	if page.Status != 503 || page.Header.Get("Retry-After") == "" || !strings.Contains(body, "does not answer") || strings.Contains(body, "code=") || strings.Contains(body, "state=") ||
		page.Header.Get("Referrer-Policy") != "no-referrer" {
		t.Errorf("a provider that went: %d %v %s", page.Status, page.Header, body)
	}
}

// sessionOf is the session cookie of a browser.
func sessionOf(s *surfer, h *testServer) string {
	address, _ := url.Parse(h.server.URL)
	for _, cookie := range s.http.Jar.Cookies(address) {
		if cookie.Name == "atelier_session" {
			return cookie.Value
		}
	}
	return ""
}

// TestOIDCOnSelfHosted signs in where there are no organizations, through the
// list of external sign-in.
func TestOIDCOnSelfHosted(t *testing.T) {
	work := startOIDC(t, "work", nil)
	h := newTestServerOn(t, nil, dbtest.NewURL(t), "EDITION=self_hosted", "SIGN_UP=closed", oidcSettings(work),
		`SURFACE_PROFILE={"auth":{"methods":["sso"],"ssoLabel":"School"}}`, `EXTERNAL_SSO_PROVIDERS=[{"id":"work","label":"Work","kind":"oidc"}]`)
	h.knows(work)
	work.is("1", "ada@example.com", true)
	s := h.surfer()
	if r := s.get("/v1/sso/work?next=/account"); r.Header.Get("Location") != "/auth/oidc/work?next=%2Faccount" {
		t.Fatalf("%d to %q", r.Status, r.Header.Get("Location"))
	}
	if r := s.get(s.callback("work", "?next=/account")); r.Header.Get("Location") != "/account" || s.account() != "ada@example.com" {
		t.Errorf("%d to %q as %q", r.Status, r.Header.Get("Location"), s.account())
	}
}

// TestOIDCProviderThatWasNeverThere starts all the same, and says so.
func TestOIDCProviderThatWasNeverThere(t *testing.T) {
	lost := &oidcProvider{t: t, id: "lost", issuer: "http://127.0.0.1:1"}
	h := newTestServerOn(t, nil, dbtest.NewURL(t), oidcSettings(lost))
	r := h.surfer().get("/auth/oidc/lost")
	r.wantError(503, "service_unavailable")
	if r.Header.Get("Retry-After") == "" {
		t.Error("it is not said when to try again")
	}
}

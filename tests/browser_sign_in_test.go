//go:build !race

package tests

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"atelier/models/dbtest"
)

// profile is SURFACE_PROFILE with these methods.
func profile(methods string) string {
	return `SURFACE_PROFILE={"auth":{"methods":[` + methods + `],"ssoLabel":"Sign in with Northgate"}}`
}

const oneSSO = `EXTERNAL_SSO_PROVIDERS=[{"id":"school","label":"Northgate","kind":"assertion","secret":"` + ssoSecret + `","audience":"atelier"},{"id":"old","label":"Old","kind":"saml"}]`

// TestSignInPages looks at the sign-in page in every profile, at the page where
// external sign-ins arrive with and without script, and at their refusals.
func TestSignInPages(t *testing.T) {
	t.Parallel()
	work := startOIDC(t, "work", nil)
	b := startBrowser(t, "sign-in")
	school := idp{id: "school", secret: ssoSecret}
	for _, c := range []struct {
		name          string
		settings      []string
		shown, absent []string
	}{
		{"email", []string{profile(`"email"`)}, []string{"Email address", "Create an account"}, []string{"Northgate", "Old"}},
		{"sso", []string{profile(`"email","sso"`), oneSSO}, []string{"Sign in with Northgate", "Email address"}, []string{"Old"}},
		{"oidc", []string{profile(`"oidc","email"`)}, []string{"Sign in with work", "or with your password"}, []string{"Northgate"}},
		{"all", []string{profile(`"sso","oidc","email"`), ssoProviders}, []string{"Northgate", "Quiet", "Sign in with work"}, []string{"Old", "Gone"}},
	} {
		h := newTestServerOn(t, nil, dbtest.NewURL(t), append(c.settings, oidcSettings(work))...)
		v := b.visitor(c.name, h.server.URL)
		v.open("/login?next=/account")
		v.sees(c.shown...)
		v.lacks(c.absent...)
		v.look("login " + c.name)
		if c.name == "oidc" {
			h.knows(work)
			work.is("1", "ada@example.com", true)
			v.follow("Sign in with work")
			v.until("the account page", `location.pathname === "/account"`)
			v.sees("ada@example.com")
		}
	}

	h := newTestServerOn(t, nil, dbtest.NewURL(t), profile(`"sso"`), oneSSO, "BILLING_ACCOUNT_EMAIL=payer@example.com")
	for _, email := range []string{"payer@example.com", "mara@example.com"} {
		h.visitor().post("/auth/sign-up", object{"email": email, "password": password, "displayName": "Mara"}).want(201)
	}
	v := b.visitor("Payer", h.server.URL)
	v.open("/login")
	v.sees("Sign in with Northgate")
	v.lacks("Email address", "Create an account", "Forgot")
	v.look("login sso only")
	v.open("/login?billing=1")
	v.sees("Only the account that pays")
	v.look("login billing")
	v.fill("Email address", "mara@example.com")
	v.fill("Password", password)
	v.willRefuse(http.StatusUnauthorized)
	v.press("Sign in")
	v.sees("The address or the password is wrong.", "Only the account that pays")
	if n := h.count(`SELECT count(*) FROM sessions s JOIN users u ON u.id = s.user_id WHERE u.email = 'mara@example.com'`); n != 1 {
		t.Errorf("the form of the account that pays made %d sessions of another account", n-1)
	}
	v.fill("Email address", "payer@example.com")
	v.fill("Password", password)
	v.press("Sign in")
	v.until("the start", `!location.pathname.startsWith("/login") && !location.pathname.startsWith("/auth")`)

	arrive := func(email string) string { return oneTimeToken(h.assert("school", school.claim(email, nil))) }
	for _, v := range []*tab{b.visitor("Ada", h.server.URL), b.withoutScript("Ada without script", h.server.URL)} {
		token := arrive(strings.ToLower(strings.ReplaceAll(v.who, " ", "")) + "@example.com")
		v.open("/sso?sso_token=" + token + "&next=/account")
		if v.scriptOff {
			v.sees("Your provider let you in.")
			v.picture("sso", false)
			v.press("Continue")
		}
		v.until("the account page", `location.pathname === "/account"`)
		v.sees("You are signed in as", "Not you?")
		if html, err := ask[string](v, "document.documentElement.outerHTML + document.referrer + location.href"); err != nil || strings.Contains(html, token) {
			t.Errorf("%s: the page holds the token (%v)", v.who, err)
		}
	}
	nothing := b.visitor("nothing", h.server.URL)
	nothing.open("/sso")
	nothing.sees("No sign-in waits here", "Go to the sign-in page")
	nothing.look("sso nothing")
	nothing.willRefuse(http.StatusUnauthorized)
	nothing.open("/sso?sso_token=unknown")
	nothing.until("a refusal", `document.body.innerText.includes("You are not signed in")`)
	nothing.look("sso used")
	refusals := b.visitor("refused", h.server.URL)
	for code, c := range map[string]struct {
		status int
		path   string
	}{
		"invalid_signature": {401, "/v1/sso/school?assertion=" + idp{id: "school", secret: "not the secret at all"}.claim("x@example.com", nil)},
		"email_unverified":  {403, "/v1/sso/school?assertion=" + school.claim("x@example.com", object{"email_verified": false})},
		"account_exists":    {403, "/v1/sso/school?assertion=" + school.claim("mara@example.com", nil)},
		"no_assertion":      {400, "/v1/sso/school"},
		"unknown_provider":  {404, "/auth/oidc/nobody"},
	} {
		refusals.willRefuse(c.status)
		refusals.open(c.path)
		refusals.sees("You are not signed in", "Other ways to sign in", "Request")
		if html, err := ask[string](refusals, "document.documentElement.outerHTML"); err != nil || strings.Contains(html, "assertion=") {
			t.Errorf("%s: the page holds the assertion (%v)", code, err)
		}
		refusals.look("refused " + code)
	}
	h.exec(`DELETE FROM rate_windows WHERE name = 'sso.exchange'`)
	waits := b.visitor("Cleo", h.server.URL)
	token := arrive("cleo@example.com")
	for n := range 21 {
		h.exchange(fmt.Sprintf("none %d", n))
	}
	// The limit holds in the minutes after this one too, whichever it is when the page asks.
	h.exec(`INSERT INTO rate_windows (name, key, started_at, ends_at, count)
		SELECT name, key, started_at + n * interval '1 minute', ends_at + n * interval '1 minute', count
		FROM rate_windows, generate_series(1, 5) AS n WHERE name = 'sso.exchange'
		ON CONFLICT (name, key, started_at) DO UPDATE SET count = EXCLUDED.count`)
	waits.willRefuse(http.StatusTooManyRequests)
	waits.open("/sso?sso_token=" + token)
	waits.until("the wait", `document.body.innerText.includes("Your place is kept")`)
	waits.obey("sso waits", 1280, allRules)
	waits.picture("sso waits", true)
	h.exec(`DELETE FROM rate_windows WHERE name = 'sso.exchange'`)
	if _, err := ask[bool](waits, `(document.querySelector("form[data-retry-after]").requestSubmit(), true)`); err != nil {
		t.Fatal(err)
	}
	waits.until("the projects", `!location.pathname.startsWith("/sso") && !location.pathname.startsWith("/auth")`)
}

// lacks fails for a text that stands on the page.
func (v *tab) lacks(texts ...string) {
	v.t.Helper()
	for _, text := range texts {
		if found, err := ask[bool](v, "document.body.innerText.includes("+quote(text)+")"); err != nil || found {
			v.t.Errorf("%s: %s shows %q (%v)", v.who, v.path(), text, err)
		}
	}
}

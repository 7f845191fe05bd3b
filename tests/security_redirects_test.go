//go:build !race

package tests

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// away are addresses that lead a browser off the site, or would in some browser.
var away = []string{
	`//evil.example`, `/\evil.example`, `\/evil.example`, `\\evil.example`, "/\t/evil.example", "/\n/evil.example", "\t//evil.example", ` //evil.example`,
	`https://evil.example/`, `https:evil.example`, `http:/evil.example`, `javascript:alert(1)`, `data:text/html,x`, `evil.example`, `/%2e\evil.example`,
	"/\r\nSet-Cookie: evil=1", "/\x00", `///evil.example`, `/\t\evil.example`, "/\x7f/evil.example", `@evil.example`, `?next=//evil.example`, `/` + "\u00a0" + `\evil.example`,
}

// staysHere fails where a redirect leads a browser off the site.
func staysHere(t *testing.T, what, next string, r *http.Response) {
	t.Helper()
	location := r.Header.Get("Location")
	read := strings.NewReplacer("\t", "", "\n", "", "\r", "", `\`, "/").Replace(strings.TrimSpace(location))
	u, err := url.Parse(read)
	if err != nil || u.Host != "" || u.Scheme != "" || location != "" && !strings.HasPrefix(read, "/") || strings.HasPrefix(read, "//") {
		t.Errorf("%s with %q leads to %q", what, next, location)
	}
	if r.Header.Get("Set-Cookie") == "evil=1" {
		t.Errorf("%s with %q sets a header", what, next)
	}
}

// submit posts a form as a page of the site does.
func submit(t *testing.T, at, path string, values url.Values, cookies ...*http.Cookie) *http.Response {
	t.Helper()
	request, err := http.NewRequest("POST", at+path, strings.NewReader(values.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.Header.Set("Origin", at)
	for _, cookie := range cookies {
		request.AddCookie(cookie)
	}
	response, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	readAll(response.Body)
	response.Body.Close()
	return response
}

// TestRedirectsStayHere sends every way in which a page takes an address to go on to an address that is elsewhere.
func TestRedirectsStayHere(t *testing.T) {
	t.Parallel()
	at := startBehindProxy(t, providerOfSecrets)
	person := newPerson(t, at, "Led")
	session := &http.Cookie{Name: "atelier_session", Value: person.token}
	for _, next := range away {
		asked := "?next=" + url.QueryEscape(next)
		staysHere(t, "/login, signed in", next, fetchAs(t, "GET", at+"/login"+asked, session))
		staysHere(t, "/sign-up, signed in", next, fetchAs(t, "GET", at+"/sign-up"+asked, session))
		staysHere(t, "/sso", next, fetchAs(t, "GET", at+"/sso"+asked))
		staysHere(t, "/sso with a token", next, fetchAs(t, "GET", at+"/sso?sso_token=x&next="+url.QueryEscape(next)))
		staysHere(t, "the theme", next, submit(t, at, "/theme", url.Values{"theme": {"dark"}, "return": {next}}))
	}
	signIn := url.Values{"email": {person.email}, "password": {password}}
	for _, next := range away {
		signIn.Set("next", next)
		r := submit(t, at, "/auth/sign-in", signIn)
		if r.StatusCode == http.StatusTooManyRequests {
			t.Fatal("too many sign-ins: nothing is tried")
		}
		if strings.ContainsRune(next, 0) { // no form may hold it
			if r.StatusCode != http.StatusBadRequest || len(r.Cookies()) > 0 {
				t.Errorf("signing in with %q answers %d", next, r.StatusCode)
			}
			continue
		}
		if r.Header.Get("Location") != "/projects" {
			t.Errorf("signing in with %q leads to %q", next, r.Header.Get("Location"))
		}
	}

	// Through the provider: where nothing leads away, the landing page.
	for next, want := range map[string]string{`/\evil.example`: "/projects", "//evil.example": "/projects", "/\t/evil.example": "/projects", "": "/projects", "/orgs?x=1": "/orgs?x=1"} {
		assertion := madeAssertion(providerSecret, object{"email": "led@example.com", "sub": "led"})
		began := fetchAs(t, "GET", at+"/v1/sso/school?assertion="+assertion+"&next="+url.QueryEscape(next))
		staysHere(t, "the assertion", next, began)
		kept := fetchAs(t, "GET", at+began.Header.Get("Location"), began.Cookies()...)
		staysHere(t, "the one-time token", next, kept)
		arrived := submit(t, at, "/auth/sso/exchange", url.Values{}, append(began.Cookies(), kept.Cookies()...)...)
		if got := arrived.Header.Get("Location"); got != want {
			t.Errorf("a sign-in with %q arrives at %q: %d", next, got, arrived.StatusCode)
		}
	}

	// An app's address is followed only where it is registered, errors included.
	app := person.post("/v1/oauth/apps", object{"name": "Led", "redirectUris": []string{"https://app.example/back"}}).want(201).text("data.id")
	for _, c := range []struct {
		client, back, kind, want string
	}{
		{app, "https://evil.example/back", "code", ""}, {app, "https://app.example/back/../evil", "code", ""}, {app, "https://app.example/back?x=1", "code", ""},
		{app, "https://app.example.evil.example/back", "code", ""}, {app, "https://app.example/back#x", "code", ""}, {app, `https://app.example\@evil.example/back`, "code", ""},
		{nowhere, "https://app.example/back", "code", ""}, {"nonsense", "//evil.example", "code", ""}, {app, "https://app.example/back", "token", "https://app.example/back?"},
	} {
		asked := url.Values{"client_id": {c.client}, "redirect_uri": {c.back}, "response_type": {c.kind}, "state": {"s"}, "code_challenge": {strings.Repeat("c", 43)}, "code_challenge_method": {"S256"}, "scope": {"jobs:read"}}
		r := fetchAs(t, "GET", at+"/oauth/authorize?"+asked.Encode(), session)
		if got := r.Header.Get("Location"); c.want == "" && got != "" || c.want != "" && !strings.HasPrefix(got, c.want) {
			t.Errorf("%s with %s leads to %q: %d", c.back, c.client, got, r.StatusCode)
		}
	}
}

// TestRefusalsOfAddressesAreAlike: what a sign-in through the provider answers does not tell whose address it was.
func TestRefusalsOfAddressesAreAlike(t *testing.T) {
	t.Parallel()
	at := startBehindProxy(t, providerOfSecrets)
	operatorOf(t, at)
	local, other := newPerson(t, at, "Local"), newPerson(t, at, "Other")
	token, _ := ssoToken(t, at, object{"email": "linked@example.com", "sub": "linked"})
	client{t: t, URL: at}.post("/auth/sso/exchange", object{"ssoToken": token}).want(200)
	answer := func(claims object) string {
		request, err := http.NewRequest("GET", at+"/v1/sso/school?assertion="+madeAssertion(providerSecret, claims), nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("X-Request-Id", "always-the-same")
		request.Header.Set("Accept", "application/json")
		response, err := http.DefaultTransport.RoundTrip(request)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		return response.Status + "\n" + string(readAll(response.Body))
	}
	for name, group := range map[string][]object{
		"account_exists":   {{"email": local.email}, {"email": other.email}, {"email": strings.ToUpper(other.email)}, {"email": "op@example.com"}, {"email": local.email, "email_verified": false}},
		"email_unverified": {{"email": "nobody@example.com", "email_verified": false}, {"email": "nobody-else@example.com", "email_verified": "true"}},
	} {
		first := answer(group[0])
		if !strings.Contains(first, name) || strings.Contains(first, "@") {
			t.Errorf("%s: %s", name, first)
		}
		for _, claims := range group[1:] {
			if got := answer(claims); got != first {
				t.Errorf("%v is told apart: %s\nfrom %s", claims, got, first)
			}
		}
	}
}

package web

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// wish is a request of an app as it arrives.
const wish = "/oauth/authorize?client_id=" + someID + "&redirect_uri=https%3A%2F%2Fapp.example%2Fback&response_type=code&scope=jobs%3Aread" +
	"&state=a%5Cb%3B%22%26c&code_challenge=x&code_challenge_method=S256&resource=https%3A%2F%2Fa.example&resource=https%3A%2F%2Fb.example"

// formAction is what the policy of an answer says of forms.
func formAction(w *httptest.ResponseRecorder) string {
	found := regexp.MustCompile(`form-action ([^;]*);`).FindStringSubmatch(w.Header().Get("Content-Security-Policy"))
	if found == nil {
		return ""
	}
	return found[1]
}

func TestConsentAsks(t *testing.T) {
	f := newFake(t)
	w := get(f, wish)
	if w.Code != http.StatusOK {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	if got := formAction(w); got != "'self' https://app.example" {
		t.Errorf("forms may lead to %q", got)
	}
	h := w.Header()
	if h.Get("Cache-Control") != "no-store" || !strings.Contains(h.Get("Content-Security-Policy"), "frame-ancestors 'none'") || h.Get("Atelier-Holds-Secret") == "" {
		t.Errorf("%v", h)
	}
	input := f.last(t, "Authorization").Variables["input"].(map[string]any)
	if input["clientId"] != someID || input["state"] != `a\b;"&c` || len(input["resource"].([]any)) != 2 || input["prompt"] != nil {
		t.Errorf("asked %v", input)
	}
	for _, part := range []string{`name="state" value="a\b;&#34;&amp;c"`, `value="https://b.example"`, `name="account" value="` + someID, "90 days"} {
		if !strings.Contains(w.Body.String(), part) {
			t.Errorf("the page lacks %s", part)
		}
	}
}

func TestConsentOfVisitors(t *testing.T) {
	f := newFake(t)
	f.refuse("Authorization", "unauthorized", http.StatusUnauthorized, nil)
	w := get(f, wish+"&prompt=login")
	to, err := url.Parse(w.Header().Get("Location"))
	if err != nil || w.Code != http.StatusSeeOther || to.Path != "/login" {
		t.Fatalf("%d %s", w.Code, w.Header().Get("Location"))
	}
	next := to.Query().Get("next")
	if strings.ContainsAny(next, "\\;\" ,") {
		t.Errorf("next is %q, which a step on the way may break", next)
	}
	back, err := url.Parse(next)
	if err != nil || back.Path != "/oauth/authorize" {
		t.Fatalf("next is %q", next)
	}
	want, _ := url.Parse(wish)
	for name, values := range want.Query() {
		if !slices.Equal(back.Query()[name], values) {
			t.Errorf("%s became %q, was %q", name, back.Query()[name], values)
		}
	}
	if back.Query().Get("prompt") != "consent" {
		t.Errorf("prompt is %q: whoever signs in would be sent to sign in again", back.Query().Get("prompt"))
	}
}

// A request that is longer than what each way of signing in carries waits in the browser.
func TestLongConsentOfVisitors(t *testing.T) {
	f := newFake(t)
	f.refuse("Authorization", "unauthorized", http.StatusUnauthorized, nil)
	long := wish + "&prompt=" + strings.Repeat("x%20", 800)
	w := get(f, long)
	to, _ := url.Parse(w.Header().Get("Location"))
	next := to.Query().Get("next")
	cookies := w.Result().Cookies()
	if to.Path != "/login" || len(next) > 100 || len(cookies) != 1 || !cookies[0].HttpOnly {
		t.Fatalf("%s %v", to, cookies)
	}
	back, _ := url.Parse(get(f, next, cookies...).Header().Get("Location"))
	want, _ := url.Parse(long)
	if back.Path != want.Path || back.Query().Encode() != want.Query().Encode() {
		t.Errorf("came back to %s", back)
	}
	for _, other := range [][]*http.Cookie{nil, {{Name: "atelier_asked", Value: "client_id=other"}}} {
		if w := get(f, next, other...); w.Code != http.StatusBadRequest || w.Header().Get("Location") != "" {
			t.Errorf("with %v: %d %v", other, w.Code, w.Header())
		}
	}
}

func TestConsentAnswersAtOnce(t *testing.T) {
	const answer = "https://app.example/back?code=c&state=s"
	f := newFake(t).with("Authorization.answer", answer)
	if w := get(f, wish); w.Code != http.StatusSeeOther || w.Header().Get("Location") != answer {
		t.Errorf("%d %v", w.Code, w.Header())
	}
	// Behind the form of signing in, whose policy no redirect may leave.
	r := httptest.NewRequest(http.MethodGet, wish, nil)
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	if w := do(f, r); w.Code != http.StatusOK || w.Header().Get("Refresh") != "0;url="+answer || !strings.Contains(w.Body.String(), `href="https://app.example/back?code=c&amp;state=s"`) {
		t.Errorf("%d %v", w.Code, w.Header())
	}
	for _, bad := range []string{"javascript:alert(1)", "http://app.example/back", "data:text/html,x", "//evil.example", "https://a@evil.example/", "myapp:/x", ""} {
		f.with("Authorization.redirectUri", bad)
		if w := get(f, wish); w.Code != http.StatusBadRequest || w.Header().Get("Location") != "" || w.Header().Get("Refresh") != "" {
			t.Errorf("%q: %d %v", bad, w.Code, w.Header())
		}
	}
}

func TestConsentAllowsFormsToOnePlace(t *testing.T) {
	for redirect, want := range map[string]string{
		"https://App.Example:8443/x?y=1": "'self' https://app.example:8443",
		"http://127.0.0.1:4321/back":     "'self' http://127.0.0.1:4321",
		"http://localhost/back":          "'self' http://localhost",
		"com.example.app:/back":          "'self' com.example.app:",
		"http://[::1]:4321/back":         "'self'", // no policy can say it: the way goes by a page
		"https://a_b.example/back":       "'self'",
	} {
		f := newFake(t).with("Authorization.redirectUri", redirect).with("Mutation.approveAuthorization", redirect+"#x")
		if got := formAction(get(f, wish)); got != want {
			t.Errorf("%s: %q, want %q", redirect, got, want)
		}
		w := post(f, "/oauth/authorize", "client_id", someID, "account", someID, "decision", "allow")
		if byPage := want == "'self'"; byPage != (w.Header().Get("Refresh") != "") || byPage == (w.Header().Get("Location") != "") {
			t.Errorf("%s: %d %v", redirect, w.Code, w.Header())
		}
	}
}

// A request of an app that registered itself, which cannot be allowed, is a page whose button sends the answer.
func TestRefusedRequestLeadsNowhere(t *testing.T) {
	f := newFake(t).with("Authorization.refusal", "scope holds what is no scope here")
	for _, from := range []string{"same-origin", "cross-site", "none"} {
		r := httptest.NewRequest(http.MethodGet, wish, nil)
		r.Header.Set("Sec-Fetch-Site", from)
		w := do(f, r)
		body := w.Body.String()
		if w.Code != http.StatusBadRequest || w.Header().Get("Location") != "" || w.Header().Get("Refresh") != "" ||
			!strings.Contains(body, "scope holds what is no scope here") || !strings.Contains(body, `name="decision" value="refuse"`) || strings.Contains(body, `value="allow"`) {
			t.Errorf("%s: %d %v %s", from, w.Code, w.Header(), body)
		}
	}
}

func TestConsentIsAnswered(t *testing.T) {
	const answer = "https://app.example/back?code=c"
	fresh := func() *fake {
		return newFake(t).with("Mutation.approveAuthorization", answer).with("Mutation.denyAuthorization", answer+"&error=access_denied")
	}
	asked := []string{"client_id", someID, "state", "s", "account", someID}
	for decision, operation := range map[string]string{"allow": "ApproveAuthorization", "refuse": "DenyAuthorization"} {
		f := fresh()
		w := post(f, "/oauth/authorize", append(slices.Clip(asked), "decision", decision, "idempotency_key", "k")...)
		if w.Code != http.StatusSeeOther || !strings.HasPrefix(w.Header().Get("Location"), answer) {
			t.Errorf("%s: %d %v", decision, w.Code, w.Header())
		}
		if c := f.last(t, operation); c.Key != "" || c.Variables["input"].(map[string]any)["state"] != "s" {
			t.Errorf("%s: %+v", decision, c)
		}
	}
	never := func(what string, f *fake, w *httptest.ResponseRecorder) {
		t.Helper()
		for _, c := range f.calls {
			if c.Operation == "ApproveAuthorization" || c.Operation == "DenyAuthorization" {
				t.Errorf("%s: %s was called", what, c.Operation)
			}
		}
		if strings.HasPrefix(w.Header().Get("Location"), "https:") {
			t.Errorf("%s: leads to %s", what, w.Header().Get("Location"))
		}
	}
	f := fresh()
	w := post(f, "/oauth/authorize", "client_id", someID, "account", "0193f2c1-77aa-7c02-b9d1-1f0b6e2a8fff", "decision", "allow")
	never("another account than was asked", f, w)
	if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "another account than a moment ago") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	f = fresh()
	never("no decision", f, post(f, "/oauth/authorize", asked...))
	f = fresh()
	w = post(f, "/oauth/authorize", append(slices.Clip(asked), "decision", "switch")...)
	never("another account", f, w)
	if !strings.HasPrefix(w.Header().Get("Location"), "/login?next=%2Foauth%2Fauthorize%3Fclient_id") || f.last(t, "SignOut").Operation == "" {
		t.Errorf("%v", w.Header())
	}
	f = fresh()
	f.refuse("ActingAccount", "unauthorized", http.StatusUnauthorized, nil)
	w = post(f, "/oauth/authorize", append(slices.Clip(asked), "decision", "allow")...)
	never("signed out meanwhile", f, w)
	if !strings.HasPrefix(w.Header().Get("Location"), "/login?next=%2Foauth%2Fauthorize%3Fclient_id") {
		t.Errorf("%v", w.Header())
	}
	f = fresh()
	r := httptest.NewRequest(http.MethodPost, "/oauth/authorize", strings.NewReader("decision=allow&client_id="+someID+"&account="+someID))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Sec-Fetch-Site", "cross-site")
	w = do(f, r)
	never("a form of another site", f, w)
	if w.Code != http.StatusForbidden {
		t.Errorf("%d", w.Code)
	}
	f = fresh()
	f.refuse("ApproveAuthorization", "limit_reached", http.StatusBadRequest, nil)
	w = post(f, "/oauth/authorize", append(slices.Clip(asked), "decision", "allow")...)
	if w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), "Your answer did not get through.") || !strings.Contains(w.Body.String(), "Refuse") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

func TestConsentThatLeadsNowhere(t *testing.T) {
	for name, path := range map[string]string{
		"client twice": wish + "&client_id=x", "redirect twice": wish + "&redirect_uri=https%3A%2F%2Fevil.example", "damaged": wish + "&a=%zz",
		"not UTF-8": wish + "&prompt=%ff", "NUL": wish + "&prompt=%00", "long": wish + "&prompt=" + strings.Repeat("x", 4000),
	} {
		f := newFake(t)
		w := get(f, path)
		if w.Code != http.StatusBadRequest || w.Header().Get("Location") != "" || len(f.calls) > 0 || !strings.Contains(w.Body.String(), "begin there once more") {
			t.Errorf("%s: %d %v", name, w.Code, w.Header())
		}
	}
	for name, refusal := range map[string]struct {
		code, field, want string
		status            int
	}{
		"unknown app": {"not_found", "", "This app is not known here", 404}, "no id": {"validation_error", "clientId", "This app is not known here", 400},
		"redirect": {"validation_error", "redirectUri", "The app&#39;s address does not fit", 400},
	} {
		f := newFake(t)
		f.refuse("Authorization", refusal.code, refusal.status, map[string]any{"field": refusal.field})
		w := get(f, wish)
		if w.Code != http.StatusBadRequest || w.Header().Get("Location") != "" || !strings.Contains(w.Body.String(), refusal.want) {
			t.Errorf("%s: %d %v %s", name, w.Code, w.Header(), w.Body)
		}
	}
	f := newFake(t)
	f.refuse("Authorization", "rate_limit_exceeded", http.StatusTooManyRequests, map[string]any{"retryAfter": 7})
	if w := get(f, wish); w.Code != http.StatusTooManyRequests || w.Header().Get("Refresh") != "7" || !strings.Contains(w.Body.String(), "Too many attempts") {
		t.Errorf("%d %v", w.Code, w.Header())
	}
}

func TestConsentShowsNamesSafely(t *testing.T) {
	for name, want := range map[string]string{
		"\u202eAtеlier":            "This is not Atelier.",
		"A t e l i e r  Support":   "This is not Atelier.",
		strings.Repeat("long", 99): "…</bdi>",
		"\u3164\u2800 \u200b":      "An app without a name",
	} {
		w := get(newFake(t).with("RequestingApp.name", name).with("Profile.displayName", "Mina").with("Profile.email", "mina@example.com"), wish)
		if body := w.Body.String(); !strings.Contains(body, want) || strings.ContainsAny(body, "\u202e\u200b\u3164") {
			t.Errorf("%q is shown otherwise", name)
		}
	}
}

func TestConnectedApps(t *testing.T) {
	f := newFake(t)
	if w := get(f, "/account/apps/"+someID+"/revoke"); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "7 webhook endpoints that it added: switched off") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if w := get(newFake(t).with("Query.connectedApps", 0), "/account/apps/"+someID+"/revoke"); w.Code != http.StatusNotFound {
		t.Errorf("%d", w.Code)
	}
	if w := post(f, "/account/apps/"+someID+"/revoke"); w.Header().Get("Location") != "/account/apps" || f.last(t, "RevokeConnectedApp").Variables["id"] != someID {
		t.Errorf("%d %v", w.Code, w.Header())
	}
}

func TestClientSecretIsShownOnce(t *testing.T) {
	const secret = "svc_client_5ecret"
	f := newFake(t).with("CreatedOAuthApp.clientSecret", secret)
	fields := []string{"name", "Gallery", "kind", "server", "redirectUris", "https://a.example/x\r\n\r\nhttps://b.example/y", "allowedOrigins", ""}
	for path, sent := range map[string][]string{"/developer/apps": fields, "/developer/apps/" + someID + "/rotate": nil} {
		w := post(f, path, sent...)
		if w.Code != http.StatusOK || strings.Count(w.Body.String(), secret) != 2 || w.Header().Get("Atelier-Holds-Secret") == "" { // to read, and to copy
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
	input := f.last(t, "CreateOAuthApp").Variables["input"].(map[string]any)
	if redirects := input["redirectUris"].([]any); len(redirects) != 2 || redirects[1] != "https://b.example/y" || input["public"] != false {
		t.Errorf("%v", input)
	}
	f = newFake(t)
	f.refuse("CreateOAuthApp", "validation_error", http.StatusBadRequest, map[string]any{"field": "redirectUris.1", "message": "redirectUris.1 must be https"})
	if w := post(f, "/developer/apps", fields...); !strings.Contains(w.Body.String(), `id="f-redirectUris-error"`) || !strings.Contains(w.Body.String(), "Line 2 must be https") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	f = newFake(t).with("CreatedOAuthApp.clientSecret", nil)
	if w := post(f, "/developer/apps", "name", "x", "kind", "public"); w.Code != http.StatusSeeOther || f.last(t, "CreateOAuthApp").Variables["input"].(map[string]any)["public"] != true {
		t.Errorf("%d", w.Code)
	}
}

func TestTryingTheFlow(t *testing.T) {
	const path = "/developer/apps/" + someID + "/try"
	f := newFake(t)
	w := get(f, path+"?chosen=1&scope=jobs%3Aread&scope=nonsense")
	found := regexp.MustCompile(`href="(/oauth/authorize\?[^"]*)"`).FindStringSubmatch(w.Body.String())
	if found == nil {
		t.Fatal(w.Body)
	}
	link, err := url.Parse(strings.ReplaceAll(found[1], "&amp;", "&"))
	if err != nil || link.Query().Get("scope") != "jobs:read" || link.Query().Get("code_challenge_method") != "S256" {
		t.Fatalf("%v %v", link, err)
	}
	cookies := w.Result().Cookies()
	at := slices.IndexFunc(cookies, func(c *http.Cookie) bool { return c.Name == "atelier_try" })
	if at < 0 || !cookies[at].HttpOnly {
		t.Fatalf("%v", cookies)
	}
	verifier := strings.Split(cookies[at].Value, ".")[2]
	good := url.Values{"state": {link.Query().Get("state")}, "iss": {"https://atelier.example"}, "code": {"svc_code_x-Y_1"}}
	w = get(f, path+"?"+good.Encode(), cookies[at])
	body := w.Body.String()
	if w.Code != http.StatusOK || !strings.Contains(body, verifier) || !strings.Contains(body, "svc_code_x-Y_1") || !strings.Contains(body, "$CLIENT_SECRET") ||
		strings.Contains(body, "try?") || !strings.Contains(body, "data-forget-address") {
		t.Errorf("%d %s", w.Code, body)
	}
	for name, change := range map[string][2]string{
		"another state": {"state", "x"}, "another issuer": {"iss", "https://evil.example"}, "a code that a shell runs": {"code", "$(reboot)"}, "no code": {"code", ""},
	} {
		bad := url.Values{}
		for k, v := range good {
			bad[k] = v
		}
		bad.Set(change[0], change[1])
		if w := get(f, path+"?"+bad.Encode(), cookies[at]); !strings.Contains(w.Body.String(), "An app must not use this answer.") || strings.Contains(w.Body.String(), verifier) {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
	}
	if w := get(f, path+"?"+good.Encode()); !strings.Contains(w.Body.String(), "An app must not use this answer.") {
		t.Errorf("without a try: %s", w.Body)
	}
	refused := url.Values{"state": good["state"], "iss": good["iss"], "error": {"access_denied"}}
	if w := get(f, path+"?"+refused.Encode(), cookies[at]); !strings.Contains(w.Body.String(), "access_denied: the person refused") {
		t.Errorf("%s", w.Body)
	}
	f.refuse("DeveloperAppPage", "unauthorized", http.StatusUnauthorized, nil)
	if w := get(f, path+"?"+good.Encode(), cookies[at]); strings.Contains(w.Header().Get("Location"), "svc_code") {
		t.Errorf("the code is in %s", w.Header().Get("Location"))
	}
}

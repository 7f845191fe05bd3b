//go:build !race

package tests

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// The verifier and the challenge of RFC 7636, appendix B.
const (
	verifier  = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
	challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
)

// appOutside is an app on loopback, to which browsers come back.
type appOutside struct {
	*httptest.Server
	mu       sync.Mutex
	answers  []url.Values
	referers []string
}

func startAppOutside(t testing.TB, address string) *appOutside {
	t.Helper()
	a := &appOutside{}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		t.Skip("this machine has no ", address)
	}
	a.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/favicon.ico" {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		a.mu.Lock()
		defer a.mu.Unlock()
		a.answers, a.referers = append(a.answers, r.URL.Query()), append(a.referers, r.Referer())
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<!doctype html><title>app</title><p>Answer %d is here</p>", len(a.answers))
	}))
	a.Listener.Close()
	a.Listener = listener
	a.Start()
	t.Cleanup(a.Close)
	return a
}

// last is the answer that came last; it came without a referrer.
func (a *appOutside) last(t testing.TB, count int) url.Values {
	t.Helper()
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.answers) != count {
		t.Fatalf("%d answers came, not %d", len(a.answers), count)
	}
	if count == 0 {
		return nil
	}
	if from := a.referers[count-1]; from != "" {
		t.Errorf("the answer came from %s", from)
	}
	return a.answers[count-1]
}

// wishOf is where an app sends people; pairs are more parameters.
func wishOf(id, redirect, scope, state string, pairs ...string) string {
	q := url.Values{
		"client_id": {id}, "redirect_uri": {redirect}, "response_type": {"code"}, "scope": {scope}, "state": {state},
		"code_challenge": {challenge}, "code_challenge_method": {"S256"},
	}
	for i := 0; i < len(pairs); i += 2 {
		q.Set(pairs[i], pairs[i+1])
	}
	return "/oauth/authorize?" + q.Encode()
}

// answers presses a button of the question, once a click counts, and waits for the app.
func (v *tab) answers(button string, count int) {
	v.t.Helper()
	v.until("a page that takes clicks", `document.querySelector("[data-settles]") && !document.querySelector("[data-settles]:disabled")`)
	v.press(button)
	v.sees(fmt.Sprintf("Answer %d is here", count))
}

// registeredApp registers an app by the API; its id and secret come back.
func registeredApp(who client, name string, redirects ...string) (id, secret string) {
	who.t.Helper()
	made := who.post("/v1/oauth/apps", object{"name": name, "redirectUris": redirects}).want(201)
	return made.text("data.id"), made.text("clientSecret")
}

func TestConsentInBrowsers(t *testing.T) {
	t.Parallel()
	p := startService(t)
	s := &story{t: t, visitor: client{t: t, URL: p.URL}}
	mara := s.signUp("Mara")
	s.signUp("Ada")
	app := startAppOutside(t, "127.0.0.1:0")
	id, secret := registeredApp(mara, "Gallery wall", "http://127.0.0.1/back?from=atelier")
	redirect := app.URL + "/back?from=atelier"
	const state = `st4te-of-Ada\;"&x`
	all := wishOf(id, redirect, "workflows:execute jobs:read workspaces:read workspaces:write", state, "resource", p.URL)
	b := startBrowser(t, "oauth")
	v := b.visitor("Ada", p.URL)

	// Not signed in: the request survives the form.
	v.open(all)
	v.sees("Sign in")
	v.fill("Email address", "ada@example.com")
	v.fill("Password", password)
	v.press("Sign in")
	v.sees("Let this app act for you?", "Gallery wall", "127.0.0.1", "Registered by", "Mara", "ada@example.com", "90 days", "paid from your credits")
	v.look("consent")
	v.size(768, 900)
	v.forget()

	// No other place than the app's may be reached by a form of the page.
	other := startAppOutside(t, "127.0.0.1:0")
	if _, err := ask[bool](v, `((f) => { f.action = `+quote(other.URL)+`; f.method = "post"; document.body.append(f); f.submit(); return true; })(document.createElement("form"))`); err != nil {
		t.Fatal(err)
	}
	eventually(t, func() error { return v.heard("form-action") })
	v.forget()
	other.last(t, 0)

	v.answers("Allow", 1)
	got := app.last(t, 1)
	if got.Get("state") != state || got.Get("iss") != p.URL || got.Get("from") != "atelier" || got.Get("code") == "" || got.Get("error") != "" {
		t.Fatalf("the app got %v", got)
	}
	token := exchange(t, p.URL, id, secret, redirect, got.Get("code"))
	if me := s.visitor.with(token).get("/v1/me").want(200); me.text("data.email") != "ada@example.com" {
		t.Fatalf("%s", me.Body)
	}

	// Allowed before: at once where the app asks for that; also behind the form of signing in, whose page lets no form leave the site.
	v.open(wishOf(id, redirect, "jobs:read", state, "prompt", "none"))
	v.sees("Answer 2 is here")
	v.open("/account")
	v.click("css", "details.user summary")
	v.press("Sign out")
	v.open(wishOf(id, redirect, "jobs:read", state))
	v.fill("Email address", "ada@example.com")
	v.fill("Password", password)
	v.press("Sign in")
	v.sees("allowed before")
	v.answers("Allow", 3)
	if app.last(t, 3).Get("code") == "" {
		t.Error("no code behind the sign-in form")
	}

	// Asked again, and refused.
	v.open(wishOf(id, redirect, "jobs:read", state, "prompt", "consent"))
	v.sees("allowed before", "You allowed it before, and that stays")
	v.answers("Refuse", 4)
	if got := app.last(t, 4); got.Get("error") != "access_denied" || got.Get("state") != state || got.Get("code") != "" {
		t.Errorf("the app got %v", got)
	}
	v.open(wishOf(id, redirect, "everything", state))
	v.sees("Answer 5 is here")
	if got := app.last(t, 5); got.Get("error") != "invalid_scope" || got.Get("iss") != p.URL {
		t.Errorf("the app got %v", got)
	}

	// By keyboard alone.
	v.open(wishOf(id, redirect, "jobs:read", state, "prompt", "consent"))
	v.until("a page that takes keys", `!document.querySelector("[data-settles]:disabled")`)
	for range 12 {
		if on, _ := ask[bool](v, `document.activeElement?.value === "allow"`); on {
			break
		}
		v.keys(kb.Tab)
	}
	v.leave(func() { v.keys(kb.Enter) })
	v.sees("Answer 6 is here")

	// Who signs in again comes back, as another one if they like.
	v.open(wishOf(id, redirect, "jobs:read", state, "prompt", "login"))
	v.sees("Sign in again")
	v.look("consent after signing in anew")
	v.press("Sign in again")
	v.follow("Create an account")
	v.fill("Your name", "Cleo")
	v.fill("Email address", "cleo@example.com")
	v.fill("Password", password)
	v.press("Create the account")
	v.sees("Let this app act for you?", "cleo@example.com")
	v.answers("Allow", 7)

	v.willRefuse(http.StatusBadRequest)
	v.open(wishOf(unknownID, redirect, "jobs:read", state))
	v.sees("This app is not known here")
	v.look("consent of an unknown app")
	v.willRefuse(http.StatusBadRequest)
	v.open(wishOf(id, other.URL+"/elsewhere", "jobs:read", state))
	v.sees("The app's address does not fit")
	v.look("consent for another address")
	app.last(t, 7)
	other.last(t, 0)

	v.nobodyVouches(s, app, 8)
	b.withoutScript("Ada", p.URL).consentsWithoutScript(wishOf(id, redirect, "jobs:read", state, "prompt", "consent"), 9)
	if strings.Contains(p.log.String(), "st4te") || strings.Contains(p.log.String(), challenge) || strings.Contains(p.log.String(), got.Get("code")) {
		t.Error("the log tells of requests")
	}
}

// nobodyVouches looks at the question of an app that registered itself, under a name that is not its own.
func (v *tab) nobodyVouches(s *story, app *appOutside, count int) {
	v.t.Helper()
	made := s.visitor.post("/v1/oauth/register", object{
		"client_name": "Atelier Support " + strings.Repeat("wide", 15), "redirect_uris": []string{"http://localhost/cb", "com.example.support:/cb"}, "token_endpoint_auth_method": "none",
	}).want(201)
	port := app.URL[strings.LastIndex(app.URL, ":"):]
	v.open(wishOf(made.text("client_id"), "com.example.support:/cb", "jobs:read", "s"))
	v.sees("It registered itself: no one here vouches for it.", "This is not Atelier.", "com.example.support:")
	v.look("consent of an app that registered itself")
	v.open("/account/apps")
	v.sees("Gallery wall")
	if made := s.visitor.post("/v1/oauth/register", object{
		"client_name": "Helper", "redirect_uris": []string{"http://127.0.0.1" + port + "/cb"}, "token_endpoint_auth_method": "none",
	}).want(201); true {
		v.open(wishOf(made.text("client_id"), "http://127.0.0.1"+port+"/cb", "jobs:read", "s"))
		v.sees("A program on this computer")
		v.answers("Allow", count)
	}
}

// consentsWithoutScript signs in and allows in a browser that runs no script.
func (v *tab) consentsWithoutScript(wish string, count int) {
	v.t.Helper()
	v.open(wish)
	v.fill("Email address", "ada@example.com")
	v.fill("Password", password)
	v.press("Sign in")
	v.sees("Let this app act for you?")
	v.press("Allow")
	v.sees(fmt.Sprintf("Answer %d is here", count))
}

// exchange changes a code into a token, as an app's server does.
func exchange(t testing.TB, base, id, secret, redirect, code string) string {
	t.Helper()
	request, err := http.NewRequest("POST", base+"/v1/oauth/token", strings.NewReader(url.Values{
		"grant_type": {"authorization_code"}, "code": {code}, "redirect_uri": {redirect}, "code_verifier": {verifier},
	}.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.SetBasicAuth(id, secret)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body := readAll(response.Body)
	var answer struct {
		AccessToken string `json:"access_token"`
	}
	if err := json.Unmarshal(body, &answer); err != nil || response.StatusCode != 200 || answer.AccessToken == "" {
		t.Fatalf("%d %s", response.StatusCode, body)
	}
	return answer.AccessToken
}

// TestConsentToSixthVersion goes back to an address that no policy has a word for.
func TestConsentToSixthVersion(t *testing.T) {
	app := startAppOutside(t, "[::1]:0")
	p := startService(t)
	s := &story{t: t, visitor: client{t: t, URL: p.URL}}
	id, _ := registeredApp(s.signUp("Mara"), "Six", "http://[::1]/back")
	v := startBrowser(t, "oauth").visitor("Mara", p.URL)
	v.signIn("mara")
	v.open(wishOf(id, app.URL+"/back", "jobs:read", "s"))
	v.answers("Allow", 1)
	if app.last(t, 1).Get("code") == "" {
		t.Error("no code")
	}
}

// TestAppPagesInBrowsers registers an app, tries its flow with the lines that the page gives, and takes back what it may.
func TestAppPagesInBrowsers(t *testing.T) {
	t.Parallel()
	p := startService(t)
	s := &story{t: t, visitor: client{t: t, URL: p.URL}}
	s.signUp("Mara")
	v := startBrowser(t, "oauth").visitor("Mara", p.URL)
	v.signIn("mara")

	v.open("/account/apps")
	v.sees("No app acts for you.")
	v.look("connected apps empty")
	v.follow("Developer apps")
	v.sees("0 of 5")
	v.look("developer apps empty")
	v.follow("Register an app")
	v.fill("Name", "Gallery wall")
	v.paste("Where people come back to", "https://gallery.example/back\nhttp://gallery.example/plain")
	v.willRefuse(http.StatusBadRequest)
	v.press("Register the app")
	v.sees("The app was not registered.", "Line 2 must be https")
	v.look("developer app refused")
	v.paste("Where people come back to", "https://gallery.example/back")
	v.press("Register the app")
	v.sees("This is shown once.")
	v.look("client secret")
	first := v.shownSecret()
	v.follow("I have copied it")
	v.sees("No one has allowed it yet.", "/.well-known/oauth-authorization-server")
	v.look("developer app")
	page := v.path()

	v.follow("New secret…")
	v.look("client secret rotate")
	v.press("Make a new secret")
	secret := v.shownSecret()
	if first == secret || len(secret) < 30 {
		t.Fatal("the secret is not new")
	}
	for _, path := range []string{page, "/developer/apps", page + "/try"} {
		v.open(path)
		html, err := ask[string](v, "document.documentElement.outerHTML")
		if err != nil || strings.Contains(html, secret) || strings.Contains(html, first) {
			t.Errorf("%s shows a secret (%v)", path, err)
		}
	}

	v.look("try the flow")
	v.press("Add this page's address")
	v.sees("Answers may come to this page now.")
	v.click("label", "workspaces:read")
	v.press("Build the link again")
	v.leave(func() { v.click("link", "Open it, as a person would") })
	v.sees("Let this app act for you?", "See your organizations and workspaces")
	v.until("a page that takes clicks", `!document.querySelector("[data-settles]:disabled")`)
	v.press("Allow")
	v.sees("The code is here.")
	if at := v.path(); at != page+"/try" {
		t.Errorf("the code stands in the address: %s", at)
	}
	v.look("try the flow, code")
	line, err := ask[string](v, `[...document.querySelectorAll("pre")].map((el) => el.textContent).find((text) => text.includes("code_verifier"))`)
	if err != nil || strings.Contains(line, secret) {
		t.Fatalf("%q %v", line, err)
	}
	run := exec.Command("bash", "-c", strings.Replace(line, "curl ", "curl -sS ", 1))
	run.Env = append(run.Environ(), "CLIENT_SECRET="+secret)
	out, err := run.CombinedOutput()
	var answer struct {
		AccessToken string `json:"access_token"`
		Scope       string `json:"scope"`
	}
	if err != nil || json.Unmarshal(out, &answer) != nil || !strings.HasPrefix(answer.AccessToken, "svc_app_") || !strings.Contains(answer.Scope, "workspaces:read") {
		t.Fatalf("%s\n%s (%v)", line, out, err)
	}
	token := s.visitor.with(answer.AccessToken)
	token.get("/v1/me").want(200)

	v.open(page + "/try")
	v.leave(func() { v.click("link", "Open it, as a person would") })
	v.sees("allowed before")
	v.press("Refuse")
	v.sees("The answer is an error.", "access_denied")
	v.look("try the flow, refused")

	v.open("/developer/apps")
	v.sees("1 of 5", "Gallery wall")
	v.look("developer apps")
	v.open("/account")
	v.follow("Apps of others that act for you")
	v.sees("Gallery wall", "Runs workflows and apps")
	v.look("connected apps")
	v.open("/account/agents")
	v.sees("Connect one", "/mcp", "Claude Code", "Gallery wall")
	v.look("agents")
	v.open("/account/apps")
	v.leave(func() { v.click("css", `a[href$="/revoke"]`) })
	v.look("connected app take back")
	v.press("Take it back")
	v.sees("Taken back.", "No app acts for you.")
	token.get("/v1/me").wantError(401, "unauthorized")

	v.open(page + "/delete")
	v.look("developer app delete")
	v.press("Delete the app")
	v.sees("The app is deleted.", "0 of 5")
	if log := p.log.String(); strings.Contains(log, secret) || strings.Contains(log, answer.AccessToken) {
		t.Error("the log shows a secret")
	}
}

// shownSecret is the secret that a page shows this once.
func (v *tab) shownSecret() string {
	v.t.Helper()
	v.sees("This is shown once.")
	text, err := ask[string](v, `document.querySelector(".secret code").textContent`)
	if err != nil {
		v.t.Fatal(err)
	}
	return text
}

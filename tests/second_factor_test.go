//go:build !race

package tests

import (
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"atelier/models/dbtest"

	"github.com/pquerna/otp/totp"
)

// secondFactor is a person with an authenticator app at a service whose clock stands still.
type secondFactor struct {
	person
	h      *testServer
	clock  *dbtest.Clock
	secret string
	codes  []any
}

func newSecondFactor(t *testing.T) *secondFactor {
	t.Helper()
	clock := dbtest.NewClock()
	clock.Set(time.Now().UTC().Truncate(time.Minute))
	h := newTestServerAt(t, clock)
	f := &secondFactor{h: h, clock: clock}
	f.person = newPerson(t, h.server.URL, "Mara")
	f.turnOn()
	return f
}

func (f *secondFactor) turnOn() {
	f.t.Helper()
	f.secret = f.graphql(`mutation { beginTotp { secret uri } }`, nil).want(200).text("data.beginTotp.secret")
	f.codes = f.graphql(`mutation($code: String!) { confirmTotp(code: $code) }`, object{"code": f.code()}).want(200).list("data.confirmTotp")
	f.clock.Advance(time.Minute)
}

func (f *secondFactor) code() string {
	f.t.Helper()
	code, err := totp.GenerateCode(f.secret, f.clock.Now())
	if err != nil {
		f.t.Fatal(err)
	}
	return code
}

// wrong is a code that is right at no time around now.
func (f *secondFactor) wrong() string {
	right := map[string]bool{}
	for d := -3; d <= 3; d++ {
		code, _ := totp.GenerateCode(f.secret, f.clock.Now().Add(time.Duration(d)*30*time.Second))
		right[code] = true
	}
	for _, code := range []string{"000000", "111111", "222222", "333333", "444444", "555555", "666666", "777777"} {
		if !right[code] {
			return code
		}
	}
	return ""
}

func (f *secondFactor) visitor() client {
	return client{t: f.t, URL: f.h.server.URL}.sending("X-Forwarded-For", "198.51.100.7")
}

// step is the token of a sign-in whose password was right.
func (f *secondFactor) step(from client) string {
	f.t.Helper()
	r := from.post("/auth/sign-in", object{"email": f.email, "password": password}).wantError(401, "second_factor_required")
	if cookie := r.Header.Get("Set-Cookie"); cookie != "" {
		f.t.Errorf("a cookie before the second step: %s", cookie)
	}
	return r.text("error.secondFactorToken")
}

func TestSecondFactorByREST(t *testing.T) {
	f := newSecondFactor(t)
	v := f.visitor()
	v.post("/auth/sign-in", object{"email": f.email, "password": "wrong"}).wantError(401, "unauthorized")
	r := v.post("/auth/sign-in", object{"email": f.email, "password": password}).wantError(401, "second_factor_required")
	r.is(map[string]any{"error.methods": "[totp recovery]"})
	token := r.text("error.secondFactorToken")
	v.with(token).get("/v1/me").wantError(401, "unauthorized")
	v.post("/auth/second-factor", object{"secondFactorToken": token}).wantError(400, "validation_error")
	v.post("/auth/second-factor", object{"secondFactorToken": token, "code": f.wrong()}).wantError(400, "validation_error").is(map[string]any{"error.field": "code"})
	done := v.post("/auth/second-factor", object{"secondFactorToken": token, "code": f.code()}).want(200)
	done.holds("data", true, "user", "token", "expiresAt")
	if !strings.Contains(done.Header.Get("Set-Cookie"), "HttpOnly") {
		t.Error("no cookie of the session")
	}
	v.with(done.text("data.token")).get("/v1/me").want(200)
	v.post("/auth/second-factor", object{"secondFactorToken": token, "code": f.codes[0]}).wantError(401, "unauthorized")

	// The same by GraphQL, whose refusal carries the same.
	g := v.asking(`mutation($in: SignInInput!) { signIn(input: $in) { token } }`, object{"in": object{"email": f.email, "password": password}})
	if g.text("errors.0.extensions.code") != "second_factor_required" {
		t.Fatalf("by GraphQL: %s", g.Body)
	}
	g = v.graphql(`mutation($in: SecondStepInput!) { completeSignIn(input: $in) { token } }`, object{"in": object{
		"secondFactorToken": g.text("errors.0.extensions.secondFactorToken"), "code": f.codes[1]}}).want(200)
	v.with(g.text("data.completeSignIn.token")).get("/v1/me").want(200)
	f.graphql(`{ secondFactor { since totpSince recoveryCodesLeft passkeys { id } requiredBy totpAvailable confirmedUntil } }`, nil).want(200).
		is(map[string]any{"data.secondFactor.recoveryCodesLeft": 9})
}

// One address is tried through both faces, over many tokens and at once: ten guesses in all.
func TestSecondFactorIsGuessedTenTimes(t *testing.T) {
	f := newSecondFactor(t)
	v := f.visitor()
	tokens := []string{f.step(v), f.step(v), f.step(v)}
	wrong := f.wrong()
	var guessed, limited int
	count := func(code string) {
		switch code {
		case "validation_error":
			guessed++
		case "rate_limit_exceeded":
			limited++
		default:
			t.Errorf("a guess is answered %q", code)
		}
	}
	for i := range 4 {
		count(v.post("/auth/second-factor", object{"secondFactorToken": tokens[i%2], "code": wrong}).text("error.code"))
	}
	for i := range 6 {
		r := v.asking(`mutation($in: SecondStepInput!) { completeSignIn(input: $in) { token } }`, object{"in": object{"secondFactorToken": tokens[i%3], "code": wrong}})
		count(r.text("errors.0.extensions.code"))
	}
	two := `mutation($in: SecondStepInput!) { a: completeSignIn(input: $in) { token } b: completeSignIn(input: $in) { token } }`
	v.asking(two, object{"in": object{"secondFactorToken": tokens[0], "code": f.code()}}).want(400)
	var all sync.WaitGroup
	var mu sync.Mutex
	for range 12 {
		all.Go(func() {
			code := v.post("/auth/second-factor", object{"secondFactorToken": tokens[2], "code": wrong}).text("error.code")
			mu.Lock()
			defer mu.Unlock()
			count(code)
		})
	}
	all.Wait()
	if guessed > 10 || limited == 0 {
		t.Errorf("%d guesses, %d refused", guessed, limited)
	}
	v.post("/auth/second-factor", object{"secondFactorToken": f.step(client{t: t, URL: f.h.server.URL}.sending("X-Forwarded-For", "198.51.100.8")), "code": f.code()}).wantError(429, "rate_limit_exceeded")
}

// What a session of long ago may not do, and what a token may.
func TestConfirmationIsAsked(t *testing.T) {
	f := newSecondFactor(t)
	op := operatorOf(t, f.h.server.URL)
	org := newOrganization(t, f.client, op, "team")
	admin := newPerson(t, f.h.server.URL, "Admin")
	invited := f.post("/v1/orgs/"+org+"/invitations", object{"emails": []string{admin.email}, "orgRole": "admin"}).want(201)
	_ = invited
	token := f.with(f.post("/v1/api-tokens", object{"name": "x"}).want(201).text("token"))
	endpoint := f.post("/v1/webhook-endpoints", object{"url": "https://example.com/first"}).want(201)
	f.clock.Advance(time.Hour + time.Second)
	const asked = "reauthentication_required"
	f.post("/v1/api-tokens", object{"name": "y"}).wantError(403, asked)
	f.post("/v1/api-tokens", object{"name": ""}).wantError(400, "validation_error") // the form comes first
	f.post("/v1/webhook-endpoints", object{"url": "https://example.com/x"}).wantError(403, asked)
	f.post("/v1/webhook-endpoints/"+endpoint.text("data.id")+"/rotate-secret", object{}).wantError(403, asked)
	f.do("DELETE", "/v1/orgs/"+org, nil).wantError(403, asked)
	f.post("/v1/orgs/"+org+"/transfer-ownership", object{"userId": unknownID}).wantError(403, asked)
	f.do("DELETE", "/v1/orgs/"+unknownID, nil).wantError(404, "not_found")
	token.post("/v1/webhook-endpoints", object{"url": "https://example.com/y"}).want(201)
	for _, mutation := range []string{"beginTotp { secret }", `confirmTotp(code: "000000")`, "removeTotp", "createRecoveryCodes"} {
		if r := f.asking("mutation { "+mutation+" }", nil); r.text("errors.0.extensions.code") != asked {
			t.Errorf("%s: %s", mutation, r.Body)
		}
	}
	token.asking(`mutation { createRecoveryCodes }`, nil).is(map[string]any{"errors.0.extensions.code": "forbidden"})
	f.graphql(`mutation($c: String!) { confirmSession(input: {password: $c}) }`, object{"c": password}).want(200).is(map[string]any{"data.confirmSession": true})
	f.post("/v1/api-tokens", object{"name": "y"}).want(201)
	f.do("DELETE", "/v1/orgs/"+org, nil).want(200)
}

// An organization that requires a second factor shows nothing to those without one, whatever they act with.
func TestRequiredSecondFactor(t *testing.T) {
	f := newSecondFactor(t)
	op := operatorOf(t, f.h.server.URL)
	org := newOrganization(t, f.client, op, "team")
	room := newWorkspace(f.client, org, "Room")
	code := codeOf(f.client, room)
	member := newPerson(t, f.h.server.URL, "Noa")
	member.post("/v1/workspaces/join", object{"code": code}).want(200)
	workflow := saved(member.in(room), posedNodes, posedEdges)
	token := member.with(member.post("/v1/api-tokens", object{"name": "x"}).want(201).text("token"))
	const change = `mutation($id: ID!, $on: Boolean!) { updateOrganization(id: $id, input: {requireSecondFactor: $on}) { requireSecondFactor membersWithoutSecondFactor } }`

	// Who has none cannot ask for it, and REST neither takes nor shows it.
	other := newPerson(t, f.h.server.URL, "Lou")
	theirs := newOrganization(t, other.client, op, "team")
	other.asking(change, object{"id": theirs, "on": true}).is(map[string]any{"errors.0.extensions.code": "second_factor_setup_required"})
	before := f.get("/v1/orgs/" + org).want(200)
	f.do("PATCH", "/v1/orgs/"+org, object{"requireSecondFactor": true, "settings": object{"require_second_factor": true}}).want(200)
	f.graphql(change, object{"id": org, "on": true}).want(200).is(map[string]any{"data.updateOrganization.requireSecondFactor": true, "data.updateOrganization.membersWithoutSecondFactor": 1})
	after := f.get("/v1/orgs/" + org).want(200)
	if strings.Contains(string(after.Body), "econd") || len(before.Body) != len(after.Body) {
		t.Errorf("REST shows %s, before %s", after.Body, before.Body)
	}
	entry := f.get("/v1/orgs/" + org + "/audit").want(200)
	if !strings.Contains(string(entry.Body), "settings.require_second_factor") {
		t.Errorf("the audit log does not tell: %.400s", entry.Body)
	}

	const asked = "second_factor_setup_required"
	for _, who := range []client{member.client, token} {
		who.get("/v1/orgs/"+org).wantError(403, asked)
		who.get("/v1/workspaces/"+room).wantError(403, asked)
		who.get("/v1/orgs/"+org+"/workspaces").wantError(403, asked)
		who.in(room).get("/v1/workflows").wantError(403, asked)
		who.in(room).post("/v1/workflows", object{"name": "x"}).wantError(403, asked)
		who.get("/v1/workflows/"+workflow).wantError(403, asked)
		who.post("/v1/workflows/"+workflow+"/run", object{}).wantError(403, asked)
		me := who.get("/v1/me").want(200)
		list := who.get("/v1/orgs").want(200)
		if !strings.Contains(string(me.Body)+string(list.Body), org) {
			t.Error("the organization is not in the lists any more")
		}
		found := who.graphql(`{ search(query: "Room") { workspaces { id } } }`, nil)
		if strings.Contains(string(found.Body), room) {
			t.Errorf("search finds the workspace: %s", found.Body)
		}
	}
	member.graphql(`{ secondFactor { requiredBy } }`, nil).want(200).is(map[string]any{"data.secondFactor.requiredBy.1": nil})

	// Setting one up lets them in again, removing it shuts them out, and leaving always works.
	g := &secondFactor{person: member, h: f.h, clock: f.clock}
	g.t = t
	g.turnOn()
	token.get("/v1/workspaces/" + room).want(200)
	member.get("/v1/workflows/" + workflow).want(200)
	g.graphql(`mutation { removeTotp }`, nil).want(200)
	member.get("/v1/workspaces/"+room).wantError(403, asked)
	member.post("/v1/orgs/"+org+"/leave", nil).want(200)

	// The one who asked and removed their own is shut out as well, and the other admin is not needed to get in again.
	f.graphql(`mutation { removeTotp }`, nil).want(200)
	f.get("/v1/orgs/"+org).wantError(403, asked)
	f.asking(change, object{"id": org, "on": false}).is(map[string]any{"errors.0.extensions.code": asked})
	f.turnOn()
	f.graphql(change, object{"id": org, "on": false}).want(200).is(map[string]any{"data.updateOrganization.requireSecondFactor": false})
}

// An operator takes the second factor off; the sessions end, and the password is enough then.
func TestResetSecondFactor(t *testing.T) {
	f := newSecondFactor(t)
	op := operatorOf(t, f.h.server.URL)
	v := f.visitor()
	waiting := f.step(v)
	f.asking(`mutation($id: ID!) { resetSecondFactor(id: $id) { id } }`, object{"id": f.id}).is(map[string]any{"errors.0.extensions.code": "insufficient_role"})
	op.graphql(`mutation($id: ID!) { resetSecondFactor(id: $id) { id } }`, object{"id": f.id}).want(200)
	op.asking(`mutation($id: ID!) { resetSecondFactor(id: $id) { id } }`, object{"id": f.id}).is(map[string]any{"errors.0.extensions.code": "validation_error"})
	f.get("/v1/me").wantError(401, "unauthorized")
	v.post("/auth/second-factor", object{"secondFactorToken": waiting, "code": f.code()}).wantError(401, "unauthorized")
	in := v.with(v.post("/auth/sign-in", object{"email": f.email, "password": password}).want(200).text("data.token"))
	in.get("/v1/me").want(200)
	if n := f.h.count(`SELECT count(*) FROM notifications WHERE recipient_id = $1 AND kind = 'second_factor_changed'`, f.id); n != 2 {
		t.Errorf("%d notifications of what happened", n)
	}
	if n := f.h.count(`SELECT count(*) FROM operator_acts WHERE target_id = $1 AND action = 'user.second_factor_reset'`, f.id); n != 1 {
		t.Errorf("%d acts", n)
	}
}

// formClient is a browser without script.
type formClient struct {
	t    *testing.T
	base string
	http http.Client
}

func newFormClient(t *testing.T, base string) *formClient {
	jar, _ := cookiejar.New(nil)
	return &formClient{t, base, http.Client{Jar: jar}}
}

func (c *formClient) send(method, path string, form url.Values) (status int, at, body string) {
	c.t.Helper()
	request, err := http.NewRequest(method, c.base+path, strings.NewReader(form.Encode()))
	if err != nil {
		c.t.Fatal(err)
	}
	if method == "POST" {
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	request.Header.Set("Origin", c.base)
	request.Header.Set("X-Forwarded-For", "198.51.100.9")
	response, err := c.http.Do(request)
	if err != nil {
		c.t.Fatal(err)
	}
	defer response.Body.Close()
	text, _ := io.ReadAll(response.Body)
	return response.StatusCode, response.Request.URL.RequestURI(), string(text)
}

var hiddenInput = regexp.MustCompile(`<input type="hidden" name="([^"]*)" value="([^"]*)"`)

// The console: two steps with a cookie that no script reads, and a form that is kept while the person confirms.
func TestSecondFactorInTheConsole(t *testing.T) {
	f := newSecondFactor(t)
	c := newFormClient(t, f.h.server.URL)
	status, at, page := c.send("POST", "/auth/sign-in", url.Values{"email": {f.email}, "password": {password}, "next": {"/tokens/new"}})
	if status != 200 || at != "/login/second-step?next=%2Ftokens%2Fnew" || !strings.Contains(page, `autocomplete="one-time-code"`) || !strings.Contains(page, `inputmode="numeric"`) {
		t.Fatalf("after the password: %d %s", status, at)
	}
	if status, at, _ := c.send("GET", "/account", nil); !strings.HasPrefix(at, "/login") {
		t.Errorf("between the steps: %d %s", status, at)
	}
	if status, _, page := c.send("POST", "/auth/second-factor", url.Values{"code": {f.wrong()}, "next": {"/tokens/new"}}); status != 400 || !strings.Contains(page, "is wrong, or was used already") {
		t.Errorf("a wrong code: %d", status)
	}
	if status, at, _ := c.send("POST", "/auth/second-factor", url.Values{"recovery": {strings.ToLower(f.codes[0].(string))}, "next": {"/tokens/new"}}); status != 200 || at != "/tokens/new" {
		t.Fatalf("a recovery code: %d %s", status, at)
	}

	// A form, an hour later.
	f.clock.Advance(time.Hour + time.Second)
	form := url.Values{"name": {"Kept <name>"}, "rateLimit": {"17"}}
	status, _, page = c.send("POST", "/tokens", form)
	if status != 403 || !strings.Contains(page, "Confirm that it is you") || strings.Contains(page, "svc_") {
		t.Fatalf("an hour later: %d", status)
	}
	kept := url.Values{}
	for _, hidden := range hiddenInput.FindAllStringSubmatch(page, -1) {
		if !kept.Has(hidden[1]) {
			kept.Set(hidden[1], strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&").Replace(hidden[2]))
		}
	}
	if kept.Get("name") != "Kept <name>" || kept.Get("rateLimit") != "17" {
		t.Errorf("kept %v", kept)
	}
	kept.Set("confirm_password", "wrong")
	if status, _, page := c.send("POST", "/tokens", kept); status != 403 || strings.Contains(page, "svc_") || !strings.Contains(page, "Kept &lt;name&gt;") {
		t.Errorf("a wrong password: %d", status)
	}
	kept.Set("confirm_password", password)
	if status, _, page := c.send("POST", "/tokens", kept); status != 200 || !strings.Contains(page, "svc_") || strings.Contains(page, password) {
		t.Errorf("confirmed: %d", status)
	}

	// And the page for those who come to it.
	f.clock.Advance(time.Hour + time.Second)
	if status, at, _ := c.send("POST", "/account/confirm", url.Values{"confirm_code": {f.code()}, "next": {"//evil.example/x"}}); status != 200 || strings.Contains(at, "evil") {
		t.Errorf("to another site: %d %s", status, at)
	}
	if status, at, _ := c.send("POST", "/account/security/recovery", nil); status != 200 || at != "/account/security/recovery" {
		t.Errorf("new recovery codes: %d %s", status, at)
	}
}

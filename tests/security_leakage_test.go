//go:build !race

package tests

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"atelier/models/dbtest"
)

// TestSecretsStayWithTheirOwners runs through everything that issues a secret
// and then looks for each of them where it must not be: in the log, in the
// database, in the metrics, and on any page or in any answer that is read later.
func TestSecretsStayWithTheirOwners(t *testing.T) {
	t.Parallel()
	databaseURL, metrics := dbtest.NewURL(t), freeAddress(t)
	p := startOn(t, databaseURL, t.TempDir(), []string{"serve"}, "TRUSTED_PROXIES=127.0.0.1/32", "LOG_LEVEL=debug", "METRICS_ADDR="+metrics, providerOfSecrets)
	s := newStage(t, newCast(t, p.URL, "school", 10))
	owner := s.owner.client
	secrets := map[string]string{"a password": password, "a session": owner.token, "another session": s.pupil.token}
	keep := func(what, secret string) string {
		t.Helper()
		if len(secret) < 8 {
			t.Fatalf("%s is %q", what, secret)
		}
		secrets[what] = secret
		return secret
	}
	keyed := owner.sending("Idempotency-Key", "once")
	for range 2 { // the second answer comes from memory
		keep("an API token", keyed.post("/v1/api-tokens", object{"name": "keyed"}).want(201).text("token"))
	}
	keep("a bound API token", s.roomToken.token)
	endpoint := owner.sending("Idempotency-Key", "hook").post("/v1/webhook-endpoints", object{"url": "https://example.com/leak"}).want(201)
	keep("an endpoint's secret", endpoint.text("secret"))
	keep("a rotated secret", owner.post("/v1/webhook-endpoints/"+endpoint.text("data.id")+"/rotate-secret", object{}).want(200).text("secret"))
	link := func(r *reply, path string) string {
		text := r.text(path)
		return text[strings.LastIndexByte(text, '/')+1:]
	}
	invite := func(email string) *reply {
		return owner.sending("Idempotency-Key", email).post("/v1/orgs/"+s.org+"/invitations", object{"emails": []string{email}, "workspaceId": s.room}).want(201)
	}
	accepted := keep("an invitation", link(invite(s.outsider.email), "data.0.link"))
	waiting := keep("an open invitation", link(invite("waiting@example.com"), "data.0.link"))
	keep("an invitation sent again", link(owner.post("/v1/invitations/"+s.invitation+"/resend", nil).want(200), "data.link"))
	sendSecretHeaders(s, keep)
	issueSignInSecrets(s, keep)
	issueAppSecrets(s, keep)
	issueSecondFactors(s, keep)
	s.visitor.get("/v1/invitations/by-token/" + waiting).want(200)
	s.visitor.get("/invitations/" + waiting).want(200)
	s.outsider.post("/v1/invitations/"+accepted+"/accept", nil).want(200)
	s.outsider.post("/v1/invitations/"+accepted+"/accept", nil).wantError(400, "invitation_accepted")
	s.visitor.post("/auth/sign-in", object{"email": s.rival.email, "password": keep("a wrong password", "not the password of anybody")}).wantError(401, "unauthorized")
	s.visitor.with(secrets["an API token"]).get("/v1/me").want(200)
	s.visitor.with(secrets["an API token"]+"x").get("/v1/me").wantError(401, "unauthorized")
	code := codeOf(owner, s.room)
	spoken := code[:4] + "-" + code[4:]
	s.visitor.get("/join/" + spoken).want(200)
	s.visitor.get("/join?code=" + spoken).want(200)
	s.visitor.get("/join/echo?code=" + code).want(200)
	s.rival.post("/v1/workspaces/join", object{"code": spoken}).want(200)

	// What is read from now on shows nothing of it.
	places := map[string]string{}
	for _, reader := range []person{s.owner, s.pupil} {
		for _, template := range consolePages(t) {
			path := parameterForm.ReplaceAllString(template, "$1}")
			for prefix, id := range map[string]string{"/orgs/": s.org, "/workspaces/": s.room, "/workflows/": s.workflow, "/webhooks/": s.endpoint, "/tokens/": s.token, "/runs/": s.execution, "/jobs/": s.job, "/app/": "matrix"} {
				if strings.HasPrefix(path, prefix) {
					path = strings.NewReplacer("{id}", id, "{slug}", id, "{endpoint}", id).Replace(path)
				}
			}
			if !strings.Contains(path, "{") && !endless(path) {
				places["the page "+path+" of "+reader.email] = readPage(t, reader, path)
			}
		}
	}
	for _, route := range routesOf(t, s.visitor) {
		if strings.HasPrefix(route, "GET ") {
			for _, who := range []client{owner, s.pupil.client} {
				places[route+" "+who.token[len(who.token)-6:]] = string(s.ask(who, route).Body)
			}
		}
	}
	response, err := http.Get("http://" + metrics + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	places["the metrics"] = string(readAll(response.Body))
	response.Body.Close()
	dump(t, databaseURL, places)
	places["the log"] = p.log.String()
	if !strings.Contains(places["the log"], "/v1/invitations/") || len(places) < 80 {
		t.Fatalf("the log says nothing, or only %d places were looked at", len(places))
	}
	for place, text := range places {
		for what, secret := range secrets {
			if strings.Contains(text, secret) {
				t.Errorf("%s is in %s: %s", what, place, excerpt(text, secret))
			}
		}
		if place == "the log" && (strings.Contains(text, code) || strings.Contains(text, spoken)) {
			t.Errorf("a join code is in the log: %s", excerpt(text, spoken))
		}
	}
}

// sendSecretHeaders saves and runs keys in headers by every face: a workflow that
// others look at is created, changed, published and run, one is imported, and a
// single node is run.
func sendSecretHeaders(s *stage, keep func(what, secret string) string) {
	s.t.Helper()
	head, owner := s.head.in(s.room), s.owner.client
	settings := func(what string) object {
		return object{"url": "https://127.0.0.1:9/x", "headers": object{"Authorization": keep(what, "Bearer of "+what)}}
	}
	graph := func(what string) []object {
		return []object{{"id": "ask", "type": "http-request", "data": settings(what)}}
	}
	created := head.post("/v1/workflows", object{"name": "Created", "nodes": graph("a created header"), "edges": []object{}}).want(201)
	head.do("PATCH", "/v1/workflows/"+s.workflow, object{"nodes": graph("a changed header"), "edges": []object{}}).want(200)
	head.post("/v1/workflows/"+s.workflow+"/publish", object{"name": "Matrix"}).want(201)
	for _, id := range []string{created.text("data.id"), s.workflow} {
		head.post("/v1/api/run?wait=true", object{"workflowId": id}).want(200)
	}
	text, _ := json.Marshal(object{"nodes": graph("an imported header"), "edges": []object{}})
	imported := url.Values{"name": {"Imported"}, "graph": {string(text)}}
	request, err := http.NewRequest("POST", owner.URL+"/workflows", strings.NewReader(imported.Encode()))
	if err != nil {
		s.t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.Header.Set("Origin", owner.URL)
	request.AddCookie(&http.Cookie{Name: "atelier_session", Value: owner.token})
	response, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		s.t.Fatal(err)
	}
	response.Body.Close()
	if location := response.Header.Get("Location"); !strings.HasPrefix(location, "/workflows/") {
		s.t.Errorf("the import answers %d and leads to %q", response.StatusCode, location)
	}
	job := owner.post("/v1/http-request", settings("a header of a single node")).want(202).text("jobId")
	ended(owner, "/v1/jobs/"+job, "data.status")
	owner.graphql(`mutation($s: Map!) { runNode(type: "http-request", settings: $s) { inline } }`, object{"s": settings("a header by GraphQL")})
}

// readPage is a page as a browser gets it.
func readPage(t *testing.T, who person, path string) string {
	t.Helper()
	request, err := http.NewRequest("GET", who.URL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.AddCookie(&http.Cookie{Name: "atelier_session", Value: who.token})
	response, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode >= 500 {
		t.Errorf("%s: %d", path, response.StatusCode)
	}
	header := fmt.Sprint(response.Header)
	return header + string(readAll(response.Body))
}

// dump adds every row of every table, as text, bytes both as they are and in hex.
func dump(t *testing.T, databaseURL string, places map[string]string) {
	t.Helper()
	db := openDatabase(t, databaseURL)
	tables := db.strings(`SELECT c.relname::text FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition`)
	if !slices.Contains(tables, "idempotency_keys") {
		t.Fatal("the tables were not found")
	}
	for _, table := range tables {
		places["the table "+table] = strings.Join(db.strings(`SELECT t::text FROM `+table+` t`), "\n")
		for _, column := range db.strings(`SELECT column_name::text FROM information_schema.columns WHERE table_schema = 'public' AND table_name = $1 AND udt_name = 'bytea'`, table) {
			places["the bytes of "+table+"."+column] = strings.Join(db.strings(`SELECT encode(`+column+`, 'escape') FROM `+table+` WHERE `+column+` IS NOT NULL`), "\n")
		}
	}
}

// excerpt is what stands around a find.
func excerpt(text, find string) string {
	i := max(strings.Index(text, find), 0)
	return "…" + cmp.Or(text[max(0, i-80):min(len(text), i+80)], text) + "…"
}

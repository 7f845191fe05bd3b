package rest

import (
	"context"
	"encoding/json"
	"flag"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/gorilla/mux"

	"atelier/graph"
	"atelier/models"
	"atelier/models/account"
	"atelier/models/credit"
	"atelier/models/dbtest"
	"atelier/models/event"
	"atelier/models/flow"
	"atelier/models/org"
	"atelier/models/run"
	"atelier/models/space"
)

var update = flag.Bool("update", false, "write the golden files anew")

// workflowFace is the face with one account that has credits.
type workflowFace struct {
	*testing.T
	router   *mux.Router
	db       *models.DB
	resolver *graph.Resolver
	actor    models.Actor
	answer   *httptest.ResponseRecorder
}

func newWorkflowFace(t *testing.T) *workflowFace {
	db := dbtest.New(t)
	accounts := &account.Service{DB: db}
	orgs := &org.Service{DB: db, Accounts: accounts}
	credits := &credit.Service{DB: db, Orgs: orgs}
	events := &event.Service{DB: db}
	spaces := &space.Service{DB: db, Accounts: accounts, Orgs: orgs}
	flows := &flow.Service{DB: db, Accounts: accounts, Orgs: orgs, Spaces: spaces, Events: events}
	runs := &run.Service{DB: db, Accounts: accounts, Orgs: orgs, Spaces: spaces, Credits: credits, Events: events, Flows: flows}
	f := &workflowFace{
		T: t, router: mux.NewRouter(), db: db,
		resolver: &graph.Resolver{Accounts: accounts, Orgs: orgs, Credits: credits, Events: events, Spaces: spaces, Flows: flows, Runs: runs},
		actor:    models.Actor{Kind: models.ByToken, UserID: uuid.New(), TokenID: uuid.New(), RunsPerMinute: 2},
	}
	New(Config{Resolver: f.resolver, DB: db, PublicURL: "http://localhost", Organizations: true}, f.router, f.router)
	f.exec(`INSERT INTO users (id, email, address, display_name, created_at, updated_at) VALUES ($1, 'a@example.com', 'a@example.com', 'A', now(), now())`, f.actor.UserID)
	f.exec(`INSERT INTO wallets (user_id, balance) VALUES ($1, 1000000)`, f.actor.UserID)
	f.exec(`INSERT INTO api_tokens (id, user_id, name, prefix, token_hash, rate_limit, created_at) VALUES ($1, $2, 'x', 'svc_x', '', 2, now())`, f.actor.TokenID, f.actor.UserID)
	return f
}

func (f *workflowFace) exec(sql string, args ...any) {
	f.Helper()
	if _, err := f.db.Pool.Exec(f.Context(), sql, args...); err != nil {
		f.Fatal(err)
	}
}

// call sends a request as the actor and reads the JSON of the answer.
func (f *workflowFace) call(method, path, body string, headers ...string) (int, map[string]any) {
	f.Helper()
	request := httptest.NewRequest(method, path, strings.NewReader(body))
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	ctx := WithIdentity(context.Background(), Identity{Actor: f.actor})
	f.answer = httptest.NewRecorder()
	f.router.ServeHTTP(f.answer, request.WithContext(graph.WithLoaders(ctx, f.resolver)))
	if f.answer.Body.Len() == 0 {
		return f.answer.Code, nil
	}
	var got map[string]any
	if err := json.Unmarshal(f.answer.Body.Bytes(), &got); err != nil {
		f.Fatalf("%s %s: %v in %s", method, path, err, f.answer.Body)
	}
	return f.answer.Code, got
}

func (f *workflowFace) want(method, path, body string, status int, members string) map[string]any {
	f.Helper()
	code, got := f.call(method, path, body)
	if code != status || keysOf(got) != members {
		f.Fatalf("%s %s %s: %d %v, want %d with %s", method, path, body, code, got, status, members)
	}
	return got
}

func (f *workflowFace) refused(method, path, body string, status int, code string) string {
	f.Helper()
	got := f.want(method, path, body, status, "error")["error"].(map[string]any)
	if got["code"] != code {
		f.Fatalf("%s %s %s: %v, want %s", method, path, body, got, code)
	}
	return got["message"].(string)
}

// data is the member data of an answer.
func data(got map[string]any) map[string]any { return got["data"].(map[string]any) }

const (
	projectMembers  = "createdAt id isDefault name updatedAt workspaceId"
	workflowMembers = "access createdAt createdBy description edges estimatedCredits id name nodes projectId source updatedAt version visibility workspaceId"
	appMembers      = "description estimatedCredits iconUrl id maxRunsPerUserPerDay name snapshotEdges snapshotNodes snapshotSettings thumbnailNodeId version versions"
	ownAppMembers   = "allowedEmbedDomains createdAt description estimatedCredits iconUrl id isActive maxRunsPerUserPerDay name slug " +
		"snapshotEdges snapshotNodes snapshotSettings thumbnailNodeId updatedAt version versions workflowId"
	runMembers       = "archived createdAt creditsUsed execution executionId id status thumbnailUrl version"
	executionMembers = "completedAt completedNodes errorMessage failedNodes nodeStates status totalCreditsUsed totalNodes"
)

const greetingGraph = `"nodes":[
	{"id":"a","type":"text","position":{"x":1,"y":2.5},"data":{"text":"hello"}},
	{"id":"b","type":"template-text","parentId":null,"data":{"template":"{{name}}!","values":{"name":"you"}}},
	{"id":"out","type":"webhook-output","data":{"url":"https://example.org/secret","credentialId":"c1","parameters":[{"name":"note","type":"text"}]}}],
	"edges":[{"id":"e1","source":"a","target":"b","targetHandle":"values.name"},{"id":"e2","source":"b","target":"out"}]`

func TestProjectRoutes(t *testing.T) {
	f := newWorkflowFace(t)
	made := data(f.want("POST", "/v1/projects", `{"name":"Poems"}`, 201, "data"))
	if keysOf(made) != projectMembers || made["workspaceId"] != nil || made["isDefault"] != true {
		t.Errorf("made %v", made)
	}
	path := "/v1/projects/" + made["id"].(string)
	f.want("GET", path, "", 200, "data")
	if got := data(f.want("PATCH", path, `{"name":"Songs"}`, 200, "data")); got["name"] != "Songs" {
		t.Errorf("renamed %v", got)
	}
	if list := f.want("GET", "/v1/projects", "", 200, "data nextCursor"); len(list["data"].([]any)) != 1 || list["nextCursor"] != nil {
		t.Errorf("list %v", list)
	}
	f.refused("PATCH", path, `{"name":null}`, 400, "validation_error")
	f.refused("POST", "/v1/projects", `{}`, 400, "validation_error")
	f.refused("GET", "/v1/projects/x", "", 400, "validation_error")
	f.refused("GET", "/v1/projects?limit=201", "", 400, "validation_error")
	f.want("DELETE", path, "", 200, "success")
	f.refused("GET", path, "", 404, "not_found")
}

func TestWorkflowRoutes(t *testing.T) {
	f := newWorkflowFace(t)
	made := data(f.want("POST", "/v1/workflows", `{"name":"W",`+greetingGraph+`,"extra":1}`, 201, "data"))
	if keysOf(made) != workflowMembers || made["version"] != 1.0 || made["visibility"] != "private" || made["createdBy"] != f.actor.UserID.String() {
		t.Errorf("made %v", made)
	}
	path := "/v1/workflows/" + made["id"].(string)
	if got := data(f.want("GET", path, "", 200, "data")); len(got["nodes"].([]any)) != 3 || len(got["edges"].([]any)) != 2 {
		t.Errorf("read %v", got)
	}
	list := f.want("GET", "/v1/workflows", "", 200, "data nextCursor")["data"].([]any)
	if len(list) != 1 || len(list[0].(map[string]any)["nodes"].([]any)) != 3 {
		t.Errorf("list %v", list)
	}
	if got := data(f.want("PATCH", path, `{"nodes":[{"id":"a","type":"text"}],"edges":[],"version":1}`, 200, "data")); got["version"] != 2.0 {
		t.Errorf("saved %v", got)
	}
	f.refused("PATCH", path, `{"name":"late","version":1}`, 409, "stale_version")
	if m := f.refused("PATCH", path, `{"nodes":[{"id":"a","type":"text","data":{"text":3}}]}`, 400, "validation_error"); !strings.Contains(m, "nodes.a.data.text") {
		t.Errorf("message %s", m)
	}
	if m := f.refused("POST", "/v1/workflows", `{"name":"W","projectId":"`+uuid.NewString()+`"}`, 404, "not_found"); m != "Project not found" {
		t.Errorf("message %s", m)
	}
	f.refused("POST", "/v1/workflows", `{"name":"W","nodes":[{"type":"text"}]}`, 400, "validation_error")
	f.refused("POST", "/v1/workflows", `{"name":"W","nodes":{}}`, 400, "validation_error")
	f.refused("POST", "/v1/workflows", `{"name":"`+strings.Repeat("x", 6<<20)+`"}`, 413, "payload_too_large")
	f.want("POST", "/v1/workflows", `{"name":"W","nodes":[{"id":"a","type":"text","data":{"text":"`+strings.Repeat("x", 1<<20)+`"}}]}`, 201, "data")

	run := f.want("POST", path+"/run", `{"inputs":{"text":"x"}}`, 202, "executionId status")
	if run["status"] != "pending" {
		t.Errorf("run %v", run)
	}
	f.want("POST", path+"/run", "", 202, "executionId status")
	f.refused("POST", path+"/run", `{"inputs":{"nope":1}}`, 400, "validation_error")
	f.want("DELETE", path, "", 200, "success")
	f.refused("POST", path+"/run", "", 404, "not_found")
}

// publishGreeting makes an app and answers its workflow's id.
func (f *workflowFace) publishGreeting(extra string) string {
	f.Helper()
	id := data(f.want("POST", "/v1/workflows", `{"name":"W",`+greetingGraph+`}`, 201, "data"))["id"].(string)
	f.want("POST", "/v1/workflows/"+id+"/publish", `{"name":"Greeting","slug":"greeting","description":"Says hello.","iconUrl":"https://example.org/i.png",
		"thumbnailNodeId":"b","allowedEmbedDomains":["https://School.example"],"presentationSettings":{"inputItems":[
			{"type":"richtext","id":"r","content":"# Hello"},
			{"type":"group","id":"g","label":"Words","items":[{"type":"field","id":"word","nodeId":"a","field":"text","allowedValues":["hello","bye"]}]},
			{"type":"output","id":"o","nodeId":"b"}]}`+extra+`}`, 201, "data")
	return id
}

func TestAppRoutes(t *testing.T) {
	f := newWorkflowFace(t)
	id := f.publishGreeting(`,"maxRunsPerUserPerDay":2`)
	list := f.want("GET", "/v1/apps", "", 200, "data nextCursor")["data"].([]any)
	own := list[0].(map[string]any)
	if len(list) != 1 || keysOf(own) != ownAppMembers || own["workflowId"] != id || own["slug"] != "greeting" {
		t.Errorf("list %v", list)
	}
	me := f.actor
	f.actor = models.Actor{Kind: models.Anonymous}
	f.golden("app.json", f.want("GET", "/v1/app/greeting", "", 200, appMembers))
	f.refused("GET", "/v1/app/nowhere", "", 404, "not_found")
	f.refused("GET", "/v1/app/No%20Slug", "", 400, "validation_error")
	f.refused("POST", "/v1/app/greeting/run", `{}`, 401, "unauthorized")
	f.actor = me

	f.refused("POST", "/v1/workflows/"+id+"/publish", `{"name":"X","presentationSettings":{"inputItems":[{"type":"field","id":"u","nodeId":"out","field":"url"}]}}`, 400, "locked_field")
	path := "/v1/apps/" + own["id"].(string)
	if got := data(f.want("PATCH", path, `{"isActive":false,"maxRunsPerUserPerDay":null}`, 200, "data")); got["isActive"] != false || got["maxRunsPerUserPerDay"] != nil {
		t.Errorf("changed %v", got)
	}
	f.refused("GET", "/v1/app/greeting", "", 404, "not_found")
	f.want("DELETE", path, "", 200, "success")
	f.refused("PATCH", path, `{}`, 404, "not_found")
}

// golden compares an answer, its ids made readable, with a file.
func (f *workflowFace) golden(name string, got map[string]any) {
	f.Helper()
	written, err := json.MarshalIndent(got, "", "  ")
	if err != nil {
		f.Fatal(err)
	}
	text := string(written)
	for name, path := range map[string]any{"<app>": got["id"], "<version>": got["versions"].([]any)[0].(map[string]any)["id"]} {
		text = strings.ReplaceAll(text, path.(string), name)
	}
	file := "testdata/" + name
	if *update {
		if err := os.WriteFile(file, []byte(text+"\n"), 0o644); err != nil {
			f.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		f.Fatal(err)
	}
	if text+"\n" != string(want) {
		f.Errorf("%s differs:\n%s", file, text)
	}
}

func TestAppRunRoutes(t *testing.T) {
	f := newWorkflowFace(t)
	f.publishGreeting(`,"maxRunsPerUserPerDay":2`)
	started := f.want("POST", "/v1/app/greeting/run", `{"inputs":{"word":"bye"}}`, 202, "executionId runId status")
	if started["status"] != "pending" {
		t.Errorf("started %v", started)
	}
	f.refused("POST", "/v1/app/greeting/run", `{"inputs":{"word":"hey"}}`, 400, "validation_error")
	f.refused("POST", "/v1/app/greeting/run", `{"inputOverrides":{"a":{"text":"hey"}}}`, 400, "validation_error")
	f.refused("POST", "/v1/app/greeting/run", `{"inputOverrides":{"out":{"url":"https://evil.example"}}}`, 400, "locked_field")
	f.refused("POST", "/v1/app/greeting/run", `{"runId":"x"}`, 400, "validation_error")
	f.refused("POST", "/v1/app/greeting/run", `{"version":"1"}`, 400, "validation_error")
	f.refused("POST", "/v1/app/greeting/run", `{"version":9}`, 400, "validation_error")
	f.refused("POST", "/v1/app/nowhere/run", `{}`, 404, "not_found")

	path := "/v1/app/greeting/runs/" + started["runId"].(string)
	run := f.want("GET", path, "", 200, runMembers)
	execution := run["execution"].(map[string]any)
	if keysOf(execution) != executionMembers || execution["totalNodes"] != 3.0 || run["executionId"] != started["executionId"] {
		t.Errorf("run %v", run)
	}
	if state := execution["nodeStates"].(map[string]any)["a"].(map[string]any); state["status"] != "pending" {
		t.Errorf("state %v", state)
	}
	tag := f.answer.Header().Get("ETag")
	if code, _ := f.call("GET", path, "", "If-None-Match", tag); code != 304 || tag == "" {
		t.Errorf("a poll without news answers %d for %s", code, tag)
	}

	draft := f.want("POST", "/v1/app/greeting/draft", "", 201, "runId")["runId"].(string)
	got := f.want("GET", "/v1/app/greeting/runs/"+draft, "", 200, runMembers)
	if execution := got["execution"].(map[string]any); got["status"] != "pending" || got["executionId"] != nil ||
		keysOf(execution) != executionMembers || execution["status"] != "pending" || execution["totalNodes"] != 0.0 {
		t.Errorf("draft %v", got)
	}
	f.want("POST", "/v1/app/greeting/run", `{"runId":"`+draft+`"}`, 202, "executionId runId status")
	f.refused("POST", "/v1/app/greeting/run", `{"runId":"`+draft+`"}`, 409, "run_already_started")
	f.refused("POST", "/v1/app/greeting/run", "", 429, "rate_limit_exceeded")
	if after := f.answer.Header().Get("Retry-After"); after != "54000" {
		t.Errorf("Retry-After %s", after)
	}

	if got := f.want("DELETE", path, "", 200, "archived success"); got["success"] != true || got["archived"] != true {
		t.Errorf("archived %v", got)
	}
	if got := f.want("GET", path, "", 200, runMembers); got["archived"] != true {
		t.Errorf("after archiving %v", got)
	}
	for query, id := range map[string]string{"": draft, "?archived=true": started["runId"].(string)} {
		list := f.want("GET", "/v1/app/greeting/runs"+query, "", 200, "data nextCursor")["data"].([]any)
		if len(list) != 1 || list[0].(map[string]any)["id"] != id {
			t.Errorf("list %q: %v", query, list)
		}
	}
}

func TestLegacyRoutes(t *testing.T) {
	f := newWorkflowFace(t)
	id := data(f.want("POST", "/v1/workflows", `{"name":"W",`+greetingGraph+`}`, 201, "data"))["id"].(string)
	schema := f.want("GET", "/v1/api/schema?workflowId="+id, "", 200, "inputs workflowId")
	if first := schema["inputs"].([]any)[0].(map[string]any); first["id"] != "a.text" || first["value"] != "hello" || keysOf(first) != "field id nodeId nodeType schema value" {
		t.Errorf("schema %v", schema)
	}
	f.refused("GET", "/v1/api/schema", "", 400, "validation_error")
	f.refused("GET", "/v1/api/schema?workflowId=x", "", 400, "validation_error")

	if list := f.want("GET", "/v1/api/workflows", "", 200, "nextCursor workflows"); len(list["workflows"].([]any)) != 1 {
		t.Errorf("list %v", list)
	}
	f.refused("POST", "/v1/api/run", `{"workflowId":`, 400, "validation_error")
	if m := f.refused("POST", "/v1/api/run", `{"workflowId":"`+id+`"}`, 429, "rate_limited"); m != "Too many requests. Max 2 per minute." {
		t.Errorf("message %s", m)
	}
	if f.answer.Header().Get("Retry-After") != "60" {
		t.Errorf("Retry-After %s", f.answer.Header().Get("Retry-After"))
	}
	f.want("GET", "/v1/workflows", "", 200, "data nextCursor")
	f.actor.Kind = models.BySession
	for range 3 {
		f.want("POST", "/v1/api/run", `{"workflowId":"`+id+`","inputs":{"a.text":"x"}}`, 202, "executionId status")
	}
}

func TestNodeRoutes(t *testing.T) {
	f := newWorkflowFace(t)
	f.actor = models.Actor{Kind: models.Anonymous}
	const members = "capabilities category description estimatedCredits inputSchema label outputType providers type"
	if got := data(f.want("GET", "/v1/nodes/resize-image", "", 200, "data")); keysOf(got) != members || got["estimatedCredits"] != 0.5 {
		t.Errorf("node %v", got)
	}
	if list := f.want("GET", "/v1/nodes", "", 200, "data nextCursor")["data"].([]any); len(list) < 12 || keysOf(list[0].(map[string]any)) != members {
		t.Errorf("nodes %v", list)
	}
	list := f.want("GET", "/v1/models", "", 200, "data nextCursor")["data"].([]any)
	if len(list) == 0 || keysOf(list[0].(map[string]any)) != "capabilities estimatedCredits id label nodeType outputType providers" {
		t.Errorf("models %v", list)
	}
	f.refused("GET", "/v1/nodes/nothing", "", 404, "not_found")
}

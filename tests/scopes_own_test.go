//go:build !race

package tests

import (
	"fmt"
	"strings"
	"testing"

	"atelier/models"
)

var twoTexts = object{"name": "Two", "edges": []object{}, "nodes": []object{
	{"id": "a", "type": "text", "data": object{"text": "x"}}, {"id": "b", "type": "text", "data": object{"text": "y"}}}}

// startedBy is what a person started: single nodes, runs of a workflow and of an app.
type startedBy struct{ single, job, execution, run, runExecution string }

func (h *testServer) start(who client, workflow string) (s startedBy) {
	h.b.Helper()
	s.single = who.post("/v1/text", object{"text": "z"}).want(200).text("jobId")
	s.execution = who.post("/v1/workflows/"+workflow+"/run", nil).want(202).text("executionId")
	s.run = who.post("/v1/app/own/run", object{}).want(202).text("runId")
	h.until(1, `SELECT count(*) FROM executions WHERE id = $1 AND status = 'completed'`, s.execution)
	row := h.DB.Pool.QueryRow(h.b.Context(), `SELECT (SELECT id::text FROM jobs WHERE execution_id = $1 LIMIT 1), execution_id::text FROM app_runs WHERE id = $2`, s.execution, s.run)
	h.must(row.Scan(&s.job, &s.runExecution))
	h.until(1, `SELECT count(*) FROM executions WHERE id = $1 AND status = 'completed'`, s.runExecution)
	return s
}

// An app sees, follows and cancels what it started for the person, by every way
// there is; sessions and personal tokens see all.
func TestAppsSeeOnlyWhatTheyStarted(t *testing.T) {
	h := newTestServer(t)
	t.Cleanup(h.work())
	p := newPerson(t, h.server.URL, "Person")
	workflow := p.post("/v1/workflows", twoTexts).want(201).text("data.id")
	p.post("/v1/workflows/"+workflow+"/publish", object{"slug": "own", "name": "Own"}).want(201)
	scopes := []models.Scope{models.ScopeExecute, models.ScopeJobsRead}
	one, other := h.connect(p, scopes), h.connect(p, scopes)
	mine, theirs := h.start(p.client, workflow), h.start(one.client, workflow)
	h.start(other.client, workflow)
	if n := h.count(`SELECT count(*) FROM executions WHERE client_app_id = $1 AND trigger IN ('api', 'app') AND NOT personal`, one.app); n != 3 {
		t.Errorf("%d executions of the app, want 3 that no session started", n)
	}

	draft := one.post("/v1/app/own/draft", nil).want(201).text("runId")
	for _, c := range []struct {
		path string
		all  int
		own  int
	}{
		{"/v1/jobs?limit=100", 15, 5}, {"/v1/workflows/" + workflow + "/executions", 6, 2}, {"/v1/app/own/runs", 4, 2},
	} {
		if n := len(entries(p.get(c.path).want(200).path("data"))); n != c.all {
			t.Errorf("%s shows the person %d, want %d", c.path, n, c.all)
		}
		if n := len(entries(one.get(c.path).want(200).path("data"))); n != c.own {
			t.Errorf("%s shows the app %d, want %d", c.path, n, c.own)
		}
	}
	for _, path := range []string{
		"GET /v1/jobs/JOB", "GET /v1/jobs/JOB/status", "GET /v1/jobs/SINGLE", "POST /v1/jobs/SINGLE/cancel", "POST /v1/jobs/SINGLE/approve",
		"GET /v1/workflow-executions/EXECUTION", "POST /v1/workflow-executions/EXECUTION/cancel", "GET /v1/workflow-executions/EXECUTION/events",
		"GET /v1/workflow-executions/RUNEXEC", "GET /v1/api/status/EXECUTION", "GET /v1/api/result/EXECUTION",
		"GET /v1/app/own/runs/RUN", "GET /v1/app/own/runs/RUN/events", "DELETE /v1/app/own/runs/RUN",
	} {
		for who, started := range map[string]startedBy{"the person": mine, "the app": theirs} {
			method, address, _ := strings.Cut(strings.NewReplacer("JOB", started.job, "SINGLE", started.single, "EXECUTION", started.execution,
				"RUNEXEC", started.runExecution, "RUN", started.run).Replace(path), " ")
			found := one.do(method, address, nil).Status != 404
			if found != (who == "the app") {
				t.Errorf("%s of what %s started: found %t", path, who, found)
			}
			if other.do(method, address, nil).Status != 404 {
				t.Errorf("%s of what %s started is found by another app", path, who)
			}
		}
	}
	if r := one.get("/v1/jobs/status?ids=" + mine.single + "," + theirs.single).want(200); len(entries(r.path("data"))) != 1 || r.text("data.0.id") != theirs.single {
		t.Errorf("status of several: %s", r.Body)
	}
	if r := one.post("/v1/jobs/batch-status", object{"ids": []string{mine.job, theirs.job}}).want(200); len(entries(r.path("data"))) != 1 {
		t.Errorf("status of a batch: %s", r.Body)
	}
	if r := other.post("/v1/app/own/run", object{"runId": draft}); r.Status != 404 {
		t.Errorf("another app starts a draft: %d", r.Status)
	}
	for document, want := range map[string]string{
		`{ execution(id: "EXECUTION") { id trigger } }`: "not_found", `{ job(id: "JOB") { id } }`: "not_found",
		`{ result(id: "RUNEXEC") { id } }`: "not_found", `{ appRun(slug: "own", id: "RUN") { id } }`: "not_found",
		`subscription { executionChanged(id: "EXECUTION") { id } }`: "not_found", `mutation { cancelExecution(id: "EXECUTION") }`: "not_found",
		`mutation { retryExecution(id: "EXECUTION") { id } }`: "not_found", `mutation { cancelJob(id: "JOB") }`: "not_found",
	} {
		query := strings.NewReplacer("RUNEXEC", mine.runExecution, "EXECUTION", mine.execution, "JOB", mine.job, "RUN", mine.run).Replace(document)
		if code := one.post("/graphql", object{"query": query}).text("errors.0.extensions.code"); code != want {
			t.Errorf("%s: %q, want %s", document, code, want)
		}
	}
	r := one.post("/graphql", object{"query": fmt.Sprintf(`{ executions { nodes { id } } jobs { nodes { id } } results { nodes { id } } workflow(id: %q) { executions { nodes { id } } } }`, workflow)})
	for path, want := range map[string]int{"data.executions.nodes": 3, "data.jobs.nodes": 5, "data.workflow.executions.nodes": 2} {
		if n := len(entries(r.path(path))); n != want {
			t.Errorf("%s has %d, want %d: %s", path, n, want, r.Body)
		}
	}
	for _, node := range entries(r.path("data.results.nodes")) {
		if id := node.(map[string]any)["id"]; id == mine.runExecution || id == mine.execution {
			t.Errorf("the app sees the person's result %v", id)
		}
	}
}

// entries are those of a list of an answer.
func entries(v any) []any { l, _ := v.([]any); return l }

// Keys of idempotency are an app's own.
func TestIdempotencyKeysOfApps(t *testing.T) {
	h := newTestServer(t)
	p := newPerson(t, h.server.URL, "Person")
	app := h.connect(p, []models.Scope{models.ScopeExecute})
	token := p.with(p.post("/v1/api-tokens", object{"name": "mine"}).want(201).text("token"))
	seen := map[string]bool{}
	for name, who := range map[string]client{"the person": token, "an app": app.client, "another app": h.connect(p, []models.Scope{models.ScopeExecute}).client} {
		r := who.sending("Idempotency-Key", "one").post("/v1/projects", object{"name": "Same"}).want(201)
		if id := r.text("data.id"); seen[id] || r.Header.Get("Idempotency-Replayed") != "" {
			t.Errorf("%s gets somebody else's answer", name)
		} else {
			seen[id] = true
		}
	}
}

// Each token of an app has a budget of its own.
func TestBudgetOfAppTokens(t *testing.T) {
	h := newTestServer(t)
	p := newPerson(t, h.server.URL, "Person")
	scopes := []models.Scope{models.ScopeExecute}
	first := h.connect(p, scopes)
	second := h.again(first, p, scopes)
	freshMinute()
	for range 30 {
		first.get("/v1/api/workflows").want(200)
	}
	if r := first.get("/v1/api/workflows"); r.Status != 429 || r.text("error.code") != "rate_limited" {
		t.Errorf("the 31st call: %d %s", r.Status, r.Body)
	}
	second.get("/v1/api/workflows").want(200)
}

// A document may not lead from what an app may have to what it may not.
func TestNestedFieldsOfApps(t *testing.T) {
	h := newTestServer(t)
	p := newPerson(t, h.server.URL, "Person")
	workflow := p.post("/v1/workflows", twoTexts).want(201).text("data.id")
	for _, c := range []struct {
		scopes          []models.Scope
		document, wants string
	}{
		{nil, `{ me { id email lastWorkspaceId } }`, ""},
		{nil, `{ me { memberships { workspaceCount } } }`, "insufficient_scope workspaces:read"},
		{nil, `{ me { wallet { balance } } }`, "insufficient_scope workflows:execute"},
		{models.Scopes, `{ me { wallet { transactions { nodes { id } } } } }`, "forbidden"},
		{models.Scopes, `{ me { closing { runs } } }`, "forbidden"},
		{models.Scopes, `{ me { hasPassword } }`, "forbidden"},
		{models.Scopes, `{ me { ...more } } fragment more on Profile { isOperator }`, "forbidden"},
		{models.Scopes, `{ a: me { ... on Profile { b: unreadNotifications } } }`, "forbidden"},
		{[]models.Scope{models.ScopeExecute}, `{ workflow(id: "W") { name viewerCan { run } createdBy { displayName } } }`, ""},
		{[]models.Scope{models.ScopeExecute}, `{ workflow(id: "W") { executions { nodes { totalNodes } } } }`, "insufficient_scope jobs:read"},
		{[]models.Scope{models.ScopeExecute}, `mutation { runWorkflow(id: "W", input: {}) { id status } }`, ""},
		{[]models.Scope{models.ScopeExecute}, `mutation { runWorkflow(id: "W", input: {}) { id nodeStates { output } } }`, "insufficient_scope jobs:read"},
		{[]models.Scope{models.ScopeJobsRead}, `{ executions { nodes { id app { admin { workflowId } } } } }`, "insufficient_scope workflows:execute"},
		{[]models.Scope{models.ScopeWorkspacesRead}, `subscription { executionChanged(id: "W") { id } }`, "insufficient_scope jobs:read"},
		{models.Scopes, `{ __schema { queryType { name } } apiTokens { id } }`, "forbidden"},
	} {
		app := h.connect(p, c.scopes)
		r := app.post("/graphql", object{"query": strings.ReplaceAll(c.document, `"W"`, `"`+workflow+`"`)})
		missing, _ := r.path("errors.0.extensions.missingScope").(string)
		if got := strings.TrimSpace(r.text("errors.0.extensions.code") + " " + missing); got != c.wants {
			t.Errorf("%v, %s: %q, want %q", c.scopes, c.document, got, c.wants)
		}
	}
}

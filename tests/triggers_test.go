package tests

import (
	"net/http"
	"strings"
	"testing"

	"atelier/models/dbtest"
)

// hooked is a workflow that an address starts: a text that is put together with another.
var hooked = object{
	"name": "Hooked",
	"nodes": []object{
		{"id": "hook", "type": "webhook-trigger", "data": object{"parameters": []object{{"name": "say", "type": "text"}}}},
		{"id": "hello", "type": "text", "data": object{"text": "Hello"}},
		{"id": "both", "type": "combine-text", "data": object{"separator": " "}},
		{"id": "apart", "type": "text", "data": object{"text": "not of the branch"}},
	},
	"edges": []object{
		{"id": "e1", "source": "hello", "target": "both"},
		{"id": "e2", "source": "hook", "target": "both", "sourceHandle": "say", "targetHandle": "texts"},
	},
}

// hookOf saves the workflow as an account, and tells its address and its id.
func hookOf(who client, workflow object) (address, id string) {
	id = who.post("/v1/workflows", workflow).want(201).text("data.id")
	return who.get("/v1/workflows/" + id + "/triggers").want(200).text("data.0.webhookUrl"), id
}

// A call is accepted with the statements of a run by a token, and not more: its
// trigger is found and counted in one, and noted and read in another.
func TestCallTakesTheStatementsOfARun(t *testing.T) {
	h := newTestServer(t)
	author := h.people(1)[0]
	address, id := hookOf(author, hooked)
	token := author.post("/v1/api-tokens", object{"name": "counted"}).want(201).text("token")
	count := func(request func() *http.Request) (least int) {
		least = 1 << 30
		for range 4 { // the first ones prepare statements, and are known afterwards
			made := withoutWakeUps(h.tracer.during(func() { fetch(t, manyConnections, request(), http.StatusAccepted) }))
			least = min(least, len(made))
		}
		return least
	}
	run, call := count(h.post("/v1/workflows/"+id+"/run", token, object{})), count(h.post(address, "", object{"say": "you"}))
	if t.Logf("a run takes %d statements, a call %d", run, call); call > run {
		t.Errorf("a call takes %d statements, a run %d", call, run)
	}
}

// What the contract says of a call, from outside.
func TestCallsFromOutside(t *testing.T) {
	h := newTestServerAt(t, dbtest.NewClock()) // whose minute does not end meanwhile
	author := h.people(1)[0]
	address, id := hookOf(author, hooked)
	nobody := author.with("")
	accepted := nobody.post(address, object{"say": "you", "more": 1}).want(202)
	if accepted.text("status") != "pending" {
		t.Errorf("accepted %s", accepted.Body)
	}
	execution := author.get("/v1/workflow-executions/" + accepted.text("executionId")).want(200)
	if execution.text("data.trigger") != "webhook" {
		t.Errorf("the run is %s", execution.Body)
	}
	nobody.post("/v1/webhooks/unknown", object{}).wantError(404, "not_found")
	nobody.post(address, object{"say": 7}).wantError(400, "validation_error")
	nobody.do("POST", address, `["say"]`).wantError(400, "validation_error")
	nobody.do("POST", address, `{"say":`).wantError(400, "validation_error")
	nobody.do("POST", address, `{"say":"`+strings.Repeat("x", 1<<20)+`"}`).wantError(413, "payload_too_large")
	trigger := author.get("/v1/workflows/" + id + "/triggers").want(200).text("data.0.id")
	author.do("PATCH", "/v1/workflow-triggers/"+trigger, object{"isActive": false}).want(200)
	nobody.post(address, object{}).wantError(409, "trigger_paused")
	author.do("DELETE", "/v1/workflow-triggers/"+trigger, nil).wantError(409, "trigger_owned_by_node")
	author.do("PATCH", "/v1/workflow-triggers/"+trigger, object{"isActive": true}).want(200)
	nobody.do("POST", address, nil).want(202) // without a body
	for range 3 {
		nobody.post(address, object{}).want(202)
	}
	over := nobody.post(address, object{})
	over.wantError(429, "rate_limit_exceeded")
	if over.Header.Get("Retry-After") == "" || over.Header.Get("RateLimit-Limit") != "10" {
		t.Errorf("beyond the limit: %v", over.Header)
	}
	nobody.do("POST", address, `{"say":`).wantError(429, "rate_limit_exceeded")
}

// Senders outside try again with the same key: the first answer comes again, for that
// trigger and no other, also when the call was refused.
func TestCallsThatAreSentAgain(t *testing.T) {
	h := newTestServerAt(t, dbtest.NewClock())
	author := h.people(1)[0]
	address, id := hookOf(author, hooked)
	second, _ := hookOf(author, hooked)
	sender := author.with("").sending("Idempotency-Key", "delivery-1")
	first := sender.post(address, object{"say": "you"}).want(202)
	again := sender.post(address, object{"say": "you"}).want(202)
	if again.text("executionId") != first.text("executionId") || again.Header.Get("Idempotency-Replayed") != "true" || first.Header.Get("Idempotency-Replayed") != "" {
		t.Errorf("sent again: %s, at first %s", again.Body, first.Body)
	}
	sender.post(address, object{"say": "them"}).wantError(409, "idempotency_key_reused")
	if elsewhere := sender.post(second, object{"say": "you"}).want(202); elsewhere.text("executionId") == first.text("executionId") || elsewhere.Header.Get("Idempotency-Replayed") != "" {
		t.Errorf("another trigger answers %s", elsewhere.Body)
	}
	// The author's own keys are others.
	author.sending("Idempotency-Key", "delivery-1").post("/v1/projects", object{"name": "Mine"}).want(201)
	author.with("").sending("Idempotency-Key", strings.Repeat("k", 256)).post(address, object{}).wantError(400, "validation_error")
	runs := `SELECT count(*) FROM executions WHERE workflow_id = $1`
	if n := h.count(runs, id); n != 1 {
		t.Errorf("%d runs began", n)
	}
	// A refusal is remembered too.
	trigger := author.get("/v1/workflows/" + id + "/triggers").want(200).text("data.0.id")
	author.do("PATCH", "/v1/workflow-triggers/"+trigger, object{"isActive": false}).want(200)
	paused := author.with("").sending("Idempotency-Key", "delivery-2")
	for range 2 {
		paused.post(address, object{}).wantError(409, "trigger_paused")
	}
}

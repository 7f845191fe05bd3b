package tests

import (
	"strings"
	"testing"
)

// runAPILive follows runs by the id by which they are polled: in a stream,
// and by polls that are held until there is a result.
func runAPILive(t *testing.T, p *program) {
	session, who := newcomer(t, p, "Live")
	_, other := newcomer(t, p, "Live-other")
	posed(who, "live", nil)
	runs := "/v1/app/live/runs/"
	slow := saved(who, []object{{"id": "d", "type": "delay", "data": object{"seconds": 600}}}, nil)
	begun := func(who client) string {
		return "/v1/workflow-executions/" + who.post("/v1/workflows/"+slow+"/run", nil).want(202).text("executionId")
	}
	waiting := begun(who)
	draft := who.post("/v1/app/live/draft", nil).want(201).text("runId")
	hold(t,
		rule{"StreamOfNoRun", who, "GET", runs + unknownID + "/events", nil, 404, "not_found"}, rule{"StreamOfMalformedRun", who, "GET", runs + "x/events", nil, 400, "validation_error"},
		rule{"StreamOfAnother", other, "GET", waiting + "/events", nil, 404, "not_found"}, rule{"StreamOfAnothersRun", other, "GET", runs + draft + "/events", nil, 404, "not_found"},
		rule{"StreamWithoutToken", who.with(""), "GET", waiting + "/events", nil, 401, "unauthorized"}, rule{"WaitIsABoolean", who, "GET", waiting + "?wait=soon", nil, 400, "validation_error"},
		rule{"WaitForAnother", other, "GET", waiting + "?wait=true", nil, 404, "not_found"}, rule{"DraftsAreNotWaitedFor", who, "GET", runs + draft + "?wait=true", nil, 200, ""},
	)
	t.Run("Stream", func(t *testing.T) {
		who := who
		who.t = t
		live := openLive(who, waiting+"/events")
		defer live.close()
		for event := live.next(t); event.text("status") != "running"; event = live.next(t) {
			event.is(map[string]any{"status": "pending"})
		}
		who.post(waiting+"/cancel", nil).want(200)
		event := live.next(t)
		for event.text("status") == "running" {
			event = live.next(t)
		}
		event.is(map[string]any{"status": "failed", "errorCode": "cancelled", "trigger": "api"})
		live.ends(t)
	})
	t.Run("DraftFromTheStart", func(t *testing.T) {
		who := who
		who.t = t
		live := openLive(who, runs+draft+"/events")
		defer live.close()
		live.next(t).is(map[string]any{"id": draft, "status": "pending", "executionId": nil})
		who.post("/v1/app/live/run", object{"runId": draft, "inputs": object{"topic": "an owl"}}).want(202)
		event := live.next(t)
		for event.text("status") != "completed" {
			event = live.next(t)
		}
		event.is(map[string]any{"id": draft, "execution.completedNodes": 3, "execution.nodeStates.topic.output.text": "an owl"})
		live.ends(t)
	})
	t.Run("Resume", func(t *testing.T) {
		who := who
		who.t = t
		whole := who.get(runs + draft + "/events").want(200)
		line, _, _ := strings.Cut(string(whole.Body), "\n")
		id, named := strings.CutPrefix(line, "id: ")
		if !named || strings.Count(string(whole.Body), "event: run\n") != 1 {
			t.Fatalf("a finished run streams %s", whole.Body)
		}
		who.sending("Last-Event-ID", id).get(runs + draft + "/events").want(204)
		who.sending("Last-Event-ID", "earlier").get(runs + draft + "/events").want(200)
	})
	t.Run("Held", func(t *testing.T) {
		who := who
		who.t = t
		id := who.post("/v1/app/live/run", nil).want(202).text("runId")
		who.get(runs + id + "?wait=true").want(200).is(map[string]any{"id": id, "status": "completed", "execution.completedNodes": 3})
		execution := who.post("/v1/workflows/"+saved(who, posedNodes, posedEdges)+"/run", nil).want(202).text("executionId")
		who.get("/v1/workflow-executions/" + execution + "?wait=true").want(200).is(map[string]any{"data.id": execution, "data.status": "completed"})
	})
	t.Run("RevokedMeanwhile", func(t *testing.T) {
		session := session
		session.t = t
		token := session.post("/v1/api-tokens", object{"name": "soon gone"}).want(201)
		gone := session.with(token.text("token"))
		execution := begun(gone)
		live := openLive(gone, execution+"/events")
		defer live.close()
		live.next(t)
		held := make(chan *reply, 2)
		go func() { held <- gone.get(execution + "?wait=true") }()
		go func() { held <- gone.post("/v1/api/run?wait=true", object{"workflowId": slow}) }()
		session.do("DELETE", "/v1/api-tokens/"+token.text("data.id"), nil).want(200)
		live.ends(t)
		(<-held).wantError(401, "unauthorized")
		(<-held).wantError(401, "unauthorized")
		session.post(execution+"/cancel", nil).want(200)
	})
}

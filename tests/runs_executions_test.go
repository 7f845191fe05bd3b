package tests

import (
	"errors"
	"strconv"
	"testing"
	"time"
)

var errNotYet = errors.New("not yet")

func runAPIExecutions(t *testing.T, p *program) {
	session, who := newcomer(t, p, "Executions")
	_, other := newcomer(t, p, "Executions-other")
	workflow := saved(who, posedNodes, posedEdges)
	slow := saved(who, []object{{"id": "d", "type": "delay", "data": object{"seconds": 60}}}, nil)
	hold(t,
		rule{"UnknownExecution", who, "GET", "/v1/workflow-executions/" + unknownID, nil, 404, "not_found"}, rule{"MalformedExecution", who, "GET", "/v1/workflow-executions/x", nil, 400, "validation_error"},
		rule{"HistoryOfAnother", other, "GET", "/v1/workflows/" + workflow + "/executions", nil, 404, "not_found"}, rule{"RunOfAnother", other, "POST", "/v1/workflows/" + workflow + "/run", object{}, 404, "not_found"},
		rule{"UnknownInput", who, "POST", "/v1/workflows/" + workflow + "/run", object{"inputs": object{"none": 1}}, 400, "validation_error"},
		rule{"LegacyWithoutWorkflow", who, "POST", "/v1/api/run", object{}, 400, "validation_error"}, rule{"LegacyMalformed", who, "POST", "/v1/api/run", object{"workflowId": "x"}, 400, "validation_error"},
		rule{"LegacyUnknown", who, "POST", "/v1/api/run", object{"workflowId": unknownID}, 404, "not_found"}, rule{"SchemaWithoutWorkflow", who, "GET", "/v1/api/schema", nil, 400, "validation_error"},
	)
	t.Run("RunAndCancel", func(t *testing.T) {
		who := who
		who.t = t
		accepted := who.post("/v1/workflows/"+slow+"/run", nil).want(202)
		accepted.holds("", true, "executionId", "status")
		id := accepted.text("executionId")
		running := who.get("/v1/workflow-executions/" + id).want(200)
		running.holds("data", true, "id", "workflowId", "trigger", "createdAt", "startedAt", "status", "nodeStates", "totalNodes", "completedNodes", "failedNodes", "totalCreditsUsed", "errorMessage", "completedAt")
		running.is(map[string]any{"data.trigger": "api", "data.workflowId": slow})
		who.post("/v1/workflow-executions/"+id+"/cancel", nil).want(200).is(map[string]any{"success": true})
		ended(who, "/v1/workflow-executions/"+id, "data.status").is(map[string]any{"data.status": "failed", "data.errorCode": "cancelled"})
		who.post("/v1/workflow-executions/"+id+"/cancel", nil).wantError(409, "already_finished")
		history := who.get("/v1/workflows/" + slow + "/executions").want(200)
		history.is(map[string]any{"data.0.id": id, "data.0.errorCode": "cancelled", "data.0.nodeStates": nil, "nextCursor": nil})
	})
	for name, end := range map[string]func(session client, tokenID string){
		"Revocation": func(session client, id string) { session.do("DELETE", "/v1/api-tokens/"+id, nil).want(200) },
		"SignOut":    func(session client, _ string) { session.post("/auth/sign-out", nil).want(200) },
	} {
		t.Run("WaitingEndsWith"+name, func(t *testing.T) {
			session, token := newcomer(t, p, "Waiting"+name)
			waiting, path := token, "/v1/workflows/"+saved(session, []object{{"id": "d", "type": "delay", "data": object{"seconds": 120}}}, nil)
			if name == "SignOut" {
				waiting = session
			}
			answered := make(chan *reply, 1)
			go func() { answered <- waiting.post(path+"/run?wait=true", nil) }()
			eventually(t, func() error {
				if token.get(path+"/executions").want(200).path("data.0") == nil {
					return errNotYet
				}
				return nil
			})
			end(session, session.get("/v1/api-tokens").want(200).text("data.0.id"))
			select {
			case answer := <-answered:
				answer.wantError(401, "unauthorized")
			case <-time.After(patience):
				t.Fatal("the connection is held on")
			}
		})
	}
	t.Run("SessionsRunAsEditor", func(t *testing.T) {
		session := session
		session.t = t
		id := session.post("/v1/workflows/"+workflow+"/run", nil).want(202).text("executionId")
		session.get("/v1/workflow-executions/" + id).want(200).is(map[string]any{"data.trigger": "editor"})
	})
	t.Run("LegacyIsUnwrapped", func(t *testing.T) {
		who := who
		who.t = t
		done := who.post("/v1/api/run?wait=true", object{"workflowId": workflow, "inputs": object{"topic.text": "an elk"}}).want(200)
		done.holds("", true, "executionId", "status", "outputs", "errorMessage")
		done.is(map[string]any{"status": "completed", "outputs.line.text": "an elk calm", "errorMessage": nil})
		id := done.text("executionId")
		who.get("/v1/api/status/" + id).want(200).is(map[string]any{"executionId": id, "status": "completed", "data": nil})
		who.get("/v1/api/result/"+id).want(200).holds("", true, "executionId", "status", "outputs", "errorMessage")
		who.get("/v1/api/schema?workflowId="+workflow).want(200).holds("", true, "workflowId", "inputs")
		who.get("/v1/api/workflows").want(200).holds("", true, "workflows", "nextCursor")
		who.post("/v1/api/run", object{"workflowId": workflow}).want(202).holds("", true, "executionId", "status")
	})
	t.Run("FailedBranch", func(t *testing.T) {
		who := who
		who.t = t
		small := object{"width": 5, "height": 5}
		id := saved(who, []object{
			{"id": "bad", "type": "resize-image", "data": object{"imageUrl": "http://127.0.0.1:9/x.png", "width": 5, "height": 5}},
			{"id": "after", "type": "resize-image", "data": small}, {"id": "apart", "type": "text", "data": object{"text": "x"}},
		}, []object{{"id": "e", "source": "bad", "target": "after"}})
		started := who.post("/v1/workflows/"+id+"/run", nil).want(202).text("executionId")
		ended(who, "/v1/workflow-executions/"+started, "data.status").is(map[string]any{
			"data.status": "failed", "data.failedNodes": 1, "data.completedNodes": 1, "data.nodeStates.after.status": "skipped", "data.nodeStates.apart.status": "completed",
		})
	})
	t.Run("TokenBudget", func(t *testing.T) {
		session := session
		session.t = t
		small := session.with(session.post("/v1/api-tokens", object{"name": "small", "rateLimit": 2}).want(201).text("token"))
		freshMinute()
		first := small.get("/v1/api/workflows").want(200)
		if first.Header.Get("RateLimit-Limit") != "2" || first.Header.Get("RateLimit-Remaining") != "1" {
			t.Errorf("headers: %v", first.Header)
		}
		small.post("/v1/api/run", object{}).wantError(400, "validation_error")
		refused := small.get("/v1/api/workflows").wantError(429, "rate_limited")
		refused.is(map[string]any{"error.message": "Too many requests. Max 2 per minute."})
		if wait, err := strconv.Atoi(refused.Header.Get("Retry-After")); err != nil || wait < 1 || wait > 60 {
			t.Errorf("Retry-After: %q", refused.Header.Get("Retry-After"))
		}
		small.get("/v1/workflows").want(200)
		small.get("/v1/jobs").want(200)
		for range 5 {
			session.get("/v1/api/workflows").want(200)
		}
	})
}

package tests

import "testing"

func runAPIRuns(t *testing.T, p *program) {
	_, owner := newcomer(t, p, "Runs-owner")
	_, other := newcomer(t, p, "Runs-other")
	posed(owner, "runs", nil)
	run := func(name string, body object, code string) rule {
		return rule{name, owner, "POST", "/v1/app/runs/run", body, 400, code}
	}
	const invalid, locked = "validation_error", "locked_field"
	saved := saved(owner, []object{{"id": "out", "type": "webhook-output", "data": object{"url": "https://127.0.0.1:9/x"}}}, nil)
	owner.post("/v1/workflows/"+saved+"/publish", object{"name": "x", "slug": "sends"}).want(201)
	sends := func(name string, field string) rule {
		return rule{name, owner, "POST", "/v1/app/sends/run", object{"inputOverrides": object{"out": object{field: "https://evil.example"}}}, 400, locked}
	}
	hold(t,
		run("OutsideAllowedValues", object{"inputs": object{"tone": "loud"}}, invalid),
		run("OverrideOutsideAllowedValues", object{"inputOverrides": object{"line": object{"values.tone": "loud"}}}, invalid),
		run("OverrideAroundAllowedValues", object{"inputOverrides": object{"line": object{"values": object{"tone": "loud"}}}}, invalid),
		run("OutsideAllowedValuesUnderAnOverride", object{"inputs": object{"tone": "loud"}, "inputOverrides": object{"line": object{"values.tone": "calm"}}}, invalid),
		run("UnknownInput", object{"inputs": object{"none": 1}}, invalid),
		run("UnknownNode", object{"inputOverrides": object{"none": object{"a": 1}}}, invalid),
		run("UnknownVersion", object{"version": 99}, invalid), run("VersionBelowOne", object{"version": 0}, invalid), run("HugeVersion", object{"version": 1 << 31}, invalid), run("VersionNoNumber", object{"version": "1"}, invalid),
		run("InputsNoObject", object{"inputs": []string{}}, invalid), run("OverridesNoObject", object{"inputOverrides": "x"}, invalid),
		run("NodeOverrideNoObject", object{"inputOverrides": object{"topic": "x"}}, invalid),
		run("WrongType", object{"inputs": object{"topic": 5}}, invalid), run("OverrideOfWrongType", object{"inputOverrides": object{"topic": object{"text": 5}}}, invalid),
		run("MalformedRunID", object{"runId": "x"}, invalid), run("Rewiring", object{"inputOverrides": object{"line": object{"fieldMappings": object{}}}}, locked),
		sends("Destination", "url"), sends("InsideDestination", "url.host"), sends("Credential", "credentialId"),
		rule{"UnknownDraft", owner, "POST", "/v1/app/runs/run", object{"runId": unknownID}, 404, "not_found"},
		rule{"UnknownApp", owner, "POST", "/v1/app/unknown/run", object{}, 404, "not_found"},
		rule{"MalformedSlug", owner, "POST", "/v1/app/Bad_Slug/run", object{}, 400, invalid},
		rule{"NoToken", owner.with(""), "POST", "/v1/app/runs/run", object{}, 401, "unauthorized"},
		rule{"NoBody", owner, "POST", "/v1/app/runs/run", nil, 202, ""},
		rule{"Nulls", owner, "POST", "/v1/app/runs/run", object{"inputs": nil, "inputOverrides": nil, "version": nil, "runId": nil}, 202, ""},
	)
	t.Run("InputsThenOverrides", func(t *testing.T) {
		owner := owner
		owner.t = t
		accepted := owner.post("/v1/app/runs/run", object{
			"inputs":         object{"topic": "an owl", "tone": "wild"},
			"inputOverrides": object{"topic": object{"text": "a cat"}, "line": object{"template": "{{topic}}, {{tone}}!"}},
		}).want(202)
		accepted.holds("", true, "executionId", "runId", "status")
		accepted.is(map[string]any{"status": "pending"})
		done := ended(owner, "/v1/app/runs/runs/"+accepted.text("runId"), "execution.status")
		done.holds("", false, "id", "executionId", "status", "creditsUsed", "thumbnailUrl", "execution")
		done.holds("execution", false, "status", "nodeStates", "totalNodes", "completedNodes", "failedNodes", "totalCreditsUsed", "errorMessage", "completedAt")
		done.holds("execution.nodeStates.line", true, "status", "output")
		done.is(map[string]any{
			"status": "completed", "execution.nodeStates.line.output.text": "a cat, wild!", "execution.totalNodes": 3,
			"execution.completedNodes": 3, "execution.failedNodes": 0, "execution.errorMessage": nil, "creditsUsed": 0,
		})
	})
	t.Run("Drafts", func(t *testing.T) {
		owner, other := owner, other
		owner.t, other.t = t, t
		draft := owner.post("/v1/app/runs/draft", nil).want(201)
		draft.holds("", true, "runId")
		id := draft.text("runId")
		owner.get("/v1/app/runs/runs/" + id).want(200).is(map[string]any{"status": "pending", "executionId": nil})
		other.post("/v1/app/runs/run", object{"runId": id}).wantError(404, "not_found")
		owner.post("/v1/app/runs/run", object{"runId": id}).want(202).is(map[string]any{"runId": id})
		owner.post("/v1/app/runs/run", object{"runId": id}).wantError(409, "run_already_started")
	})
	t.Run("Archive", func(t *testing.T) {
		owner, other := owner, other
		owner.t, other.t = t, t
		id := owner.post("/v1/app/runs/run", nil).want(202).text("runId")
		other.do("DELETE", "/v1/app/runs/runs/"+id, nil).wantError(404, "not_found")
		owner.do("DELETE", "/v1/app/runs/runs/"+id, nil).want(200).is(map[string]any{"success": true, "archived": true})
		owner.get("/v1/app/runs/runs/" + id).want(200).is(map[string]any{"archived": true})
		owner.get("/v1/app/runs/runs?archived=true").want(200).is(map[string]any{"data.0.id": id, "data.1": nil, "nextCursor": nil})
		for _, row := range owner.get("/v1/app/runs/runs").want(200).list("data") {
			if row.(map[string]any)["id"] == id {
				t.Errorf("an archived run is listed")
			}
		}
	})
	t.Run("DailyLimit", func(t *testing.T) {
		owner, other := owner, other
		owner.t, other.t = t, t
		posed(owner, "daily", object{"maxRunsPerUserPerDay": 2})
		first := owner.post("/v1/app/daily/run", nil).want(202)
		if first.Header.Get("RateLimit-Limit") != "2" || first.Header.Get("RateLimit-Remaining") != "1" {
			t.Errorf("headers of the limit: %v", first.Header)
		}
		if refused := owner.post("/v1/app/daily/run", object{"inputs": object{"none": 1}}).wantError(400, invalid); refused.Header.Get("RateLimit-Remaining") != "1" {
			t.Errorf("headers of a refusal: %v", refused.Header)
		}
		owner.post("/v1/app/daily/run", nil).want(202)
		owner.do("DELETE", "/v1/app/daily/runs/"+first.text("runId"), nil).want(200)
		if refused := owner.post("/v1/app/daily/run", nil); refused.wantError(429, "rate_limit_exceeded").Header.Get("Retry-After") == "" {
			t.Error("no Retry-After")
		}
		other.post("/v1/app/daily/run", nil).want(202)
	})
	t.Run("SlotsCostNothing", func(t *testing.T) {
		owner := owner
		owner.t = t
		plan := object{
			"animation":  object{"v": "5.5.7", "fr": 30, "ip": 0, "op": 30, "w": 64, "h": 64, "layers": []any{}},
			"slots":      object{"ink": object{"type": "color", "value": []float64{1, 0, 0, 1}}, "title": object{"type": "text", "value": "Hi"}},
			"slotValues": object{"title": "Yo"},
		}
		moving := owner.post("/v1/workflows", object{"name": "Moving", "nodes": []object{{"id": "m", "type": "motion", "data": object{"motionPlan": plan}}}}).want(201).text("data.id")
		app := owner.post("/v1/workflows/"+moving+"/publish", object{"name": "Moving", "slug": "moving", "presentationSettings": object{"inputItems": []object{
			{"type": "field", "id": "ink", "nodeId": "m", "field": "slot:ink"}, {"type": "field", "id": "title", "nodeId": "m", "field": "slot:title"}}}}).want(201)
		if app.number("data.estimatedCredits") == 0 {
			t.Fatal("the app is free anyway")
		}
		owner.post("/v1/app/moving/run", object{"inputs": object{"ink": "reddish"}}).wantError(400, invalid)
		id := owner.post("/v1/app/moving/run", object{"inputs": object{"ink": "#0000ff", "title": "T"}}).want(202).text("runId")
		ended(owner, "/v1/app/moving/runs/"+id, "execution.status").is(map[string]any{
			"status": "completed", "creditsUsed": 0, "execution.nodeStates.m.output.slotValues.ink": "[0 0 1 1]",
		})
	})
}

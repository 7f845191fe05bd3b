//go:build !race

package tests

import (
	"fmt"
	"strings"
	"testing"

	"atelier/models/dbtest"
)

// TestStudioConventions holds the routes of the studio to what is true of all routes.
func TestStudioConventions(t *testing.T) {
	t.Parallel()
	h := newTestServer(t)
	c := newCast(t, h.server.URL, "school", 50)
	head, all := c.head.in(c.room), "/v1/studio/productions"
	made := head.post(all, object{"name": "Film", "resolution": "480p"}).want(201)
	each := all + "/" + made.text("data.id")
	shot := head.post(each+"/shots", object{"action": "The sea."}).want(201).text("data.id")
	other := head.post(all, object{"name": "Other"}).want(201).text("data.id")
	covered := c.head.with(c.head.post("/v1/api-tokens", object{
		"name": "one workflow", "workflowIds": []string{saved(head, []object{{"id": "a", "type": "text", "data": object{"text": "x"}}}, nil)},
	}).want(201).text("token"))
	bad := func(name, method, path string, body any) rule {
		return rule{name, head, method, path, body, 400, "validation_error"}
	}
	hold(t,
		bad("MalformedID", "GET", all+"/film", nil), bad("MalformedShot", "PATCH", each+"/shots/order", object{}),
		bad("MalformedPipeline", "GET", "/v1/pipelines/x", nil), rule{"MalformedPublicShot", c.visitor, "GET", "/v1/shots/x", nil, 400, "validation_error"},
		rule{"UnknownPublicShot", c.visitor, "GET", "/v1/shots/" + unknownID, nil, 404, "not_found"},
		rule{"NeverShared", c.visitor, "GET", "/v1/shots/" + shot, nil, 404, "not_found"},
		bad("UnknownStatus", "GET", all+"?status=done", nil), bad("MalformedProject", "GET", all+"?projectId=x", nil), bad("Mine", "GET", all+"?mine=perhaps", nil),
		bad("LimitZero", "GET", all+"?limit=0", nil), bad("LimitAbove", "GET", all+"?limit=201", nil), bad("Cursor", "GET", all+"?cursor=abc", nil),
		bad("PipelinesLimit", "GET", "/v1/pipelines?limit=201", nil), bad("RendersLimit", "GET", each+"/renders?limit=201", nil),
		bad("RendersCursor", "GET", each+"/renders?cursor=abc", nil), bad("ExportFormat", "GET", each+"/export?format=exe", nil),
		bad("NoName", "POST", all, object{}), bad("EmptyName", "POST", all, object{"name": " "}), bad("Ratio", "POST", all, object{"name": "F", "aspectRatio": "2:1"}),
		bad("Resolution", "POST", all, object{"name": "F", "resolution": "4K"}), bad("Language", "POST", all, object{"name": "F", "language": "no language"}),
		bad("Captions", "POST", all, object{"name": "F", "captions": "srt"}), bad("Seed", "POST", all, object{"name": "F", "seed": -1}),
		bad("Visibility", "POST", all, object{"name": "F", "visibility": "public"}), bad("UnknownPipeline", "POST", all, object{"name": "F", "pipelineId": unknownID}),
		bad("UnknownCast", "POST", all, object{"name": "F", "castIds": []string{unknownID}}), bad("MusicVolume", "POST", all, object{"name": "F", "music": object{"url": "https://example.com/a.mp3", "volume": 101}}),
		bad("ScriptTooLong", "POST", all, object{"name": "F", "script": strings.Repeat("a", 50_001)}),
		rule{"UnknownProject", head, "POST", all, object{"name": "F", "projectId": unknownID}, 404, "not_found"},
		bad("Stage", "POST", each+"/render", object{"stage": "film"}), bad("NoSuchShot", "POST", each+"/render", object{"shotIds": []string{unknownID}}),
		bad("NoShots", "POST", all+"/"+other+"/render", nil), bad("SecondsPerShot", "POST", each+"/breakdown", object{"secondsPerShot": 1, "replace": true}),
		bad("MaxShots", "POST", each+"/breakdown", object{"maxShots": 41, "replace": true}), bad("NoReplace", "POST", each+"/breakdown", object{"script": "The sea."}),
		bad("OrderLacksOne", "PUT", each+"/shots/order", object{"shotIds": []string{}}), bad("OrderTwice", "PUT", each+"/shots/order", object{"shotIds": []string{shot, shot}}),
		bad("OrderWithoutIDs", "PUT", each+"/shots/order", object{}),
		bad("Dialogue", "POST", each+"/shots", object{"dialogue": strings.Repeat("a", 401)}), bad("Duration", "POST", each+"/shots", object{"duration": 31}),
		bad("Camera", "POST", each+"/shots", object{"camera": object{"size": "huge"}}), bad("CameraType", "POST", each+"/shots", object{"camera": "close"}),
		bad("NullTitle", "PATCH", each+"/shots/"+shot, object{"title": nil}), bad("ShareNothing", "POST", each+"/shots/"+shot+"/share", object{}),
		bad("EmptyStages", "POST", "/v1/pipelines", object{"name": "P", "stages": object{}}),
		bad("WrongType", "POST", "/v1/pipelines", object{"name": "P", "stages": object{"clip": object{"nodeType": "text-card"}}}),
		bad("NoShotsToRun", "POST", "/v1/pipelines/"+made.text("data.pipelineId")+"/run", object{"shots": []object{}}),
		rule{"UnknownPipelineRun", head, "POST", "/v1/pipelines/" + unknownID + "/run", object{"shots": []object{{"prompt": "x"}}}, 404, "not_found"},
		rule{"ShotOfOther", head, "PATCH", all + "/" + other + "/shots/" + shot, object{}, 404, "not_found"},
		rule{"Method", head, "PUT", each, object{}, 405, "method_not_allowed"}, rule{"Form", head, "POST", all, nil, 400, "validation_error"},
		rule{"Anonymous", c.visitor, "GET", all, nil, 401, "unauthorized"}, rule{"Covered", covered, "GET", all, nil, 403, "forbidden"},
		rule{"CoveredRender", covered, "POST", each + "/render", object{}, 403, "forbidden"}, rule{"CoveredPipelines", covered, "GET", "/v1/pipelines", nil, 403, "forbidden"},
	)
	t.Run("FactoryPipelines", func(t *testing.T) {
		head.t = t
		factory := head.get("/v1/pipelines").want(200)
		factory.is(map[string]any{"data.0.isFactory": true, "data.0.createdBy": nil, "data.0.visibility": nil, "data.0.workspaceId": nil, "data.0.access": "view", "data.0.version": 1})
		for _, row := range factory.list("data") {
			stages, _ := row.(map[string]any)["stages"].(map[string]any)
			if len(stages) != 4 {
				t.Errorf("stages %v", stages)
			}
		}
		at := "/v1/pipelines/" + factory.text("data.0.id")
		head.do("PATCH", at, object{"name": "Ours"}).wantError(403, "forbidden")
		head.do("DELETE", at, nil).wantError(403, "forbidden")
		copied := head.post(at+"/duplicate", nil).want(201)
		copied.is(map[string]any{"data.isFactory": false, "data.createdBy": c.head.id, "data.workspaceId": c.room, "data.access": "creator"})
		first := head.get("/v1/pipelines?limit=1").want(200)
		first.is(map[string]any{"data.0.id": copied.text("data.id")})
		second := head.get("/v1/pipelines?limit=1&cursor=" + first.text("nextCursor")).want(200)
		second.is(map[string]any{"data.0.id": factory.text("data.0.id")})
		head.get(all+"?limit=1&cursor="+first.text("nextCursor")).wantError(400, "validation_error")
	})
	t.Run("MaxScript", func(t *testing.T) {
		head.t = t
		var escaped strings.Builder
		for range 50_000 {
			escaped.WriteString(`\ud83c\udfac`)
		}
		head.do("PATCH", each, `{"script":"`+escaped.String()+`"}`).want(200)
		if script := []rune(head.get(each).want(200).text("data.script")); len(script) != 50_000 {
			t.Errorf("the script has %d characters", len(script))
		}
	})
	t.Run("PatchedWithNull", func(t *testing.T) {
		head.t = t
		head.do("PATCH", each, object{"music": nil, "presetId": nil, "narratorVoiceId": nil}).want(200).is(map[string]any{"data.music": nil})
		head.do("PATCH", each+"/shots/"+shot, object{"duration": 4.5, "camera": object{"size": "wide"}}).want(200).is(map[string]any{
			"data.duration": 4.5, "data.camera.size": "wide", "data.camera.angle": "eye", "data.camera.movement": "static",
		})
		head.do("PATCH", each+"/shots/"+shot, object{"duration": nil, "ownImageUrl": nil, "voiceId": nil}).want(200).is(map[string]any{"data.duration": nil})
		head.do("PATCH", each, object{"visibility": "workspace"}).want(200).is(map[string]any{"data.visibility": "workspace"})
	})
	t.Run("RenderOnce", func(t *testing.T) {
		head.t = t
		keyed := head.sending("Idempotency-Key", "one render")
		wish := object{"stage": "image"}
		first := keyed.post(each+"/render", wish).want(202)
		again := keyed.post(each+"/render", wish).want(202)
		if again.Header.Get("Idempotency-Replayed") != "true" || first.text("executionId") != again.text("executionId") {
			t.Errorf("the same request again: %v %s, after %s", again.Header, again.Body, first.Body)
		}
		keyed.post(each+"/render", object{"stage": "cut"}).wantError(409, "idempotency_key_reused")
		head.post(each+"/render", wish).wantError(409, "run_already_started")
	})
}

// TestPublicShotLimit: sixty a minute for an address, whichever face is asked, and each alias counts.
func TestPublicShotLimit(t *testing.T) {
	t.Parallel()
	h := newTestServerAt(t, dbtest.NewClock()) // whose minute does not end meanwhile
	visitor := h.visitor().sending("X-Forwarded-For", "203.0.113.9")
	var aliases strings.Builder
	for i := range 10 { // of different shots: what is asked twice in one document is read once
		fmt.Fprintf(&aliases, "s%d: publicShot(id: %q) { id } ", i, fmt.Sprintf("01910000-0000-7000-8000-%012d", i))
	}
	for range 5 {
		r := visitor.post("/graphql", object{"query": "{" + aliases.String() + "}"})
		if code := r.text("errors.0.extensions.code"); code != "not_found" {
			t.Fatalf("a shot that nobody shared: %s", r.Body)
		}
	}
	for range 10 {
		visitor.get("/v1/shots/"+unknownID).wantError(404, "not_found")
	}
	beyond := visitor.get("/v1/shots/" + unknownID)
	beyond.wantError(429, "rate_limit_exceeded")
	if beyond.Header.Get("Retry-After") == "" || beyond.Header.Get("RateLimit-Remaining") != "0" {
		t.Errorf("what is told of the limit: %v", beyond.Header)
	}
	h.visitor().sending("X-Forwarded-For", "203.0.113.10").get("/v1/shots/"+unknownID).wantError(404, "not_found")
}

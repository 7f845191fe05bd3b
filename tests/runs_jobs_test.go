package tests

import (
	"strings"
	"testing"
)

var jobFields = []string{
	"id", "status", "progress", "job_type", "input_data", "output_data", "error_message", "error_hint", "credit_status",
	"credits_charged", "source", "session_id", "created_at", "completed_at",
}

func runAPINodes(t *testing.T, p *program) {
	session, who := newcomer(t, p, "Nodes")
	visitor := who.with("")
	for kind, cost := range map[string]float64{
		"text": 0, "combine-text": 0, "template-text": 0, "delay": 0, "generate-image": 2, "resize-image": 0.5,
		"upload-image": 0, "webhook-trigger": 0, "schedule-trigger": 0, "webhook-output": 0,
	} {
		t.Run("Descriptor/"+kind, func(t *testing.T) {
			visitor.t = t
			d := visitor.get("/v1/nodes/" + kind).want(200)
			d.holds("data", true, "type", "label", "category", "description", "outputType", "providers", "capabilities", "inputSchema", "estimatedCredits")
			d.is(map[string]any{"data.type": kind, "data.estimatedCredits": cost})
		})
	}
	for kind, c := range map[string]struct {
		body object
		text string
	}{
		"text":          {object{"text": "hi"}, "hi"},
		"combine-text":  {object{"texts": []string{"a", "b"}, "separator": "-"}, "a-b"},
		"template-text": {object{"template": "{{x}}!", "values": object{"x": "y"}}, "y!"},
	} {
		t.Run("Inline/"+kind, func(t *testing.T) {
			who.t = t
			answer := who.post("/v1/"+kind, c.body).want(200)
			answer.holds("", true, "jobId", "status", "output_data")
			answer.is(map[string]any{"status": "completed", "output_data.text": c.text})
		})
	}
	t.Run("JobAndAdjustments", func(t *testing.T) {
		who.t = t
		started := who.post("/v1/delay", object{"seconds": -5, "input": "x", "unheard": 1}).want(202)
		started.holds("", true, "jobId", "adjustments", "warnings")
		started.is(map[string]any{"adjustments.0.field": "seconds", "adjustments.0.from": -5, "adjustments.0.to": 0})
		id := started.text("jobId")
		status := ended(who, "/v1/jobs/"+id+"/status", "data.status")
		status.holds("data", true, "id", "status", "progress", "output_data", "error_message")
		job := who.get("/v1/jobs/" + id).want(200)
		job.holds("data", false, jobFields...)
		job.is(map[string]any{"data.status": "completed", "data.progress": 100, "data.job_type": "delay", "data.source": "api", "data.session_id": nil, "data.credit_status": "committed", "data.credits_charged": 0})
	})
	for sent, source := range map[string]string{"sdk/1.2": "sdk/1.2", "cli/0.1": "cli/0.1", "extension/draw": "extension/draw", "other": "api", "": "api"} {
		t.Run("Source/"+sent, func(t *testing.T) {
			who.t = t
			id := who.sending("X-Service-Client", sent).post("/v1/text", object{"text": "x"}).want(200).text("jobId")
			who.get("/v1/jobs/" + id).want(200).is(map[string]any{"data.source": source})
		})
	}
	bad := func(kind string, body any) rule {
		return rule{"Bad/" + kind, who, "POST", "/v1/" + kind, body, 400, "validation_error"}
	}
	hold(t,
		bad("generate-image", object{}), bad("generate-image", object{"prompt": 5}), bad("generate-image", object{"prompt": "x", "aspectRatio": "7:7"}),
		bad("resize-image", object{"imageUrl": "no address", "width": 1, "height": 1}), bad("delay", object{"seconds": "x"}), bad("text", "[]"), bad("text", nil),
		rule{"UnknownGET", visitor, "GET", "/v1/no-such-node", nil, 404, "not_found"}, rule{"UnknownGETWithToken", who, "GET", "/v1/no-such-node", nil, 404, "not_found"},
		rule{"UnknownPOST", visitor, "POST", "/v1/no-such-node", object{}, 404, "not_found"}, rule{"UnknownPOSTWithToken", who, "POST", "/v1/no-such-node", object{}, 404, "not_found"},
		rule{"UnknownDescriptor", visitor, "GET", "/v1/nodes/none", nil, 404, "not_found"}, rule{"NoToken", visitor, "POST", "/v1/text", object{"text": "x"}, 401, "unauthorized"},
		rule{"Catalogue", visitor, "GET", "/v1/nodes", nil, 200, ""}, rule{"Models", visitor, "GET", "/v1/models", nil, 200, ""}, rule{"OpenAPI", visitor, "GET", "/v1/openapi.json", nil, 200, ""},
	)
	t.Run("VideoOverlayLimit", func(t *testing.T) {
		session.t = t
		freshMinute()
		for range 30 {
			session.post("/v1/video-overlay", object{}).wantError(400, "validation_error")
		}
		session.post("/v1/video-overlay", object{}).wantError(429, "rate_limit_exceeded")
	})
}

func runAPIJobs(t *testing.T, p *program) {
	_, who := newcomer(t, p, "Jobs")
	_, other := newcomer(t, p, "Jobs-other")
	var ids []string
	for range 3 {
		ids = append(ids, who.post("/v1/text", object{"text": "x"}).want(200).text("jobId"))
	}
	many := func(n int) []string { return strings.Split(strings.Repeat(unknownID+",", n)[:n*37-1], ",") }
	waiting := who.post("/v1/delay", object{"seconds": 60}).want(202).text("jobId")
	const batch, invalid = "/v1/jobs/batch-status", "validation_error"
	hold(t,
		rule{"MalformedID", who, "GET", "/v1/jobs/x", nil, 400, invalid}, rule{"Unknown", who, "GET", "/v1/jobs/" + unknownID, nil, 404, "not_found"},
		rule{"OfAnother", other, "GET", "/v1/jobs/" + ids[0], nil, 404, "not_found"}, rule{"StatusOfAnother", other, "GET", "/v1/jobs/" + ids[0] + "/status", nil, 404, "not_found"},
		rule{"Batch100", who, "POST", batch, object{"ids": many(100)}, 200, ""}, rule{"Batch101", who, "POST", batch, object{"ids": many(101)}, 400, invalid},
		rule{"Status100", who, "GET", "/v1/jobs/status?ids=" + strings.Join(many(100), ","), nil, 200, ""}, rule{"Status101", who, "GET", "/v1/jobs/status?ids=" + strings.Join(many(101), ","), nil, 400, invalid},
		rule{"BatchWithoutIDs", who, "POST", batch, object{}, 400, invalid}, rule{"BatchNull", who, "POST", batch, object{"ids": nil}, 400, invalid}, rule{"BatchMalformed", who, "POST", batch, object{"ids": []string{"x"}}, 400, invalid},
		rule{"StatusWithoutIDs", who, "GET", "/v1/jobs/status", nil, 400, invalid}, rule{"Limit100", who, "GET", "/v1/jobs?limit=100", nil, 200, ""}, rule{"Limit101", who, "GET", "/v1/jobs?limit=101", nil, 400, invalid}, rule{"Limit0", who, "GET", "/v1/jobs?limit=0", nil, 400, invalid},
		rule{"CancelOfAnother", other, "POST", "/v1/jobs/" + waiting + "/cancel", nil, 404, "not_found"}, rule{"Cancel", who, "POST", "/v1/jobs/" + waiting + "/cancel", nil, 200, ""},
		rule{"CancelTwice", who, "POST", "/v1/jobs/" + waiting + "/cancel", nil, 409, "already_finished"}, rule{"CancelFinished", who, "POST", "/v1/jobs/" + ids[0] + "/cancel", nil, 409, "already_finished"},
		rule{"ApproveNotHeld", who, "POST", "/v1/jobs/" + ids[0] + "/approve", nil, 409, "job_not_in_review"}, rule{"RejectNotHeld", who, "POST", "/v1/jobs/" + ids[0] + "/reject", nil, 409, "job_not_in_review"},
		rule{"ApproveUnknown", who, "POST", "/v1/jobs/" + unknownID + "/approve", nil, 404, "not_found"},
	)
	t.Run("ListAndBatch", func(t *testing.T) {
		who, other := who, other
		who.t, other.t = t, t
		who.get("/v1/jobs/" + waiting + "/status").want(200).is(map[string]any{"data.status": "cancelled"})
		page := who.get("/v1/jobs?limit=3").want(200)
		page.holds("", true, "data", "next")
		page.is(map[string]any{"data.0.id": waiting, "data.1.id": ids[2], "data.2.id": ids[1]})
		who.get("/v1/jobs?limit=3&cursor=" + page.text("next")).want(200).is(map[string]any{"data.0.id": ids[0], "next": nil})
		other.get("/v1/jobs?cursor="+page.text("next")).wantError(400, "validation_error")
		found := who.post(batch, object{"ids": []string{ids[1], unknownID, ids[0]}}).want(200)
		found.is(map[string]any{"data.0.id": ids[1], "data.1.id": ids[0], "data.2": nil})
		found.holds("data.0", true, "id", "status", "progress", "output_data", "error_message")
		if n := len(other.post(batch, object{"ids": ids}).want(200).list("data")); n != 0 {
			t.Errorf("another account finds %d jobs", n)
		}
	})
	held := func(who client) (execution, job string) {
		id := saved(who, []object{
			{"id": "a", "type": "text", "data": object{"text": "x", "holdForReview": true}}, {"id": "b", "type": "combine-text", "data": object{}},
		}, []object{{"id": "e", "source": "a", "target": "b"}})
		execution = who.post("/v1/workflows/"+id+"/run", nil).want(202).text("executionId")
		eventually(who.t, func() error {
			for _, row := range who.get("/v1/jobs?limit=4").want(200).list("data") {
				if j := row.(map[string]any); j["execution_id"] == execution && j["status"] == "pending_review" {
					job, _ = j["id"].(string)
					return nil
				}
			}
			return errNotYet
		})
		return execution, job
	}
	t.Run("Approve", func(t *testing.T) {
		who := who
		who.t = t
		execution, job := held(who)
		who.get("/v1/workflow-executions/" + execution).want(200).is(map[string]any{"data.status": "running"})
		approved := who.post("/v1/jobs/"+job+"/approve", nil).want(200)
		approved.holds("data", false, jobFields...)
		approved.is(map[string]any{"data.status": "completed"})
		who.post("/v1/jobs/"+job+"/approve", nil).wantError(409, "job_not_in_review")
		ended(who, "/v1/workflow-executions/"+execution, "data.status").is(map[string]any{"data.status": "completed"})
	})
	t.Run("Reject", func(t *testing.T) {
		who := who
		who.t = t
		execution, job := held(who)
		who.post("/v1/jobs/"+job+"/reject", nil).want(200).is(map[string]any{"data.status": "failed"})
		ended(who, "/v1/workflow-executions/"+execution, "data.status").is(map[string]any{
			"data.status": "failed", "data.failedNodes": 1, "data.nodeStates.a.status": "failed", "data.nodeStates.b.status": "skipped",
		})
	})
}

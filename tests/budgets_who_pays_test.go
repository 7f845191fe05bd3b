//go:build !race

package tests

import (
	"testing"
)

// failing is a workflow that costs 2 credits and fails beside them.
var failing = object{"name": "Paint and fail", "nodes": []object{
	{"id": "p", "type": "generate-image", "data": object{"prompt": "a fox", "seed": 1, "aspectRatio": "1:1", "resolution": "1K"}},
	{"id": "bad", "type": "http-request", "data": object{"url": "https://127.0.0.1:9/x"}},
}, "edges": []object{}}

// TestWhoPays runs workflows by their ids in every way and with every
// selection (open points, "Who pays").
func TestWhoPays(t *testing.T) {
	t.Parallel()
	url := startBehindProxy(t)
	c := newCast(t, url, "team", 100)
	pupil := c.pupil.on(t)
	bound := func(workspace any) client {
		return pupil.with(pupil.post("/v1/api-tokens", object{"name": "bound", "workspaceId": workspace}).want(201).text("token"))
	}
	callers := map[string]client{
		"a session": pupil, "a session in the room": pupil.in(c.room), "a session in the lobby": pupil.in(c.lobby),
		"a token": bound(nil), "a token of the room": bound(c.room), "a token of the lobby": bound(c.lobby),
	}
	homes := map[string]struct{ flow, pays string }{
		"of the room": {pupil.in(c.room).post("/v1/workflows", failing).want(201).text("data.id"), c.room},
		"personal":    {pupil.post("/v1/workflows", failing).want(201).text("data.id"), ""},
	}
	ways := map[string]func(who client, flow string) string{
		"POST /v1/workflows/:id/run": func(who client, flow string) string {
			return who.post("/v1/workflows/"+flow+"/run?wait=true", object{}).want(200).text("executionId")
		},
		"POST /v1/api/run": func(who client, flow string) string {
			return who.post("/v1/api/run?wait=true", object{"workflowId": flow}).want(200).text("executionId")
		},
		"runWorkflow": func(who client, flow string) string {
			id := who.graphql(`mutation($id: ID!) { runWorkflow(id: $id, input: {}) { id } }`, object{"id": flow}).text("data.runWorkflow.id")
			return ended(who, "/v1/workflow-executions/"+id, "data.status").text("data.id")
		},
	}
	pays := func(execution string) string {
		return pupil.graphql(`query($id: ID!) { execution(id: $id) { workspaceId } }`, object{"id": execution}).text("data.execution.workspaceId")
	}
	for home, is := range homes {
		for caller, who := range callers {
			for way, run := range ways {
				execution := run(who, is.flow)
				again := who.graphql(`mutation($id: ID!) { retryExecution(id: $id) { id } }`, object{"id": execution}).text("data.retryExecution.id")
				if first, second := pays(execution), pays(again); first != is.pays || second != is.pays {
					t.Errorf("%s, %s by %s: paid by %q, its retry by %q, not %q", home, way, caller, first, second, is.pays)
				}
			}
		}
	}
	const runs = 3 * 6 // of each workflow, their retries took the picture over
	eventually(t, func() error {
		own := pupil.get("/v1/workspaces/" + c.room + "/budget").want(200)
		wallet := pupil.get("/v1/credits/balance").want(200)
		if own.number("data.own.spent") != 2*runs || wallet.number("data.balance") != 100-2*runs || own.number("data.own.reserved")+wallet.number("data.reserved") != 0 {
			return errNotYet
		}
		return nil
	})
	history := c.head.on(t).in(c.room).graphql(`{ executions(first: 200) { nodes { workflowId } } }`, nil)
	if n := len(history.list("data.executions.nodes")); n != 2*runs {
		t.Errorf("the room lists %d runs, not %d", n, 2*runs)
	}
	t.Run("the space that pays is asked", func(t *testing.T) {
		theirs, personal := "/v1/workflows/"+homes["of the room"].flow+"/run", "/v1/workflows/"+homes["personal"].flow+"/run"
		org := "/v1/orgs/" + c.org
		set := func(value bool) {
			c.owner.on(t).do("PATCH", org, object{"settings": object{"personal_space_enabled": value}}).want(200)
		}
		set(false)
		tryAll(t, []clause{
			{"a personal one in the room", pupil.in(c.room), "POST", personal, object{}, 403, "personal_space_disabled", "", nil},
			{"one of the room", pupil, "POST", theirs, object{}, 202, "", "", nil},
			{"and who may run", pupil, "GET", "/v1/workflows/" + homes["personal"].flow + "/access", nil, 200, "", "", has(object{"data.canRun": false})},
		})
		set(true)
		c.owner.on(t).post("/v1/workspaces/"+c.room+"/archive", nil).want(200)
		tryAll(t, []clause{
			{"the archived room's", pupil, "POST", theirs, object{}, 409, "workspace_archived", "", nil},
			{"in another room", pupil.in(c.lobby), "POST", theirs, object{}, 409, "workspace_archived", "", nil},
			{"a personal one in the archived room", pupil.in(c.room), "POST", personal, object{}, 202, "", "", nil},
		})
	})
}

// paints is a workflow that costs 2 credits.
var paints = object{"name": "Paint", "nodes": []object{
	{"id": "p", "type": "generate-image", "data": object{"prompt": "a fox", "seed": 1, "aspectRatio": "1:1", "resolution": "1K"}},
}, "edges": []object{}}

// TestEveryWayOfBeginningIsPaid begins work that costs 2 credits in every way that
// there is beside running a workflow by its id, in a room and in the personal
// space: the space that pays spends 2, and its report names who, what and when.
func TestEveryWayOfBeginningIsPaid(t *testing.T) {
	t.Parallel()
	c := newCast(t, startBehindProxy(t), "team", 200)
	pupil := c.pupil.on(t)
	flows := map[string]string{c.room: "", "": ""}
	for viewer := range flows {
		flows[viewer] = pupil.in(viewer).post("/v1/workflows", paints).want(201).text("data.id")
	}
	slug := pupil.post("/v1/workflows/"+flows[c.room]+"/publish", object{"name": "Paint", "slug": "paint"}).want(201).text("data.slug")
	called := func(viewer string, workflow object) string {
		address, _ := hookOf(pupil.in(viewer), workflow)
		return pupil.with("").post(address, object{}).want(202).text("executionId")
	}
	node := paints["nodes"].([]object)[0]
	ways := map[string]func(viewer string) (execution string){
		"a single node": func(viewer string) string {
			job := pupil.in(viewer).post("/v1/generate-image", node["data"]).want(202).text("jobId")
			return pupil.graphql(`query($id: ID!) { job(id: $id) { executionId } }`, object{"id": job}).text("data.job.executionId")
		},
		"runNode": func(viewer string) string {
			return pupil.in(viewer).graphql(`mutation($s: Map!) { runNode(type: "generate-image", settings: $s) { job { executionId } } }`,
				object{"s": node["data"]}).text("data.runNode.job.executionId")
		},
		"an app": func(viewer string) string {
			return pupil.in(viewer).post("/v1/app/"+slug+"/run", object{}).want(202).text("executionId")
		},
		"a draft of an app": func(viewer string) string {
			run := pupil.in(viewer).post("/v1/app/"+slug+"/draft", object{}).want(201).text("runId")
			return pupil.in(viewer).post("/v1/app/"+slug+"/run", object{"runId": run}).want(202).text("executionId")
		},
		"a component": func(viewer string) string {
			outer := pupil.in(viewer).post("/v1/workflows", object{"name": "Outer", "nodes": []object{
				{"id": "c", "type": "component", "data": object{"workflowId": flows[viewer]}},
			}, "edges": []object{}}).want(201).text("data.id")
			return pupil.post("/v1/workflows/"+outer+"/run?wait=true", object{}).want(200).text("executionId")
		},
		"the address of a trigger": func(viewer string) string {
			return called(viewer, object{"name": "Called", "nodes": []object{{"id": "hook", "type": "webhook-trigger", "data": object{}}, node},
				"edges": []object{{"id": "e", "source": "hook", "target": "p"}}})
		},
	}
	spent := func() map[string]float64 {
		own, wallet := pupil.get("/v1/workspaces/"+c.room+"/budget").want(200), pupil.get("/v1/credits/balance").want(200)
		if own.number("data.own.reserved")+wallet.number("data.reserved") != 0 {
			return nil
		}
		return map[string]float64{c.room: own.number("data.own.spent"), "": -wallet.number("data.balance")}
	}
	inRoom := 0
	for way, begin := range ways {
		for _, viewer := range []string{c.room, ""} {
			before := spent()
			execution := begin(viewer)
			eventually(t, func() error {
				if now := spent(); now == nil || now[viewer] != before[viewer]+2 {
					return errNotYet
				}
				return nil
			})
			other := map[string]string{c.room: "", "": c.room}[viewer]
			if now := spent(); now[other] != before[other] {
				t.Errorf("%s in %q: %q paid as well", way, viewer, other)
			}
			if viewer != c.room {
				continue
			}
			inRoom++
			newest := pupil.get("/v1/workspaces/" + c.room + "/usage?groupBy=none&limit=1").want(200)
			if newest.text("data.rows.0.userId") != c.pupil.id || newest.text("data.rows.0.model") != "generate-image" || newest.number("data.rows.0.credits") != 2 ||
				execution != "" && newest.text("data.rows.0.runId") != execution {
				t.Errorf("%s: the report says %s", way, newest.Body)
			}
		}
	}
	report := c.head.on(t).get("/v1/workspaces/" + c.room + "/usage?groupBy=model").want(200)
	if got := report.number("data.totals.settledCredits"); got != float64(2*inRoom) || len(report.list("data.rows")) != 1 {
		t.Errorf("the report of the room says %s", report.Body)
	}
}

package tests

import (
	"testing"
	"time"
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
	eventually(t, 20*time.Second, func() error {
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

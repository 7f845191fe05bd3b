//go:build !race

package tests

import (
	"testing"
)

// TestBudgets is contract 3, "Budget rules".
func TestBudgets(t *testing.T) {
	t.Parallel()
	c := newCast(t, startBehindProxy(t), "school", 20)
	t.Run("allocation", func(t *testing.T) { allocation(t, c) })
	t.Run("budget", func(t *testing.T) { budgetViews(t, c) })
	t.Run("caps", func(t *testing.T) { caps(t, c) })
}

func allocation(t *testing.T, c *cast) {
	c.grant(30)
	at := "/v1/orgs/" + c.org + "/workspaces/" + c.room + "/allocate"
	credits, owner := "/v1/orgs/"+c.org+"/credits", c.owner.client
	tryAll(t, []clause{
		{"the pool", owner, "GET", credits, nil, 200, "", "", func(t *testing.T, r *reply) {
			holds(t, r.path("data"), "pool", "lifetimePurchased", "workspaces")
			holds(t, r.path("data.workspaces.0"), "workspaceId", "name", "archived", "allocated", "reserved", "spent", "headroom")
			has(object{"data.pool": 30, "data.lifetimePurchased": 0, "data.workspaces.1.allocated": 20, "data.workspaces.1.headroom": 20})(t, r)
		}},
		{"an admin reads it", c.admin.client, "GET", credits, nil, 200, "", "", nil},
		{"a member does not", c.pupil.client, "GET", credits, nil, 403, "insufficient_role", "", nil},
		{"a workspace admin does not", c.head.client, "GET", credits, nil, 403, "insufficient_role", "", nil},
		{"an outsider", c.rival.client, "GET", credits, nil, 404, "not_found", "", nil},
		{"the operator", c.operator, "GET", credits, nil, 404, "not_found", "", nil},
		{"give", owner, "POST", at, object{"delta": 5.125}, 200, "", "", func(t *testing.T, r *reply) {
			holds(t, r.path("data"), "workspaceId", "allocated", "reserved", "spent", "headroom", "pool")
			has(object{"data.workspaceId": c.room, "data.allocated": 25.125, "data.headroom": 25.125, "data.pool": 24.875, "data.reserved": 0, "data.spent": 0})(t, r)
		}},
		{"take back", owner, "POST", at, object{"delta": -5.125}, 200, "", "", has(object{"data.allocated": 20, "data.pool": 30})},
		{"nothing", owner, "POST", at, object{"delta": 0}, 400, "validation_error", "delta", nil},
		{"four decimals", owner, "POST", at, object{"delta": 0.0001}, 400, "validation_error", "delta", nil},
		{"more than the pool", owner, "POST", at, object{"delta": 30.001}, 400, "validation_error", "delta", nil},
		{"all of the pool", owner, "POST", at, object{"delta": 30}, 200, "", "", has(object{"data.pool": 0})},
		{"back again", owner, "POST", at, object{"delta": -30}, 200, "", "", has(object{"data.pool": 30})},
		{"more than is left", owner, "POST", at, object{"delta": -20.001}, 400, "validation_error", "delta", nil},
		{"beyond any number", owner, "POST", at, object{"delta": 1e15}, 400, "validation_error", "delta", nil},
		{"text", owner, "POST", at, object{"delta": "5"}, 400, "validation_error", "delta", nil},
		{"null", owner, "POST", at, object{"delta": nil}, 400, "validation_error", "delta", nil},
		{"missing", owner, "POST", at, object{}, 400, "validation_error", "delta", nil},
		{"admin", c.admin.client, "POST", at, object{"delta": 1}, 403, "insufficient_role", "", nil},
		{"member", c.pupil.client, "POST", at, object{"delta": 1}, 403, "insufficient_role", "", nil},
		{"somebody outside the room", c.outside.client, "POST", at, object{"delta": 1}, 404, "not_found", "", nil},
		{"outsider", c.rival.client, "POST", at, object{"delta": 1}, 404, "not_found", "", nil},
		{"form before role", c.pupil.client, "POST", at, object{"delta": 0}, 400, "validation_error", "delta", nil},
		{"another organization's room", owner, "POST", "/v1/orgs/" + c.org + "/workspaces/" + c.rivalRoom + "/allocate", object{"delta": 1}, 404, "not_found", "", nil},
		{"malformed room", owner, "POST", "/v1/orgs/" + c.org + "/workspaces/x/allocate", object{"delta": 1}, 400, "validation_error", "wsId", nil},
		{"malformed organization", owner, "POST", "/v1/orgs/x/workspaces/" + c.room + "/allocate", object{"delta": 1}, 400, "validation_error", "id", nil},
	})
}

func budgetViews(t *testing.T, c *cast) {
	at := "/v1/workspaces/" + c.room + "/budget"
	all := func(t *testing.T, r *reply) {
		holds(t, r.path("data"), "allocated", "reserved", "spent", "headroom", "own", "members")
		holds(t, r.path("data.own"), "reserved", "spent", "cap", "headroom")
		holds(t, r.path("data.members.0"), "userId", "displayName", "role", "reserved", "spent", "cap")
		has(object{"data.allocated": 20, "data.headroom": 20, "data.own.cap": nil, "data.own.headroom": nil})(t, r)
	}
	own := func(t *testing.T, r *reply) {
		holds(t, r.path("data"), "headroom", "own")
		holds(t, r.path("data.own"), "reserved", "spent", "cap", "headroom")
	}
	tryAll(t, []clause{
		{"owner", c.owner.client, "GET", at, nil, 200, "", "", all},
		{"workspace admin", c.head.client, "GET", at, nil, 200, "", "", all},
		{"member", c.pupil.client, "GET", at, nil, 200, "", "", own},
		{"demoted admin", c.demoted.client, "GET", at, nil, 200, "", "", own},
		{"bound token", c.roomToken, "GET", at, nil, 200, "", "", own},
		{"outside", c.outside.client, "GET", at, nil, 404, "not_found", "", nil},
		{"benched", c.benched.client, "GET", at, nil, 403, "member_suspended", "", nil},
		{"outsider", c.rival.client, "GET", at, nil, 404, "not_found", "", nil},
		{"malformed", c.owner.client, "GET", "/v1/workspaces/x/budget", nil, 400, "validation_error", "id", nil},
	})
}

// paint is a workflow that costs 2 credits.
var paint = object{"name": "Paint", "nodes": []object{
	{"id": "p", "type": "generate-image", "data": object{"prompt": "a fox", "seed": 1, "aspectRatio": "1:1", "resolution": "1K"}},
}, "edges": []object{}}

func caps(t *testing.T, c *cast) {
	room, budget := "/v1/workspaces/"+c.room, "/v1/workspaces/"+c.room+"/budget"
	pupil := c.pupil.on(t).in(c.room)
	flow := pupil.post("/v1/workflows", paint).want(201).text("data.id")
	start := "/v1/workflows/" + flow + "/run"
	limit := func(value any) {
		c.head.on(t).do("PATCH", room+"/members/"+c.pupil.id, object{"creditCap": value}).want(200)
	}
	limit(1.5)
	tryAll(t, []clause{
		{"shown to its member", c.pupil.client, "GET", budget, nil, 200, "", "", has(object{"data.own.cap": 1.5, "data.own.headroom": 1.5})},
		{"a run beyond it", pupil, "POST", start, object{}, 402, "member_cap_exceeded", "", nil},
		{"nothing was taken", c.owner.client, "GET", budget, nil, 200, "", "", has(object{"data.reserved": 0, "data.spent": 0})},
	})
	limit(2)
	pupil.post(start+"?wait=true", object{}).want(200)
	eventually(t, func() error {
		if r := c.owner.on(t).get(budget); r.number("data.spent") != 2 {
			return errNotYet
		}
		return nil
	})
	limit(1)
	tryAll(t, []clause{
		{"spent is shown", c.pupil.client, "GET", budget, nil, 200, "", "", has(object{"data.headroom": 18, "data.own.spent": 2, "data.own.cap": 1, "data.own.headroom": 0})},
		{"the member paid nothing", c.pupil.client, "GET", "/v1/credits/balance", nil, 200, "", "", has(object{"data.balance": 100, "data.reserved": 0, "data.available": 100})},
		{"reserved and spent stay", c.owner.client, "POST", "/v1/orgs/" + c.org + "/workspaces/" + c.room + "/allocate", object{"delta": -18.001}, 400, "validation_error", "delta", nil},
		{"the rest comes back", c.owner.client, "POST", "/v1/orgs/" + c.org + "/workspaces/" + c.room + "/allocate", object{"delta": -18}, 200, "", "", has(object{"data.headroom": 0})},
		{"budget before cap", pupil, "POST", start, object{}, 402, "budget_exceeded", "", nil},
		{"with a bound token", c.roomToken, "POST", start, object{}, 402, "budget_exceeded", "", nil},
	})
	c.owner.on(t).do("DELETE", room+"/members/"+c.pupil.id, nil).want(200)
	tryAll(t, []clause{{"who left keeps a row without a role", c.owner.client, "GET", budget, nil, 200, "", "", func(t *testing.T, r *reply) {
		for i := range r.list("data.members") {
			row := r.list("data.members")[i].(map[string]any)
			if row["userId"] == c.pupil.id && row["role"] == nil && row["spent"] == 2.0 {
				return
			}
		}
		t.Errorf("%s", r.Body)
	}}})
	c.owner.on(t).post(room+"/members", object{"userId": c.pupil.id, "role": "member"}).want(201)
}

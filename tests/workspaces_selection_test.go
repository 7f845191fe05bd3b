//go:build !race

package tests

import (
	"strings"
	"testing"
)

// TestWorkspaceSelection is contract 3, "Acting in a workspace", the tokens
// bound to one, and the profile.
func TestWorkspaceSelection(t *testing.T) {
	t.Parallel()
	url := startBehindProxy(t)
	c := newCast(t, url, "team", 0)
	pupil, owner := c.pupil.client, c.owner.client

	t.Run("malformed on every route", func(t *testing.T) {
		for _, value := range []string{"", "nonsense", c.room + "x", strings.ReplaceAll(c.room, "-", ""), "{" + c.room + "}", c.room + "," + c.room} {
			for _, path := range []string{"/v1/me", "/v1/workspaces", "/v1/orgs", "/v1/orgs/" + c.org, "/v1/projects", "/v1/nodes", "/v1/api-tokens", "/v1/openapi.json", "/v1/credits/balance"} {
				r := c.pupil.on(t).sending("X-Service-Workspace", value).get(path)
				r.wantError(400, "validation_error")
				if !strings.Contains(r.text("error.message"), "X-Service-Workspace") {
					t.Errorf("%s", r.Body)
				}
			}
			c.pupil.on(t).sending("X-Service-Workspace", value).post("/v1/invitations/nonsense/accept", nil).wantError(400, "validation_error")
		}
		c.visitor.sending("X-Service-Workspace", "nonsense").get("/v1/me").wantError(401, "unauthorized")
		c.pupil.on(t).sending("X-Service-Workspace", strings.ToUpper(c.room)).get("/v1/projects").want(200)
	})

	t.Run("selection", func(t *testing.T) {
		inRoom, out := pupil.in(c.room), c.outside.client
		tryAll(t, []clause{
			{"a list reads the room", inRoom, "GET", "/v1/projects", nil, 200, "", "", has(object{"data.0.workspaceId": c.room})},
			{"or the personal space", pupil, "GET", "/v1/projects", nil, 200, "", "", has(object{"data.0.workspaceId": nil})},
			{"a create lands in the room", inRoom, "POST", "/v1/projects", object{"name": "Here"}, 201, "", "", has(object{"data.workspaceId": c.room})},
			{"or in the personal space", pupil, "POST", "/v1/projects", object{"name": "Mine"}, 201, "", "", has(object{"data.workspaceId": nil})},
			{"an inherited admin selects", owner.in(c.room), "GET", "/v1/projects", nil, 200, "", "", nil},
			{"a demoted admin selects", c.demoted.in(c.room), "GET", "/v1/projects", nil, 200, "", "", nil},
			{"outside the room", out.in(c.room), "GET", "/v1/projects", nil, 403, "not_a_member", "", nil},
			{"another organization's owner", c.rival.in(c.room), "GET", "/v1/projects", nil, 403, "not_a_member", "", nil},
			{"no such room", pupil.in(nowhere), "GET", "/v1/projects", nil, 403, "not_a_member", "", nil},
			{"suspended in the organization", c.suspended.in(c.room), "GET", "/v1/projects", nil, 403, "member_suspended", "", nil},
			{"suspended in the room", c.benched.in(c.room), "GET", "/v1/projects", nil, 403, "member_suspended", "", nil},
			{"stale on a read by id", out.in(nowhere), "GET", "/v1/orgs/" + c.org, nil, 403, "not_a_member", "", nil},
			{"stale on a list", out.in(nowhere), "GET", "/v1/orgs", nil, 403, "not_a_member", "", nil},
			{"stale on a join", out.in(nowhere), "POST", "/v1/workspaces/join", object{"code": "AAAAAAAA"}, 403, "not_a_member", "", nil},
			{"stale on tokens", out.in(nowhere), "GET", "/v1/api-tokens", nil, 403, "not_a_member", "", nil},
			{"stale on PATCH /v1/me", out.in(nowhere), "PATCH", "/v1/me", object{}, 403, "not_a_member", "", nil},
			{"form before a stale selection", out.in(nowhere), "GET", "/v1/orgs/x", nil, 400, "validation_error", "id", nil},
			{"it never grants access", pupil.in(c.room), "GET", "/v1/orgs/" + c.org + "/members", nil, 403, "insufficient_role", "", nil},
			{"an object follows its own workspace", pupil.in(c.lobby), "GET", "/v1/workspaces/" + c.room, nil, 200, "", "", nil},
		})
	})

	t.Run("three routes are tolerant", func(t *testing.T) {
		for name, who := range map[string]client{"unknown": pupil.in(nowhere), "suspended": c.suspended.in(c.room), "foreign": c.rival.in(c.room)} {
			tryAll(t, []clause{
				{name + ": profile", who, "GET", "/v1/me", nil, 200, "", "", nil},
				{name + ": workspaces", who, "GET", "/v1/workspaces", nil, 200, "", "", nil},
				{name + ": acceptance", who, "POST", "/v1/invitations/nonsense/accept", nil, 404, "invitation_not_found", "", nil},
			})
		}
	})

	t.Run("profile", func(t *testing.T) { profileOf(t, c, url) })
	t.Run("tokens", func(t *testing.T) { boundTokens(t, c) })
	t.Run("creates", func(t *testing.T) { createsInside(t, c, url) })
}

func profileOf(t *testing.T, c *cast, url string) {
	fresh := newPerson(t, url, "Fresh")
	keys := []string{"id", "email", "displayName", "avatarUrl", "emailVerified", "createdAt", "organizations", "workspaces", "lastWorkspaceId"}
	tryAll(t, []clause{
		{"present and empty", fresh.client, "GET", "/v1/me", nil, 200, "", "", func(t *testing.T, r *reply) {
			holds(t, r.path("data"), keys...)
			has(object{"data.email": fresh.email, "data.displayName": "Fresh", "data.avatarUrl": nil, "data.emailVerified": true, "data.lastWorkspaceId": nil})(t, r)
			if r.list("data.organizations") == nil || len(r.list("data.organizations"))+len(r.list("data.workspaces")) != 0 {
				t.Errorf("%s", r.Body)
			}
		}},
		{"filled", c.demoted.client, "GET", "/v1/me", nil, 200, "", "", func(t *testing.T, r *reply) {
			holds(t, r.path("data.organizations.0"), "id", "name", "slug", "kind", "status", "role", "memberStatus", "vocabulary")
			holds(t, r.path("data.workspaces.0"), "id", "organizationId", "name", "slug", "role", "status", "archived")
			has(object{"data.organizations.0.role": "admin", "data.organizations.0.memberStatus": "active"})(t, r)
			roles := map[any]any{}
			for i := range r.list("data.workspaces") {
				w := r.list("data.workspaces")[i].(map[string]any)
				roles[w["id"]] = w["role"]
			}
			if roles[c.room] != "member" || roles[c.lobby] != "member" {
				t.Errorf("roles %v", roles)
			}
		}},
		{"unlisted admins", c.owner.client, "GET", "/v1/me", nil, 200, "", "", has(object{"data.workspaces.1.role": "admin", "data.workspaces.1.status": "active"})},
		{"suspended", c.suspended.client, "GET", "/v1/me", nil, 200, "", "", has(object{"data.organizations.0.memberStatus": "suspended", "data.workspaces.0.status": "suspended"})},
		{"benched", c.benched.client, "GET", "/v1/me", nil, 200, "", "", has(object{"data.organizations.0.memberStatus": "active", "data.workspaces.0.status": "suspended"})},
		{"with a token", c.ownerToken, "GET", "/v1/me", nil, 200, "", "", has(object{"data.id": c.owner.id})},
		{"nobody", c.visitor, "GET", "/v1/me", nil, 401, "unauthorized", "", nil},
		{"name", fresh.client, "PATCH", "/v1/me", object{"displayName": " New ", "email": "x@example.com"}, 200, "", "", has(object{"data.displayName": "New", "data.email": fresh.email})},
		{"picture", fresh.client, "PATCH", "/v1/me", object{"avatarUrl": "https://example.com/a.png"}, 200, "", "", has(object{"data.avatarUrl": "https://example.com/a.png", "data.displayName": "New"})},
		{"no picture", fresh.client, "PATCH", "/v1/me", object{"avatarUrl": nil}, 200, "", "", has(object{"data.avatarUrl": nil})},
		{"empty name", fresh.client, "PATCH", "/v1/me", object{"displayName": ""}, 400, "validation_error", "displayName", nil},
		{"null name", fresh.client, "PATCH", "/v1/me", object{"displayName": nil}, 400, "validation_error", "displayName", nil},
		{"malformed picture", fresh.client, "PATCH", "/v1/me", object{"avatarUrl": "javascript:alert(1)"}, 400, "validation_error", "avatarUrl", nil},
		{"picture of another type", fresh.client, "PATCH", "/v1/me", object{"avatarUrl": 1}, 400, "validation_error", "avatarUrl", nil},
	})
	t.Run("lastWorkspaceId", func(t *testing.T) {
		head := c.head.on(t)
		head.in(c.room).get("/v1/projects").want(200)
		has(object{"data.lastWorkspaceId": c.room})(t, head.get("/v1/me"))
		head.in(nowhere).get("/v1/me").want(200)
		has(object{"data.lastWorkspaceId": c.room})(t, head.get("/v1/me"))
		c.roomToken.get("/v1/projects").want(200)
		c.roomToken.in(c.room).get("/v1/projects").want(200)
		lone := c.pupil.on(t)
		lone.in(c.lobby).get("/v1/projects").want(200)
		c.roomToken.get("/v1/projects").want(200)
		has(object{"data.lastWorkspaceId": c.lobby})(t, lone.get("/v1/me"))
	})
}

func boundTokens(t *testing.T, c *cast) {
	tokens, pupil := "/v1/api-tokens", c.pupil.client
	id := pupil.get(tokens).want(200).text("data.0.id")
	at := tokens + "/" + id
	keys := []string{"id", "name", "prefix", "rateLimit", "workspaceId", "workflowIds", "createdAt", "lastUsedAt"}
	tryAll(t, []clause{
		{"list", pupil, "GET", tokens, nil, 200, "", "", func(t *testing.T, r *reply) {
			holds(t, r.path("data.0"), keys...)
			has(object{"data.0.workspaceId": c.room, "data.0.rateLimit": 30})(t, r)
		}},
		{"acts in its workspace", c.roomToken, "GET", "/v1/projects", nil, 200, "", "", has(object{"data.0.workspaceId": c.room})},
		{"the same header", c.roomToken.in(c.room), "GET", "/v1/projects", nil, 200, "", "", nil},
		{"the same header in capitals", c.roomToken.in(strings.ToUpper(c.room)), "GET", "/v1/projects", nil, 200, "", "", nil},
		{"another header", c.roomToken.in(c.lobby), "GET", "/v1/projects", nil, 400, "token_workspace_mismatch", "", nil},
		{"an unknown header", c.roomToken.in(nowhere), "GET", "/v1/orgs", nil, 400, "token_workspace_mismatch", "", nil},
		{"a malformed header", c.roomToken.in("x"), "GET", "/v1/me", nil, 400, "validation_error", "", nil},
		{"another header on the tolerant ones", c.roomToken.in(c.lobby), "GET", "/v1/me", nil, 200, "", "", nil},
		{"workspaces", c.roomToken.in(c.lobby), "GET", "/v1/workspaces", nil, 200, "", "", nil},
		{"acceptance", c.roomToken.in(c.lobby), "POST", "/v1/invitations/x/accept", nil, 404, "invitation_not_found", "", nil},
		{"tokens do not manage tokens", c.ownerToken, "GET", tokens, nil, 403, "forbidden", "", nil},
		{"nor make them", c.ownerToken, "POST", tokens, object{"name": "x"}, 403, "forbidden", "", nil},
		{"nor bind them", c.roomToken, "PATCH", at, object{"workspaceId": nil}, 403, "forbidden", "", nil},
		{"nor revoke them", c.roomToken, "DELETE", at, nil, 403, "forbidden", "", nil},
		{"session before form", c.roomToken, "PATCH", tokens + "/x", object{"workspaceId": "x"}, 403, "forbidden", "", nil},
		{"bind elsewhere", pupil, "PATCH", at, object{"workspaceId": c.lobby}, 200, "", "", func(t *testing.T, r *reply) {
			holds(t, r.path("data"), keys...)
			has(object{"data.workspaceId": c.lobby})(t, r)
		}},
		{"it follows", c.roomToken.in(c.lobby), "GET", "/v1/projects", nil, 200, "", "", has(object{"data.0.workspaceId": c.lobby})},
		{"bind to a foreign one", pupil, "PATCH", at, object{"workspaceId": c.rivalRoom}, 403, "not_a_member", "", nil},
		{"bind to none there is", pupil, "PATCH", at, object{"workspaceId": nowhere}, 403, "not_a_member", "", nil},
		{"bind malformed", pupil, "PATCH", at, object{"workspaceId": "x"}, 400, "validation_error", "workspaceId", nil},
		{"bind to another type", pupil, "PATCH", at, object{"workspaceId": 1}, 400, "validation_error", "workspaceId", nil},
		{"unbind", pupil, "PATCH", at, object{"workspaceId": nil}, 200, "", "", has(object{"data.workspaceId": nil})},
		{"works personally", c.roomToken, "GET", "/v1/projects", nil, 200, "", "", has(object{"data.0.workspaceId": nil})},
		{"rename alone keeps the binding", pupil, "PATCH", at, object{"name": "n", "workspaceId": c.room}, 200, "", "", nil},
		{"kept", pupil, "PATCH", at, object{"rateLimit": 120}, 200, "", "", has(object{"data.workspaceId": c.room, "data.name": "n", "data.rateLimit": 120})},
		{"rate 0", pupil, "PATCH", at, object{"rateLimit": 0}, 400, "validation_error", "rateLimit", nil},
		{"rate 121", pupil, "PATCH", at, object{"rateLimit": 121}, 400, "validation_error", "rateLimit", nil},
		{"somebody else's token", c.owner.client, "PATCH", at, object{"workspaceId": nil}, 404, "not_found", "", nil},
		{"make one bound to a foreign workspace", pupil, "POST", tokens, object{"name": "x", "workspaceId": c.rivalRoom}, 403, "not_a_member", "", nil},
	})
	t.Run("a binding gone stale", func(t *testing.T) {
		owner, member := c.owner.on(t), "/v1/workspaces/"+c.room+"/members/"+c.pupil.id
		owner.do("PATCH", member, object{"status": "suspended"}).want(200)
		c.roomToken.get("/v1/projects").wantError(403, "member_suspended")
		c.roomToken.get("/v1/me").want(200)
		pupil.do("PATCH", at, object{"name": "still"}).want(200)
		pupil.do("PATCH", at, object{"workspaceId": c.room}).wantError(403, "member_suspended")
		owner.do("DELETE", member, nil).want(200)
		c.roomToken.get("/v1/projects").wantError(403, "not_a_member")
		c.roomToken.get("/v1/workspaces").want(200)
		pupil.do("PATCH", at, object{"workspaceId": nil}).want(200)
		c.roomToken.get("/v1/projects").want(200)
		pupil.do("DELETE", at, nil).want(200)
		c.roomToken.get("/v1/me").wantError(401, "unauthorized")
		owner.post("/v1/workspaces/"+c.room+"/members", object{"userId": c.pupil.id, "role": "member"}).want(201)
	})
}

func createsInside(t *testing.T, c *cast, url string) {
	owner, pupil := c.owner.client, c.pupil.client
	room := newWorkspace(owner, c.org, "Creates")
	owner.post("/v1/workspaces/"+room+"/members", object{"userId": c.pupil.id, "role": "member"}).want(201)
	project := pupil.in(room).get("/v1/projects").want(200).text("data.0.id")
	personal := pupil.get("/v1/projects").want(200).text("data.0.id")
	elsewhere := pupil.in(c.lobby).get("/v1/projects").want(200).text("data.0.id")
	workflow := func(project any) object {
		w := object{"name": "W", "nodes": []object{}, "edges": []object{}}
		if project != nil {
			w["projectId"] = project
		}
		return w
	}
	tryAll(t, []clause{
		{"no project: the workspace's", pupil.in(room), "POST", "/v1/workflows", workflow(nil), 201, "", "", has(object{"data.projectId": project, "data.workspaceId": room})},
		{"a project of the workspace", pupil.in(room), "POST", "/v1/workflows", workflow(project), 201, "", "", nil},
		{"one of another workspace", pupil.in(room), "POST", "/v1/workflows", workflow(elsewhere), 404, "not_found", "Project not found", nil},
		{"a personal one", pupil.in(room), "POST", "/v1/workflows", workflow(personal), 404, "not_found", "Project not found", nil},
		{"a workspace's one in the personal space", pupil, "POST", "/v1/workflows", workflow(project), 404, "not_found", "Project not found", nil},
		{"no project at all", pupil.in(room), "POST", "/v1/workflows", workflow(nowhere), 404, "not_found", "Project not found", nil},
		{"malformed project", pupil.in(room), "POST", "/v1/workflows", workflow("x"), 400, "validation_error", "projectId", nil},
		{"projects left to admins", owner, "PATCH", "/v1/workspaces/" + room, object{"settings": object{"members_can_create_projects": false}}, 200, "", "", nil},
		{"a member makes none", pupil.in(room), "POST", "/v1/projects", object{"name": "P"}, 403, "project_create_not_allowed", "", nil},
		{"an admin does", owner.in(room), "POST", "/v1/projects", object{"name": "P"}, 201, "", "", nil},
		{"a member still makes workflows", pupil.in(room), "POST", "/v1/workflows", workflow(nil), 201, "", "", nil},
	})
	t.Run("no default project", func(t *testing.T) {
		bare := newWorkspace(c.owner.on(t), c.org, "Bare")
		id := c.owner.on(t).in(bare).get("/v1/projects").want(200).text("data.0.id")
		c.owner.on(t).in(bare).do("DELETE", "/v1/projects/"+id, nil).want(200)
		c.owner.on(t).in(bare).post("/v1/workflows", workflow(nil)).wantError(409, "workspace_has_no_default_project")
	})
	t.Run("personal space closed", func(t *testing.T) {
		boss, worker := newPerson(t, url, "Boss"), newPerson(t, url, "Worker")
		org := newOrganization(t, boss.client, c.operator, "team")
		hall := newWorkspace(boss.client, org, "Hall")
		worker.post("/v1/workspaces/join", object{"code": codeOf(boss.client, hall)}).want(200)
		set := func(value any) {
			boss.do("PATCH", "/v1/orgs/"+org, object{"settings": object{"personal_space_enabled": value}}).want(200)
		}
		boss.do("PATCH", "/v1/workspaces/"+hall, object{"settings": object{"personal_space_enabled": false}}).want(200)
		worker.post("/v1/projects", object{"name": "P"}).want(201)
		set(false)
		worker.post("/v1/projects", object{"name": "P"}).wantError(403, "personal_space_disabled")
		worker.post("/v1/workflows", workflow(nil)).wantError(403, "personal_space_disabled")
		boss.post("/v1/projects", object{"name": "P"}).wantError(403, "personal_space_disabled")
		worker.in(hall).post("/v1/projects", object{"name": "P"}).want(201)
		worker.get("/v1/projects").want(200)
		boss.do("PATCH", "/v1/orgs/"+org+"/members/"+worker.id, object{"status": "suspended"}).want(200)
		worker.post("/v1/projects", object{"name": "P"}).want(201)
		boss.do("PATCH", "/v1/orgs/"+org+"/members/"+worker.id, object{"status": "active"}).want(200)
		worker.post("/v1/projects", object{"name": "P"}).wantError(403, "personal_space_disabled")
		set(nil)
		worker.post("/v1/projects", object{"name": "P"}).want(201)
	})
}

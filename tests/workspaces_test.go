//go:build !race

package tests

import (
	"strings"
	"testing"
)

var workspaceKeys = []string{
	"id", "organizationId", "name", "slug", "description", "settings", "effectiveSettings", "archived", "archivedAt", "role", "memberStatus", "createdAt", "updatedAt",
}

// TestWorkspaces is contract 3, "Workspaces and their members".
func TestWorkspaces(t *testing.T) {
	t.Parallel()
	url := startBehindProxy(t)
	c := newCast(t, url, "school", 50)
	owner, admin, head, pupil, outside := c.owner.client, c.admin.client, c.head.client, c.pupil.client, c.outside.client
	all, room := "/v1/orgs/"+c.org+"/workspaces", "/v1/workspaces/"+c.room

	t.Run("creation", func(t *testing.T) {
		tryAll(t, []clause{
			{"with every field", admin, "POST", all, object{
				"name": " Art 9b ", "description": "Two\nlines", "unknown": 1,
				"settings": object{"admin_access": "view", "allowed_email_domains": []string{"example.com"}, "junk": 1},
			}, 201, "", "", func(t *testing.T, r *reply) {
				holds(t, r.path("data"), workspaceKeys...)
				holds(t, r.path("data.settings"), "admin_access")
				holds(t, r.path("data.effectiveSettings"), "admin_access", "default_workflow_visibility", "member_access_to_shared",
					"members_can_create_projects", "member_caps_enabled", "personal_space_enabled", "workspace_admins_can_invite", "collaborators_can_invite")
				has(object{
					"data.name": "Art 9b", "data.slug": "art-9b", "data.description": "Two\nlines", "data.archived": false, "data.archivedAt": nil,
					"data.role": "admin", "data.memberStatus": "active", "data.organizationId": c.org,
				})(t, r)
			}},
			{"description left out", owner, "POST", all, object{"name": "Plain"}, 201, "", "", has(object{"data.description": ""})},
			{"derived slug again", owner, "POST", all, object{"name": "Art 9b"}, 201, "", "", has(object{"data.slug": "art-9b-2"})},
			{"slug taken", owner, "POST", all, object{"name": "Z", "slug": "art-9b"}, 409, "name_taken", "slug", nil},
			{"slug free in another organization", c.rival.client, "POST", "/v1/orgs/" + c.rivalOrg + "/workspaces", object{"name": "Z", "slug": "art-9b"}, 201, "", "", nil},
			{"no name", owner, "POST", all, object{}, 400, "validation_error", "name", nil},
			{"blank name", owner, "POST", all, object{"name": "  "}, 400, "validation_error", "name", nil},
			{"long name", owner, "POST", all, object{"name": strings.Repeat("x", 101)}, 400, "validation_error", "name", nil},
			{"malformed slug", owner, "POST", all, object{"name": "A", "slug": "ä"}, 400, "validation_error", "slug", nil},
			{"long description", owner, "POST", all, object{"name": "A", "description": strings.Repeat("x", 2001)}, 400, "validation_error", "description", nil},
			{"setting of another type", owner, "POST", all, object{"name": "A", "settings": object{"member_caps_enabled": "yes"}}, 400, "validation_error", "member_caps_enabled", nil},
			{"member", outside, "POST", all, object{"name": "A"}, 403, "insufficient_role", "", nil},
			{"workspace admin", head, "POST", all, object{"name": "A"}, 403, "insufficient_role", "", nil},
			{"outsider", c.outsider.client, "POST", all, object{"name": "A"}, 404, "not_found", "", nil},
			{"suspended", c.suspended.client, "POST", all, object{"name": "A"}, 403, "member_suspended", "", nil},
		})
	})

	t.Run("lists", func(t *testing.T) {
		closed := newWorkspace(owner, c.org, "Closed")
		owner.post("/v1/workspaces/"+closed+"/archive", nil).want(200)
		count := func(n int) func(*testing.T, *reply) {
			return func(t *testing.T, r *reply) {
				holds(t, r.JSON, "data", "nextCursor")
				if len(r.list("data")) != n {
					t.Errorf("%d workspaces, want %d", len(r.list("data")), n)
				}
			}
		}
		tryAll(t, []clause{
			{"owner sees all", owner, "GET", all, nil, 200, "", "", count(5)},
			{"and archived ones on request", owner, "GET", all + "?includeArchived=true", nil, 200, "", "", count(6)},
			{"admin sees all", admin, "GET", all, nil, 200, "", "", count(5)},
			{"demoted admin sees all", c.demoted.client, "GET", all, nil, 200, "", "", count(5)},
			{"members see their own", pupil, "GET", all, nil, 200, "", "", count(2)},
			{"outside the room", outside, "GET", all, nil, 200, "", "", func(t *testing.T, r *reply) {
				count(1)(t, r)
				has(object{"data.0.id": c.lobby, "data.0.role": "member"})(t, r)
			}},
			{"own across organizations", owner, "GET", "/v1/workspaces", nil, 200, "", "", count(5)},
			{"own, archived too", owner, "GET", "/v1/workspaces?includeArchived=true", nil, 200, "", "", count(6)},
			{"demoted is a member in the room", c.demoted.client, "GET", "/v1/workspaces/" + c.room, nil, 200, "", "", has(object{"data.role": "member"})},
			{"and an admin elsewhere", c.demoted.client, "GET", "/v1/workspaces/" + closed, nil, 200, "", "", has(object{"data.role": "admin", "data.archived": true})},
			{"none", c.outsider.client, "GET", "/v1/workspaces", nil, 200, "", "", count(0)},
			{"of a foreign organization", c.outsider.client, "GET", all, nil, 404, "not_found", "", nil},
			{"operator", c.operator, "GET", all, nil, 404, "not_found", "", nil},
			{"suspended", c.suspended.client, "GET", all, nil, 403, "member_suspended", "", nil},
			{"suspended memberships are marked", c.benched.client, "GET", "/v1/workspaces", nil, 200, "", "", has(object{"data.0.memberStatus": "suspended"})},
			{"no boolean", owner, "GET", all + "?includeArchived=perhaps", nil, 400, "validation_error", "includeArchived", nil},
		})
	})

	t.Run("reading", func(t *testing.T) {
		tryAll(t, []clause{
			{"member", pupil, "GET", room, nil, 200, "", "", has(object{"data.role": "member"})},
			{"explicit admin", head, "GET", room, nil, 200, "", "", has(object{"data.role": "admin"})},
			{"inherited admin", owner, "GET", room, nil, 200, "", "", has(object{"data.role": "admin", "data.memberStatus": "active"})},
			{"member of the organization alone", outside, "GET", room, nil, 404, "not_found", "Workspace", nil},
			{"outsider", c.rival.client, "GET", room, nil, 404, "not_found", "", nil},
			{"suspended in the room", c.benched.client, "GET", room, nil, 403, "member_suspended", "", nil},
			{"suspended in the organization", c.suspended.client, "GET", room, nil, 403, "member_suspended", "", nil},
			{"suspended in the organization, elsewhere", c.suspended.client, "GET", "/v1/workspaces/" + nowhere, nil, 404, "not_found", "", nil},
			{"operator", c.operator, "GET", room, nil, 404, "not_found", "", nil},
			{"unknown", owner, "GET", "/v1/workspaces/" + nowhere, nil, 404, "not_found", "", nil},
			{"malformed", owner, "GET", "/v1/workspaces/1", nil, 400, "validation_error", "id", nil},
		})
	})

	t.Run("update", func(t *testing.T) {
		tryAll(t, []clause{
			{"by an explicit admin", head, "PATCH", room, object{"name": " Room 2 ", "description": "New", "slug": "other"}, 200, "", "", has(object{"data.name": "Room 2", "data.slug": "room", "data.description": "New"})},
			{"description emptied", owner, "PATCH", room, object{"description": nil}, 200, "", "", has(object{"data.description": "", "data.name": "Room 2"})},
			{"nothing", owner, "PATCH", room, object{}, 200, "", "", nil},
			{"null name", owner, "PATCH", room, object{"name": nil}, 400, "validation_error", "name", nil},
			{"member", pupil, "PATCH", room, object{"name": "X"}, 403, "insufficient_role", "", nil},
			{"demoted admin", c.demoted.client, "PATCH", room, object{"name": "X"}, 403, "insufficient_role", "", nil},
			{"outside", outside, "PATCH", room, object{"name": "X"}, 404, "not_found", "", nil},
			{"form before reach", outside, "PATCH", room, object{"name": ""}, 400, "validation_error", "name", nil},
			{"benched", c.benched.client, "PATCH", room, object{"name": "X"}, 403, "member_suspended", "", nil},
		})
	})

	t.Run("members", func(t *testing.T) { workspaceMembers(t, c) })
	t.Run("archive", func(t *testing.T) { archivedWorkspace(t, c) })
}

func workspaceMembers(t *testing.T, c *cast) {
	all := "/v1/workspaces/" + c.room + "/members"
	each := func(p person) string { return all + "/" + p.id }
	owner, head, pupil := c.owner.client, c.head.client, c.pupil.client
	tryAll(t, []clause{
		{"as an admin sees them", head, "GET", all, nil, 200, "", "", func(t *testing.T, r *reply) {
			holds(t, r.path("data.0"), "userId", "role", "displayName", "avatarUrl", "addedAt", "status", "creditCap")
			if len(r.list("data")) != 5 || strings.Contains(string(r.Body), "@") || r.path("data.0.creditCap") != nil {
				t.Errorf("%s", r.Body)
			}
		}},
		{"as a member sees them", pupil, "GET", all, nil, 200, "", "", func(t *testing.T, r *reply) {
			holds(t, r.path("data.0"), "userId", "role", "displayName", "avatarUrl", "addedAt")
		}},
		{"as a demoted admin sees them", c.demoted.client, "GET", all, nil, 200, "", "", func(t *testing.T, r *reply) {
			holds(t, r.path("data.0"), "userId", "role", "displayName", "avatarUrl", "addedAt")
		}},
		{"outside", c.outside.client, "GET", all, nil, 404, "not_found", "", nil},
		{"benched", c.benched.client, "GET", all, nil, 403, "member_suspended", "", nil},
		{"two at a time", pupil, "GET", all + "?limit=2", nil, 200, "", "", func(t *testing.T, r *reply) {
			next := c.pupil.on(t).get(all + "?limit=200&cursor=" + r.text("nextCursor")).want(200)
			if len(r.list("data")) != 2 || len(next.list("data")) != 3 || next.path("nextCursor") != nil {
				t.Errorf("%s then %s", r.Body, next.Body)
			}
		}},
		{"add", head, "POST", all, object{"userId": c.outside.id, "role": "member"}, 201, "", "", func(t *testing.T, r *reply) {
			holds(t, r.path("data"), "userId", "role", "displayName", "avatarUrl", "addedAt", "status", "creditCap")
			has(object{"data.userId": c.outside.id, "data.role": "member", "data.status": "active", "data.displayName": "Outside"})(t, r)
		}},
		{"add twice", head, "POST", all, object{"userId": c.outside.id, "role": "member"}, 409, "already_a_member", "", nil},
		{"add in another role", head, "POST", all, object{"userId": c.outside.id, "role": "admin"}, 409, "already_a_member", "", nil},
		{"add a stranger", head, "POST", all, object{"userId": c.outsider.id, "role": "member"}, 400, "not_org_member", "", nil},
		{"add nobody", head, "POST", all, object{"userId": nowhere, "role": "member"}, 400, "not_org_member", "", nil},
		{"add somebody suspended", c.owner.client, "POST", "/v1/workspaces/" + c.lobby + "/members", object{"userId": c.suspended.id, "role": "member"}, 400, "not_org_member", "", nil},
		{"no role", head, "POST", all, object{"userId": c.admin.id}, 400, "validation_error", "role", nil},
		{"owner as a role", head, "POST", all, object{"userId": c.admin.id, "role": "owner"}, 400, "validation_error", "role", nil},
		{"no id", head, "POST", all, object{"role": "member"}, 400, "validation_error", "userId", nil},
		{"malformed id", head, "POST", all, object{"userId": "x", "role": "member"}, 400, "validation_error", "userId", nil},
		{"id of another type", head, "POST", all, object{"userId": 7, "role": "member"}, 400, "validation_error", "userId", nil},
		{"a member adds", pupil, "POST", all, object{"userId": c.admin.id, "role": "member"}, 403, "insufficient_role", "", nil},
		{"form before role", pupil, "POST", all, object{"userId": c.admin.id, "role": "x"}, 400, "validation_error", "role", nil},
		{"outsider adds", c.rival.client, "POST", all, object{"userId": c.rival.id, "role": "member"}, 404, "not_found", "", nil},
		{"an admin gets an explicit role", owner, "POST", all, object{"userId": c.admin.id, "role": "admin"}, 201, "", "", has(object{"data.role": "admin"})},

		{"role", head, "PATCH", each(c.outside), object{"role": "admin"}, 200, "", "", has(object{"data.role": "admin"})},
		{"nothing", head, "PATCH", each(c.outside), object{}, 200, "", "", has(object{"data.role": "admin"})},
		{"role and standing", head, "PATCH", each(c.outside), object{"role": "member", "status": "suspended"}, 200, "", "", has(object{"data.role": "member", "data.status": "suspended"})},
		{"suspended here", c.outside.client, "GET", "/v1/workspaces/" + c.room, nil, 403, "member_suspended", "", nil},
		{"not there", c.outside.client, "GET", "/v1/workspaces/" + c.lobby, nil, 200, "", "", nil},
		{"not selectable", c.outside.in(c.room), "GET", "/v1/projects", nil, 403, "member_suspended", "", nil},
		{"reinstate", head, "PATCH", each(c.outside), object{"status": "active"}, 200, "", "", has(object{"data.status": "active"})},
		{"unknown role", head, "PATCH", each(c.outside), object{"role": "owner"}, 400, "validation_error", "role", nil},
		{"empty role", head, "PATCH", each(c.outside), object{"role": ""}, 400, "validation_error", "role", nil},
		{"empty status", head, "PATCH", each(c.outside), object{"status": ""}, 400, "validation_error", "status", nil},
		{"null status", head, "PATCH", each(c.outside), object{"status": nil}, 400, "validation_error", "status", nil},
		{"nobody's row", head, "PATCH", each(c.outsider), object{"role": "admin"}, 404, "not_found", "Member", nil},
		{"an unlisted admin has no row", head, "PATCH", each(c.owner), object{"role": "member"}, 404, "not_found", "Member", nil},
		{"malformed id to change", head, "PATCH", all + "/x", object{"role": "admin"}, 400, "validation_error", "userId", nil},
		{"member changes", pupil, "PATCH", each(c.outside), object{"role": "admin"}, 403, "insufficient_role", "", nil},

		{"a cap", head, "PATCH", each(c.outside), object{"creditCap": 2.5}, 200, "", "", has(object{"data.creditCap": 2.5})},
		{"a cap of nothing", head, "PATCH", each(c.outside), object{"creditCap": 0}, 200, "", "", has(object{"data.creditCap": 0})},
		{"no cap", head, "PATCH", each(c.outside), object{"creditCap": nil}, 200, "", "", has(object{"data.creditCap": nil})},
		{"negative cap", head, "PATCH", each(c.outside), object{"creditCap": -1}, 400, "validation_error", "creditCap", nil},
		{"cap of four decimals", head, "PATCH", each(c.outside), object{"creditCap": 1.2345}, 400, "validation_error", "creditCap", nil},
		{"cap of another type", head, "PATCH", each(c.outside), object{"creditCap": "5"}, 400, "validation_error", "creditCap", nil},
		{"cap of an organization admin", head, "PATCH", each(c.admin), object{"creditCap": 5}, 400, "validation_error", "creditCap", nil},
		{"cap of a demoted organization admin", head, "PATCH", each(c.demoted), object{"creditCap": 5}, 400, "validation_error", "creditCap", nil},
		{"null is always allowed", head, "PATCH", each(c.admin), object{"creditCap": nil}, 200, "", "", nil},
		{"caps off", head, "PATCH", "/v1/workspaces/" + c.room, object{"settings": object{"member_caps_enabled": false}}, 200, "", "", nil},
		{"no cap where caps are off", head, "PATCH", each(c.outside), object{"creditCap": 5}, 400, "validation_error", "creditCap", nil},
		{"null where caps are off", head, "PATCH", each(c.outside), object{"creditCap": nil}, 200, "", "", nil},
		{"caps on", head, "PATCH", "/v1/workspaces/" + c.room, object{"settings": object{"member_caps_enabled": nil}}, 200, "", "", nil},

		{"a member removes", pupil, "DELETE", each(c.outside), nil, 403, "insufficient_role", "", nil},
		{"remove", head, "DELETE", each(c.outside), nil, 200, "", "", has(object{"success": true})},
		{"again", head, "DELETE", each(c.outside), nil, 404, "not_found", "", nil},
		{"from this workspace alone", c.outside.client, "GET", "/v1/workspaces/" + c.lobby, nil, 200, "", "", nil},
		{"remove the unlisted", head, "DELETE", each(c.owner), nil, 404, "not_found", "", nil},
		{"malformed id to remove", head, "DELETE", all + "/x", nil, 400, "validation_error", "userId", nil},
		{"an explicit row of an admin goes", owner, "DELETE", each(c.admin), nil, 200, "", "", nil},
		{"and leaves the inherited role", c.admin.client, "GET", "/v1/workspaces/" + c.room, nil, 200, "", "", has(object{"data.role": "admin"})},
	})
	t.Run("the owner is not suspended", func(t *testing.T) {
		owner.t = t
		owner.post(all, object{"userId": c.owner.id, "role": "admin"}).want(201)
		owner.do("PATCH", each(c.owner), object{"status": "suspended"}).wantError(400, "validation_error")
		owner.do("DELETE", each(c.owner), nil).want(200)
	})
}

func archivedWorkspace(t *testing.T, c *cast) {
	owner := c.owner.client
	id := newWorkspace(owner, c.org, "Attic")
	at := "/v1/workspaces/" + id
	owner.post(at+"/members", object{"userId": c.pupil.id, "role": "member"}).want(201)
	owner.post(at+"/members", object{"userId": c.head.id, "role": "admin"}).want(201)
	code := codeOf(owner, id)
	inside := c.pupil.in(id)
	flow := owner.in(id).post("/v1/workflows", object{"name": "Old", "nodes": []object{{"id": "a", "type": "text", "data": object{"text": "x"}}}, "edges": []object{}}).want(201).text("data.id")
	project := inside.get("/v1/projects").want(200).text("data.0.id")
	tryAll(t, []clause{
		{"by a workspace admin", c.head.client, "POST", at + "/archive", nil, 403, "insufficient_role", "", nil},
		{"by a member", c.pupil.client, "POST", at + "/archive", nil, 403, "insufficient_role", "", nil},
		{"by somebody outside", c.outside.client, "POST", at + "/archive", nil, 404, "not_found", "", nil},
		{"unarchive without effect", owner, "POST", at + "/unarchive", nil, 200, "", "", has(object{"data.archived": false})},
		{"by an inherited admin", c.admin.client, "POST", at + "/archive", nil, 200, "", "", func(t *testing.T, r *reply) {
			holds(t, r.path("data"), workspaceKeys...)
			if r.path("data.archived") != true || r.text("data.archivedAt") == "" {
				t.Errorf("%s", r.Body)
			}
		}},
		{"again", owner, "POST", at + "/archive", nil, 200, "", "", has(object{"data.archived": true})},
		{"readable", c.pupil.client, "GET", at, nil, 200, "", "", has(object{"data.archived": true})},
		{"its members", c.pupil.client, "GET", at + "/members", nil, 200, "", "", nil},
		{"its code", owner, "GET", at + "/join-code", nil, 200, "", "", has(object{"data.code": code})},
		{"its budget", c.pupil.client, "GET", at + "/budget", nil, 200, "", "", nil},
		{"its workflows", owner.in(id), "GET", "/v1/workflows/" + flow, nil, 200, "", "", nil},
		{"left out of lists", c.pupil.client, "GET", "/v1/workspaces", nil, 200, "", "", func(t *testing.T, r *reply) {
			if strings.Contains(string(r.Body), id) {
				t.Errorf("%s", r.Body)
			}
		}},
		{"create a project", owner.in(id), "POST", "/v1/projects", object{"name": "P"}, 409, "workspace_archived", "", nil},
		{"create a workflow", owner.in(id), "POST", "/v1/workflows", object{"name": "W", "nodes": []object{}, "edges": []object{}}, 409, "workspace_archived", "", nil},
		{"run", owner.in(id), "POST", "/v1/workflows/" + flow + "/run", object{}, 409, "workspace_archived", "", nil},
		{"rename", owner, "PATCH", at, object{"name": "X"}, 403, "workspace_archived", "", nil},
		{"settings", c.head.client, "PATCH", at, object{"settings": object{"admin_access": "view"}}, 403, "workspace_archived", "", nil},
		{"add a member", owner, "POST", at + "/members", object{"userId": c.outside.id, "role": "member"}, 403, "workspace_archived", "", nil},
		{"change a member", owner, "PATCH", at + "/members/" + c.pupil.id, object{"role": "admin"}, 403, "workspace_archived", "", nil},
		{"remove a member", owner, "DELETE", at + "/members/" + c.pupil.id, nil, 403, "workspace_archived", "", nil},
		{"join code", owner, "POST", at + "/join-code", object{"action": "rotate"}, 403, "workspace_archived", "", nil},
		{"join", c.outsider.client, "POST", "/v1/workspaces/join", object{"code": code}, 400, "join_code_invalid", "", nil},
		{"invite", owner, "POST", "/v1/orgs/" + c.org + "/invitations", object{"emails": []string{"x@example.com"}, "workspaceId": id}, 403, "workspace_archived", "", nil},
		{"edit a workflow", owner.in(id), "PATCH", "/v1/workflows/" + flow, object{"name": "X"}, 403, "workspace_archived", "", nil},
		{"delete a workflow", owner.in(id), "DELETE", "/v1/workflows/" + flow, nil, 403, "workspace_archived", "", nil},
		{"rename a project", owner.in(id), "PATCH", "/v1/projects/" + project, object{"name": "X"}, 403, "workspace_archived", "", nil},
		{"role before state", c.pupil.client, "PATCH", at, object{"name": "X"}, 403, "insufficient_role", "", nil},
		{"a slug stays taken", owner, "POST", "/v1/orgs/" + c.org + "/workspaces", object{"name": "Z", "slug": "attic"}, 409, "name_taken", "", nil},
		{"unarchive by a workspace admin", c.head.client, "POST", at + "/unarchive", nil, 403, "insufficient_role", "", nil},
		{"unarchive", owner, "POST", at + "/unarchive", nil, 200, "", "", has(object{"data.archived": false, "data.archivedAt": nil})},
		{"writable again", c.head.client, "PATCH", at, object{"name": "Attic"}, 200, "", "", nil},
	})
}

//go:build !race

package tests

import (
	"testing"
)

// TestSettings is contract 3, "Settings".
func TestSettings(t *testing.T) {
	t.Parallel()
	c := newCast(t, startBehindProxy(t), "school", 20)
	c.grant(30)
	owner, org, room := c.owner.client, "/v1/orgs/"+c.org, "/v1/workspaces/"+c.room
	set := func(name, path string, settings any, check func(*testing.T, *reply)) clause {
		return clause{name, owner, "PATCH", path, object{"settings": settings}, 200, "", "", check}
	}
	refused := func(key string, value any) clause {
		return clause{key + " refuses", owner, "PATCH", org, object{"settings": object{key: value}}, 400, "validation_error", key, nil}
	}
	tryAll(t, []clause{
		{"a school's defaults", owner, "GET", org, nil, 200, "", "", has(object{
			"data.effectiveSettings.admin_access": "edit", "data.effectiveSettings.default_workflow_visibility": "private",
			"data.effectiveSettings.member_access_to_shared": "view", "data.effectiveSettings.members_can_create_projects": false,
			"data.effectiveSettings.member_caps_enabled": true, "data.effectiveSettings.personal_space_enabled": true,
			"data.effectiveSettings.workspace_admins_can_invite": true, "data.effectiveSettings.collaborators_can_invite": false,
		})},
		{"a team's defaults", c.rival.client, "GET", "/v1/orgs/" + c.rivalOrg, nil, 200, "", "", has(object{
			"data.effectiveSettings.admin_access": "view", "data.effectiveSettings.default_workflow_visibility": "workspace",
			"data.effectiveSettings.member_access_to_shared": "edit", "data.effectiveSettings.members_can_create_projects": true,
			"data.effectiveSettings.member_caps_enabled": false, "data.effectiveSettings.personal_space_enabled": true,
			"data.effectiveSettings.workspace_admins_can_invite": true, "data.effectiveSettings.collaborators_can_invite": true,
		})},
		set("one key", org, object{"members_can_create_projects": true, "junk": 1}, func(t *testing.T, r *reply) {
			if r.path("data.settings.members_can_create_projects") != true || r.path("data.settings.junk") != nil {
				t.Errorf("%s", r.Body)
			}
		}),
		set("another is merged", org, object{"admin_access": "view"}, has(object{"data.settings.members_can_create_projects": true, "data.settings.admin_access": "view"})),
		{"falls through to a workspace", owner, "GET", room, nil, 200, "", "", has(object{"data.effectiveSettings.members_can_create_projects": true, "data.effectiveSettings.admin_access": "view"})},
		set("false is a value", room, object{"members_can_create_projects": false}, has(object{"data.settings.members_can_create_projects": false, "data.effectiveSettings.members_can_create_projects": false})),
		set("the organization keeps its own", org, object{}, has(object{"data.effectiveSettings.members_can_create_projects": true})),
		{"members obey", c.pupil.in(c.room), "POST", "/v1/projects", object{"name": "P"}, 403, "project_create_not_allowed", "", nil},
		set("null unsets", room, object{"members_can_create_projects": nil}, has(object{"data.settings.members_can_create_projects": nil, "data.effectiveSettings.members_can_create_projects": true})),
		{"members may", c.pupil.in(c.room), "POST", "/v1/projects", object{"name": "P"}, 201, "", "", nil},
		set("organization keys are dropped in a workspace", room, object{"allowed_email_domains": []string{"a.example"}, "vocabulary_overrides": object{"workspace": "X"}}, func(t *testing.T, r *reply) {
			holds(t, r.path("data.settings"))
		}),
		set("null settings change nothing", org, nil, has(object{"data.settings.admin_access": "view"})),
		set("words", org, object{"vocabulary_overrides": object{"workspace": "Studio", "lesson": "Hour"}}, has(object{"data.vocabulary.workspace": "Studio", "data.vocabulary.lesson": "Hour", "data.vocabulary.member": "Student"})),
		set("are replaced whole", org, object{"vocabulary_overrides": object{"member": "Pupil"}}, has(object{"data.vocabulary.workspace": "Class", "data.vocabulary.member": "Pupil", "data.settings.vocabulary_overrides.lesson": nil})),
		set("domains", org, object{"allowed_email_domains": []string{"A.example", "b.example", "a.EXAMPLE"}}, has(object{"data.settings.allowed_email_domains": "[a.example b.example]"})),
		set("are replaced whole too", org, object{"allowed_email_domains": []string{}}, has(object{"data.settings.allowed_email_domains": "[]"})),
		refused("admin_access", "none"), refused("admin_access", true), refused("admin_access", "Edit"),
		refused("default_workflow_visibility", "public"), refused("member_access_to_shared", ""),
		refused("members_can_create_projects", "true"), refused("members_can_create_projects", 1),
		refused("member_caps_enabled", 0), refused("personal_space_enabled", "no"), refused("workspace_admins_can_invite", []int{}),
		refused("collaborators_can_invite", object{}), refused("allowed_email_domains", "example.com"),
		refused("allowed_email_domains", []int{1}), refused("allowed_email_domains", []string{"not a domain"}),
		refused("allowed_email_domains", []string{"@example.com"}), refused("vocabulary_overrides", []string{}),
		refused("vocabulary_overrides", object{"workspace": 1}), refused("vocabulary_overrides", object{"workspace": ""}),
		{"a refusal changes nothing", owner, "PATCH", org, object{"name": "Half", "settings": object{"admin_access": "edit", "member_caps_enabled": 1}}, 400, "validation_error", "", nil},
		{"indeed", owner, "GET", org, nil, 200, "", "", has(object{"data.name": "North school", "data.settings.admin_access": "view"})},
		{"settings of another type", owner, "PATCH", org, object{"settings": "x"}, 400, "validation_error", "settings", nil},
	})
	t.Run("visibility of new workflows", func(t *testing.T) {
		room := c.owner.on(t).in(c.room)
		c.owner.on(t).do("PATCH", "/v1/workspaces/"+c.room, object{"settings": object{"default_workflow_visibility": "workspace"}}).want(200)
		if r := room.post("/v1/workflows", paint).want(201); r.text("data.visibility") != "workspace" {
			t.Errorf("%s", r.Body)
		}
		c.owner.on(t).do("PATCH", "/v1/workspaces/"+c.room, object{"settings": object{"default_workflow_visibility": nil}}).want(200)
		hidden := room.post("/v1/workflows", paint).want(201)
		if hidden.text("data.visibility") != "private" {
			t.Errorf("%s", hidden.Body)
		}
		c.pupil.on(t).get("/v1/workflows/"+hidden.text("data.id")).wantError(404, "not_found")
	})
	t.Run("work of others", func(t *testing.T) {
		shared := object{"name": "Shared", "visibility": "workspace", "nodes": []object{}, "edges": []object{}}
		at := "/v1/workflows/" + c.owner.on(t).in(c.room).post("/v1/workflows", shared).want(201).text("data.id")
		set := func(key, value string) {
			c.owner.on(t).do("PATCH", "/v1/workspaces/"+c.room, object{"settings": object{key: value}}).want(200)
		}
		set("member_access_to_shared", "view")
		c.pupil.on(t).get(at).want(200)
		c.pupil.on(t).do("PATCH", at, object{"name": "X"}).wantError(403, "insufficient_role")
		set("member_access_to_shared", "edit")
		c.pupil.on(t).do("PATCH", at, object{"name": "X"}).want(200)
		private := "/v1/workflows/" + c.pupil.on(t).in(c.room).post("/v1/workflows", object{"name": "Mine", "visibility": "private", "nodes": []object{}, "edges": []object{}}).want(201).text("data.id")
		set("admin_access", "view")
		c.head.on(t).get(private).want(200)
		c.head.on(t).do("PATCH", private, object{"name": "X"}).wantError(403, "insufficient_role")
		set("admin_access", "edit")
		c.head.on(t).do("PATCH", private, object{"name": "X"}).want(200)
	})
	t.Run("workspace admins invite", func(t *testing.T) {
		invite := func(body object) *reply {
			body["emails"] = []string{"new@example.com"}
			return c.head.on(t).post("/v1/orgs/"+c.org+"/invitations", body)
		}
		set := func(path string, value any) {
			c.owner.on(t).do("PATCH", path, object{"settings": object{"workspace_admins_can_invite": value}}).want(200)
		}
		invite(object{"workspaceId": c.room, "workspaceRole": "admin"}).want(201)
		invite(object{"workspaceId": c.room, "orgRole": "admin"}).wantError(403, "insufficient_role")
		invite(object{}).wantError(403, "insufficient_role")
		invite(object{"workspaceId": c.lobby}).wantError(403, "insufficient_role")
		set("/v1/orgs/"+c.org, false)
		invite(object{"workspaceId": c.room}).wantError(403, "insufficient_role")
		set("/v1/workspaces/"+c.room, true)
		invite(object{"workspaceId": c.room}).want(201)
		set("/v1/workspaces/"+c.room, nil)
		set("/v1/orgs/"+c.org, nil)
	})
	t.Run("caps that are switched off do not bind", func(t *testing.T) {
		member, budget := "/v1/workspaces/"+c.room+"/members/"+c.pupil.id, "/v1/workspaces/"+c.room+"/budget"
		set := func(value any) {
			c.owner.on(t).do("PATCH", "/v1/workspaces/"+c.room, object{"settings": object{"member_caps_enabled": value}}).want(200)
		}
		c.owner.on(t).post("/v1/orgs/"+c.org+"/workspaces/"+c.room+"/allocate", object{"delta": 10}).want(200)
		flow := c.pupil.on(t).in(c.room).post("/v1/workflows", paint).want(201).text("data.id")
		c.head.on(t).do("PATCH", member, object{"creditCap": 1}).want(200)
		c.pupil.on(t).in(c.room).post("/v1/workflows/"+flow+"/run", object{}).wantError(402, "member_cap_exceeded")
		set(false)
		has(object{"data.own.cap": nil, "data.own.headroom": nil})(t, c.pupil.on(t).get(budget))
		c.pupil.on(t).in(c.room).post("/v1/workflows/"+flow+"/run?wait=true", object{}).want(200)
		set(nil)
		c.pupil.on(t).in(c.room).post("/v1/workflows/"+flow+"/run", object{}).wantError(402, "member_cap_exceeded")
		c.setRole(c.pupil, "admin")
		has(object{"data.own.cap": nil})(t, c.pupil.on(t).get(budget))
		c.setRole(c.pupil, "member")
		c.pupil.on(t).get("/v1/orgs/"+c.org+"/credits").wantError(403, "insufficient_role")
	})
	t.Run("who pays", func(t *testing.T) {
		room := "/v1/workspaces/" + c.room
		c.head.on(t).do("PATCH", room+"/members/"+c.pupil.id, object{"creditCap": nil}).want(200)
		spent := c.owner.on(t).get(room + "/budget").number("data.spent")
		flow := c.pupil.on(t).post("/v1/workflows", paint).want(201).text("data.id")
		c.pupil.on(t).post("/v1/workflows/"+flow+"/run?wait=true", object{}).want(200)
		eventually(t, func() error {
			if c.pupil.on(t).get("/v1/credits/balance").number("data.balance") != 98 {
				return errNotYet
			}
			return nil
		})
		if now := c.owner.on(t).get(room + "/budget").number("data.spent"); now != spent {
			t.Errorf("a personal run took %v from the room", now-spent)
		}
	})
}

//go:build !race

package tests

import (
	"bytes"
	"strings"
	"testing"
)

var organizationKeys = []string{
	"id", "name", "kind", "slug", "status", "settings", "effectiveSettings", "role", "memberStatus", "vocabulary", "createdAt", "updatedAt",
}

// TestOrganizations is contract 3, "Organizations" and "Org members".
func TestOrganizations(t *testing.T) {
	t.Parallel()
	url := startBehindProxy(t)
	c := newCast(t, url, "school", 100)
	orgs, each := "/v1/orgs", "/v1/orgs/"+c.org
	maker := newPerson(t, url, "Maker").client

	t.Run("creation is refused", func(t *testing.T) {
		long := strings.Repeat("ä", 101)
		tryAll(t, []clause{
			{"no name", maker, "POST", orgs, object{"kind": "team"}, 400, "validation_error", "name", nil},
			{"no kind", maker, "POST", orgs, object{"name": "A"}, 400, "validation_error", "kind", nil},
			{"null name", maker, "POST", orgs, object{"name": nil, "kind": "team"}, 400, "validation_error", "name", nil},
			{"blank name", maker, "POST", orgs, object{"name": " \t ", "kind": "team"}, 400, "validation_error", "name", nil},
			{"long name", maker, "POST", orgs, object{"name": long, "kind": "team"}, 400, "validation_error", "name", nil},
			{"control character", maker, "POST", orgs, object{"name": "a\u0000b", "kind": "team"}, 400, "validation_error", "name", nil},
			{"name of another type", maker, "POST", orgs, object{"name": 1, "kind": "team"}, 400, "validation_error", "name", nil},
			{"unknown kind", maker, "POST", orgs, object{"name": "A", "kind": "club"}, 400, "validation_error", "kind", nil},
			{"kind of another type", maker, "POST", orgs, object{"name": "A", "kind": true}, 400, "validation_error", "kind", nil},
			{"empty slug", maker, "POST", orgs, object{"name": "A", "kind": "team", "slug": ""}, 400, "validation_error", "slug", nil},
			{"slug in capitals", maker, "POST", orgs, object{"name": "A", "kind": "team", "slug": "Aa"}, 400, "validation_error", "slug", nil},
			{"slug with a blank", maker, "POST", orgs, object{"name": "A", "kind": "team", "slug": "a b"}, 400, "validation_error", "slug", nil},
			{"slug with a line break", maker, "POST", orgs, object{"name": "A", "kind": "team", "slug": "ab\n"}, 400, "validation_error", "slug", nil},
			{"long slug", maker, "POST", orgs, object{"name": "A", "kind": "team", "slug": strings.Repeat("a", 51)}, 400, "validation_error", "slug", nil},
			{"slug of another type", maker, "POST", orgs, object{"name": "A", "kind": "team", "slug": 5}, 400, "validation_error", "slug", nil},
			{"terms of another type", maker, "POST", orgs, object{"name": "A", "kind": "school", "acceptTerms": "yes"}, 400, "validation_error", "acceptTerms", nil},
			{"settings of another type", maker, "POST", orgs, object{"name": "A", "kind": "team", "settings": []int{}}, 400, "validation_error", "settings", nil},
			{"a setting out of its values", maker, "POST", orgs, object{"name": "A", "kind": "team", "settings": object{"admin_access": "all"}}, 400, "validation_error", "admin_access", nil},
			{"no terms", maker, "POST", orgs, object{"name": "A", "kind": "school"}, 400, "terms_required", "acceptTerms", nil},
			{"terms refused", maker, "POST", orgs, object{"name": "A", "kind": "school", "acceptTerms": false}, 400, "terms_required", "", nil},
			{"form before terms", maker, "POST", orgs, object{"name": "", "kind": "school"}, 400, "validation_error", "name", nil},
			{"nobody", c.visitor, "POST", orgs, object{"name": ""}, 401, "unauthorized", "", nil},
		})
	})

	t.Run("creation", func(t *testing.T) {
		sluggish := newPerson(t, url, "Slug").client
		tryAll(t, []clause{
			{"pending, with every field", sluggish, "POST", orgs, object{
				"name": "  Äpfel & Co  ", "kind": "team", "unknown": 1,
				"settings": object{"member_caps_enabled": true, "junk": 1, "admin_access": nil},
			}, 201, "", "", func(t *testing.T, r *reply) {
				holds(t, r.path("data"), organizationKeys...)
				holds(t, r.JSON, "data")
				has(object{
					"data.name": "Äpfel & Co", "data.kind": "team", "data.slug": "apfel-co", "data.status": "pending", "data.role": "owner",
					"data.memberStatus": "active", "data.vocabulary.workspace": "Workspace", "data.vocabulary.members": "Members",
				})(t, r)
				holds(t, r.path("data.settings"), "member_caps_enabled")
				holds(t, r.path("data.effectiveSettings"), "admin_access", "default_workflow_visibility", "member_access_to_shared",
					"members_can_create_projects", "member_caps_enabled", "personal_space_enabled", "workspace_admins_can_invite",
					"collaborators_can_invite", "allowed_email_domains", "vocabulary_overrides")
				if r.Header.Get("RateLimit-Limit") != "5" || r.Header.Get("RateLimit-Remaining") != "4" || r.Header.Get("RateLimit-Reset") == "" {
					t.Errorf("headers %v", r.Header)
				}
			}},
			{"sent slug", sluggish, "POST", orgs, object{"name": "S", "kind": "team", "slug": "taken-3"}, 201, "", "", has(object{"data.slug": "taken-3"})},
			{"slug taken", sluggish, "POST", orgs, object{"name": "S", "kind": "team", "slug": "taken-3"}, 409, "name_taken", "slug", nil},
			{"derived slug gets a suffix", sluggish, "POST", orgs, object{"name": "Taken 3", "kind": "team"}, 201, "", "", has(object{"data.slug": "taken-3-2"})},
			{"fifty characters", sluggish, "POST", orgs, object{"name": "S", "kind": "team", "slug": strings.Repeat("b", 50)}, 201, "", "", nil},
			{"one hundred characters", sluggish, "POST", orgs, object{"name": strings.Repeat("ä", 100), "kind": "team"}, 201, "", "", nil},
			{"the sixth in an hour", sluggish, "POST", orgs, object{"name": "S", "kind": "team"}, 429, "rate_limit_exceeded", "", func(t *testing.T, r *reply) {
				if r.Header.Get("Retry-After") == "" || r.Header.Get("RateLimit-Remaining") != "0" {
					t.Errorf("headers %v", r.Header)
				}
			}},
			{"form before the limit", sluggish, "POST", orgs, object{"name": "", "kind": "team"}, 400, "validation_error", "name", nil},
		})
	})

	t.Run("reading", func(t *testing.T) {
		tryAll(t, []clause{
			{"own", c.owner.client, "GET", orgs, nil, 200, "", "", func(t *testing.T, r *reply) {
				holds(t, r.JSON, "data", "nextCursor")
				holds(t, r.path("data.0"), organizationKeys...)
				has(object{"data.0.id": c.org, "data.0.role": "owner", "nextCursor": nil})(t, r)
			}},
			{"none", c.outsider.client, "GET", orgs, nil, 200, "", "", func(t *testing.T, r *reply) {
				if string(bytes.TrimSpace(r.Body)) != `{"data":[],"nextCursor":null}` {
					t.Errorf("%s", r.Body)
				}
			}},
			{"a suspended membership is listed", c.suspended.client, "GET", orgs, nil, 200, "", "", has(object{"data.0.memberStatus": "suspended", "data.0.role": "member"})},
			{"a suspended membership does not read", c.suspended.client, "GET", each, nil, 403, "member_suspended", "", nil},
			{"suspended in a room alone", c.benched.client, "GET", each, nil, 200, "", "", has(object{"data.memberStatus": "active"})},
			{"member", c.outside.client, "GET", each, nil, 200, "", "", has(object{"data.role": "member", "data.vocabulary.workspaces": "Classes", "data.vocabulary.admin": "Teacher"})},
			{"outsider", c.outsider.client, "GET", each, nil, 404, "not_found", "", nil},
			{"operator", c.operator, "GET", each, nil, 404, "not_found", "", nil},
			{"unknown", c.owner.client, "GET", orgs + "/" + nowhere, nil, 404, "not_found", "", nil},
			{"malformed", c.owner.client, "GET", orgs + "/nonsense", nil, 400, "validation_error", "id", nil},
		})
	})

	t.Run("update", func(t *testing.T) {
		tryAll(t, []clause{
			{"nothing", c.owner.client, "PATCH", each, object{}, 200, "", "", has(object{"data.name": "North school"})},
			{"name", c.admin.client, "PATCH", each, object{"name": " South ", "slug": "other", "kind": "team"}, 200, "", "", has(object{"data.name": "South", "data.kind": "school", "data.slug": "north-school"})},
			{"null name", c.owner.client, "PATCH", each, object{"name": nil}, 400, "validation_error", "name", nil},
			{"empty name", c.owner.client, "PATCH", each, object{"name": ""}, 400, "validation_error", "name", nil},
			{"member", c.outside.client, "PATCH", each, object{"name": "X"}, 403, "insufficient_role", "", nil},
			{"workspace admin", c.head.client, "PATCH", each, object{"name": "X"}, 403, "insufficient_role", "", nil},
			{"form before role", c.head.client, "PATCH", each, object{"name": ""}, 400, "validation_error", "name", nil},
			{"form before reach", c.outsider.client, "PATCH", each, object{"name": ""}, 400, "validation_error", "name", nil},
			{"suspended", c.suspended.client, "PATCH", each, object{"name": "X"}, 403, "member_suspended", "", nil},
			{"outsider", c.rival.client, "PATCH", each, object{"name": "X"}, 404, "not_found", "", nil},
		})
	})

	t.Run("members", func(t *testing.T) { organizationMembers(t, c) })
	t.Run("pending", func(t *testing.T) { pendingOrganization(t, c, url) })
	t.Run("suspended", func(t *testing.T) { suspendedOrganization(t, c, url) })
	t.Run("transfer, leave, delete", func(t *testing.T) { endOfOrganization(t, c, url) })
	t.Run("audit", func(t *testing.T) { auditLog(t, c) })
}

func organizationMembers(t *testing.T, c *cast) {
	all := "/v1/orgs/" + c.org + "/members"
	each := func(p person) string { return all + "/" + p.id }
	owner := c.owner.client
	tryAll(t, []clause{
		{"list", owner, "GET", all, nil, 200, "", "", func(t *testing.T, r *reply) {
			holds(t, r.path("data.0"), "userId", "role", "status", "joinedAt", "email", "displayName", "avatarUrl")
			if len(r.list("data")) != 8 || r.path("nextCursor") != nil || r.path("data.0.avatarUrl") != nil {
				t.Errorf("%s", r.Body)
			}
		}},
		{"admin lists", c.admin.client, "GET", all + "?limit=200", nil, 200, "", "", nil},
		{"member does not", c.outside.client, "GET", all, nil, 403, "insufficient_role", "", nil},
		{"workspace admin does not", c.head.client, "GET", all, nil, 403, "insufficient_role", "", nil},
		{"pages", owner, "GET", all + "?limit=3", nil, 200, "", "", func(t *testing.T, r *reply) {
			seen := map[string]bool{}
			for pages := 0; ; pages++ {
				for i := range r.list("data") {
					seen[r.list("data")[i].(map[string]any)["userId"].(string)] = true
				}
				next := r.text("nextCursor")
				if next == "" {
					if pages != 2 || len(seen) != 8 {
						t.Errorf("%d pages with %d people", pages+1, len(seen))
					}
					return
				}
				r = c.owner.on(t).get(all + "?limit=3&cursor=" + next).want(200)
			}
		}},
		{"role", owner, "PATCH", each(c.outside), object{"role": "admin"}, 200, "", "", func(t *testing.T, r *reply) {
			holds(t, r.path("data"), "userId", "role", "status", "joinedAt", "email", "displayName", "avatarUrl")
			has(object{"data.role": "admin", "data.status": "active", "data.userId": c.outside.id, "data.email": c.outside.email})(t, r)
		}},
		{"role again", owner, "PATCH", each(c.outside), object{"role": "admin"}, 200, "", "", nil},
		{"an admin may", c.admin.client, "PATCH", each(c.outside), object{"role": "member", "status": "active"}, 200, "", "", has(object{"data.role": "member"})},
		{"nothing", owner, "PATCH", each(c.outside), object{}, 200, "", "", has(object{"data.role": "member"})},
		{"owner as a role", owner, "PATCH", each(c.outside), object{"role": "owner"}, 400, "validation_error", "role", nil},
		{"empty role", owner, "PATCH", each(c.outside), object{"role": ""}, 400, "validation_error", "role", nil},
		{"null role", owner, "PATCH", each(c.outside), object{"role": nil}, 400, "validation_error", "role", nil},
		{"role of another type", owner, "PATCH", each(c.outside), object{"role": 1}, 400, "validation_error", "role", nil},
		{"unknown status", owner, "PATCH", each(c.outside), object{"status": "banned"}, 400, "validation_error", "status", nil},
		{"empty status", owner, "PATCH", each(c.outside), object{"status": ""}, 400, "validation_error", "status", nil},
		{"null status", owner, "PATCH", each(c.outside), object{"status": nil}, 400, "validation_error", "status", nil},
		{"the owner's role", c.admin.client, "PATCH", each(c.owner), object{"role": "member"}, 400, "validation_error", "", nil},
		{"the owner's status", c.admin.client, "PATCH", each(c.owner), object{"status": "suspended"}, 400, "validation_error", "", nil},
		{"the owner's own row", owner, "PATCH", each(c.owner), object{"status": "active"}, 400, "validation_error", "", nil},
		{"the owner cannot be removed", c.admin.client, "DELETE", each(c.owner), nil, 400, "validation_error", "", nil},
		{"nobody's row", owner, "PATCH", each(c.outsider), object{"role": "admin"}, 404, "not_found", "Member", nil},
		{"remove nobody", owner, "DELETE", all + "/" + nowhere, nil, 404, "not_found", "Member", nil},
		{"malformed id", owner, "PATCH", all + "/nonsense", object{"role": "admin"}, 400, "validation_error", "userId", nil},
		{"malformed id to remove", owner, "DELETE", all + "/nonsense", nil, 400, "validation_error", "userId", nil},
		{"role before the row", c.outside.client, "PATCH", all + "/" + nowhere, object{"role": "admin"}, 403, "insufficient_role", "", nil},
		{"form before role", c.outside.client, "PATCH", each(c.owner), object{"role": "king"}, 400, "validation_error", "role", nil},
		{"member removes nobody", c.head.client, "DELETE", each(c.outside), nil, 403, "insufficient_role", "", nil},
		{"suspend", c.admin.client, "PATCH", each(c.outside), object{"status": "suspended"}, 200, "", "", has(object{"data.status": "suspended"})},
		{"suspended everywhere", c.outside.client, "GET", "/v1/workspaces/" + c.room, nil, 403, "member_suspended", "", nil},
		{"suspended cannot leave", c.outside.client, "POST", "/v1/orgs/" + c.org + "/leave", nil, 403, "member_suspended", "", nil},
		{"reinstate", c.admin.client, "PATCH", each(c.outside), object{"status": "active"}, 200, "", "", has(object{"data.status": "active"})},
	})
	t.Run("removal", func(t *testing.T) {
		gone := newPerson(t, c.owner.URL, "Gone")
		gone.post("/v1/workspaces/join", object{"code": codeOf(c.owner.on(t), c.lobby)}).want(200)
		tryAll(t, []clause{
			{"success", owner, "DELETE", each(gone), nil, 200, "", "", func(t *testing.T, r *reply) {
				if string(bytes.TrimSpace(r.Body)) != `{"success":true}` {
					t.Errorf("%s", r.Body)
				}
			}},
			{"again", owner, "DELETE", each(gone), nil, 404, "not_found", "", nil},
			{"out of the organization", gone.client, "GET", "/v1/orgs/" + c.org, nil, 404, "not_found", "", nil},
			{"out of its workspaces", gone.client, "GET", "/v1/workspaces/" + c.lobby, nil, 404, "not_found", "", nil},
			{"selects them no more", gone.in(c.lobby), "GET", "/v1/projects", nil, 403, "not_a_member", "", nil},
		})
	})
}

// writes are changes in an organization that its owner asks for.
func writes(owner client, org, room, somebody string) []clause {
	at := "/v1/orgs/" + org
	in := "/v1/workspaces/" + room
	return []clause{
		{"PATCH organization", owner, "PATCH", at, object{"name": "X"}, 403, "org_not_active", "", nil},
		{"transfer", owner, "POST", at + "/transfer-ownership", object{"userId": somebody}, 403, "org_not_active", "", nil},
		{"leave", owner, "POST", at + "/leave", nil, 403, "org_not_active", "", nil},
		{"delete", owner, "DELETE", at, nil, 403, "org_not_active", "", nil},
		{"PATCH member", owner, "PATCH", at + "/members/" + somebody, object{"role": "member"}, 403, "org_not_active", "", nil},
		{"DELETE member", owner, "DELETE", at + "/members/" + somebody, nil, 403, "org_not_active", "", nil},
		{"POST workspace", owner, "POST", at + "/workspaces", object{"name": "W"}, 403, "org_not_active", "", nil},
		{"PATCH workspace", owner, "PATCH", in, object{"name": "W"}, 403, "org_not_active", "", nil},
		{"archive", owner, "POST", in + "/archive", nil, 403, "org_not_active", "", nil},
		{"unarchive", owner, "POST", in + "/unarchive", nil, 403, "org_not_active", "", nil},
		{"POST workspace member", owner, "POST", in + "/members", object{"userId": somebody, "role": "member"}, 403, "org_not_active", "", nil},
		{"PATCH workspace member", owner, "PATCH", in + "/members/" + somebody, object{"role": "member"}, 403, "org_not_active", "", nil},
		{"DELETE workspace member", owner, "DELETE", in + "/members/" + somebody, nil, 403, "org_not_active", "", nil},
		{"join code", owner, "POST", in + "/join-code", object{"action": "rotate"}, 403, "org_not_active", "", nil},
		{"allocate", owner, "POST", at + "/workspaces/" + room + "/allocate", object{"delta": 1}, 403, "org_not_active", "", nil},
		{"buy", owner, "POST", at + "/credits/checkout", object{"packId": "small"}, 403, "org_not_active", "", nil},
		{"invite", owner, "POST", at + "/invitations", object{"emails": []string{"a@example.com"}}, 403, "org_not_active", "", nil},
		{"select", owner.in(room), "GET", "/v1/projects", nil, 403, "not_a_member", "", nil},
	}
}

func pendingOrganization(t *testing.T, c *cast, url string) {
	owner := newPerson(t, url, "Pending")
	id := owner.post("/v1/orgs", object{"name": "Pending", "kind": "team"}).want(201).text("data.id")
	at := "/v1/orgs/" + id
	tryAll(t, []clause{
		{"visible to its owner", owner.client, "GET", at, nil, 200, "", "", has(object{"data.status": "pending"})},
		{"to nobody else", c.owner.client, "GET", at, nil, 404, "not_found", "", nil},
		{"listed", owner.client, "GET", "/v1/orgs", nil, 200, "", "", has(object{"data.0.status": "pending"})},
		{"its audit", owner.client, "GET", at + "/audit", nil, 200, "", "", has(object{"data.0.action": "organization.created"})},
		{"its members", owner.client, "GET", at + "/members", nil, 200, "", "", nil},
		{"its credits", owner.client, "GET", at + "/credits", nil, 200, "", "", has(object{"data.pool": 0})},
		{"its workspaces", owner.client, "GET", at + "/workspaces", nil, 200, "", "", nil},
		{"in the profile", owner.client, "GET", "/v1/me", nil, 200, "", "", has(object{"data.organizations.0.status": "pending"})},
		{"no name", owner.client, "PATCH", at, object{"name": "X"}, 403, "org_not_active", "", nil},
		{"no workspace", owner.client, "POST", at + "/workspaces", object{"name": "W"}, 403, "org_not_active", "", nil},
		{"no deletion", owner.client, "DELETE", at, nil, 403, "org_not_active", "", nil},
		{"no transfer", owner.client, "POST", at + "/transfer-ownership", object{"userId": c.owner.id}, 403, "org_not_active", "", nil},
	})
}

func suspendedOrganization(t *testing.T, c *cast, url string) {
	owner, member := newPerson(t, url, "Halted"), newPerson(t, url, "Member")
	id := newOrganization(t, owner.client, c.operator, "team")
	room := newWorkspace(owner.client, id, "Room")
	code := codeOf(owner.client, room)
	member.post("/v1/workspaces/join", object{"code": code}).want(200)
	c.operate("suspendOrganization", id)
	tryAll(t, writes(owner.client, id, room, member.id))
	at := "/v1/orgs/" + id
	tryAll(t, []clause{
		{"read", member.client, "GET", at, nil, 200, "", "", has(object{"data.status": "suspended"})},
		{"read its workspaces", member.client, "GET", at + "/workspaces", nil, 200, "", "", has(object{"data.0.id": room})},
		{"read one", member.client, "GET", "/v1/workspaces/" + room, nil, 200, "", "", nil},
		{"read its members", member.client, "GET", "/v1/workspaces/" + room + "/members", nil, 200, "", "", nil},
		{"read its budget", member.client, "GET", "/v1/workspaces/" + room + "/budget", nil, 200, "", "", nil},
		{"read the code", owner.client, "GET", "/v1/workspaces/" + room + "/join-code", nil, 200, "", "", has(object{"data.code": code})},
		{"read the audit", owner.client, "GET", at + "/audit", nil, 200, "", "", has(object{"data.0.action": "organization.suspended", "data.0.actor.displayName": "Op"})},
		{"read members", owner.client, "GET", at + "/members", nil, 200, "", "", nil},
		{"read credits", owner.client, "GET", at + "/credits", nil, 200, "", "", nil},
		{"read invitations", owner.client, "GET", at + "/invitations", nil, 200, "", "", nil},
		{"role before state", member.client, "PATCH", at, object{"name": "X"}, 403, "insufficient_role", "", nil},
		{"a member leaves", member.client, "POST", at + "/leave", nil, 403, "org_not_active", "", nil},
		{"join", c.outsider.client, "POST", "/v1/workspaces/join", object{"code": code}, 400, "join_code_invalid", "", nil},
	})
	c.operate("reinstateOrganization", id)
	tryAll(t, []clause{{"reinstated", owner.client, "PATCH", at, object{"name": "Back"}, 200, "", "", has(object{"data.status": "active"})}})
}

func endOfOrganization(t *testing.T, c *cast, url string) {
	owner, second, third := newPerson(t, url, "First"), newPerson(t, url, "Second"), newPerson(t, url, "Third")
	id := newOrganization(t, owner.client, c.operator, "team")
	room := newWorkspace(owner.client, id, "Room")
	code := codeOf(owner.client, room)
	second.post("/v1/workspaces/join", object{"code": code}).want(200)
	third.post("/v1/workspaces/join", object{"code": code}).want(200)
	at, members := "/v1/orgs/"+id, "/v1/orgs/"+id+"/members/"
	slug := owner.get(at).text("data.slug")
	tryAll(t, []clause{
		{"to a member", owner.client, "POST", at + "/transfer-ownership", object{"userId": second.id}, 400, "validation_error", "userId", nil},
		{"to nobody", owner.client, "POST", at + "/transfer-ownership", object{"userId": nowhere}, 400, "validation_error", "userId", nil},
		{"to oneself", owner.client, "POST", at + "/transfer-ownership", object{"userId": owner.id}, 400, "validation_error", "userId", nil},
		{"malformed", owner.client, "POST", at + "/transfer-ownership", object{"userId": "x"}, 400, "validation_error", "userId", nil},
		{"missing", owner.client, "POST", at + "/transfer-ownership", object{}, 400, "validation_error", "userId", nil},
		{"null", owner.client, "POST", at + "/transfer-ownership", object{"userId": nil}, 400, "validation_error", "userId", nil},
		{"by a member", third.client, "POST", at + "/transfer-ownership", object{"userId": third.id}, 403, "insufficient_role", "", nil},
		{"promote", owner.client, "PATCH", members + second.id, object{"role": "admin"}, 200, "", "", nil},
		{"by an admin", second.client, "POST", at + "/transfer-ownership", object{"userId": second.id}, 403, "insufficient_role", "", nil},
		{"deletion by an admin", second.client, "DELETE", at, nil, 403, "insufficient_role", "", nil},
		{"suspend", owner.client, "PATCH", members + second.id, object{"status": "suspended"}, 200, "", "", nil},
		{"to a suspended admin", owner.client, "POST", at + "/transfer-ownership", object{"userId": second.id}, 400, "validation_error", "userId", nil},
		{"reinstate", owner.client, "PATCH", members + second.id, object{"status": "active"}, 200, "", "", nil},
		{"the owner stays", owner.client, "POST", at + "/leave", nil, 409, "owner_cannot_leave", "", nil},
		{"transfer", owner.client, "POST", at + "/transfer-ownership", object{"userId": second.id}, 200, "", "", func(t *testing.T, r *reply) {
			holds(t, r.path("data"), organizationKeys...)
			has(object{"data.role": "admin"})(t, r)
		}},
		{"once", owner.client, "POST", at + "/transfer-ownership", object{"userId": second.id}, 403, "insufficient_role", "", nil},
		{"the new owner", second.client, "GET", at, nil, 200, "", "", has(object{"data.role": "owner"})},
		{"a member leaves", third.client, "POST", at + "/leave", nil, 200, "", "", has(object{"success": true})},
		{"and is gone", third.client, "POST", at + "/leave", nil, 404, "not_found", "", nil},
		{"out of the workspace", third.client, "GET", "/v1/workspaces/" + room, nil, 404, "not_found", "", nil},
		{"the old owner leaves", owner.client, "POST", at + "/leave", nil, 200, "", "", nil},
		{"active workspaces", second.client, "DELETE", at, nil, 409, "has_active_workspaces", "", nil},
	})
	c.operator.graphql(`mutation($in: GrantCreditsInput!) { grantCredits(input: $in) { amount } }`,
		object{"in": object{"organizationId": id, "amount": 10, "reason": "x"}})
	second.post(at+"/workspaces/"+room+"/allocate", object{"delta": 4}).want(200)
	second.post("/v1/workspaces/"+room+"/archive", nil).want(200)
	tryAll(t, []clause{
		{"unreturned", second.client, "DELETE", at, nil, 409, "has_unreturned_allocations", "", nil},
		{"nothing more goes into an archived workspace", second.client, "POST", at + "/workspaces/" + room + "/allocate", object{"delta": 1}, 403, "workspace_archived", "", nil},
		{"but comes back", second.client, "POST", at + "/workspaces/" + room + "/allocate", object{"delta": -4}, 200, "", "", has(object{"data.pool": 10, "data.allocated": 0})},
		{"deleted", second.client, "DELETE", at, nil, 200, "", "", has(object{"success": true})},
		{"again", second.client, "DELETE", at, nil, 404, "not_found", "", nil},
		{"gone", second.client, "GET", at, nil, 404, "not_found", "", nil},
		{"its workspace is gone", second.client, "GET", "/v1/workspaces/" + room, nil, 404, "not_found", "", nil},
		{"its audit too", second.client, "GET", at + "/audit", nil, 404, "not_found", "", nil},
		{"not selectable", second.in(room), "GET", "/v1/projects", nil, 403, "not_a_member", "", nil},
		{"the slug is free", third.client, "POST", "/v1/orgs", object{"name": "N", "kind": "team", "slug": slug}, 201, "", "", nil},
	})
}

func auditLog(t *testing.T, c *cast) {
	at := "/v1/orgs/" + c.org + "/audit"
	tryAll(t, []clause{
		{"newest first, with every field", c.admin.client, "GET", at + "?limit=2", nil, 200, "", "", func(t *testing.T, r *reply) {
			holds(t, r.path("data.0"), "id", "workspaceId", "action", "targetType", "targetId", "details", "createdAt", "actor")
			holds(t, r.path("data.0.actor"), "userId", "displayName")
			if r.text("data.0.id") < r.text("data.1.id") || r.text("nextCursor") == "" {
				t.Errorf("%s", r.Body)
			}
			next := c.admin.on(t).get(at + "?limit=2&cursor=" + r.text("nextCursor")).want(200)
			if next.text("data.0.id") >= r.text("data.1.id") {
				t.Errorf("the second page begins with %s", next.Body)
			}
		}},
		{"what changed", c.owner.client, "GET", at + "?limit=200", nil, 200, "", "", func(t *testing.T, r *reply) {
			for _, action := range []string{"organization.created", "organization.approved", "organization.updated", "member.role_changed", "member.suspended",
				"member.joined", "member.removed", "workspace.created", "workspace_member.added", "join_code.enabled", "budget.allocated", "credits.granted"} {
				if !bytes.Contains(r.Body, []byte(`"action":"`+action+`"`)) {
					t.Errorf("%s is missing", action)
				}
			}
			for _, secret := range []string{"svc_", codeOf(c.owner.on(t), c.lobby)} {
				if bytes.Contains(r.Body, []byte(secret)) {
					t.Errorf("the log holds %s", secret)
				}
			}
		}},
		{"member", c.pupil.client, "GET", at, nil, 403, "insufficient_role", "", nil},
		{"workspace admin", c.head.client, "GET", at, nil, 403, "insufficient_role", "", nil},
		{"suspended member", c.suspended.client, "GET", at, nil, 403, "member_suspended", "", nil},
		{"outsider", c.rival.client, "GET", at, nil, 404, "not_found", "", nil},
	})
}

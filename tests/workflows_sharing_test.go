//go:build !race

package tests

import (
	"fmt"
	"testing"
)

// accessOf is what a person may do with a workflow.
func accessOf(who client, workflow string) *reply {
	who.t.Helper()
	return who.get("/v1/workflows/" + workflow + "/access").want(200)
}

// savedBy is a new workflow of a person, where the client works.
func savedBy(who client, visibility string) string {
	who.t.Helper()
	return who.post("/v1/workflows", object{"name": "Poster", "visibility": visibility, "edges": []object{},
		"nodes": []object{{"id": "a", "type": "text", "data": object{"text": "x"}}}}).want(201).text("data.id")
}

// TestSharing is contract 3, "Sharing one workflow".
func TestSharing(t *testing.T) {
	t.Parallel()
	url := startBehindProxy(t)
	c := newCast(t, url, "school", 50)
	pupil, head, outsider := c.pupil.in(c.room), c.head.in(c.room), c.outsider.client
	flow := savedBy(pupil, "private")
	all, each := "/v1/workflows/"+flow+"/collaborators", "/v1/workflows/"+flow+"/collaborators/"

	t.Run("additions", func(t *testing.T) {
		tryAll(t, []clause{
			{"neither id nor address", pupil, "POST", all, object{"role": "viewer"}, 400, "validation_error", "userId", nil},
			{"both", pupil, "POST", all, object{"userId": c.outsider.id, "email": c.outsider.email, "role": "viewer"}, 400, "validation_error", "email", nil},
			{"no role", pupil, "POST", all, object{"userId": c.outsider.id}, 400, "validation_error", "role", nil},
			{"another role", pupil, "POST", all, object{"userId": c.outsider.id, "role": "creator"}, 400, "validation_error", "role", nil},
			{"malformed id", pupil, "POST", all, object{"userId": "x", "role": "viewer"}, 400, "validation_error", "userId", nil},
			{"malformed address", pupil, "POST", all, object{"email": "x", "role": "viewer"}, 400, "validation_error", "email", nil},
			{"malformed workflow", pupil, "POST", "/v1/workflows/x/collaborators", object{"userId": c.outsider.id, "role": "viewer"}, 400, "validation_error", "id", nil},
			{"oneself and creator", pupil, "POST", all, object{"userId": c.pupil.id, "role": "viewer"}, 400, "validation_error", "", nil},
			{"oneself by address", head, "POST", all, object{"email": c.head.email, "role": "viewer"}, 400, "validation_error", "", nil},
			{"creator by an admin", head, "POST", all, object{"userId": c.pupil.id, "role": "viewer"}, 400, "validation_error", "", nil},
			{"unknown id", pupil, "POST", all, object{"userId": nowhere, "role": "viewer"}, 404, "not_found", "", nil},
			{"unknown address", pupil, "POST", all, object{"email": "nobody@example.com", "role": "viewer"}, 404, "not_found", "", nil},
			{"somebody who cannot reach it", outsider, "POST", all, object{"userId": c.rival.id, "role": "viewer"}, 404, "not_found", "", nil},
			{"suspended", c.benched.client, "POST", all, object{"userId": c.rival.id, "role": "viewer"}, 403, "member_suspended", "", nil},
			{"by the creator", pupil, "POST", all, object{"email": c.outsider.email, "role": "editor"}, 201, "", "", func(t *testing.T, r *reply) {
				holds(t, r.path("data"), "userId", "name", "avatarUrl", "role", "createdAt")
				has(object{"data.userId": c.outsider.id, "data.name": "Outsider", "data.avatarUrl": nil, "data.role": "editor"})(t, r)
			}},
			{"once more", pupil, "POST", all, object{"userId": c.outsider.id, "role": "viewer"}, 200, "", "", has(object{"data.role": "viewer"})},
			{"without a change", pupil, "POST", all, object{"userId": c.outsider.id, "role": "viewer"}, 200, "", "", has(object{"data.role": "viewer"})},
			{"by an admin who edits", head, "POST", all, object{"userId": c.rival.id, "role": "viewer"}, 201, "", "", nil},
			{"by a viewer", outsider, "POST", all, object{"userId": c.owner.id, "role": "viewer"}, 403, "insufficient_role", "", nil},
		})
	})

	t.Run("lists", func(t *testing.T) {
		tryAll(t, []clause{
			{"without addresses", outsider, "GET", all, nil, 200, "", "", func(t *testing.T, r *reply) {
				holds(t, r.JSON, "data", "nextCursor")
				holds(t, r.path("data.0"), "userId", "name", "avatarUrl", "role", "createdAt")
				has(object{"data.0.userId": c.rival.id, "data.1.userId": c.outsider.id, "nextCursor": nil})(t, r)
			}},
			{"paged", pupil, "GET", all + "?limit=1", nil, 200, "", "", has(object{"data.0.userId": c.rival.id})},
			{"limit", pupil, "GET", all + "?limit=201", nil, 400, "validation_error", "limit", nil},
			{"cursor", pupil, "GET", all + "?cursor=x", nil, 400, "validation_error", "cursor", nil},
			{"beyond reach", c.outside.client, "GET", all, nil, 404, "not_found", "", nil},
			{"shared with the outsider", outsider, "GET", "/v1/workflows/shared-with-me", nil, 200, "", "", func(t *testing.T, r *reply) {
				holds(t, r.path("data.0"), "id", "name", "grantedRole", "grantedBy", "createdAt")
				holds(t, r.path("data.0.grantedBy"), "userId", "displayName")
				has(object{"data.0.id": flow, "data.0.name": "Poster", "data.0.grantedRole": "viewer", "data.0.grantedBy.userId": c.pupil.id, "nextCursor": nil})(t, r)
			}},
			{"nothing with a member", head, "GET", "/v1/workflows/shared-with-me", nil, 200, "", "", has(object{"data": "[]"})},
			{"without credentials", c.visitor, "GET", "/v1/workflows/shared-with-me", nil, 401, "unauthorized", "", nil},
		})
	})

	t.Run("access", func(t *testing.T) {
		holds(t, accessOf(c.pupil.on(t), flow).path("data"), "access", "workspaceId", "visibility", "canChangeVisibility", "canShare", "canRun")
		for _, row := range []struct {
			who  person
			want object
		}{
			{c.pupil, object{"data.access": "creator", "data.workspaceId": c.room, "data.visibility": "private", "data.canChangeVisibility": true, "data.canShare": true, "data.canRun": true}},
			{c.head, object{"data.access": "edit", "data.canChangeVisibility": true, "data.canShare": true, "data.canRun": true}},
			{c.owner, object{"data.access": "edit", "data.canChangeVisibility": true, "data.canShare": true, "data.canRun": true}},
			{c.outsider, object{"data.access": "view", "data.workspaceId": c.room, "data.canChangeVisibility": false, "data.canShare": false, "data.canRun": false}},
		} {
			has(row.want)(t, accessOf(row.who.on(t), flow))
		}
		c.outside.on(t).get("/v1/workflows/"+flow+"/access").wantError(404, "not_found")
		c.demoted.on(t).get("/v1/workflows/"+flow+"/access").wantError(404, "not_found")
		c.suspended.on(t).get("/v1/workflows/"+flow+"/access").wantError(403, "member_suspended")
	})

	t.Run("an editor outside looks and does not run", func(t *testing.T) {
		outsider, pupil := c.outsider.on(t), pupil
		pupil.t = t
		pupil.do("PATCH", each+c.outsider.id, object{"role": "editor"}).want(200)
		has(object{"data.access": "view", "data.canRun": false})(t, accessOf(outsider, flow))
		outsider.get("/v1/workflows/" + flow).want(200)
		outsider.do("PATCH", "/v1/workflows/"+flow, object{"name": "Mine"}).wantError(403, "insufficient_role")
		outsider.post("/v1/workflows/"+flow+"/run", object{}).wantError(403, "insufficient_role")
		outsider.post("/v1/api/run", object{"workflowId": flow}).wantError(403, "insufficient_role")
	})

	t.Run("changes and ends", func(t *testing.T) {
		tryAll(t, []clause{
			{"no role", pupil, "PATCH", each + c.outsider.id, object{}, 400, "validation_error", "role", nil},
			{"no grant", pupil, "PATCH", each + c.owner.id, object{"role": "viewer"}, 404, "not_found", "", nil},
			{"unknown person", pupil, "PATCH", each + nowhere, object{"role": "viewer"}, 404, "not_found", "", nil},
			{"creator", head, "PATCH", each + c.pupil.id, object{"role": "viewer"}, 400, "validation_error", "", nil},
			{"by a viewer", outsider, "PATCH", each + c.rival.id, object{"role": "editor"}, 403, "insufficient_role", "", nil},
			{"by the creator", pupil, "PATCH", each + c.rival.id, object{"role": "editor"}, 200, "", "", has(object{"data.userId": c.rival.id, "data.role": "editor"})},
			{"another's end by a viewer", outsider, "DELETE", each + c.rival.id, nil, 403, "insufficient_role", "", nil},
			{"the own end", outsider, "DELETE", each + c.outsider.id, nil, 200, "", "", has(object{"success": true})},
			{"at once", outsider, "GET", "/v1/workflows/" + flow, nil, 404, "not_found", "", nil},
			{"twice", outsider, "DELETE", each + c.outsider.id, nil, 404, "not_found", "", nil},
			{"by an admin", head, "DELETE", each + c.rival.id, nil, 200, "", "", nil},
			{"nobody's", pupil, "DELETE", each + nowhere, nil, 404, "not_found", "", nil},
		})
	})

	t.Run("archived", func(t *testing.T) {
		head.t, pupil.t = t, t
		pupil.post(all, object{"userId": c.outsider.id, "role": "viewer"}).want(201)
		c.owner.on(t).post("/v1/workspaces/"+c.room+"/archive", nil).want(200)
		direct := c.pupil.on(t)
		direct.post(all, object{"userId": c.rival.id, "role": "viewer"}).wantError(403, "workspace_archived")
		direct.do("PATCH", each+c.outsider.id, object{"role": "editor"}).wantError(403, "workspace_archived")
		c.outsider.on(t).do("DELETE", each+c.outsider.id, nil).wantError(403, "workspace_archived")
		direct.get(all).want(200)
		has(object{"data.access": "creator", "data.canShare": false, "data.canRun": false, "data.canChangeVisibility": false})(t, accessOf(direct, flow))
		c.owner.on(t).post("/v1/workspaces/"+c.room+"/unarchive", nil).want(200)
	})
}

// Editors share where the settings let collaborators invite, and there alone.
func TestCollaboratorsInvite(t *testing.T) {
	t.Parallel()
	url := startBehindProxy(t)
	c := newCast(t, url, "school", 10)
	flow := savedBy(c.head.in(c.room), "private")
	all := "/v1/workflows/" + flow + "/collaborators"
	c.head.post(all, object{"userId": c.pupil.id, "role": "editor"}).want(201)
	has(object{"data.access": "edit", "data.canRun": true, "data.canShare": false, "data.canChangeVisibility": false})(t, accessOf(c.pupil.client, flow))
	c.pupil.post(all, object{"userId": c.outsider.id, "role": "viewer"}).wantError(403, "insufficient_role")
	c.pupil.do("PATCH", "/v1/workflows/"+flow, object{"visibility": "workspace"}).wantError(403, "insufficient_role")
	c.pupil.in(c.room).post("/v1/workflows/"+flow+"/run", object{}).want(202)
	c.owner.do("PATCH", "/v1/workspaces/"+c.room, object{"settings": object{"collaborators_can_invite": true}}).want(200)
	has(object{"data.canShare": true, "data.canChangeVisibility": false})(t, accessOf(c.pupil.client, flow))
	c.pupil.post(all, object{"userId": c.outsider.id, "role": "viewer"}).want(201)
	c.pupil.post(all, object{"userId": c.pupil.id, "role": "editor"}).wantError(400, "validation_error")
	c.outsider.post(all, object{"userId": c.rival.id, "role": "viewer"}).wantError(403, "insufficient_role")
}

// Twenty additions a minute, told in the headers.
func TestCollaboratorLimit(t *testing.T) {
	t.Parallel()
	url := startBehindProxy(t)
	ada, bob := newPerson(t, url, "Ada"), newPerson(t, url, "Bob")
	all := "/v1/workflows/" + savedBy(ada.client, "private") + "/collaborators"
	var last *reply
	for i := range 45 { // a minute may end among them
		last = ada.post(all, object{"userId": bob.id, "role": []string{"viewer", "editor"}[i%2]})
		if last.Header.Get("RateLimit-Limit") != "20" || last.Header.Get("RateLimit-Remaining") == "" || last.Header.Get("RateLimit-Reset") == "" {
			t.Fatalf("addition %d answers %d without the limit: %v", i+1, last.Status, last.Header)
		}
		if last.Status == 429 {
			break
		}
		last.want(map[bool]int{true: 201, false: 200}[i == 0])
	}
	last.wantError(429, "rate_limit_exceeded")
	if last.Header.Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
	if got := fmt.Sprint(ada.get(all).want(200).path("data.0.userId")); got != bob.id {
		t.Errorf("shared with %s", got)
	}
}

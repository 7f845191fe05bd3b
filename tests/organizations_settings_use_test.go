//go:build !race

package tests

import (
	"fmt"
	"testing"
)

// settingUse is what a setting decides, tried by the request that it decides about.
type settingUse struct {
	try func() *reply
	// shows is the path of the answer that tells, besides status and code.
	shows string
	// values are two values and what the request then answers.
	values [2]any
	wants  [2]string
	// organizationOnly settings decide nothing at the workspace's layer.
	organizationOnly bool
}

// settingUses is a use of every key of contract 3, "Settings".
func settingUses(c *cast) map[string]settingUse {
	head, pupil, n := c.head.in(c.room), c.pupil.in(c.room), 0
	private, own, shared := savedBy(head, "private"), savedBy(pupil, "private"), savedBy(head, "workspace")
	head.post("/v1/workflows/"+private+"/collaborators", object{"userId": c.pupil.id, "role": "editor"}).want(201)
	head.post("/v1/workflows/"+private+"/collaborators", object{"userId": c.outsider.id, "role": "viewer"}).want(201)
	save := func(who client, workflow string) func() *reply {
		return func() *reply {
			n++
			return who.do("PATCH", "/v1/workflows/"+workflow, object{"name": fmt.Sprint("Name ", n)})
		}
	}
	invite := func(who client, body object) func() *reply {
		return func() *reply {
			n++
			body["emails"] = []string{fmt.Sprintf("guest-%d@elsewhere.example", n)}
			return who.post("/v1/orgs/"+c.org+"/invitations", body)
		}
	}
	project := func(who client) func() *reply {
		return func() *reply { return who.post("/v1/projects", object{"name": "P"}) }
	}
	return map[string]settingUse{
		"admin_access":            {try: save(head, own), values: [2]any{"view", "edit"}, wants: [2]string{"403 insufficient_role", "200"}},
		"member_access_to_shared": {try: save(pupil, shared), values: [2]any{"view", "edit"}, wants: [2]string{"403 insufficient_role", "200"}},
		"default_workflow_visibility": {
			try:   func() *reply { return pupil.post("/v1/workflows", object{"name": "W"}) },
			shows: "data.visibility", values: [2]any{"private", "workspace"}, wants: [2]string{"201 private", "201 workspace"},
		},
		"members_can_create_projects": {try: project(pupil), values: [2]any{false, true}, wants: [2]string{"403 project_create_not_allowed", "201"}},
		"personal_space_enabled": {
			try: project(c.pupil.client), values: [2]any{false, true}, wants: [2]string{"403 personal_space_disabled", "201"}, organizationOnly: true,
		},
		"member_caps_enabled": {
			try: func() *reply {
				return head.do("PATCH", "/v1/workspaces/"+c.room+"/members/"+c.pupil.id, object{"creditCap": 5})
			},
			values: [2]any{false, true}, wants: [2]string{"400 validation_error", "200"},
		},
		"workspace_admins_can_invite": {try: invite(head, object{"workspaceId": c.room}), values: [2]any{false, true}, wants: [2]string{"403 insufficient_role", "201"}},
		"collaborators_can_invite": {
			try: func() *reply {
				return pupil.post("/v1/workflows/"+private+"/collaborators", object{"userId": c.outsider.id, "role": "viewer"})
			},
			values: [2]any{false, true}, wants: [2]string{"403 insufficient_role", "200"},
		},
		"allowed_email_domains": {
			try: invite(c.owner.client, object{}), shows: "data.0.status", organizationOnly: true,
			values: [2]any{[]string{"example.com"}, []string{}}, wants: [2]string{"201 failed", "201 link_only"},
		},
		"vocabulary_overrides": {
			try: func() *reply { return pupil.get("/v1/orgs/" + c.org) }, shows: "data.vocabulary.workspace", organizationOnly: true,
			values: [2]any{object{"workspace": "Studio"}, object{}}, wants: [2]string{"200 Studio", "200 Class"},
		},
	}
}

// TestEverySettingDecides sets every key at the organization's layer, then the
// other value over it at the workspace's, and tries what it decides. A key
// without a use here fails.
func TestEverySettingDecides(t *testing.T) {
	t.Parallel()
	url := startBehindProxy(t)
	c := newCast(t, url, "school", 10)
	uses := settingUses(c)
	org, room := "/v1/orgs/"+c.org, "/v1/workspaces/"+c.room
	for key := range c.owner.get(org).want(200).path("data.effectiveSettings").(map[string]any) {
		if _, ok := uses[key]; !ok {
			t.Errorf("no use of %s is tried", key)
		}
	}
	for key, use := range uses {
		t.Run(key, func(t *testing.T) {
			set := func(path string, value any) {
				c.owner.on(t).do("PATCH", path, object{"settings": object{key: value}}).want(200)
			}
			check := func(layer string, i int) {
				t.Helper()
				r := use.try()
				got := outcome(r)
				if use.shows != "" {
					got += " " + r.text(use.shows)
				}
				if got != use.wants[i] {
					t.Errorf("%v at the %s layer: %q, want %q: %s", use.values[i], layer, got, use.wants[i], r.Body)
				}
			}
			for i, value := range use.values {
				set(org, value)
				check("organization's", i)
				if use.organizationOnly {
					continue
				}
				set(room, use.values[1-i])
				check("workspace's", 1-i)
				set(room, nil)
				check("organization's again", i)
			}
			set(org, nil)
		})
	}
}

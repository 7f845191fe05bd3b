package tests

import (
	"strings"
	"testing"
	"time"
)

// TestContractMoney is contract 3, "Budget rules", join codes, and what each
// setting does.
func TestContractMoney(t *testing.T) {
	t.Parallel()
	url := startContract(t)
	c := newCast(t, url, "school", 20)
	t.Run("allocation", func(t *testing.T) { allocation(t, c) })
	t.Run("budget", func(t *testing.T) { budgetViews(t, c) })
	t.Run("caps", func(t *testing.T) { caps(t, c) })
	t.Run("join codes", func(t *testing.T) { joinCodes(t, c, url) })
	t.Run("settings", func(t *testing.T) { settingsOf(t, c) })
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
	eventually(t, 10*time.Second, func() error {
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

func joinCodes(t *testing.T, c *cast, url string) {
	owner, at, join := c.owner.client, "/v1/workspaces/"+c.room+"/join-code", "/v1/workspaces/join"
	act := func(action any) object { return object{"action": action} }
	tryAll(t, []clause{
		{"none yet", owner, "GET", at, nil, 200, "", "", func(t *testing.T, r *reply) {
			if strings.TrimSpace(string(r.Body)) != `{"data":null}` {
				t.Errorf("%s", r.Body)
			}
		}},
		{"nothing to disable", owner, "POST", at, act("disable"), 400, "validation_error", "action", nil},
		{"rotate makes an enabled one", c.head.client, "POST", at, act("rotate"), 200, "", "", func(t *testing.T, r *reply) {
			holds(t, r.path("data"), "code", "enabled", "rotatedAt", "rotatedBy")
			holds(t, r.path("data.rotatedBy"), "userId", "displayName")
			has(object{"data.enabled": true, "data.rotatedBy.displayName": "Head"})(t, r)
			if len(r.text("data.code")) != 8 {
				t.Errorf("%s", r.Body)
			}
		}},
		{"member reads", c.pupil.client, "GET", at, nil, 403, "insufficient_role", "", nil},
		{"member changes", c.pupil.client, "POST", at, act("rotate"), 403, "insufficient_role", "", nil},
		{"demoted admin", c.demoted.client, "GET", at, nil, 403, "insufficient_role", "", nil},
		{"outside", c.outside.client, "GET", at, nil, 404, "not_found", "", nil},
		{"benched", c.benched.client, "GET", at, nil, 403, "member_suspended", "", nil},
		{"unknown action", owner, "POST", at, act("delete"), 400, "validation_error", "action", nil},
		{"action of another type", owner, "POST", at, act(1), 400, "validation_error", "action", nil},
		{"no action", owner, "POST", at, object{}, 400, "validation_error", "action", nil},
		{"form before role", c.pupil.client, "POST", at, act("x"), 400, "validation_error", "action", nil},
	})
	code := owner.get(at).text("data.code")
	wrong := func(name string, value any) clause {
		return clause{name, newPerson(t, url, "Guess").client, "POST", join, object{"code": value}, 400, "join_code_invalid", "", nil}
	}
	tryAll(t, []clause{
		wrong("unknown", "AAAAAAAA"), wrong("empty", ""), wrong("short", code[:7]), wrong("long", code+"A"), wrong("odd", "????????"), wrong("huge", strings.Repeat("A", 5000)),
		{"no code", owner, "POST", join, object{}, 400, "validation_error", "code", nil},
		{"null", owner, "POST", join, object{"code": nil}, 400, "validation_error", "code", nil},
		{"number", owner, "POST", join, object{"code": 12345678}, 400, "validation_error", "code", nil},
		{"nobody", c.visitor, "POST", join, object{"code": code}, 401, "unauthorized", "", nil},
		{"already a member", c.pupil.client, "POST", join, object{"code": code}, 200, "", "", has(object{"data.workspaceId": c.room, "data.organizationId": c.org})},
		{"an unlisted admin gets no row", c.admin.client, "POST", join, object{"code": code}, 200, "", "", nil},
		{"never lifts a suspension", c.suspended.client, "POST", join, object{"code": code}, 403, "member_suspended", "", nil},
		{"nor one of the room", c.benched.client, "POST", join, object{"code": code}, 403, "member_suspended", "", nil},
		{"disable", owner, "POST", at, act("disable"), 200, "", "", has(object{"data.enabled": false, "data.code": code})},
		{"again", owner, "POST", at, act("disable"), 200, "", "", nil},
		wrong("disabled", code),
		{"rotate while disabled", owner, "POST", at, act("rotate"), 200, "", "", has(object{"data.enabled": false})},
		{"enable", owner, "POST", at, act("enable"), 200, "", "", has(object{"data.enabled": true})},
		wrong("the old one", code),
	})
	if rows := owner.get("/v1/workspaces/" + c.room + "/members").list("data"); len(rows) != 5 {
		t.Errorf("%d rows in the room, want 5", len(rows))
	}
	code = owner.get(at).text("data.code")
	spoken := strings.NewReplacer("0", "O", "1", "l", "2", "z", "S", "f", "B", "p", "D", "t", "G", "j", "M", "n", "V", "u")
	for name, form := range map[string]string{
		"hyphen": code[:4] + "-" + code[4:], "lower case": strings.ToLower(code), "blanks": " " + code[:2] + " " + code[2:] + " ", "misheard": spoken.Replace(code),
	} {
		joiner := newPerson(t, url, "Joiner")
		tryAll(t, []clause{
			{name, joiner.client, "POST", join, object{"code": form}, 200, "", "", func(t *testing.T, r *reply) {
				holds(t, r.path("data"), "organizationId", "workspaceId")
			}},
			{name + ": a plain member", joiner.client, "GET", "/v1/workspaces/" + c.room, nil, 200, "", "", has(object{"data.role": "member"})},
			{name + ": of the organization too", joiner.client, "GET", "/v1/orgs/" + c.org, nil, 200, "", "", has(object{"data.role": "member"})},
		})
	}
	t.Run("allowed domains", func(t *testing.T) {
		set := func(domains any) {
			owner.do("PATCH", "/v1/orgs/"+c.org, object{"settings": object{"allowed_email_domains": domains}}).want(200)
		}
		set([]string{"school.example"})
		newPerson(t, url, "Stranger").post(join, object{"code": code}).wantError(403, "domain_not_allowed")
		c.pupil.on(t).post(join, object{"code": code}).want(200)
		set([]string{"Example.COM"})
		newPerson(t, url, "Known").post(join, object{"code": code}).want(200)
		set([]string{"ample.com", "x.example.com"})
		newPerson(t, url, "Part").post(join, object{"code": code}).wantError(403, "domain_not_allowed")
		set(nil)
		newPerson(t, url, "Anybody").post(join, object{"code": code}).want(200)
	})
	t.Run("ten attempts a minute", func(t *testing.T) {
		for wait := time.Until(time.Now().Truncate(time.Minute).Add(time.Minute)); wait < 5*time.Second; wait = time.Minute {
			time.Sleep(wait + 100*time.Millisecond)
		}
		eager := newPerson(t, url, "Eager")
		for i := range 10 {
			r := eager.post(join, object{"code": "AAAAAAAA"}).wantError(400, "join_code_invalid")
			if i == 0 && (r.Header.Get("RateLimit-Limit") != "10" || r.Header.Get("RateLimit-Remaining") != "9" || r.Header.Get("RateLimit-Reset") == "") {
				t.Errorf("headers %v", r.Header)
			}
		}
		r := eager.post(join, object{"code": code}).wantError(429, "rate_limit_exceeded")
		if r.Header.Get("Retry-After") == "" || r.Header.Get("RateLimit-Remaining") != "0" {
			t.Errorf("headers %v", r.Header)
		}
	})
	t.Run("thirty an address", func(t *testing.T) {
		last := &reply{}
		for range 4 {
			crowd := newPerson(t, url, "Crowd").client.sending("X-Forwarded-For", "198.51.100.7")
			crowd.header["X-Forwarded-For"] = "198.51.100.7"
			for range 8 {
				last = crowd.post(join, object{"code": "AAAAAAAA"})
			}
		}
		last.wantError(429, "rate_limit_exceeded")
	})
}

func settingsOf(t *testing.T, c *cast) {
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
		eventually(t, 10*time.Second, func() error {
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

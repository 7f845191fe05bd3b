//go:build !race

package tests

import (
	"strings"
	"testing"
)

// TestJoinCodes is contract 3, "Invitations and join codes", as far as codes go.
func TestJoinCodes(t *testing.T) {
	t.Parallel()
	url := startBehindProxy(t)
	c := newCast(t, url, "school", 20)
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
		eager := newPerson(t, url, "Eager")
		freshMinute()
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
		freshMinute()
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

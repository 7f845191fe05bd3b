package tests

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

func runAPITokens(t *testing.T, p *program) {
	session, token := newcomer(t, p, "Tokens")
	other, theirs := newcomer(t, p, "Tokens-other")
	const path, invalid = "/v1/api-tokens", "validation_error"
	allowed, foreign := saved(token, posedNodes, posedEdges), saved(token, posedNodes, posedEdges)
	id := session.get(path).want(200).text("data.0.id")
	made := func(name string, body object, status int, code string) rule {
		return rule{name, session, "POST", path, body, status, code}
	}
	patched := func(name string, body object, status int, code string) rule {
		return rule{"Patch" + name, session, "PATCH", path + "/" + id, body, status, code}
	}
	hold(t,
		rule{"ListByToken", token, "GET", path, nil, 403, "forbidden"}, rule{"MakeByToken", token, "POST", path, object{"name": "x"}, 403, "forbidden"}, rule{"ChangeByToken", token, "PATCH", path + "/" + id, object{}, 403, "forbidden"}, rule{"RevokeByToken", token, "DELETE", path + "/" + id, nil, 403, "forbidden"},
		made("Rate0", object{"name": "x", "rateLimit": 0}, 400, invalid), made("Rate121", object{"name": "x", "rateLimit": 121}, 400, invalid), made("Rate1", object{"name": "x", "rateLimit": 1}, 201, ""), made("RateText", object{"name": "x", "rateLimit": "5"}, 400, invalid),
		made("NoName", object{}, 400, invalid), made("BlankName", object{"name": " "}, 400, invalid), made("LongName", object{"name": strings.Repeat("x", 101)}, 400, invalid), made("MalformedWorkspace", object{"name": "x", "workspaceId": "x"}, 400, invalid),
		made("UnknownWorkflow", object{"name": "x", "workflowIds": []string{unknownID}}, 400, invalid), made("WorkflowOfAnother", object{"name": "x", "workflowIds": []string{allowed, saved(theirs, posedNodes, posedEdges)}}, 400, invalid), patched("UnknownWorkflow", object{"workflowIds": []string{unknownID}}, 400, invalid),
		made("Expired", object{"name": "x", "expiresAt": "2020-01-01T00:00:00Z"}, 400, invalid), made("ExpiryText", object{"name": "x", "expiresAt": "soon"}, 400, invalid),
		patched("Rate0", object{"rateLimit": 0}, 400, invalid), patched("Rate121", object{"rateLimit": 121}, 400, invalid), patched("Rate120", object{"rateLimit": 120}, 200, ""), patched("Unbind", object{"workspaceId": nil}, 200, ""), patched("NameNull", object{"name": nil}, 400, invalid),
		rule{"ChangeOfAnother", other, "PATCH", path + "/" + id, object{"name": "x"}, 404, "not_found"}, rule{"RevokeOfAnother", other, "DELETE", path + "/" + id, nil, 404, "not_found"},
	)
	t.Run("ShownOnce", func(t *testing.T) {
		session := session
		session.t = t
		created := session.post(path, object{"name": "once"}).want(201)
		created.holds("", true, "data", "token")
		created.holds("data", true, "id", "name", "prefix", "rateLimit", "workspaceId", "workflowIds", "createdAt", "lastUsedAt")
		created.is(map[string]any{"data.rateLimit": 30, "data.workspaceId": nil, "data.workflowIds": "[]", "data.lastUsedAt": nil})
		secret := created.text("token")
		if !strings.HasPrefix(secret, "svc_") || strings.Contains(string(session.get(path).want(200).Body), secret) {
			t.Error("the token has another prefix, or is listed")
		}
		session.with(secret).get("/v1/me").want(200)
		session.do("DELETE", path+"/"+created.text("data.id"), nil).want(200).is(map[string]any{"success": true})
		session.with(secret).get("/v1/me").wantError(401, "unauthorized")
	})
	t.Run("CallsAndExpiry", func(t *testing.T) {
		session := session
		session.t = t
		end := time.Now().Add(48 * time.Hour).UTC().Format("2006-01-02T15:04:05.000Z")
		made := session.post(path, object{"name": "expires", "expiresAt": end}).want(201)
		made.is(map[string]any{"data.expiresAt": end})
		who := session.with(made.text("token"))
		who.get("/v1/me").want(200)
		who.get("/v1/jobs/"+unknownID+"?key=hidden").wantError(404, "not_found")
		const asked = `query($id: ID!) { apiTokenCalls(id: $id) { method path status durationMs ip } }`
		eventually(t, func() error {
			calls := session.graphql(asked, object{"id": made.text("data.id")}).list("data.apiTokenCalls")
			if len(calls) != 2 {
				return fmt.Errorf("%v", calls)
			}
			last := calls[0].(map[string]any)
			if last["method"] != "GET" || last["path"] != "/v1/jobs/"+unknownID || fmt.Sprint(last["status"]) != "404" || last["ip"] == "" {
				t.Errorf("%v", last)
			}
			return nil
		})
		who.asking(asked, object{"id": made.text("data.id")}).is(map[string]any{"errors.0.extensions.code": "forbidden"})
		other.asking(asked, object{"id": made.text("data.id")}).is(map[string]any{"errors.0.extensions.code": "not_found"})
		session.do("DELETE", path+"/"+made.text("data.id"), nil).want(200)
	})
	t.Run("Restricted", func(t *testing.T) {
		session := session
		session.t = t
		only := session.with(session.post(path, object{"name": "only", "workflowIds": []string{allowed}}).want(201).text("token"))
		const hooks = "/v1/webhook-endpoints"
		hold(t,
			rule{"Read", only, "GET", "/v1/workflows/" + allowed, nil, 200, ""}, rule{"Run", only, "POST", "/v1/workflows/" + allowed + "/run", nil, 202, ""},
			rule{"ReadAnother", only, "GET", "/v1/workflows/" + foreign, nil, 403, "forbidden"}, rule{"RunAnother", only, "POST", "/v1/workflows/" + foreign + "/run", object{}, 403, "forbidden"},
			rule{"LegacyAnother", only, "POST", "/v1/api/run", object{"workflowId": foreign}, 403, "forbidden"}, rule{"HistoryOfAnother", only, "GET", "/v1/workflows/" + foreign + "/executions", nil, 403, "forbidden"},
			rule{"Endpoints", only, "GET", hooks, nil, 403, "forbidden"}, rule{"EndpointBeforeForm", only, "POST", hooks, object{}, 403, "forbidden"},
		)
		only.upload("file", []byte("hello")).want(201)
		only.get("/v1/workflows/shared-with-me").want(200).is(map[string]any{"data.0": nil})
		only.graphql(`{ sharedWithMe { id } }`, nil).is(map[string]any{"data.sharedWithMe.0": nil})
		only.get("/v1/workflows").want(200).is(map[string]any{"data.0.id": allowed, "data.1": nil})
		only.get("/v1/workflows?fields=id,name").want(200).is(map[string]any{"data.0.id": allowed, "data.0.nodes": nil, "data.0.version": nil, "nextCursor": nil})
		only.get("/v1/workflows?fields=id,secret").wantError(400, "validation_error").is(map[string]any{"error.field": "fields"})
		for _, change := range []rule{
			{"", only, "PATCH", "/v1/workflows/" + allowed, object{"name": "x"}, 403, "forbidden"}, {"", only, "DELETE", "/v1/workflows/" + allowed, nil, 403, "forbidden"},
			{"", only, "POST", "/v1/text", object{"text": "x"}, 403, "forbidden"}, {"", only, "GET", "/v1/me", nil, 403, "forbidden"}, {"", only, "GET", "/v1/credits/balance", nil, 403, "forbidden"},
		} {
			only.do(change.method, change.path, change.body).wantError(change.status, change.code)
		}
		outer := saved(token, []object{{"id": "c", "type": "component", "data": object{"workflowId": foreign}}}, nil)
		within := session.with(session.post(path, object{"name": "outer", "workflowIds": []string{outer}}).want(201).text("token"))
		within.post("/v1/workflows/"+outer+"/run", nil).wantError(403, "forbidden")
	})
	t.Run("NumbersThatCannotBeRead", func(t *testing.T) {
		session := session
		session.t = t
		for _, number := range []string{"5.0", "1e300", "9223372036854775808"} {
			session.post(path, `{"name":"x","rateLimit":`+number+`}`).wantError(400, invalid).is(map[string]any{"error.field": "rateLimit"})
		}
	})
	t.Run("RefusedCallsCount", func(t *testing.T) {
		session := session
		session.t = t
		for name, call := range map[string]func(client) *reply{
			"Cursor": func(who client) *reply { return who.get("/v1/api/workflows?cursor=x") }, "Limit": func(who client) *reply { return who.get("/v1/api/workflows?limit=0") },
			"Selection": func(who client) *reply { return who.in("x").get("/v1/api/workflows") }, "Body": func(who client) *reply { return who.post("/v1/api/run", "{") },
			"Type": func(who client) *reply { return who.sending("Content-Type", "text/plain").post("/v1/api/run", "x") }, "Size": func(who client) *reply { return who.post("/v1/api/run", strings.Repeat("a", 2<<20)) },
		} {
			made := session.post(path, object{"name": name, "rateLimit": 9}).want(201)
			refused := call(session.with(made.text("token")))
			if refused.Status < 400 || refused.Header.Get("RateLimit-Remaining") != "8" {
				t.Errorf("%s: %d, remaining %q", name, refused.Status, refused.Header.Get("RateLimit-Remaining"))
			}
			session.do("DELETE", path+"/"+made.text("data.id"), nil).want(200)
		}
	})
	t.Run("TenAtMost", func(t *testing.T) {
		session := session
		session.t = t
		for n := len(session.get(path).want(200).list("data")); n < 10; n++ {
			session.post(path, object{"name": "more"}).want(201)
		}
		session.post(path, object{"name": "eleventh"}).wantError(400, "limit_reached")
	})
}

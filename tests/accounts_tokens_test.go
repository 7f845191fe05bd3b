package tests

import (
	"strings"
	"testing"
)

func contract1Tokens(t *testing.T, p *program) {
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
		only.get("/v1/workflows").want(200).is(map[string]any{"data.0.id": allowed, "data.1": nil})
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

func contract1Workflows(t *testing.T, p *program) {
	_, who := newcomer(t, p, "Workflows")
	_, other := newcomer(t, p, "Workflows-other")
	const all, invalid = "/v1/workflows", "validation_error"
	text := object{"id": "a", "type": "text", "data": object{"text": "x"}}
	join := object{"id": "b", "type": "combine-text", "data": object{}}
	edge := func(id, source, target string) object { return object{"id": id, "source": source, "target": target} }
	graph := func(name string, nodes []object, edges ...object) rule {
		return rule{name, who, "POST", all, object{"name": "x", "nodes": nodes, "edges": edges}, 400, invalid}
	}
	home := who.get("/v1/projects").want(200)
	home.holds("data.0", true, "id", "name", "workspaceId", "isDefault", "createdAt", "updatedAt")
	project := who.post("/v1/projects", object{"name": " Second "}).want(201).text("data.id")
	created := who.post(all, object{"name": "First", "nodes": []object{text, join}, "edges": []object{edge("e", "a", "b")}}).want(201)
	id := created.text("data.id")
	t.Run("Fields", func(t *testing.T) {
		created.t = t
		created.holds("data", false, "id", "name", "description", "projectId", "workspaceId", "visibility", "nodes", "edges", "createdBy", "createdAt", "updatedAt", "version")
		created.is(map[string]any{"data.version": 1, "data.visibility": "private", "data.projectId": home.text("data.0.id"), "data.workspaceId": nil, "data.description": ""})
	})
	hold(t,
		graph("Cycle", []object{text, join, {"id": "c", "type": "combine-text"}}, edge("1", "b", "c"), edge("2", "c", "b")), graph("SelfEdge", []object{join}, edge("1", "b", "b")),
		graph("UnknownType", []object{{"id": "a", "type": "none"}}), graph("EdgeToNowhere", []object{text}, edge("1", "a", "b")), graph("EdgeFromNowhere", []object{join}, edge("1", "a", "b")),
		graph("NodeTwice", []object{text, text}), graph("EdgeTwice", []object{text, join}, edge("1", "a", "b"), edge("1", "a", "b")), graph("NodeWithoutID", []object{{"type": "text"}}), graph("NodeWithoutType", []object{{"id": "a"}}),
		graph("ValueOfWrongType", []object{{"id": "a", "type": "text", "data": object{"text": 5}}}), graph("UnknownParent", []object{{"id": "a", "type": "text", "parentId": "none"}}),
		graph("UnknownInput", []object{text, join}, object{"id": "1", "source": "a", "target": "b", "targetHandle": "none"}),
		graph("MappingFromNowhere", []object{{"id": "a", "type": "text", "data": object{"fieldMappings": object{"text": object{"nodeId": "none", "output": "text"}}}}}),
		rule{"BlankName", who, "POST", all, object{"name": " "}, 400, invalid}, rule{"LongName", who, "POST", all, object{"name": strings.Repeat("x", 101)}, 400, invalid},
		rule{"UnknownProject", who, "POST", all, object{"name": "x", "projectId": unknownID}, 404, "not_found"}, rule{"OddVisibility", who, "POST", all, object{"name": "x", "visibility": "public"}, 400, invalid},
		rule{"ReadOfAnother", other, "GET", all + "/" + id, nil, 404, "not_found"}, rule{"ChangeOfAnother", other, "PATCH", all + "/" + id, object{"name": "x"}, 404, "not_found"}, rule{"DeleteOfAnother", other, "DELETE", all + "/" + id, nil, 404, "not_found"},
		rule{"NullNodes", who, "PATCH", all + "/" + id, object{"nodes": nil}, 400, invalid}, rule{"NullEdges", who, "PATCH", all + "/" + id, object{"edges": nil}, 400, invalid}, rule{"NullName", who, "PATCH", all + "/" + id, object{"name": nil}, 400, invalid},
		rule{"MoveToUnknown", who, "PATCH", all + "/" + id, object{"projectId": unknownID}, 404, "not_found"},
		rule{"ProjectOfAnother", other, "GET", "/v1/projects/" + project, nil, 404, "not_found"}, rule{"BlankProject", who, "POST", "/v1/projects", object{"name": ""}, 400, invalid},
	)
	t.Run("MoveAndSave", func(t *testing.T) {
		who := who
		who.t = t
		who.do("PATCH", all+"/"+id, object{"projectId": project}).want(200).is(map[string]any{"data.projectId": project})
		who.do("PATCH", all+"/"+id, object{"nodes": []object{text}, "edges": []object{}}).want(200).is(map[string]any{"data.version": 2, "data.nodes.0.id": "a", "data.nodes.1": nil})
		who.do("DELETE", all+"/"+id, nil).want(200).is(map[string]any{"success": true})
		who.get(all+"/"+id).wantError(404, "not_found")
		who.do("DELETE", "/v1/projects/"+project, nil).want(200).is(map[string]any{"success": true})
	})
}

package tests

import (
	"bytes"
	"testing"
)

// posed is a workflow with something to expose, and its form.
var (
	posedNodes = []object{
		{"id": "topic", "type": "text", "data": object{"text": "a fox"}},
		{"id": "line", "type": "template-text", "data": object{"template": "{{topic}} {{tone}}", "values": object{"tone": "calm"}}},
		{"id": "wait", "type": "delay", "data": object{"seconds": 0}},
	}
	posedEdges = []object{
		{"id": "e1", "source": "topic", "target": "line", "targetHandle": "values.topic"},
		{"id": "e2", "source": "line", "target": "wait"},
	}
	posedItems = []object{
		{"type": "richtext", "id": "intro", "content": "# Hello"},
		{"type": "field", "id": "topic", "nodeId": "topic", "field": "text", "allowedValues": nil},
		{"type": "group", "id": "more", "items": []object{
			{"type": "field", "id": "tone", "nodeId": "line", "field": "values.tone", "allowedValues": []string{"calm", "wild"}},
		}},
		{"type": "node", "id": "whole", "nodeId": "line"},
		{"type": "output", "id": "seen", "nodeId": "wait"},
	}
)

// posed publishes the workflow under a slug.
func posed(who client, slug string, more object) *reply {
	who.t.Helper()
	body := object{"name": "Posed", "slug": slug, "thumbnailNodeId": "line", "presentationSettings": object{"inputItems": posedItems}}
	for key, value := range more {
		body[key] = value
	}
	return who.post("/v1/workflows/"+saved(who, posedNodes, posedEdges)+"/publish", body).want(201)
}

var publicAppFields = []string{
	"id", "name", "description", "iconUrl", "version", "estimatedCredits", "maxRunsPerUserPerDay", "thumbnailNodeId",
	"snapshotNodes", "snapshotEdges", "snapshotSettings", "versions",
}

func runAPIApps(t *testing.T, p *program) {
	session, owner := newcomer(t, p, "Apps-owner")
	_, other := newcomer(t, p, "Apps-other")
	visitor := owner.with("")
	made := posed(owner, "posed", object{"description": "d", "iconUrl": "https://x.example/i.png", "maxRunsPerUserPerDay": 9})
	id, workflow := made.text("data.id"), made.text("data.workflowId")

	t.Run("PublicFields", func(t *testing.T) {
		visitor, session := visitor, session
		visitor.t, session.t = t, t
		app := visitor.get("/v1/app/posed").want(200)
		app.holds("", true, publicAppFields...)
		app.holds("versions.0", true, "version", "id", "createdAt")
		app.holds("snapshotNodes.0", true, "id", "type", "data")
		app.is(map[string]any{
			"name": "Posed", "description": "d", "iconUrl": "https://x.example/i.png", "version": 1, "estimatedCredits": 0,
			"maxRunsPerUserPerDay": 9, "thumbnailNodeId": "line", "snapshotNodes.0.data.text": "a fox", "snapshotEdges.0.target": "line",
			"snapshotSettings.presentationSettings.inputItems.0.content":               "# Hello",
			"snapshotSettings.presentationSettings.inputItems.2.items.0.allowedValues": "[calm wild]",
			"snapshotSettings.presentationSettings.inputItems.3.nodeId":                "line",
		})
		session.get("/v1/app/posed").want(200).holds("", true, append([]string{"slug", "isActive", "allowedEmbedDomains", "workflowId", "createdAt", "updatedAt"}, publicAppFields...)...)
		visitor.with("svc_unknown").get("/v1/app/posed").want(200)
	})
	t.Run("NothingOfDestinations", func(t *testing.T) {
		owner := owner
		owner.t = t
		out := []object{{"id": "out", "type": "webhook-output", "data": object{"url": "https://hidden.example/path"}}, posedNodes[0]}
		direct := saved(owner, out, nil)
		owner.post("/v1/workflows/"+direct+"/publish", object{"name": "Out", "slug": "out"}).want(201)
		if shown := owner.get("/v1/app/out").want(200); bytes.Contains(shown.Body, []byte("hidden.example")) {
			t.Errorf("the snapshot shows the destination: %s", shown.Body)
		}
		items := func(field object) object {
			return object{"name": "Out", "presentationSettings": object{"inputItems": []object{field}}}
		}
		owner.post("/v1/workflows/"+direct+"/publish", items(object{"type": "field", "id": "u", "nodeId": "out", "field": "url"})).wantError(400, "locked_field")
		fed := saved(owner, out, []object{{"id": "e", "source": "topic", "target": "out", "targetHandle": "url"}})
		owner.post("/v1/workflows/"+fed+"/publish", items(object{"type": "field", "id": "u", "nodeId": "topic", "field": "text"})).wantError(400, "locked_field")
	})

	field := func(more object) object {
		item := object{"type": "field", "id": "i", "nodeId": "topic", "field": "text"}
		for key, value := range more {
			item[key] = value
		}
		return item
	}
	form := func(name string, items any) rule {
		return rule{name, owner, "POST", "/v1/workflows/" + workflow + "/publish", object{"name": "x", "presentationSettings": object{"inputItems": items}}, 400, "validation_error"}
	}
	with := func(name string, body object) rule {
		return rule{name, owner, "POST", "/v1/workflows/" + workflow + "/publish", body, 400, "validation_error"}
	}
	hold(t,
		form("GroupInGroup", []object{{"type": "group", "items": []object{{"type": "group", "items": []object{}}}}}),
		form("ItemOfUnknownNode", []object{field(object{"nodeId": "none"})}),
		form("ItemOfUnknownField", []object{field(object{"field": "none"})}),
		form("ItemOfUnknownType", []object{field(object{"type": "none"})}),
		form("ItemIDTwice", []object{field(nil), field(nil)}),
		form("AllowedValueOfWrongType", []object{field(object{"allowedValues": []any{5}})}),
		form("AllowedValuesNoList", []object{field(object{"allowedValues": "x"})}),
		form("ItemsNoList", object{}),
		with("NoName", object{}), with("LongName", object{"name": string(make([]byte, 101))}),
		with("BadSlug", object{"name": "x", "slug": "Bad Slug"}), with("LongSlug", object{"name": "x", "slug": string(bytes.Repeat([]byte("a"), 51))}),
		with("LimitBelowOne", object{"name": "x", "maxRunsPerUserPerDay": 0}), with("LimitNoNumber", object{"name": "x", "maxRunsPerUserPerDay": "x"}),
		with("UnknownThumbnail", object{"name": "x", "thumbnailNodeId": "none"}),
		with("EmbedDomainNoOrigin", object{"name": "x", "allowedEmbedDomains": []string{"https://x.example/path"}}),
		rule{"SlugTaken", owner, "POST", "/v1/workflows/" + saved(owner, posedNodes, nil) + "/publish", object{"name": "x", "slug": "posed"}, 409, "name_taken"},
		rule{"PublishOfAnother", other, "POST", "/v1/workflows/" + workflow + "/publish", object{"name": "x"}, 404, "not_found"},
		rule{"UnknownSlug", visitor, "GET", "/v1/app/unknown", nil, 404, "not_found"},
		rule{"MalformedSlug", visitor, "GET", "/v1/app/Bad_Slug", nil, 400, "validation_error"},
		rule{"PatchOfAnother", other, "PATCH", "/v1/apps/" + id, object{"name": "x"}, 404, "not_found"},
		rule{"PatchNull", owner, "PATCH", "/v1/apps/" + id, object{"name": nil}, 400, "validation_error"},
		rule{"PatchLiftsLimit", owner, "PATCH", "/v1/apps/" + id, object{"maxRunsPerUserPerDay": nil}, 200, ""},
	)
	t.Run("NextVersionKeepsWhatIsNotSent", func(t *testing.T) {
		owner := owner
		owner.t = t
		owner.post("/v1/workflows/"+workflow+"/publish", object{"name": "Posed"}).want(201).is(map[string]any{
			"data.version": 2, "data.slug": "posed", "data.description": "d", "data.thumbnailNodeId": "line",
			"data.versions.0.version": 2, "data.versions.1.version": 1,
		})
	})
	t.Run("DeactivatedIsNotFound", func(t *testing.T) {
		owner := owner
		owner.t = t
		run := owner.post("/v1/app/posed/run", nil).want(202).text("runId")
		owner.do("PATCH", "/v1/apps/"+id, object{"isActive": false}).want(200).is(map[string]any{"data.isActive": false})
		hold(t,
			rule{"App", owner, "GET", "/v1/app/posed", nil, 404, "not_found"},
			rule{"Run", owner, "POST", "/v1/app/posed/run", object{}, 404, "not_found"},
			rule{"OldRun", owner, "GET", "/v1/app/posed/runs/" + run, nil, 404, "not_found"},
			rule{"Runs", owner, "GET", "/v1/app/posed/runs", nil, 404, "not_found"},
			rule{"Draft", owner, "POST", "/v1/app/posed/draft", nil, 404, "not_found"},
			rule{"Archive", owner, "DELETE", "/v1/app/posed/runs/" + run, nil, 404, "not_found"},
		)
		owner.do("DELETE", "/v1/apps/"+id, nil).want(200).is(map[string]any{"success": true})
		owner.get("/v1/app/posed").wantError(404, "not_found")
	})
}

package tests

import (
	"strings"
	"testing"
)

func runAPIWorkflows(t *testing.T, p *program) {
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

package web

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

func TestNodeForms(t *testing.T) {
	const base = "/workflows/" + someID + "/nodes"
	f := newFake(t).with("Workflow.version", 7).with("WorkflowNode.id", "sky").with("WorkflowNode.type", "component").
		with("NodeType.type", "component").with("NodeType.inputSchema", map[string]any{"properties": map[string]any{"workflowId": map[string]any{"type": "string", "x-control": "workflow"}}})
	if body := get(f, base).Body.String(); !strings.Contains(body, base+"/edit?node=sky") || !strings.Contains(body, `action="`+base+`/remove"`) {
		t.Error("the list offers nothing to do")
	}
	page := get(f, base+"/edit?node=sky").Body.String()
	if !strings.Contains(page, `name="in-workflowId"`) || !strings.Contains(page, "<select") || !strings.Contains(page, `name="in-workflowId-other"`) {
		t.Error("a workflow cannot be chosen by its name, or no other one")
	}
	if w := get(f, base+"/edit?node=gone"); w.Code != http.StatusNotFound {
		t.Errorf("a node that is not there: %d", w.Code)
	}
	w := post(f, base+"/edit", "node", "sky", "version", "7", "in-workflowId", "", "in-workflowId-other", " w2 ")
	if w.Code != http.StatusSeeOther || w.Header().Get("Location") != base+"/edit?node=sky" {
		t.Fatalf("saved: %d %s", w.Code, w.Body)
	}
	sent, _ := json.Marshal(f.last(t, "SaveGraph").Variables)
	if !strings.Contains(string(sent), `"workflowId":"w2"`) || !strings.Contains(string(sent), `"version":7`) {
		t.Errorf("sent %s", sent)
	}
	before := len(f.calls)
	w = post(f, base+"/edit", "node", "sky", "version", "6", "in-workflowId", "w3")
	if w.Code != http.StatusConflict || !strings.Contains(w.Body.String(), "Another change came first") || !strings.Contains(w.Body.String(), "w3") {
		t.Errorf("an old version: %d", w.Code)
	}
	for _, call := range f.calls[before:] {
		if call.Operation == "SaveGraph" {
			t.Error("an old version was saved over a newer one")
		}
	}
	f.refuse("SaveGraph", "validation_error", 400, map[string]any{"field": "nodes.sky.data.workflowId", "message": "nodes.sky.data.workflowId must be a workflow"})
	w = post(f, base+"/edit", "node", "sky", "form", "fields", "version", "7", "in-workflowId", "w3")
	if w.Code != 400 || !strings.Contains(w.Body.String(), `id="f-in-workflowId-error"`) {
		t.Errorf("a refusal does not stand beside its field: %d", w.Code)
	}
}

// A graph of more than a form's usual size is saved; one that is larger than a workflow may be is refused in words.
func TestLargeGraphs(t *testing.T) {
	text := `{"nodes":[{"id":"a","type":"text","data":{"text":"` + strings.Repeat("word ", 900_000) + `"}}],"edges":[]}` // 4.5 MB
	f := newFake(t).with("Workflow.version", 7)
	for _, path := range []string{"", "/editor/save"} {
		if w := post(f, "/workflows/"+someID+path, "graph", text, "version", "7", "name", "Large"); w.Code != 303 && w.Code != 200 {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
	w := post(f, "/workflows/"+someID, "graph", strings.Repeat(text, 4), "version", "7", "name", "Large")
	if w.Code != http.StatusRequestEntityTooLarge || !strings.Contains(w.Body.String(), "at most 5 MiB") {
		t.Errorf("too large: %d", w.Code)
	}
}

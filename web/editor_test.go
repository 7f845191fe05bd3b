package web

import (
	"net/http"
	"strings"
	"testing"
)

func TestEditorChecksAndSaves(t *testing.T) {
	const one = "/workflows/" + someID + "/editor"
	graph := `{"nodes":[{"id":"sky","type":"generate-image","data":{"seed":7}}],"edges":[]}`
	f := newFake(t).with("GraphProblem.nodeId", "sky").with("GraphProblem.field", "nodes.sky.data.seed").with("GraphProblem.message", "nodes.sky.data.seed must be a number")
	for name, c := range map[string]struct {
		path   string
		fields []string
		status int
		want   string
	}{
		"a problem names node and field": {"/check", []string{"graph", graph}, 200, `"generate-image, Seed must be a number."`},
		"no JSON":                        {"/check", []string{"graph", "{"}, 400, `"field":"graph"`},
		"saved":                          {"/save", []string{"graph", graph, "version", "3"}, 200, `"version":7`},
		"without a version":              {"/save", []string{"graph", graph}, 400, `"field":"version"`},
		"a run":                          {"/run", nil, 200, `"run":"` + someID},
		"a node alone":                   {"/try", []string{"type", "text", "settings", `{"text":"x","label":"Mine"}`}, 200, `"run":"`},
		"a node without settings":        {"/try", []string{"type", "text"}, 400, `"field":"settings"`},
		"an upload without a file":       {"/upload", nil, 400, `"field":"file"`},
	} {
		w := post(f, one+c.path, c.fields...)
		if w.Code != c.status || !strings.Contains(w.Body.String(), c.want) || w.Header().Get("Content-Type") != "application/json; charset=utf-8" {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
	}
	for _, call := range f.calls {
		if settings, ok := call.Variables["settings"].(map[string]any); ok && settings["label"] != nil {
			t.Errorf("the editor's own fields are sent: %v", settings)
		}
	}
}

// Without script no button of the editor is shown, for none would do anything; the way by forms is.
func TestEditorWithoutScript(t *testing.T) {
	body := get(newFake(t), "/workflows/"+someID+"/editor").Body.String()
	for _, what := range []string{"save", "run"} {
		_, tag, found := strings.Cut(body, `data-do="`+what+`"`)
		if tag, _, _ = strings.Cut(tag, ">"); !found || !strings.Contains(tag, "hidden") {
			t.Errorf("%s is shown: %q", what, tag)
		}
	}
	if !strings.Contains(body, `href="/workflows/`+someID+`/nodes"`) {
		t.Error("the list of nodes is not offered")
	}
}

func TestAStaleEditorGetsBothVersions(t *testing.T) {
	f := newFake(t)
	f.refuse("SaveGraph", "stale_version", http.StatusConflict, nil)
	w := post(f, "/workflows/"+someID+"/editor/save", "graph", `{"nodes":[{"id":"mine","type":"text"}],"edges":[]}`, "version", "3")
	body := w.Body.String()
	if w.Code != http.StatusConflict || !strings.Contains(body, `"code":"stale_version"`) || !strings.Contains(body, `{"after":"is there","before":"","name":"text"}`) || !strings.Contains(body, `"version":7`) {
		t.Errorf("%d %s", w.Code, body)
	}
}

func TestTemplates(t *testing.T) {
	f := newFake(t).with("Workflow.name", "Sky & sea!").with("WorkflowNode.data", map[string]any{"url": "https://a.example", "credentialId": someID})
	w := get(f, "/workflows/"+someID+"/template")
	if w.Code != 200 || w.Header().Get("Content-Disposition") != `attachment; filename="sky-sea.json"` || strings.Contains(w.Body.String(), "credentialId") {
		t.Fatalf("%d %v %s", w.Code, w.Header(), w.Body)
	}
	if back := post(f, "/workflows", "graph", w.Body.String()); back.Code != http.StatusSeeOther {
		t.Errorf("%d %s", back.Code, back.Body)
	}
	sent, _ := f.last(t, "CreateWorkflow").Variables["input"].(map[string]any)
	if nodes, _ := sent["nodes"].([]any); sent["name"] != "Sky & sea!" || len(nodes) == 0 {
		t.Errorf("made of the file: %v", sent)
	}
	for _, wrong := range []string{`{"format":"other/9"}`, `[]`, `{`} {
		if w := post(f, "/workflows", "name", "x", "graph", wrong); w.Code != http.StatusBadRequest {
			t.Errorf("%s: %d", wrong, w.Code)
		}
	}
}

func TestRestoringAVersion(t *testing.T) {
	f := newFake(t)
	w := post(f, "/workflows/"+someID+"/versions/3/restore", "version", "7")
	if w.Code != http.StatusSeeOther || f.last(t, "SaveGraph").Variables["version"] != 7.0 {
		t.Errorf("%d %s %v", w.Code, w.Body, f.calls)
	}
	late := newFake(t)
	late.refuse("SaveGraph", "stale_version", http.StatusConflict, nil)
	if w := post(late, "/workflows/"+someID+"/versions/3/restore", "version", "6"); w.Code != http.StatusSeeOther || !strings.HasSuffix(w.Header().Get("Location"), "/versions") {
		t.Errorf("%d %v", w.Code, w.Header())
	}
}

func TestRunsAreNarrowed(t *testing.T) {
	f := newFake(t)
	get(f, "/runs?status=failed&trigger=schedule&workflow="+someID)
	filter, _ := f.last(t, "Runs").Variables["filter"].(map[string]any)
	if filter["status"] != "failed" || filter["trigger"] != "schedule" || filter["workflowId"] != someID {
		t.Errorf("%v", filter)
	}
	get(f, "/runs?status=nonsense&trigger=x&workflow=../y")
	if filter, _ := f.last(t, "Runs").Variables["filter"].(map[string]any); len(filter) != 0 {
		t.Errorf("%v", filter)
	}
}

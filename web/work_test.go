package web

import (
	"context"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"atelier/web/frame"
)

func TestPublishSendsTheForm(t *testing.T) {
	f := newFake(t).with("WorkflowNode.type", "text").with("WorkflowNode.id", "n").with("WorkflowNode.data", map[string]any{"text": "x"}).
		with("NodeType.type", "text").with("NodeType.inputSchema", map[string]any{"properties": map[string]any{"text": map[string]any{"type": "string"}}}).
		with("Workflow.nodes", 1).with("NodeType.capabilities", []any{}).with("App.maxRunsPerUserPerDay", nil)
	w := post(f, "/workflows/"+someID+"/publish", "name", "Poster", "slug", "poster", "expose", "n.text", "thumbnailNodeId", "n", "maxRunsPerUserPerDay", "3", "allowedEmbedDomains", "https://a.example\r\n\r\nhttps://b.example")
	if w.Code != http.StatusSeeOther {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	got := frame.JSONOf(f.last(t, "PublishWorkflow").Variables["input"])
	want := `{"allowedEmbedDomains":["https://a.example","https://b.example"],"description":"","iconUrl":"","maxRunsPerUserPerDay":3,"name":"Poster",` +
		`"presentationSettings":{"inputItems":[{"field":"text","id":"n.text","nodeId":"n","type":"field"},{"id":"result","nodeId":"n","type":"output"}]},"slug":"poster","thumbnailNodeId":"n"}`
	if got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

func TestPreviewSavesNothing(t *testing.T) {
	f := newFake(t)
	w := post(f, "/workflows/"+someID+"/publish/preview", "name", "Typed name", "intro", "**bold**", "custom", "")
	if body := w.Body.String(); w.Code != http.StatusOK || !strings.Contains(body, "<strong>bold</strong>") || !strings.Contains(body, "Typed name") {
		t.Errorf("%d %s", w.Code, body)
	}
	for _, c := range f.calls {
		if c.Operation == "PublishWorkflow" {
			t.Error("it was published")
		}
	}
}

func TestAStaleWorkflowShowsBothVersions(t *testing.T) {
	f := newFake(t).with("Workflow.name", "Theirs")
	f.refuse("UpdateWorkflow", "stale_version", http.StatusConflict, nil)
	w := post(f, "/workflows/"+someID, "name", "Mine", "version", "3", "graph", `{"nodes": [{"id": "mine", "type": "text", "data": {}}], "edges": []}`)
	body := w.Body.String()
	for _, part := range []string{"Theirs", "Mine", "Added", "Removed", "As JSON", `name="version" value="7"`, "Keep theirs"} {
		if !strings.Contains(body, part) {
			t.Errorf("%q is missing", part)
		}
	}
	if w.Code != http.StatusConflict {
		t.Error(w.Code)
	}
}

// A workflow without nodes has nothing to run: its page leads to the editor instead.
func TestAnEmptyWorkflowIsNotRun(t *testing.T) {
	const path, form = "/workflows/" + someID, `action="/workflows/` + someID + `/run"`
	if body := get(newFake(t), path).Body.String(); !strings.Contains(body, form) {
		t.Error("a workflow with nodes cannot be run")
	}
	body := get(newFake(t).with("Workflow.nodes", 0), path).Body.String()
	if strings.Contains(body, form) || !strings.Contains(body, "There are no nodes yet.") {
		t.Error(body)
	}
}

func TestARefusedGraphNamesItsNodeAndKeepsTheText(t *testing.T) {
	f := newFake(t)
	f.refuse("UpdateWorkflow", "validation_error", http.StatusBadRequest, map[string]any{"field": "nodes.sky.data.width", "message": "nodes.sky.data.width must be a number"})
	const typed = `{"nodes": [{"id": "sky", "type": "resize-image", "data": {"width": "wide"}}]}`
	w := post(f, "/workflows/"+someID, "form", "edit", "name", "Mine", "version", "7", "graph", typed)
	body := w.Body.String()
	if w.Code != http.StatusBadRequest || !strings.Contains(body, "Node sky, width must be a number.") || !strings.Contains(body, "&#34;wide&#34;") {
		t.Errorf("%d %s", w.Code, body)
	}
	w = post(f, "/workflows/"+someID, "form", "edit", "name", "Mine", "version", "7", "graph", "{")
	if body := w.Body.String(); w.Code != http.StatusBadRequest || !strings.Contains(body, "it ends too early") {
		t.Errorf("%d %s", w.Code, body)
	}
}

// fieldApp is an app with one field, the text of its only node.
func fieldApp(t *testing.T) *fake {
	t.Helper()
	return newFake(t).with("App.slug", "poster").with("App.inputItems", []any{map[string]any{"type": "field", "id": "who", "nodeId": "n", "field": "text"}}).
		with("App.snapshotNodes", 1).with("WorkflowNode.id", "n").with("WorkflowNode.type", "text").with("WorkflowNode.data", map[string]any{"text": "nobody"})
}

func TestRunningAnAppSurvivesTheSignIn(t *testing.T) {
	f := fieldApp(t)
	f.refuse("Frame", "unauthorized", http.StatusUnauthorized, nil)
	f.refuse("AppRuns", "unauthorized", http.StatusUnauthorized, nil)
	w := post(f, "/app/poster/run", "in-who", "Ada & Bob")
	to, err := url.Parse(w.Header().Get("Location"))
	if err != nil || w.Code != http.StatusSeeOther || to.Path != "/login" {
		t.Fatalf("%d %v", w.Code, w.Header())
	}
	next := to.Query().Get("next")
	if frame.SafePath(next) != next || next == "" {
		t.Fatal(next)
	}
	delete(f.errs, "Frame")
	if body := get(f, next).Body.String(); !strings.Contains(body, "Ada &amp; Bob") {
		t.Error(body)
	}
}

func TestRunningAnApp(t *testing.T) {
	f := fieldApp(t)
	w := post(f, "/app/poster/run", "in-who", "Ada")
	if w.Code != http.StatusSeeOther || w.Header().Get("Location") != "/app/poster/runs/"+someID {
		t.Fatalf("%d %v", w.Code, w.Header())
	}
	if got := frame.JSONOf(f.last(t, "RunApp").Variables); got != `{"input":{"inputs":{"who":"Ada"}},"slug":"poster"}` {
		t.Error(got)
	}
	f.refuse("RunApp", "validation_error", http.StatusBadRequest, map[string]any{"field": "inputs.who", "message": "inputs.who must be one of a, b"})
	w = post(f, "/app/poster/run", "in-who", "Typed")
	if body := w.Body.String(); w.Code != http.StatusBadRequest || !strings.Contains(body, `href="#f-in-who"`) || !strings.Contains(body, "Typed") || !strings.Contains(body, "Text must be one of a, b.") {
		t.Errorf("%d %s", w.Code, body)
	}
}

func TestUploadsBecomeAddresses(t *testing.T) {
	f := fieldApp(t).with("WorkflowNode.type", "upload-image").with("WorkflowNode.data", map[string]any{"text": ""}).
		with("App.inputItems", []any{map[string]any{"type": "field", "id": "pic", "nodeId": "n", "field": "imageUrl"}}).
		with("WorkflowNode.data", map[string]any{"imageUrl": "https://a.example/old.png"})
	c, router := testConsole(f)
	var sent string
	c.Config.Upload = func(_ context.Context, r io.Reader) (string, error) {
		b, err := io.ReadAll(r)
		sent = string(b)
		return "https://here.example/media/x.png", err
	}
	var body strings.Builder
	form := multipart.NewWriter(&body)
	_ = form.WriteField("in-pic", "https://a.example/old.png")
	part, _ := form.CreateFormFile("in-pic-file", "x.png")
	_, _ = part.Write([]byte(strings.Repeat("x", 2<<20)))
	_ = form.Close()
	r := httptest.NewRequest(http.MethodPost, "/app/poster/run", strings.NewReader(body.String()))
	r.Header.Set("Content-Type", form.FormDataContentType())
	w := httptest.NewRecorder()
	router.ServeHTTP(w, r)
	if w.Code != http.StatusSeeOther || len(sent) != 2<<20 {
		t.Fatalf("%d, %d bytes kept: %s", w.Code, len(sent), w.Body)
	}
	if got := frame.JSONOf(f.last(t, "RunApp").Variables["input"]); got != `{"inputs":{"pic":"https://here.example/media/x.png"}}` {
		t.Error(got)
	}
}

func TestSecretsAreShownOnce(t *testing.T) {
	f := newFake(t).with("CreatedApiToken.token", "svc_secret").with("WebhookEndpointSecret.secret", "whsec_secret")
	for path, c := range map[string]struct {
		form []string
		want string
	}{
		"/tokens":                         {[]string{"name", "CI", "rateLimit", "30"}, "svc_secret"},
		"/webhooks":                       {[]string{"url", "https://a.example", "events", "job.failed"}, "whsec_secret"},
		"/webhooks/" + someID + "/rotate": {[]string{"gracePeriodSeconds", "0"}, "whsec_secret"},
	} {
		w := post(f, path, c.form...)
		if body := w.Body.String(); w.Code != http.StatusOK || !strings.Contains(body, c.want) || !strings.Contains(body, "shown once") {
			t.Errorf("%s: %d %s", path, w.Code, body)
		}
		if w.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("%s may be kept", path)
		}
	}
}

package web

import (
	"context"
	"encoding/json"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"atelier/web/docs"

	"github.com/gorilla/mux"
	"golang.org/x/net/html"
)

func testConsole(f *fake) (*Console, *mux.Router) {
	c := New(Config{Executor: f, Document: hostileDocument, PublicURL: "https://atelier.example", SecureCookies: true, MaxUnkept: 10_000, ExportResults: exportedIDs, Log: slog.New(slog.NewTextHandler(&f.log, nil)), Now: func() time.Time {
		return time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	}})
	router := mux.NewRouter()
	c.Routes(router)
	router.NotFoundHandler = c.NotFound()
	return c, router
}

// exportedIDs are results as a file that names them.
func exportedIDs(_ context.Context, ids []string) (io.WriterTo, string, error) {
	return strings.NewReader(strings.Join(ids, " ")), "results.zip", nil
}

func get(f *fake, path string, cookies ...*http.Cookie) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, path, nil)
	for _, cookie := range cookies {
		r.AddCookie(cookie)
	}
	return do(f, r)
}

func post(f *fake, path string, pairs ...string) *httptest.ResponseRecorder {
	values := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		values.Add(pairs[i], pairs[i+1])
	}
	r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(values.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	return do(f, r)
}

func do(f *fake, r *http.Request) *httptest.ResponseRecorder {
	f.once.Do(func() { _, f.router = testConsole(f) })
	w := httptest.NewRecorder()
	w.Header().Set("X-Request-Id", "req-1")
	f.router.ServeHTTP(w, r)
	return w
}

// streams are the addresses that answer with events or a file, not with a page; fragments are parts of a page.
var (
	streams   = regexp.MustCompile(`/(live|joined|template|text)$|^/embed/`) // and pages that only allowed sites may frame
	fragments = regexp.MustCompile(`/(slug|echo|preview|editor/run|editor/choices|state|search/results)$`)
	number    = regexp.MustCompile(`\{[a-z]+:\[0-9\][^}]*\}\}`)
	variable  = regexp.MustCompile(`\{[a-zA-Z]+(:[^{}]*(\{[^{}]*\})?[^{}]*)?\}`)
)

// pages are all addresses that are shown with GET.
// hostileDocument describes an API whose names are hostile.
func hostileDocument() ([]byte, error) {
	field := map[string]any{"type": []string{"string", "null"}, "format": hostile, "description": hostile}
	body := map[string]any{"properties": map[string]any{hostile: field, "list": map[string]any{"type": "array", "items": map[string]any{"$ref": "#/components/schemas/Self"}}}, "required": []string{hostile}}
	content := map[string]any{"application/json": map[string]any{"schema": map[string]any{"$ref": "#/components/schemas/Self"}, "example": map[string]any{"data": map[string]any{hostile: hostile}}}}
	return json.Marshal(map[string]any{
		"tags":       []any{map[string]any{"name": someID, "description": hostile}},
		"components": map[string]any{"schemas": map[string]any{"Self": body, "Loop": map[string]any{"$ref": "#/components/schemas/Loop"}}},
		"paths": map[string]any{"/v1/jobs/{id}": map[string]any{"get": map[string]any{
			"operationId": someID, "summary": hostile, "description": hostile, "tags": []string{someID}, "requestBody": map[string]any{"content": content},
			"parameters": []any{map[string]any{"name": hostile, "in": "header", "schema": map[string]any{"$ref": "#/components/schemas/Loop"}}},
			"responses":  map[string]any{"200": map[string]any{"description": hostile, "content": content}},
		}}},
	})
}

func pages(t *testing.T) []string {
	t.Helper()
	_, router := testConsole(newFake(t))
	var out []string
	err := router.Walk(func(route *mux.Route, _ *mux.Router, _ []*mux.Route) error {
		path, err := route.GetPathTemplate()
		methods, _ := route.GetMethods()
		if err != nil || len(methods) == 0 || path == "/favicon.ico" || path == "/install/accent.css" || strings.HasSuffix(path, "/archive") || methods[0] != http.MethodGet || streams.MatchString(path) {
			return nil
		}
		if path == docs.Prefix || strings.HasPrefix(path, docs.Prefix+"/") { // the same for everyone, and tested there
			return nil
		}
		out = append(out, variable.ReplaceAllString(number.ReplaceAllString(path, "3"), someID))
		return nil
	})
	if err != nil || len(out) < 30 {
		t.Fatalf("%d pages found, %v", len(out), err)
	}
	return out
}

func powerless(f *fake) *fake {
	for _, name := range []string{"OrganizationPermissions", "WorkspacePermissions", "WorkflowPermissions"} {
		for _, field := range f.schema.Types[name].Fields {
			f.set[name+"."+field.Name] = false
		}
	}
	return f.with("Organization.role", "member").with("Workspace.role", "member").with("WorkspaceBudget.allocated", nil).with("WorkspaceBudget.members", nil)
}

// checkPage holds for every page: the policy, no inline code, labels, one heading, unique ids, nothing unescaped.
func checkPage(t *testing.T, path string, w *httptest.ResponseRecorder) {
	t.Helper()
	policy := w.Header().Get("Content-Security-Policy")
	nonce := regexp.MustCompile(`'nonce-([A-Z2-7]{20,})'`).FindStringSubmatch(policy)
	if nonce == nil {
		t.Fatalf("%s: no nonce in %q", path, policy)
	}
	doc, err := html.Parse(strings.NewReader(w.Body.String()))
	if err != nil {
		t.Fatal(err)
	}
	p := &pageCheck{t: t, path: path, nonce: nonce[1], ids: map[string]int{}, labels: map[string]bool{}}
	p.walk(doc, false)
	p.finish(fragments.MatchString(strings.Split(path, "?")[0]))
}

type pageCheck struct {
	t        *testing.T
	path     string
	nonce    string
	ids      map[string]int
	labels   map[string]bool
	controls []*html.Node
	headings int
}

func (p *pageCheck) walk(n *html.Node, labelled bool) {
	if n.Type == html.ElementNode {
		p.element(n, labelled)
		labelled = labelled || n.Data == "label"
	}
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		p.walk(child, labelled)
	}
}

func (p *pageCheck) element(n *html.Node, labelled bool) {
	for _, a := range n.Attr {
		switch {
		case a.Key == "style", strings.HasPrefix(a.Key, "on"), strings.HasPrefix(a.Key, "hx-on"):
			p.t.Errorf("%s: <%s %s>", p.path, n.Data, a.Key)
		case a.Key == "id":
			p.ids[a.Val]++
		case (a.Key == "href" || a.Key == "action") && !strings.HasPrefix(a.Val, "/") && !strings.HasPrefix(a.Val, "#") && !strings.HasPrefix(a.Val, "https://"):
			if n.Namespace == "" && n.Data != "base" {
				p.t.Errorf("%s: <%s> leads to %q", p.path, n.Data, a.Val)
			}
		case a.Key == "hx-nonce" && a.Val != p.nonce:
			p.t.Errorf("%s: <%s> has the nonce %q", p.path, n.Data, a.Val)
		}
	}
	switch n.Data {
	case "script":
		if attr(n, "nonce") != p.nonce || attr(n, "src") == "" || n.FirstChild != nil {
			p.t.Errorf("%s: a script without nonce or with text: %s", p.path, text0(n))
		}
	case "style", "iframe", "object", "embed":
		p.t.Errorf("%s: <%s>", p.path, n.Data)
	case "h1":
		p.headings++
	case "label":
		p.labels[attr(n, "for")] = true
	case "input", "select", "textarea":
		if attr(n, "type") != "hidden" && !labelled && attr(n, "aria-label") == "" {
			p.controls = append(p.controls, n)
		}
	}
}

func (p *pageCheck) finish(fragment bool) {
	for _, n := range p.controls {
		if !p.labels[attr(n, "id")] || attr(n, "id") == "" {
			p.t.Errorf("%s: <%s name=%s> has no label", p.path, n.Data, attr(n, "name"))
		}
	}
	if !fragment && p.headings != 1 {
		p.t.Errorf("%s: %d h1", p.path, p.headings)
	}
	for id, n := range p.ids {
		// The fake gives every row the same id and name; ids made from them repeat for that reason alone.
		if n > 1 && !strings.Contains(id, someID) && !strings.Contains(id, hostile) {
			p.t.Errorf("%s: id %q stands %d times", p.path, id, n)
		}
	}
}

func attr(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func text0(n *html.Node) string {
	if n.FirstChild != nil {
		return n.FirstChild.Data
	}
	return ""
}

// A caption is the first or the last thing in its figure, as HTML has it.
func TestCaptionsEndTheirFigures(t *testing.T) {
	figure := regexp.MustCompile(`(?s)<figure[^>]*>(.*?)</figure>`)
	placed := regexp.MustCompile(`(?s)^\s*<figcaption|</figcaption>\s*$`)
	found := 0
	err := fs.WalkDir(os.DirFS("."), ".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".templ") {
			return err
		}
		page, err := os.ReadFile(path)
		for _, held := range figure.FindAllStringSubmatch(string(page), -1) {
			if !strings.Contains(held[1], "<figcaption") {
				continue
			}
			if found++; !placed.MatchString(held[1]) {
				t.Errorf("%s: a caption stands in the middle of its figure", path)
			}
		}
		return err
	})
	if err != nil || found < 7 {
		t.Errorf("%d captions, %v", found, err)
	}
}

//go:build !race

package docs_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	source "atelier/docs"
	"atelier/server"
	"atelier/web/apidoc"
	"atelier/web/docs"

	"github.com/gorilla/mux"
	"golang.org/x/net/html"
)

var document = sync.OnceValues(func() ([]byte, error) {
	var out bytes.Buffer
	err := server.WriteOpenAPI(&out)
	return out.Bytes(), err
})

func newSite(t testing.TB) (*docs.Site, http.Handler) {
	t.Helper()
	site := docs.New(docs.Config{
		Reference: func() (*apidoc.Reference, error) { return apidoc.Read(document) }, Document: document, PublicURL: "https://atelier.example.org",
	})
	router := mux.NewRouter().SkipClean(true)
	site.Routes(router)
	return site, router
}

func get(h http.Handler, address string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, address, nil)
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// read is a page as a browser sees it: its links, what can be linked to, and its headings.
type read struct {
	title, h1 string
	ones      int
	links     []string
	ids       map[string]bool
}

func readPage(t *testing.T, body []byte) read {
	t.Helper()
	root, err := html.Parse(bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	out := read{ids: map[string]bool{}}
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		switch n.Data {
		case "title":
			out.title = n.FirstChild.Data
		case "h1":
			out.ones++
			out.h1 = n.FirstChild.Data
		}
		for _, a := range n.Attr {
			switch a.Key {
			case "id":
				if out.ids[a.Val] {
					t.Errorf("%s: two elements have the id %s", out.title, a.Val)
				}
				out.ids[a.Val] = true
			case "href", "src", "action", "data-index":
				out.links = append(out.links, a.Val)
			case "style":
				t.Errorf("%s: a style attribute", out.title)
			}
		}
	}
	return out
}

// TestPages reads every page: it is there, has a title and one h1 of its own, and its links lead somewhere.
func TestPages(t *testing.T) {
	site, h := newSite(t)
	paths, err := site.Paths()
	if err != nil || len(paths) < 120 {
		t.Fatalf("%d pages, %v", len(paths), err)
	}
	pages, titles := map[string]read{}, map[string]string{}
	for _, at := range append(paths, "search") {
		address := strings.TrimSuffix("/docs/"+at, "/")
		w := get(h, address)
		if w.Code != http.StatusOK || w.Header().Get("Content-Type") != "text/html; charset=utf-8" {
			t.Errorf("%s: %d", address, w.Code)
			continue
		}
		page := readPage(t, w.Body.Bytes())
		if other := titles[page.title]; other != "" || page.title == "" || page.ones != 1 || page.h1 == "" {
			t.Errorf("%s: title %q (also of %q), %d h1, %q", address, page.title, other, page.ones, page.h1)
		}
		pages[address], titles[page.title] = page, address
	}
	for address, page := range pages {
		for _, link := range page.links {
			to, anchor, _ := strings.Cut(link, "#")
			switch {
			case strings.HasPrefix(link, "https://") || strings.HasPrefix(link, "/assets/") || link == "/" || link == "/v1/openapi.json":
			case to == "/docs/search.json" || strings.HasPrefix(to, "/docs/monitoring/") || strings.HasPrefix(to, "/docs/examples/"):
				if w := get(h, to); w.Code != http.StatusOK {
					t.Errorf("%s leads to %s: %d", address, link, w.Code)
				}
			default:
				if to == "" {
					to = address
				}
				if target, known := pages[to]; !known || anchor != "" && !target.ids[anchor] {
					t.Errorf("%s leads to %s, where nothing is", address, link)
				}
			}
		}
	}
}

// TestEveryPageOfDocsIsOnTheSite finds files of docs/ that no section has.
func TestEveryPageOfDocsIsOnTheSite(t *testing.T) {
	onSite := []string{"errors.md"} // a page for each code
	for _, p := range docs.Written() {
		onSite = append(onSite, p.Source)
	}
	err := fs.WalkDir(source.Files, ".", func(file string, d fs.DirEntry, err error) error {
		if err == nil && path.Ext(file) == ".md" && !slices.Contains(onSite, file) {
			t.Errorf("docs/%s is in no section of web/docs/contents.go", file)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestHeaders: pages are public, the same for everyone, and read again only where they changed.
func TestHeaders(t *testing.T) {
	_, h := newSite(t)
	w := get(h, "/docs/guides/teacher", "Cookie", "atelier_session=x; theme=dark", "Accept-Encoding", "gzip")
	head := w.Header()
	if head.Get("Cache-Control") != "public, max-age=300" || head.Get("ETag") == "" || head.Get("Set-Cookie") != "" || head.Get("Content-Encoding") != "gzip" || head.Get("Vary") != "Accept-Encoding" {
		t.Errorf("%v", head)
	}
	if policy := head.Get("Content-Security-Policy"); !strings.Contains(policy, "default-src 'none'") || strings.Contains(policy, "unsafe") {
		t.Errorf("policy %q", policy)
	}
	z, err := gzip.NewReader(w.Body)
	if err != nil {
		t.Fatal(err)
	}
	zipped, _ := io.ReadAll(z)
	plain := get(h, "/docs/guides/teacher")
	if !bytes.Equal(zipped, plain.Body.Bytes()) || plain.Header().Get("ETag") == head.Get("ETag") {
		t.Error("the compressed page is another, or has the same tag")
	}
	if again := get(h, "/docs/guides/teacher", "Accept-Encoding", "gzip", "If-None-Match", head.Get("ETag")); again.Code != http.StatusNotModified || again.Body.Len() != 0 {
		t.Errorf("not modified: %d, %d bytes", again.Code, again.Body.Len())
	}
	for address, status := range map[string]int{
		"/docs/nothing": 404, "/docs/errors/nothing": 404, "/docs/reference/nothing": 404, "/docs/!": 404, "/docs/../main.go": 404, "/docs/monitoring/none": 404,
		"/docs/api.md": 404, "/docs/": 308, "/docs/api/": 308,
	} {
		if w := get(h, address); w.Code != status {
			t.Errorf("%s: %d, want %d", address, w.Code, status)
		}
	}
	if to := get(h, "/docs//evil.example/").Header().Get("Location"); to != "/docs/evil.example" {
		t.Errorf("leads to %q", to)
	}
}

// TestSearch: the words that people type lead to the page that is about them, and no query breaks the page.
func TestSearch(t *testing.T) {
	_, h := newSite(t)
	for query, want := range map[string]string{
		"join code": "/docs/guides/teacher", "budget_exceeded": "/docs/errors/budget_exceeded", "webhook signature": "/docs/webhooks",
		"BACKUP": "/docs/guides/operator", "run an app": "/docs/guides/api",
	} {
		w := get(h, "/docs/search?q="+strings.ReplaceAll(query, " ", "+"))
		if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), `href="`+want) {
			t.Errorf("%s: %d, without %s", query, w.Code, want)
		}
	}
	for _, query := range []string{"%3Cscript%3Ealert(1)%3C/script%3E", "%ff%fe", "%00", strings.Repeat("a+", 400), strings.Repeat("%C3%A9", 300), "zzzzzzzz"} {
		w := get(h, "/docs/search?q="+query)
		if w.Code != http.StatusOK || strings.Contains(w.Body.String(), "<script>") || w.Body.Len() > 200_000 {
			t.Errorf("%.40s: %d, %d bytes", query, w.Code, w.Body.Len())
		}
	}
	var index []map[string]string
	if err := json.Unmarshal(get(h, "/docs/search.json").Body.Bytes(), &index); err != nil || len(index) < 500 {
		t.Errorf("%d entries, %v", len(index), err)
	}
}

// TestProgramsAreTested holds every line of the examples of the reference against those of the clients, which tests run.
func TestProgramsAreTested(t *testing.T) {
	known := map[string]map[string]bool{}
	for language, pattern := range map[string]string{
		"TypeScript": "../../clients/typescript/examples/*.mjs", "Python": "../../clients/python/examples/*.py", "Go": "../../clients/go/example_test.go",
	} {
		known[language] = map[string]bool{}
		files, _ := filepath.Glob(pattern)
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(string(text)) {
				known[language][strings.TrimSpace(line)] = true
			}
		}
		if len(known[language]) < 50 {
			t.Fatalf("%d lines of %s", len(known[language]), language)
		}
	}
	made, err := apidoc.Read(document)
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, g := range made.Groups {
		for _, c := range g.Calls {
			ids = append(ids, c.ID)
		}
	}
	for id, languages := range docs.Programs() {
		if !slices.Contains(ids, id) {
			t.Errorf("no call has the id %s", id)
		}
		for language, text := range languages {
			for line := range strings.Lines(text) {
				if !known[language][strings.TrimSpace(line)] {
					t.Errorf("%s of %s: no example has the line %q", language, id, strings.TrimSpace(line))
				}
			}
		}
	}
}

// TestWrite writes the site as files: every link of every page leads to one of them.
func TestWrite(t *testing.T) {
	site := docs.New(docs.Config{
		Reference: func() (*apidoc.Reference, error) { return apidoc.Read(document) }, Document: document, PublicURL: "https://atelier.example.org", Apart: true,
	})
	folder := t.TempDir()
	if err := site.Write(folder); err != nil {
		t.Fatal(err)
	}
	pages := 0
	_ = filepath.WalkDir(folder, func(file string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(file) != ".html" {
			return err
		}
		pages++
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, link := range readPage(t, text).links {
			link, _, _ = strings.Cut(link, "#")
			if strings.HasPrefix(link, "https://") || link == "" {
				continue
			}
			if _, err := os.Stat(filepath.Join(filepath.Dir(file), link)); err != nil || strings.HasPrefix(link, "/") {
				t.Errorf("%s leads to %s", file, link)
			}
		}
		return nil
	})
	if pages < 120 {
		t.Errorf("%d pages", pages)
	}
	css, err := filepath.Glob(filepath.Join(folder, "assets", "app.*.css"))
	if err != nil || len(css) != 1 {
		t.Fatal(css, err)
	}
	text, _ := os.ReadFile(css[0])
	for _, font := range regexp.MustCompile(`url\("([^"]+)"\)`).FindAllStringSubmatch(string(text), -1) {
		if _, err := os.Stat(filepath.Join(folder, "assets", font[1])); err != nil {
			t.Error(err)
		}
	}
}

// What it costs to make the site, to make all of its pages, and to send one that was made.
func BenchmarkSite(b *testing.B) {
	if _, err := document(); err != nil {
		b.Fatal(err)
	}
	b.Run("new", func(b *testing.B) {
		for b.Loop() {
			newSite(b)
		}
	})
	b.Run("first page", func(b *testing.B) {
		for b.Loop() {
			_, h := newSite(b)
			get(h, "/docs/guides/teacher")
		}
	})
	b.Run("all pages", func(b *testing.B) {
		for b.Loop() {
			site, h := newSite(b)
			paths, _ := site.Paths()
			for _, at := range paths {
				get(h, "/docs/"+at)
			}
		}
	})
	_, h := newSite(b)
	for name, address := range map[string]string{"page": "/docs/api", "search": "/docs/search?q=webhook+signature", "search of letters": "/docs/search?q=a+e+i+o+s+t"} {
		get(h, address)
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				get(h, address, "Accept-Encoding", "gzip")
			}
		})
	}
}

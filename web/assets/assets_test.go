package assets

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func get(path string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, path, nil)
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	Handler().ServeHTTP(w, r)
	return w
}

func TestHashedNamesAreImmutable(t *testing.T) {
	byName, _ := served()
	for name := range byName {
		w := get(URL(name))
		if w.Code != http.StatusOK || !strings.Contains(w.Header().Get("Cache-Control"), "immutable") || w.Body.Len() == 0 {
			t.Errorf("%s: %d %q", name, w.Code, w.Header().Get("Cache-Control"))
		}
	}
}

func TestPlainNamesAreChecked(t *testing.T) {
	w := get("/assets/app.css")
	if w.Code != http.StatusOK || w.Header().Get("Cache-Control") != "public, no-cache" {
		t.Fatalf("%d %q", w.Code, w.Header().Get("Cache-Control"))
	}
	if again := get("/assets/app.css", "If-None-Match", w.Header().Get("ETag")); again.Code != http.StatusNotModified || again.Body.Len() != 0 {
		t.Errorf("not modified: %d, %d bytes", again.Code, again.Body.Len())
	}
	zipped := get("/assets/app.css", "Accept-Encoding", "gzip")
	if zipped.Header().Get("Content-Encoding") != "gzip" || zipped.Body.Len() >= w.Body.Len() {
		t.Error("not compressed")
	}
}

func TestUnknownIsNotFound(t *testing.T) {
	for _, p := range []string{"/assets/", "/assets/none.css", "/assets/../assets.go", "/assets/licences"} {
		if w := get(p); w.Code != http.StatusNotFound {
			t.Errorf("%s: %d", p, w.Code)
		}
	}
}

func TestStyleSheetNamesOnlyOwnFiles(t *testing.T) {
	byName, byHash := served()
	css := string(byName["app.css"].Plain())
	if !strings.HasPrefix(css, "@layer reset, tokens, base, layout, components, pages, editor, print;") {
		t.Error("the layers are not declared first")
	}
	for _, part := range strings.Split(css, `url("`)[1:] {
		name, _, _ := strings.Cut(part, `"`)
		if byHash[name] == nil {
			t.Errorf("%q is not a hashed name", name)
		}
	}
	if n := len(Licences()); n != 6 {
		t.Errorf("%d licences", n)
	}
}

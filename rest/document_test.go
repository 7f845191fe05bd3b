//go:build !race

package rest

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"net/http/httptest"
	"net/url"
	"regexp"
	"testing"
)

// TestTheDocumentIsMadeOnce: it is sent plain, zipped, by its tag alone or not
// at all, and writing it again is left to the first call.
func TestTheDocumentIsMadeOnce(t *testing.T) {
	f := newWorkflowFace(t)
	get := func(method string, header ...string) *httptest.ResponseRecorder {
		request := httptest.NewRequest(method, "/v1/openapi.json", nil)
		for i := 0; i+1 < len(header); i += 2 {
			request.Header.Set(header[i], header[i+1])
		}
		w := httptest.NewRecorder()
		f.router.ServeHTTP(w, request)
		return w
	}
	plain := get("GET")
	tag := plain.Header().Get("ETag")
	if plain.Code != 200 || tag == "" || plain.Header().Get("Content-Type") != "application/json" || !bytes.Contains(plain.Body.Bytes(), []byte(`"openapi": "3.1`)) {
		t.Fatalf("plain: %d %v %.100s", plain.Code, plain.Header(), plain.Body)
	}
	if again := get("GET", "If-None-Match", tag); again.Code != 304 || again.Body.Len() != 0 {
		t.Errorf("by its tag: %d with %d bytes", again.Code, again.Body.Len())
	}
	if head := get("HEAD"); head.Code != 200 || head.Body.Len() != 0 || head.Header().Get("ETag") != tag {
		t.Errorf("HEAD: %d with %d bytes, %v", head.Code, head.Body.Len(), head.Header())
	}
	zipped := get("GET", "Accept-Encoding", "gzip")
	if zipped.Header().Get("ETag") == tag || zipped.Header().Get("Content-Encoding") != "gzip" {
		t.Errorf("zipped: %v", zipped.Header())
	}
	reader, err := gzip.NewReader(zipped.Body)
	if err != nil {
		t.Fatal(err)
	}
	if whole, err := io.ReadAll(reader); err != nil || !bytes.Equal(whole, plain.Body.Bytes()) {
		t.Errorf("zipped it is another document: %v", err)
	}
	if work := testing.AllocsPerRun(5, func() { get("GET", "If-None-Match", tag) }); work > 500 { // made again it takes tens of thousands
		t.Errorf("a further call takes %.0f allocations", work)
	}
}

// TestTheDocumentByTag: each group is a document by itself, small enough to be read, in
// which every reference leads somewhere, and together they are the whole.
func TestTheDocumentByTag(t *testing.T) {
	f := newWorkflowFace(t)
	get := func(query string, header ...string) *httptest.ResponseRecorder {
		request := httptest.NewRequest("GET", "/v1/openapi.json"+query, nil)
		for i := 0; i+1 < len(header); i += 2 {
			request.Header.Set(header[i], header[i+1])
		}
		w := httptest.NewRecorder()
		f.router.ServeHTTP(w, request)
		return w
	}
	operations := func(raw []byte) (n int, document map[string]any) {
		if err := json.Unmarshal(raw, &document); err != nil {
			t.Fatal(err)
		}
		for _, item := range document["paths"].(map[string]any) {
			n += len(item.(map[string]any))
		}
		return n, document
	}
	all, whole := operations(get("").Body.Bytes())
	found := 0
	for _, group := range whole["tags"].([]any) {
		name := group.(map[string]any)["name"].(string)
		one := get("?tag=" + url.QueryEscape(name))
		n, document := operations(one.Body.Bytes())
		if found += n; one.Code != 200 || n == 0 || one.Body.Len() > 500_000 {
			t.Errorf("%s: %d with %d operations in %d bytes", name, one.Code, n, one.Body.Len())
		}
		schemas := document["components"].(map[string]any)["schemas"].(map[string]any)
		for _, reference := range regexp.MustCompile(`"#/components/schemas/([^"]+)"`).FindAllSubmatch(one.Body.Bytes(), -1) {
			if schemas[string(reference[1])] == nil {
				t.Errorf("%s: %s leads nowhere", name, reference[0])
			}
		}
		if again := get("?tag="+url.QueryEscape(name), "If-None-Match", one.Header().Get("ETag")); again.Code != 304 {
			t.Errorf("%s by its ETag: %d", name, again.Code)
		}
	}
	if found != all {
		t.Errorf("the groups have %d operations, the whole %d", found, all)
	}
	if unknown := get("?tag=Nothing"); unknown.Code != 400 {
		t.Errorf("an unknown group: %d", unknown.Code)
	}
}

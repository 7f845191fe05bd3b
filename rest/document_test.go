package rest

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http/httptest"
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

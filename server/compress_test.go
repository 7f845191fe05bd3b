package server

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"atelier/web/frame"
)

var longPage = strings.Repeat("<p>A page that says the same again and again.</p>", 200)

func pageOf(kind, body string, secret bool) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		if secret {
			frame.HoldSecret(w)
		}
		w.Header().Set("Content-Type", kind)
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		w.WriteHeader(http.StatusNotFound)
		_, _ = io.WriteString(w, body)
	}
}

func TestCompression(t *testing.T) {
	t.Parallel()
	const html = "text/html; charset=utf-8"
	page := pageOf(html, longPage, false)
	for name, c := range map[string]struct {
		handler http.HandlerFunc
		method  string
		header  []string
		packed  bool
	}{
		"a page":                       {page, "GET", []string{"Accept-Encoding", "br, gzip"}, true},
		"JSON":                         {pageOf("application/json", longPage, false), "GET", []string{"Accept-Encoding", "*"}, true},
		"nobody asked":                 {page, "GET", nil, false},
		"refused by quality":           {page, "GET", []string{"Accept-Encoding", "gzip;q=0, *"}, false},
		"another coding":               {page, "GET", []string{"Accept-Encoding", "br"}, false},
		"a form's answer":              {page, "POST", []string{"Accept-Encoding", "gzip"}, false},
		"a secret":                     {pageOf(html, longPage, true), "GET", []string{"Accept-Encoding", "gzip"}, false},
		"a short page":                 {pageOf(html, "short", false), "GET", []string{"Accept-Encoding", "gzip"}, false},
		"a picture":                    {pageOf("image/png", longPage, false), "GET", []string{"Accept-Encoding", "gzip"}, false},
		"own page of who is signed in": {page, "GET", []string{"Accept-Encoding", "gzip", "Sec-Fetch-Site", "same-origin", "Cookie", "a=b"}, true},
		"another site's visitor":       {page, "GET", []string{"Accept-Encoding", "gzip", "Sec-Fetch-Site", "cross-site"}, true},
		"another site, signed in":      {page, "GET", []string{"Accept-Encoding", "gzip", "Sec-Fetch-Site", "cross-site", "Cookie", "a=b"}, false},
		"a neighbour, signed in":       {page, "GET", []string{"Accept-Encoding", "gzip", "Sec-Fetch-Site", "same-site", "Cookie", "a=b"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			r := httptest.NewRequest(c.method, "/", nil)
			for i := 0; i < len(c.header); i += 2 {
				r.Header.Set(c.header[i], c.header[i+1])
			}
			w := httptest.NewRecorder()
			settleEncoding(compressed(c.handler)).ServeHTTP(w, r)
			h := w.Header()
			if got := h.Get("Content-Encoding") == "gzip"; got != c.packed || w.Code != http.StatusNotFound {
				t.Fatalf("%d, compressed: %v", w.Code, got)
			}
			if h.Get("Content-Length") != strconv.Itoa(w.Body.Len()) {
				t.Errorf("says %s bytes, has %d", h.Get("Content-Length"), w.Body.Len())
			}
			if !c.packed {
				return
			}
			if w.Body.Len() > len(longPage)/10 || !strings.Contains(strings.Join(h.Values("Vary"), ","), "Accept-Encoding") {
				t.Errorf("%d bytes, Vary %v", w.Body.Len(), h.Values("Vary"))
			}
			z, err := gzip.NewReader(w.Body)
			if err != nil {
				t.Fatal(err)
			}
			if text, err := io.ReadAll(z); err != nil || string(text) != longPage {
				t.Errorf("unpacked %d bytes: %v", len(text), err)
			}
		})
	}
}

// A stream has no length, and passes part by part.
func TestStreamsAreNotCompressed(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(compressed(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, "data: one\n\n")
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	})))
	defer server.Close()
	r, _ := http.NewRequestWithContext(t.Context(), "GET", server.URL, nil)
	r.Header.Set("Accept-Encoding", "gzip")
	answer, err := server.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	part := make([]byte, 11)
	if _, err := io.ReadFull(answer.Body, part); err != nil || string(part) != "data: one\n\n" || answer.Header.Get("Content-Encoding") != "" {
		t.Errorf("%q %v %v", part, err, answer.Header)
	}
}

// What handlers read is gzip or nothing, whatever list was sent.
func TestSettledEncoding(t *testing.T) {
	t.Parallel()
	for asked, want := range map[string]string{
		"": "", "gzip": "gzip", "br, gzip;q=0.5": "gzip", "*": "gzip", "gzip;q=0, *": "", "br": "", "x-gzip-like": "",
	} {
		r := httptest.NewRequest("GET", "/", nil)
		if asked != "" {
			r.Header.Set("Accept-Encoding", asked)
		}
		settleEncoding(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			if got := r.Header.Get("Accept-Encoding"); got != want {
				t.Errorf("%q became %q, not %q", asked, got, want)
			}
		})).ServeHTTP(httptest.NewRecorder(), r)
	}
}

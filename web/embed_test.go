package web

import (
	"net/http"
	"strings"
	"testing"
)

func TestEmbedHeaders(t *testing.T) {
	for name, c := range map[string]struct {
		domains []any
		status  int
		want    string
	}{
		"none":             {[]any{}, http.StatusForbidden, "frame-ancestors 'none'"},
		"one":              {[]any{"https://a.example"}, http.StatusOK, "frame-ancestors https://a.example;"},
		"two":              {[]any{"https://a.example", "http://localhost:3000"}, http.StatusOK, "frame-ancestors https://a.example http://localhost:3000;"},
		"no origin at all": {[]any{"https://a.example/x", "*", "https://b.example; script-src *", "javascript:x"}, http.StatusForbidden, "frame-ancestors 'none'"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, path := range []string{"/embed/poster", "/embed/poster/runs/" + someID} {
				w := get(newFake(t).with("App.allowedEmbedDomains", c.domains), path)
				policy := w.Header().Get("Content-Security-Policy")
				if w.Code != c.status || !strings.Contains(policy, c.want) {
					t.Errorf("%s: %d %s", path, w.Code, policy)
				}
				if w.Header().Get("X-Frame-Options") != "" || strings.Count(policy, "frame-ancestors") != 1 || strings.Contains(policy, "script-src *") {
					t.Errorf("%s: %v", path, w.Header())
				}
			}
		})
	}
}

func TestAnInactiveAppIsBlockedInFrames(t *testing.T) {
	f := newFake(t)
	f.refuse("AppEmbedding", "not_found", http.StatusNotFound, nil)
	w := get(f, "/embed/poster")
	if w.Code != http.StatusForbidden || !strings.Contains(w.Header().Get("Content-Security-Policy"), "frame-ancestors 'none'") {
		t.Errorf("%d %v", w.Code, w.Header())
	}
}

// Visitors see the form in a frame; it leads to the app's own page, with what they typed.
func TestAFrameWithoutASession(t *testing.T) {
	f := newFake(t).with("App.allowedEmbedDomains", []any{"https://a.example"}).with("App.slug", "poster")
	f.refuse("Frame", "unauthorized", http.StatusUnauthorized, nil)
	body := get(f, "/embed/poster").Body.String()
	if !strings.Contains(body, `method="get" action="/app/poster" target="_blank"`) || strings.Contains(body, `action="/embed/poster/run"`) {
		t.Error(body)
	}
}

func TestAFrameWithASession(t *testing.T) {
	f := newFake(t).with("App.allowedEmbedDomains", []any{"https://a.example"}).with("App.slug", "poster").with("App.inputItems", []any{})
	if body := get(f, "/embed/poster").Body.String(); !strings.Contains(body, `action="/embed/poster/run?in=`+someID+`"`) {
		t.Error(body)
	}
	w := post(f, "/embed/poster/run")
	if w.Code != http.StatusSeeOther || w.Header().Get("Location") != "/embed/poster/runs/"+someID {
		t.Errorf("%d %v", w.Code, w.Header())
	}
}

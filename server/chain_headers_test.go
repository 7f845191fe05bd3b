package server

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"atelier/graph"
	"atelier/models"
	"atelier/models/dbtest"
)

// TestGuardedAnswers holds whatever a handler does against the headers that
// every answer has.
func TestGuardedAnswers(t *testing.T) {
	t.Parallel()
	const public = "public, max-age=60"
	for name, c := range map[string]struct {
		handler http.HandlerFunc
		status  int
		cache   string
	}{
		"nothing is written":      {func(http.ResponseWriter, *http.Request) {}, 200, "no-store"},
		"a body is written":       {func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("x")) }, 200, "no-store"},
		"plain refusal":           {func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no", 404) }, 404, "no-store"},
		"redirect":                {func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/x", http.StatusSeeOther) }, 303, "no-store"},
		"panic":                   {func(http.ResponseWriter, *http.Request) { panic("x") }, 500, "no-store"},
		"kept by the client":      {caching("private, max-age=60", 200), 200, "no-store"},
		"kept for good":           {caching(public, 200), 200, public},
		"a refusal kept for good": {caching(public, 404), 404, "no-store"},
		"not modified":            {caching(public, 304), 304, public},
		"panic after a header":    {func(w http.ResponseWriter, r *http.Request) { w.Header().Set("Cache-Control", public); panic("x") }, 500, "no-store"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, secure := range []bool{true, false} {
				answer := throughChain(c.handler, secure)
				h := answer.Header()
				if answer.Code != c.status || h.Get("Cache-Control") != c.cache || h.Get("X-Content-Type-Options") != "nosniff" ||
					h.Get("Content-Security-Policy") != apiContentSecurity {
					t.Errorf("%d %v", answer.Code, h)
				}
				if (h.Get("Strict-Transport-Security") != "") != secure {
					t.Errorf("secure %v: %q", secure, h.Get("Strict-Transport-Security"))
				}
			}
		})
	}
}

func caching(value string, status int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Cache-Control", value)
		w.WriteHeader(status)
	}
}

func throughChain(handler http.HandlerFunc, secure bool) *httptest.ResponseRecorder {
	chain := &chain{Resolver: &graph.Resolver{}, DB: &models.DB{Clock: dbtest.NewClock()}, Secure: secure}
	answer := httptest.NewRecorder()
	chain.Wrap(handler).ServeHTTP(answer, httptest.NewRequest("GET", "/v1/x", nil))
	return answer
}

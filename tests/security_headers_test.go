//go:build !race

package tests

import (
	"net/http"
	"strings"
	"testing"
)

// TestHeadersOfEveryFace asks every route of every face, as a person and as
// no one, with methods that exist and that do not, for the headers that guard
// answers.
func TestHeadersOfEveryFace(t *testing.T) {
	t.Parallel()
	url := startBehindProxy(t, "PUBLIC_URL=https://atelier.example.com")
	ada := newPerson(t, url, "Ada")
	asked := facesOf(t, ada.client)
	if len(asked) < 200 {
		t.Fatalf("only %d routes", len(asked))
	}
	for _, route := range asked {
		method, path, _ := strings.Cut(route, " ")
		for _, credential := range []string{"", "bearer", "cookie", "wrong"} {
			for _, method := range []string{method, "TRACE"} {
				h := headersOf(t, ada, method, path, credential)
				checkGuarded(t, method+" "+path+" "+credential, path, h)
			}
		}
	}
	for _, asset := range []string{"app.css", "icon.svg"} {
		if h := headersOf(t, ada, "GET", "/assets/"+asset, "cookie"); h.Get("Cache-Control") != "public, no-cache" {
			t.Errorf("%s: %q", asset, h.Get("Cache-Control"))
		}
	}
}

// facesOf are the routes of all faces with something in place of their
// parameters.
func facesOf(t *testing.T, visitor client) (all []string) {
	t.Helper()
	all = append(all, "GET /v1/openapi.json", "GET /healthz", "GET /readyz", "POST /graphql", "GET /graphql",
		"GET /media/none.png", "GET /favicon.ico", "GET /assets/none.css", "GET /v1/nothing", "GET /nothing", "GET /auth/nothing", "GET //")
	for _, page := range consolePages(t) {
		all = append(all, "GET "+parameterForm.ReplaceAllString(page, "$1}"), "POST "+parameterForm.ReplaceAllString(page, "$1}"))
	}
	all = append(all, routesOf(t, visitor)...) // those that end the session come last
	for i, route := range all {
		for _, part := range strings.Split(route, "/") {
			if strings.HasPrefix(part, "{") {
				route = strings.Replace(route, part, "0197e3a0-0000-7000-8000-000000000000", 1)
			}
		}
		all[i] = route
	}
	return all
}

func headersOf(t *testing.T, who person, method, path, credential string) http.Header {
	t.Helper()
	request, err := http.NewRequest(method, who.URL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("X-Forwarded-For", who.header["X-Forwarded-For"])
	switch credential {
	case "bearer":
		request.Header.Set("Authorization", "Bearer "+who.token)
	case "cookie":
		request.AddCookie(&http.Cookie{Name: "__Host-atelier_session", Value: who.token})
	case "wrong":
		request.Header.Set("Authorization", "Basic eDp5")
	}
	response, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		t.Fatalf("%s %s: %v", method, path, err)
	}
	response.Body.Close()
	return response.Header
}

// checkGuarded asks no more of the caching of an answer than that no one keeps
// it who should not: files of the console, of the install's look, and media alone are public.
func checkGuarded(t *testing.T, what, path string, h http.Header) {
	t.Helper()
	if strings.HasPrefix(path, "/docs") && strings.HasPrefix(h.Get("Cache-Control"), "public") { // the same for everyone
		h = h.Clone()
		h.Set("Cache-Control", "no-store")
	}
	if h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Strict-Transport-Security") == "" || h.Get("Referrer-Policy") == "" {
		t.Errorf("%s: %v", what, h)
	}
	if policy := h.Get("Content-Security-Policy"); !strings.Contains(policy, "default-src 'none'") || !strings.Contains(policy, "frame-ancestors 'none'") {
		t.Errorf("%s: policy %q", what, policy)
	}
	if cache := h.Get("Cache-Control"); cache != "no-store" && !((strings.HasPrefix(path, "/assets/") || strings.HasPrefix(path, "/install/")) && strings.HasPrefix(cache, "public")) {
		t.Errorf("%s: caching %q", what, cache)
	}
}

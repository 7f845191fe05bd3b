//go:build !race

package tests

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"atelier/models"
)

const site, otherSite, nobodysSite = "https://app.example.com", "https://other.example.com", "https://nobody.example.com"

// fromBrowser sends a request as a browser does.
func (h *testServer) fromBrowser(method, path, origin, token string, preflight bool) *http.Response {
	h.b.Helper()
	r, err := http.NewRequest(method, h.server.URL+path, http.NoBody)
	h.must(err)
	if origin != "" {
		r.Header.Set("Origin", origin)
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	if preflight {
		r.Header.Set("Access-Control-Request-Method", "GET")
		r.Header.Set("Access-Control-Request-Headers", "authorization")
	}
	answer, err := http.DefaultClient.Do(r)
	h.must(err)
	if !strings.HasPrefix(answer.Header.Get("Content-Type"), "text/event-stream") {
		_, _ = io.Copy(io.Discard, answer.Body)
	}
	h.must(answer.Body.Close())
	return answer
}

// TestCORS asks as pages of several sites with every kind of credential: an answer
// is readable for pages of sites that the token's own app registered, and for no other.
func TestCORS(t *testing.T) {
	h := newTestServer(t)
	p := newPerson(t, h.server.URL, "Person")
	one := h.connect(p, models.Scopes, site)
	other := h.connect(p, nil, otherSite, "http://localhost:5173")
	gone := h.connect(p, models.Scopes, "https://gone.example.com")
	h.exec(`UPDATE oauth_apps SET deleted_at = now() WHERE id = $1`, gone.app)
	token := p.post("/v1/api-tokens", object{"name": "script"}).want(201).text("token")

	for _, c := range []struct {
		name, method, path, origin, token string
		preflight                         bool
		status                            int
		allowed                           string
	}{
		{"preflight", "OPTIONS", "/v1/jobs", site, "", true, 204, site},
		{"preflight again", "OPTIONS", "/v1/jobs", site, "", true, 204, site},
		{"preflight of another app's site", "OPTIONS", "/v1/jobs", otherSite, "", true, 204, otherSite},
		{"preflight of this machine", "OPTIONS", "/v1/jobs", "http://localhost:5173", "", true, 204, "http://localhost:5173"},
		{"preflight with another port", "OPTIONS", "/v1/jobs", "http://localhost:5174", "", true, 405, ""},
		{"preflight of nobody's site", "OPTIONS", "/v1/jobs", nobodysSite, "", true, 405, ""},
		{"preflight of a subdomain", "OPTIONS", "/v1/jobs", "https://x.app.example.com", "", true, 405, ""},
		{"preflight by http", "OPTIONS", "/v1/jobs", "http://app.example.com", "", true, 405, ""},
		{"preflight of a deleted app", "OPTIONS", "/v1/jobs", "https://gone.example.com", "", true, 405, ""},
		{"preflight of null", "OPTIONS", "/v1/jobs", "null", "", true, 405, ""},
		{"preflight of all", "OPTIONS", "/v1/jobs", "*", "", true, 405, ""},
		{"preflight of nowhere", "OPTIONS", "/v1/no/such/path", nobodysSite, "", true, 404, ""},
		{"preflight of the console", "OPTIONS", "/projects", site, "", true, 405, ""},
		{"preflight of the schema", "OPTIONS", "/graphql", site, "", true, 405, ""},
		{"plain OPTIONS", "OPTIONS", "/v1/jobs", site, "", false, 405, ""},
		{"preflight without origin", "OPTIONS", "/v1/jobs", "", "", true, 405, ""},
		{"preflight of metadata", "OPTIONS", "/.well-known/oauth-authorization-server", nobodysSite, "", true, 204, "*"},

		{"own site", "GET", "/v1/jobs", site, one.client.token, false, 200, site},
		{"own site, not found", "GET", "/v1/jobs/" + nowhere, site, one.client.token, false, 404, site},
		{"own site, no such path", "GET", "/v1/no/such/path", site, one.client.token, false, 404, site},
		{"own site, without the scope", "GET", "/v1/jobs", otherSite, other.client.token, false, 403, otherSite},
		{"another app's site", "GET", "/v1/jobs", otherSite, one.client.token, false, 200, ""},
		{"nobody's site", "GET", "/v1/jobs", nobodysSite, one.client.token, false, 200, ""},
		{"no site", "GET", "/v1/jobs", "", one.client.token, false, 200, ""},
		{"a stream", "GET", "/v1/workflow-executions/" + nowhere + "/events", site, one.client.token, false, 404, site},
		{"personal token", "GET", "/v1/jobs", site, token, false, 200, ""},
		{"session", "GET", "/v1/jobs", site, p.client.token, false, 200, ""},
		{"deleted app", "GET", "/v1/jobs", "https://gone.example.com", gone.client.token, false, 401, ""},
		{"unknown token", "GET", "/v1/jobs", site, "svc_app_unknown", false, 401, ""},
		{"nobody", "GET", "/v1/jobs", site, "", false, 401, ""},
		{"the schema", "POST", "/graphql", site, one.client.token, false, 0, ""},

		{"metadata", "GET", "/.well-known/oauth-authorization-server", nobodysSite, "", false, 200, "*"},
		{"resource metadata", "GET", "/.well-known/oauth-protected-resource", "", "", false, 200, "*"},
		{"the document", "GET", "/v1/openapi.json", nobodysSite, "", false, 200, "*"},
		{"the document with a token", "GET", "/v1/openapi.json", nobodysSite, token, false, 200, ""},
		{"public", "GET", "/v1/nodes", site, "", false, 200, site},
		{"public to nobody's site", "GET", "/v1/nodes", nobodysSite, "", false, 200, ""},
		{"public with a personal token", "GET", "/v1/nodes", site, token, false, 200, ""},
		{"token endpoint", "POST", "/v1/oauth/token", site, "", false, 0, site},
		{"token endpoint to nobody's site", "POST", "/v1/oauth/token", nobodysSite, "", false, 0, ""},
		{"registration", "POST", "/v1/oauth/register", site, "", false, 0, ""},
		{"an invitation", "GET", "/v1/invitations/by-token/x", site, "", false, 404, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := h.fromBrowser(c.method, c.path, c.origin, c.token, c.preflight)
			if c.status != 0 && r.StatusCode != c.status {
				t.Errorf("status %d, want %d", r.StatusCode, c.status)
			}
			if got := r.Header.Values("Access-Control-Allow-Origin"); strings.Join(got, ",") != c.allowed {
				t.Errorf("allowed %q, want %q", got, c.allowed)
			}
			if r.Header.Get("Access-Control-Allow-Credentials") != "" {
				t.Error("credentials are allowed")
			}
			if c.allowed != "" && c.allowed != "*" {
				if !strings.Contains(strings.Join(r.Header.Values("Vary"), ","), "Origin") {
					t.Error("the answer does not vary by origin")
				}
				exposed, headers := r.Header.Get("Access-Control-Expose-Headers"), r.Header.Get("Access-Control-Allow-Headers")
				if c.preflight && (!strings.Contains(headers, "Authorization") || !strings.Contains(headers, "Idempotency-Key") ||
					!strings.Contains(r.Header.Get("Access-Control-Allow-Methods"), "PATCH") || r.Header.Get("Access-Control-Max-Age") == "") {
					t.Errorf("a preflight allows %v", r.Header)
				}
				if !c.preflight && !strings.Contains(exposed, "RateLimit-Remaining") {
					t.Errorf("exposed is %q", exposed)
				}
			}
		})
	}
}

// A flood of preflights asks the database once for each site.
func TestPreflightsAreRemembered(t *testing.T) {
	h := newTestServer(t)
	p := newPerson(t, h.server.URL, "Person")
	h.connect(p, nil, site)
	for _, origin := range []string{site, nobodysSite} {
		h.fromBrowser("OPTIONS", "/v1/jobs", origin, "", true)
		before := h.tracer.n.Load()
		for range 20 {
			h.fromBrowser("OPTIONS", "/v1/jobs", origin, "", true)
		}
		if n := h.tracer.n.Load() - before; n > 5 { // others are at work, too
			t.Errorf("20 preflights of %s made %d statements", origin, n)
		}
	}
}

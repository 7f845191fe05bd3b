//go:build !race

package tests

import (
	"net/http"
	"strings"
	"testing"
)

// TestSelfHostedEdition is who may call what on a community install: the session
// JWT is a bearer of every route (contract 1, "Authentication" 2), and what the
// edition has not is not found, no matter who asks.
func TestSelfHostedEdition(t *testing.T) {
	t.Parallel()
	url := startBehindProxy(t, "EDITION=self_hosted",
		`EXTERNAL_SSO_PROVIDERS=[{"id":"school","label":"School","kind":"assertion","secret":"a secret of sixteen","audience":"atelier"}]`)
	session := newPerson(t, url, "Community").client
	nobody := client{t: t, URL: url}
	token := nobody.with(session.post("/v1/api-tokens", object{"name": "one"}).want(201).text("token"))
	callers := map[string]client{
		"nobody": nobody, "a session": session, "a token": token, "nonsense": nobody.with("svc_nonsense"), "an app's nonsense": nobody.with("svc_app_nonsense"),
		"another JWT": nobody.with("eyJhbGciOiJub25lIn0.e30."),
	}

	for _, bearer := range []client{session, token} {
		for _, path := range []string{"/v1/me", "/v1/projects", "/v1/workflows", "/v1/nodes", "/v1/workflow-executions"} {
			if r := bearer.get(path); r.Status != 200 && r.Status != 404 {
				t.Errorf("%s: %d %s", path, r.Status, r.Body)
			}
		}
		bearer.get("/v1/me").want(200)
		made := bearer.post("/v1/workflows", object{"name": "W", "nodes": []object{{"id": "t", "type": "text", "data": object{"text": "hi"}}}, "edges": []object{}}).want(201)
		bearer.post("/v1/workflows/"+made.text("data.id")+"/run", object{}).want(202)
	}
	session.get("/v1/api-tokens").want(200)
	token.get("/v1/api-tokens").wantError(403, "forbidden")
	cookie := nobody.sending("Cookie", (&http.Cookie{Name: "atelier_session", Value: session.token}).String())
	cookie.get("/v1/me").wantError(401, "unauthorized")
	for _, stranger := range []string{"nobody", "nonsense", "an app's nonsense", "another JWT"} {
		callers[stranger].get("/v1/me").wantError(401, "unauthorized")
	}

	for who, caller := range callers {
		for _, route := range []string{
			"GET /v1/credits/balance", "GET /v1/orgs", "POST /v1/orgs", "GET /v1/workspaces", "POST /v1/workspaces/join", "GET /v1/orgs/" + nowhere + "/credits",
			"POST /v1/orgs/" + nowhere + "/credits/checkout", "GET /v1/orgs/" + nowhere + "/usage",
		} {
			method, path, _ := strings.Cut(route, " ")
			var body any
			if method == "POST" {
				body = object{}
			}
			if r := caller.do(method, path, body); r.Status != 404 || r.text("error.code") != "not_found" {
				t.Errorf("%s as %s: %d %s", route, who, r.Status, r.Body)
			}
		}
	}

	// Apps and external sign-in are there.
	for _, path := range []string{"/v1/sso/providers", "/.well-known/oauth-authorization-server", "/.well-known/oauth-protected-resource"} {
		nobody.get(path).want(200)
	}
	if got := nobody.get("/v1/sso/providers").text("data.0.id"); got != "school" {
		t.Errorf("the providers begin with %q", got)
	}
	session.get("/v1/oauth/apps").want(200)
	session.post("/v1/oauth/apps", object{"name": "An app", "redirectUris": []string{"https://app.example/back"}}).want(201)
	token.get("/v1/oauth/apps").wantError(403, "forbidden")
}

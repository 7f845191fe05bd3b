//go:build !race

package tests

import (
	"strings"
	"testing"
)

// TestWithoutOrganizations is an install without them: no routes, no
// header, no fields in the profile (contract 3, "What the service does").
func TestWithoutOrganizations(t *testing.T) {
	t.Parallel()
	for name, env := range map[string]string{"switched off": "ORGANIZATIONS=off", "self-hosted": "EDITION=self_hosted"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url := startBehindProxy(t, env)
			somebody := newPerson(t, url, "Somebody").client
			nobody := client{t: t, URL: url}
			at, in := "/v1/orgs/"+nowhere, "/v1/workspaces/"+nowhere
			for _, route := range []string{
				"POST /v1/orgs", "GET /v1/orgs", "GET " + at, "PATCH " + at, "DELETE " + at, "POST " + at + "/leave", "POST " + at + "/transfer-ownership",
				"GET " + at + "/members", "PATCH " + at + "/members/" + nowhere, "DELETE " + at + "/members/" + nowhere,
				"POST " + at + "/workspaces", "GET " + at + "/workspaces", "GET /v1/workspaces", "GET " + in, "PATCH " + in, "POST " + in + "/archive",
				"POST " + in + "/unarchive", "GET " + in + "/members", "POST " + in + "/members", "PATCH " + in + "/members/" + nowhere, "DELETE " + in + "/members/" + nowhere,
				"POST " + at + "/invitations", "GET " + at + "/invitations", "DELETE /v1/invitations/" + nowhere, "POST /v1/invitations/" + nowhere + "/resend",
				"GET /v1/invitations/by-token/x", "POST /v1/invitations/x/accept", "GET " + in + "/join-code", "POST " + in + "/join-code", "POST /v1/workspaces/join",
				"GET " + at + "/audit", "GET " + at + "/credits", "POST " + at + "/credits/checkout", "POST " + at + "/workspaces/" + nowhere + "/allocate",
				"GET /v1/workflows/" + nowhere + "/collaborators", "POST /v1/workflows/" + nowhere + "/collaborators", "PATCH /v1/workflows/" + nowhere + "/collaborators/" + nowhere,
				"DELETE /v1/workflows/" + nowhere + "/collaborators/" + nowhere, "GET /v1/workflows/" + nowhere + "/access", "GET /v1/workflows/shared-with-me",
				"GET " + in + "/budget", "GET " + at + "/usage", "GET " + in + "/usage",
			} {
				method, path, _ := strings.Cut(route, " ")
				var body any
				if method == "POST" || method == "PATCH" {
					body = object{}
				}
				somebody.do(method, path, body).wantError(404, "not_found")
				nobody.do(method, path, body).wantError(404, "not_found")
			}
			for _, header := range []string{"nonsense", nowhere, ""} {
				r := somebody.sending("X-Service-Workspace", header).get("/v1/me").want(200)
				holds(t, r.path("data"), "id", "email", "displayName", "avatarUrl", "emailVerified", "createdAt")
				made := somebody.sending("X-Service-Workspace", header).post("/v1/projects", object{"name": "P"}).want(201)
				if made.path("data.workspaceId") != nil {
					t.Errorf("%s", made.Body)
				}
			}
			credits := somebody.get("/v1/credits/balance")
			if env == "EDITION=self_hosted" {
				credits.wantError(404, "not_found")
			} else {
				credits.want(200)
			}
		})
	}
}

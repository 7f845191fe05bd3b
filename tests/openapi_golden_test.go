//go:build !race

package tests

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"atelier/rest"
)

// scene is a request of the golden story; path may hold names of the stage.
type scene struct {
	route, path string
	who         client
	body        any
	status      int
}

// TestGolden compares an answer of every route, byte for byte, with
// rest/examples/, which are also the examples of the OpenAPI document; what
// differs from run to run is replaced by its kind.
func TestGolden(t *testing.T) {
	t.Parallel()
	url := startBehindProxy(t)
	mailing := startBehindProxy(t, "SMTP_URL=smtp://127.0.0.1:9", "MAIL_FROM=atelier@example.com", ssoProviders)
	s := newStage(t, newCast(t, url, "school", 10))
	var recorded []string
	for _, scene := range slices.Concat(organizationScenes(s), workScenes(s), elementScenes(s), oauthScenes(s), presetScenes(s), communityScenes(s), voiceScenes(s), studioScenes(s), lastScenes(s), mailScenes(s.visitor.at(mailing))) {
		recorded = append(recorded, scene.route)
		method, path, _ := strings.Cut(scene.route, " ")
		r := scene.who.do(method, scene.path, scene.body).want(scene.status)
		compareGolden(t, "../rest/"+rest.ExampleFile(method, path), scene.normal(t, r))
	}
	for _, route := range routesOf(t, s.visitor) {
		if !slices.Contains(recorded, route) && strings.Contains(route, " /v1/") {
			t.Errorf("%s has no golden answer", route)
		}
	}
}

var differing = []struct {
	form *regexp.Regexp
	kind string
}{
	{regexp.MustCompile(`http://127\.0\.0\.1:\d+`), "http://service"},
	{regexp.MustCompile(`/(invitations|media|webhooks)/[A-Za-z0-9_.-]+`), "/$1/<token>"},
	{regexp.MustCompile(`\?sig=[0-9a-f]+&until=\d+`), "?sig=<signature>&until=<seconds>"},
	{regexp.MustCompile(`eyJ[A-Za-z0-9_.-]+`), "<jwt>"},
	{regexp.MustCompile(`"webhookToken": "[^"]+"`), `"webhookToken": "<token>"`},
	{regexp.MustCompile(`svc_secret_[A-Za-z0-9_-]+`), "<client-secret>"},
	{regexp.MustCompile(`svc_code_[A-Za-z0-9_-]+`), "<authorization-code>"},
	{regexp.MustCompile(`svc_app_[A-Za-z0-9_-]+`), "<access-token>"},
	{regexp.MustCompile(`svc_[A-Za-z0-9_-]+`), "<token>"},
	{regexp.MustCompile(`"client_id_issued_at": \d+`), `"client_id_issued_at": 1790000000`},
	{regexp.MustCompile(`whsec_[A-Za-z0-9+/=_-]+`), "<secret>"},
	{regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z`), "<time>"},
	{regexp.MustCompile(`"(next|nextCursor)": "[^"]+"`), `"$1": "<cursor>"`},
	{regexp.MustCompile(`"code": "[0-9A-Z]{8}"`), `"code": "<code>"`},
	{regexp.MustCompile(`"secondFactorToken": "[^"]+"`), `"secondFactorToken": "<token>"`},
	{regexp.MustCompile(`"code": "([0-9A-Z]{4}-){3}[0-9A-Z]{4}"`), `"code": "<code>"`},
	{regexp.MustCompile(`-\d+@example\.com`), "@example.com"},
}

var anyID = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)

// normal is a request and its answer as the files hold them: the route and the
// body, an empty line, the status and the body; ids are numbered in the order
// in which they appear.
func (s scene) normal(t testing.TB, r *reply) []byte {
	t.Helper()
	sent := ""
	if s.body != nil {
		text, isText := s.body.(string)
		if !isText {
			body, err := json.MarshalIndent(s.body, "", "  ")
			if err != nil {
				t.Fatal(err)
			}
			text = string(body)
		}
		sent = text + "\n"
	}
	var received bytes.Buffer
	if r.Header.Get("Content-Type") == "text/event-stream" {
		received.Write(r.Body)
	} else if err := json.Indent(&received, r.Body, "", "  "); err != nil {
		t.Fatalf("%s: %v in %s", r.what, err, r.Body)
	}
	text := fmt.Sprintf("%s\n%s\n%d\n%s\n", s.route, sent, r.Status, strings.TrimSpace(received.String()))
	for _, d := range differing {
		text = d.form.ReplaceAllString(text, d.kind)
	}
	numbers := map[string]int{}
	return []byte(anyID.ReplaceAllStringFunc(text, func(id string) string {
		if numbers[id] == 0 {
			numbers[id] = len(numbers) + 1
		}
		return fmt.Sprintf("<id %d>", numbers[id])
	}))
}

// mailScenes are the routes of an install that sends mail, and has identity providers.
func mailScenes(visitor client) []scene {
	return []scene{
		{"POST /auth/verify-email", "/auth/verify-email", visitor, object{"token": "spent"}, 401},
		{"POST /auth/forgot-password", "/auth/forgot-password", visitor, object{"email": "ada@example.com"}, 202},
		{"POST /auth/reset-password", "/auth/reset-password", visitor, object{"token": "spent", "password": password}, 401},
		{"GET /v1/sso/providers", "/v1/sso/providers", visitor, nil, 200},
		{"GET /v1/sso/{provider}", "/v1/sso/quiet", visitor, nil, 400},
		{"POST /auth/sso/exchange", "/auth/sso/exchange", visitor, object{"ssoToken": "spent"}, 401},
	}
}

// organizationScenes are the routes of contract 3.
func organizationScenes(s *stage) []scene {
	owner, org, room := s.owner.client, "/v1/orgs/"+s.org, "/v1/workspaces/"+s.room
	return []scene{
		{"GET /v1/me", "/v1/me", s.pupil.client, nil, 200},
		{"PATCH /v1/me", "/v1/me", s.outsider.client, object{"displayName": "Out Sider", "avatarUrl": "https://example.com/me.png"}, 200},
		{"POST /v1/orgs", "/v1/orgs", s.outsider.client, object{"name": "Fresh", "kind": "team", "settings": object{"member_caps_enabled": true}}, 201},
		{"GET /v1/orgs", "/v1/orgs", owner, nil, 200},
		{"GET /v1/orgs/{id}", org, s.pupil.client, nil, 200},
		{"PATCH /v1/orgs/{id}", org, owner, object{"name": "South school", "settings": object{"allowed_email_domains": []string{"example.com"}}}, 200},
		{"GET /v1/orgs/{id}/members", org + "/members?limit=2", owner, nil, 200},
		{"PATCH /v1/orgs/{id}/members/{userId}", org + "/members/" + s.outside.id, owner, object{"role": "admin"}, 200},
		{"POST /v1/orgs/{id}/workspaces", org + "/workspaces", owner, object{"name": "Science", "description": "Room 7"}, 201},
		{"GET /v1/orgs/{id}/workspaces", org + "/workspaces?limit=1", owner, nil, 200},
		{"GET /v1/workspaces", "/v1/workspaces", s.pupil.client, nil, 200},
		{"GET /v1/workspaces/{id}", room, s.pupil.client, nil, 200},
		{"PATCH /v1/workspaces/{id}", room, s.head.client, object{"description": "All of us", "settings": object{"admin_access": "view"}}, 200},
		{"GET /v1/workspaces/{id}/members", room + "/members?limit=2", s.head.client, nil, 200},
		{"POST /v1/workspaces/{id}/members", room + "/members", s.head.client, object{"userId": s.outside.id, "role": "member"}, 201},
		{"PATCH /v1/workspaces/{id}/members/{userId}", room + "/members/" + s.pupil.id, s.head.client, object{"creditCap": 4.5}, 200},
		{"DELETE /v1/workspaces/{id}/members/{userId}", room + "/members/" + s.outside.id, s.head.client, nil, 200},
		{"GET /v1/workspaces/{id}/budget", room + "/budget", owner, nil, 200},
		{"POST /v1/workspaces/{id}/join-code", room + "/join-code", s.head.client, object{"action": "enable"}, 200},
		{"GET /v1/workspaces/{id}/join-code", room + "/join-code", s.head.client, nil, 200},
		{"POST /v1/workspaces/join", "/v1/workspaces/join", s.rival.client, object{"code": "AAAAAAAA"}, 400},
		{"GET /v1/orgs/{id}/credits", org + "/credits", owner, nil, 200},
		{"POST /v1/orgs/{id}/credits/checkout", org + "/credits/checkout", owner, object{"packId": "small"}, 200},
		{"POST /v1/orgs/{id}/workspaces/{wsId}/allocate", org + "/workspaces/" + s.room + "/allocate", owner, object{"delta": -2.5}, 200},
		{"POST /v1/orgs/{id}/invitations", org + "/invitations", owner, object{"emails": []string{"New@example.com", "nobody", "x@elsewhere.example"}, "workspaceId": s.room}, 201},
		{"GET /v1/orgs/{id}/invitations", org + "/invitations", owner, nil, 200},
		{"POST /v1/invitations/{id}/resend", "/v1/invitations/" + s.invitation + "/resend", owner, nil, 200},
		{"GET /v1/invitations/by-token/{token}", "/v1/invitations/by-token/nonsense", s.visitor, nil, 404},
		{"POST /v1/invitations/{token}/accept", "/v1/invitations/nonsense/accept", s.rival.client, nil, 404},
		{"DELETE /v1/invitations/{id}", "/v1/invitations/" + s.invitation, owner, nil, 200},
		{"GET /v1/orgs/{id}/usage", org + "/usage?from=2026-01-01&to=2026-01-02&tz=Europe/Berlin", owner, nil, 200},
		{"GET /v1/workspaces/{id}/usage", room + "/usage?from=2026-01-01&to=2026-01-02&groupBy=none", s.head.client, nil, 200},
		{"GET /v1/orgs/{id}/audit", org + "/audit?limit=3", owner, nil, 200},
	}
}

// workScenes are the routes of workflows, apps, runs and jobs.
func workScenes(s *stage) []scene {
	head, pupil := s.head.in(s.room), s.pupil.in(s.room)
	called := head.post("/v1/workflow-triggers", object{"workflowId": s.workflow, "type": "webhook", "config": object{"parameters": []object{{"name": "picture", "type": "imageUrl"}}}}).want(201).text("data.webhookUrl")
	return []scene{
		{"POST /v1/credentials", "/v1/credentials", s.pupil.client, object{
			"name": "Their service", "headerName": "Authorization", "key": "Bearer a key", "kind": "locked", "lockedUrl": "https://example.com/hook", "allowSubpaths": true,
		}, 201},
		{"GET /v1/credentials", "/v1/credentials", s.pupil.client, nil, 200},
		{"PATCH /v1/credentials/{id}", "/v1/credentials/" + s.credential, s.pupil.client, object{"kind": "locked", "lockedUrl": "https://example.com/in"}, 200},
		{"POST /v1/webhook-endpoints", "/v1/webhook-endpoints", s.owner.client, object{"url": "https://example.com/golden"}, 201},
		{"GET /v1/webhook-endpoints", "/v1/webhook-endpoints", s.pupil.client, nil, 200},
		{"GET /v1/webhook-endpoints/{id}", "/v1/webhook-endpoints/" + s.endpoint, s.pupil.client, nil, 200},
		{"PATCH /v1/webhook-endpoints/{id}", "/v1/webhook-endpoints/" + s.endpoint, s.pupil.client, object{"description": "Off", "isActive": false}, 200},
		{"POST /v1/webhook-endpoints/{id}/rotate-secret", "/v1/webhook-endpoints/" + s.endpoint + "/rotate-secret", s.pupil.client, object{}, 200},
		{"GET /v1/webhook-endpoints/{id}/deliveries", "/v1/webhook-endpoints/" + s.endpoint + "/deliveries", s.pupil.client, nil, 200},
		{"GET /v1/webhook-endpoints/{id}/deliveries/{deliveryId}", "/v1/webhook-endpoints/" + s.endpoint + "/deliveries/" + nowhere, s.pupil.client, nil, 404},
		{"POST /v1/webhook-endpoints/{id}/test", "/v1/webhook-endpoints/" + s.endpoint + "/test", s.pupil.client, nil, 202},
		{"GET /v1/api-tokens", "/v1/api-tokens", s.owner.client, nil, 200},
		{"POST /v1/api-tokens", "/v1/api-tokens", s.owner.client, object{"name": "second", "rateLimit": 60}, 201},
		{"PATCH /v1/api-tokens/{id}", "/v1/api-tokens/" + s.token, s.owner.client, object{"workspaceId": s.room}, 200},
		{"GET /v1/credits/balance", "/v1/credits/balance", s.pupil.client, nil, 200},
		{"GET /v1/credits/transactions", "/v1/credits/transactions", s.pupil.client, nil, 200},
		{"GET /v1/projects", "/v1/projects", head, nil, 200},
		{"POST /v1/projects", "/v1/projects", head, object{"name": "Posters"}, 201},
		{"GET /v1/projects/{id}", "/v1/projects/" + s.project, head, nil, 200},
		{"PATCH /v1/projects/{id}", "/v1/projects/" + s.project, head, object{"name": "Start"}, 200},
		{"POST /v1/workflows", "/v1/workflows", pupil, lesson, 201},
		{"GET /v1/workflows", "/v1/workflows?limit=1", head, nil, 200},
		{"GET /v1/workflows/{id}", "/v1/workflows/" + s.workflow, pupil, nil, 200},
		{"PATCH /v1/workflows/{id}", "/v1/workflows/" + s.workflow, head, object{"description": "Says x"}, 200},
		{"POST /v1/workflows/{id}/collaborators", "/v1/workflows/" + s.workflow + "/collaborators", head, object{"email": s.outsider.email, "role": "editor"}, 201},
		{"GET /v1/workflows/{id}/collaborators", "/v1/workflows/" + s.workflow + "/collaborators", pupil, nil, 200},
		{"PATCH /v1/workflows/{id}/collaborators/{userId}", "/v1/workflows/" + s.workflow + "/collaborators/" + s.pupil.id, head, object{"role": "editor"}, 200},
		{"GET /v1/workflows/shared-with-me", "/v1/workflows/shared-with-me", s.outsider.client, nil, 200},
		{"GET /v1/workflows/{id}/access", "/v1/workflows/" + s.workflow + "/access", s.outsider.client, nil, 200},
		{"DELETE /v1/workflows/{id}/collaborators/{userId}", "/v1/workflows/" + s.workflow + "/collaborators/" + s.pupil.id, head, nil, 200},
		{"GET /v1/workflows/{id}/executions", "/v1/workflows/" + s.workflow + "/executions?limit=1", s.owner.in(s.lobby), nil, 200},
		{"POST /v1/workflows/{id}/run", "/v1/workflows/" + s.workflow + "/run", head, object{}, 202},
		{"GET /v1/workflows/{id}/triggers", "/v1/workflows/" + s.workflow + "/triggers", head, nil, 200},
		{"POST /v1/workflow-triggers", "/v1/workflow-triggers", head, object{"workflowId": s.workflow, "type": "webhook", "config": object{"parameters": []object{{"name": "headline", "type": "text"}}}}, 201},
		{"PATCH /v1/workflow-triggers/{id}", "/v1/workflow-triggers/" + s.trigger, head, object{"isActive": false}, 200},
		{"POST /v1/workflows/{id}/sync-triggers", "/v1/workflows/" + s.workflow + "/sync-triggers", head, nil, 200},
		{"POST /v1/webhooks/{token}", called, s.visitor, object{"headline": "Hello"}, 202},
		{"POST /v1/workflows/{id}/publish", "/v1/workflows/" + s.workflow + "/publish", head, object{"name": "Matrix", "description": "Again"}, 201},
		{"GET /v1/apps", "/v1/apps", head, nil, 200},
		{"PATCH /v1/apps/{id}", "/v1/apps/" + s.app, head, object{"maxRunsPerUserPerDay": 20, "allowedEmbedDomains": []string{"https://school.example"}}, 200},
		{"GET /v1/app/{slug}", "/v1/app/matrix", s.visitor, nil, 200},
		{"POST /v1/app/{slug}/draft", "/v1/app/matrix/draft", s.pupil.client, object{}, 201},
		{"POST /v1/app/{slug}/run", "/v1/app/matrix/run", s.outsider.client, object{}, 202},
		{"GET /v1/app/{slug}/runs", "/v1/app/matrix/runs", s.rival.client, nil, 200},
		{"GET /v1/app/{slug}/runs/{runId}", "/v1/app/matrix/runs/" + s.run, pupil, nil, 200},
		{"GET /v1/app/{slug}/runs/{runId}/events", "/v1/app/matrix/runs/" + s.run + "/events", pupil, nil, 200},
		{"DELETE /v1/app/{slug}/runs/{runId}", "/v1/app/matrix/runs/" + s.run, pupil, nil, 200},
		{"GET /v1/workflow-executions/{id}", "/v1/workflow-executions/" + s.execution, pupil, nil, 200},
		{"GET /v1/workflow-executions/{id}/events", "/v1/workflow-executions/" + s.execution + "/events", pupil, nil, 200},
		{"POST /v1/workflow-executions/{id}/cancel", "/v1/workflow-executions/" + s.execution + "/cancel", pupil, nil, 409},
		{"POST /v1/api/run", "/v1/api/run", s.outsider.client, object{"workflowId": nowhere}, 404},
		{"GET /v1/api/workflows", "/v1/api/workflows", s.rival.client, nil, 200},
		{"GET /v1/api/schema", "/v1/api/schema?workflowId=" + s.workflow, head, nil, 200},
		{"GET /v1/api/status/{execId}", "/v1/api/status/" + s.execution, pupil, nil, 200},
		{"GET /v1/api/result/{execId}", "/v1/api/result/" + s.execution, pupil, nil, 200},
		{"GET /v1/jobs", "/v1/jobs", s.rival.client, nil, 200},
		{"GET /v1/jobs/{id}", "/v1/jobs/" + s.job, pupil, nil, 200},
		{"GET /v1/jobs/{id}/status", "/v1/jobs/" + s.job + "/status", pupil, nil, 200},
		{"GET /v1/jobs/status", "/v1/jobs/status?ids=" + s.job, pupil, nil, 200},
		{"POST /v1/jobs/batch-status", "/v1/jobs/batch-status", pupil, object{"ids": []string{s.job, nowhere}}, 200},
		{"POST /v1/jobs/{id}/cancel", "/v1/jobs/" + s.job + "/cancel", pupil, nil, 409},
		{"POST /v1/jobs/{id}/approve", "/v1/jobs/" + s.job + "/approve", pupil, nil, 409},
		{"POST /v1/jobs/{id}/reject", "/v1/jobs/" + s.job + "/reject", pupil, nil, 409},
		{"POST /v1/{node-type}", "/v1/text", s.pupil.client, object{"text": "hello"}, 200},
		{"GET /v1/nodes/{type}", "/v1/nodes/template-text", s.visitor, nil, 200},
		{"GET /v1/nodes", "/v1/nodes?limit=0", s.visitor, nil, 200},
		{"GET /v1/models", "/v1/models", s.visitor, nil, 200},
		{"POST /v1/upload", "/v1/upload", s.pupil.client, "{}", 415},
		{"POST /v1/save-to-storage", "/v1/save-to-storage", s.pupil.client, object{"url": "http://example.com/a.png"}, 400},
		{"POST /v1/credits/model-costs", "/v1/credits/model-costs", s.pupil.client, object{"models": []string{"generate-image", "unknown", "text"}}, 200},
	}
}

// oauthScenes are the routes of apps that act for people.
func oauthScenes(s *stage) []scene {
	owner, each := s.pupil.client, "/v1/oauth/apps/"+s.client
	program := byItself(s.visitor.sending("X-Forwarded-For", "203.0.113.77"), object{"redirect_uris": []string{oauthBack}})
	code := program.approvedBy(s.owner.client, "jobs:read")
	spent := program.exchanged(program.approvedBy(s.owner.client, "workspaces:read")).want(200).text("access_token")
	return []scene{
		{"POST /v1/oauth/apps", "/v1/oauth/apps", s.rival.client, object{
			"name": "Poster wall", "redirectUris": []string{"https://posters.example/back"}, "allowedOrigins": []string{"https://posters.example"},
		}, 201},
		{"GET /v1/oauth/apps", "/v1/oauth/apps", owner, nil, 200},
		{"GET /v1/oauth/apps/{id}", each, owner, nil, 200},
		{"PATCH /v1/oauth/apps/{id}", each, owner, object{"name": "Wall of posters"}, 200},
		{"POST /v1/oauth/apps/{id}/rotate-secret", each + "/rotate-secret", owner, object{}, 200},
		{"DELETE /v1/oauth/apps/{id}", each, owner, nil, 200},
		{"POST /v1/oauth/register", "/v1/oauth/register", s.visitor, object{
			"client_name": "Command line", "redirect_uris": []string{"http://127.0.0.1/back"}, "token_endpoint_auth_method": "none", "scope": "workflows:execute jobs:read",
		}, 201},
		{"POST /v1/oauth/token", "/v1/oauth/token", s.visitor, object{
			"grant_type": "authorization_code", "code": code, "redirect_uri": oauthBack, "code_verifier": oauthVerifier, "client_id": program.id, "client_secret": program.secret,
		}, 200},
		{"POST /v1/oauth/revoke", "/v1/oauth/revoke", s.visitor, object{"token": spent, "client_id": program.id, "client_secret": program.secret}, 200},
	}
}

// lastScenes end what the others needed.
func lastScenes(s *stage) []scene {
	head, org, room := s.head.in(s.room), "/v1/orgs/"+s.org, "/v1/workspaces/"+s.room
	return []scene{
		{"DELETE /v1/credentials/{id}", "/v1/credentials/" + s.credential, s.pupil.client, nil, 200},
		{"DELETE /v1/workflow-triggers/{id}", "/v1/workflow-triggers/" + s.trigger, head, nil, 200},
		{"DELETE /v1/webhook-endpoints/{id}", "/v1/webhook-endpoints/" + s.endpoint, s.pupil.client, nil, 200},
		{"DELETE /v1/api-tokens/{id}", "/v1/api-tokens/" + s.token, s.owner.client, nil, 200},
		{"DELETE /v1/apps/{id}", "/v1/apps/" + s.app, head, nil, 200},
		{"DELETE /v1/workflows/{id}", "/v1/workflows/" + s.workflow, head, nil, 200},
		{"DELETE /v1/projects/{id}", "/v1/projects/" + nowhere, head, nil, 404},
		{"POST /v1/workspaces/{id}/archive", room + "/archive", s.owner.client, nil, 200},
		{"POST /v1/workspaces/{id}/unarchive", room + "/unarchive", s.owner.client, nil, 200},
		{"DELETE /v1/orgs/{id}/members/{userId}", org + "/members/" + s.benched.id, s.owner.client, nil, 200},
		{"POST /v1/orgs/{id}/leave", org + "/leave", s.pupil.client, nil, 200},
		{"POST /v1/orgs/{id}/transfer-ownership", org + "/transfer-ownership", s.owner.client, object{"userId": s.admin.id}, 200},
		{"DELETE /v1/orgs/{id}", org, s.admin.client, nil, 409},
		{"POST /auth/sign-up", "/auth/sign-up", s.visitor, object{"email": "ada@example.com", "password": password, "displayName": "Ada"}, 201},
		{"POST /auth/sign-in", "/auth/sign-in", s.visitor, object{"email": "ada@example.com", "password": password}, 200},
		secondStepScene(s),
		// The test's address is made of numbers, for which there are no passkeys.
		{"POST /auth/passkey/begin", "/auth/passkey/begin", s.visitor, object{"purpose": "sign_in"}, 404},
		{"POST /auth/passkey/sign-in", "/auth/passkey/sign-in", s.visitor, object{"challengeId": nowhere, "response": object{}}, 404},
		{"POST /auth/sign-out", "/auth/sign-out", s.outsider.client, nil, 200},
	}
}

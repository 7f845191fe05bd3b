package tests

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// update writes what was answered as what is wanted:
// go test -run 'TestAuthorization|TestGolden' ./tests -args -update
var update = flag.Bool("update", false, "write testdata/ anew from what the service answers")

// castOrder is the order of the matrix's rows.
var castOrder = []string{
	"anonymous", "owner", "admin", "demoted", "head", "pupil", "outside", "suspended", "benched", "outsider", "rival", "owner's token", "room's token", "restricted token",
	"pending owner", "frozen owner", "frozen head", "frozen pupil",
}

// endings are the routes that end what others need, in the order in which they come last.
var endings = []string{"DELETE /v1/oauth/apps/{id}", "DELETE /v1/invitations/{id}", "DELETE /v1/webhook-endpoints/{id}", "DELETE /v1/credentials/{id}", "DELETE /v1/api-tokens/{id}", "POST /v1/orgs/{id}/leave", "POST /auth/sign-out"}

// routesOf are the routes of a service by its own document; the single nodes
// stand together as one.
func routesOf(t testing.TB, visitor client) []string {
	t.Helper()
	seen := map[string]bool{}
	for path, item := range visitor.get("/v1/openapi.json").want(200).path("paths").(map[string]any) {
		for method, op := range item.(map[string]any) {
			if tags, _ := op.(map[string]any)["tags"].([]any); len(tags) > 0 && tags[0] == "Single nodes" {
				path = "/v1/{node-type}"
			}
			seen[strings.ToUpper(method)+" "+path] = true
		}
	}
	routes := []string{}
	for route := range seen {
		routes = append(routes, route)
	}
	slices.SortFunc(routes, func(a, b string) int {
		if x, y := slices.Index(endings, a), slices.Index(endings, b); x != y {
			return x - y
		}
		_, x, _ := strings.Cut(a, " ")
		_, y, _ := strings.Cut(b, " ")
		return strings.Compare(x+" "+a, y+" "+b)
	})
	return routes
}

// coveredRoutes are what a token may use that is restricted to some workflows:
// it runs and reads those, and uploads. The rest of them is public.
var coveredRoutes = []string{
	"GET /v1/workflows", "GET /v1/workflows/{id}", "GET /v1/workflows/{id}/access", "GET /v1/workflows/{id}/executions", "GET /v1/workflows/shared-with-me",
	"POST /v1/workflows/{id}/run", "POST /v1/api/run", "GET /v1/api/workflows", "GET /v1/api/schema", "GET /v1/api/status/{execId}", "GET /v1/api/result/{execId}",
	"GET /v1/workflow-executions/{id}", "GET /v1/workflow-executions/{id}/events",
	"POST /v1/app/{slug}/run", "POST /v1/app/{slug}/draft", "GET /v1/app/{slug}/runs", "GET /v1/app/{slug}/runs/{runId}", "GET /v1/app/{slug}/runs/{runId}/events",
	"GET /v1/jobs", "GET /v1/jobs/{id}", "GET /v1/jobs/{id}/status", "GET /v1/jobs/status", "POST /v1/jobs/batch-status",
	"POST /v1/upload", "POST /v1/save-to-storage", "POST /v1/webhooks/{token}",

	"GET /v1/app/{slug}", "GET /v1/nodes", "GET /v1/nodes/{type}", "GET /v1/models", "GET /v1/openapi.json", "GET /v1/invitations/by-token/{token}", "GET /v1/shots/{id}",
	"POST /auth/sign-up", "POST /auth/sign-in", "POST /auth/second-factor", "POST /auth/passkey/begin", "POST /auth/passkey/sign-in", "POST /auth/verify-email", "POST /auth/forgot-password", "POST /auth/reset-password",
	"GET /v1/sso/providers", "GET /v1/sso/{provider}", "POST /auth/sso/exchange",
	"POST /v1/oauth/token", "POST /v1/oauth/revoke", "POST /v1/oauth/register",
}

// outcome is an answer's status, and the code of a refusal.
func outcome(r *reply) string {
	return strings.TrimSpace(fmt.Sprint(r.Status, " ", r.text("error.code")))
}

// graphqlOutcome is a refusal as outcome writes it; "" without one.
func graphqlOutcome(r *reply) string {
	if code := r.text("errors.0.extensions.code"); code != "" {
		return fmt.Sprint(r.path("errors.0.extensions.status"), " ", code)
	}
	return ""
}

// compareGolden compares with a file, or writes it.
func compareGolden(t testing.TB, path string, got []byte) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Errorf("%v: write it with -args -update", err)
		return
	}
	if string(want) == string(got) {
		return
	}
	wanted := strings.Split(string(want), "\n")
	for i, line := range strings.Split(string(got), "\n") {
		if i >= len(wanted) || wanted[i] != line {
			t.Errorf("%s:%d is %q, not %q; when that is right, write it with -args -update", path, i+1, line, slices.Concat(wanted, make([]string, i+1))[i])
			return
		}
	}
	t.Errorf("%s has more lines than were answered", path)
}

// stage is a cast with one of everything that routes name.
type stage struct {
	*cast
	invitation, batch, token, project, workflow, app, execution, job, endpoint, credential, delivery, run, trigger, element, voice, pipeline, production, shot string
	// client is an app that the pupil registered, and that acts for them.
	client string

	code string // what a single request was prepared with
	// covered is a token of the head that is restricted to the workflow.
	covered client
	// pending and frozen are the stages of a pending organization and of one
	// that was suspended; nothing in them can be made again.
	pending, frozen *stage
}

// of is the stage on which a person of the matrix acts: their own organization's.
func (s *stage) of(role string) *stage {
	switch place, _, _ := strings.Cut(role, " "); place {
	case "pending":
		return s.pending
	case "frozen":
		return s.frozen
	}
	return s
}

// still tells whether nothing on the stage can change.
func (s *stage) still() bool { return s.pending == nil }

// everyone are the people of all stages by what they are.
func (s *stage) everybody() map[string]client {
	all := s.roles()
	all["restricted token"] = s.covered
	all["pending owner"], all["frozen owner"] = s.pending.owner.client, s.frozen.owner.client
	all["frozen head"], all["frozen pupil"] = s.frozen.head.client, s.frozen.pupil.client
	return all
}

// setBeside makes the two other stages. Their apps, runs, tokens and endpoints are the first one's.
func (s *stage) setBeside() {
	url := s.visitor.URL
	pending := *s
	pending.cast = &cast{t: s.t, visitor: s.visitor, operator: s.operator, owner: newPerson(s.t, url, "Waiting"), room: nowhere}
	pending.pupil = pending.owner
	pending.org = pending.owner.post("/v1/orgs", object{"name": "Waiting", "kind": "team"}).want(201).text("data.id")
	pending.invitation, pending.batch, pending.project, pending.workflow, pending.trigger = nowhere, nowhere, nowhere, nowhere, nowhere
	pending.element, pending.voice, pending.pipeline, pending.production, pending.shot = nowhere, nowhere, nowhere, nowhere, nowhere

	frozen := *s
	f := &cast{t: s.t, visitor: s.visitor, operator: s.operator}
	frozen.cast = f
	f.owner, f.head, f.pupil = newPerson(s.t, url, "Icy"), newPerson(s.t, url, "Cold"), newPerson(s.t, url, "Cool")
	f.org = newOrganization(s.t, f.owner.client, s.operator, "school")
	f.room = newWorkspace(f.owner.client, f.org, "Room")
	for _, p := range []person{f.head, f.pupil} {
		p.post("/v1/workspaces/join", object{"code": codeOf(f.owner.client, f.room)}).want(200)
	}
	f.owner.do("PATCH", "/v1/workspaces/"+f.room+"/members/"+f.head.id, object{"role": "admin"}).want(200)
	frozen.invite()
	frozen.project = f.head.in(f.room).get("/v1/projects").want(200).text("data.0.id")
	frozen.workflow = frozen.newWorkflow()
	frozen.trigger = frozen.newTrigger()
	frozen.element, frozen.voice = frozen.newElement(), frozen.newVoice()
	frozen.setStudio()
	f.operate("suspendOrganization", f.org)
	s.pending, s.frozen = &pending, &frozen
}

// invite makes the stage's open invitation.
func (s *stage) invite() {
	s.t.Helper()
	s.batch = s.owner.graphql(`mutation($org: ID!) { createInvitations(organizationId: $org, input: { emails: ["guest@example.com"] }) { id } }`,
		object{"org": s.org}).text("data.createInvitations.id")
	s.invitation = s.owner.get("/v1/orgs/" + s.org + "/invitations").want(200).text("data.0.id")
}

func newStage(t testing.TB, c *cast) *stage {
	s := &stage{cast: c, delivery: nowhere}
	head, pupil := c.head.in(c.room), c.pupil.in(c.room)
	s.invite()
	s.token = c.owner.get("/v1/api-tokens").want(200).text("data.0.id")
	s.project = head.get("/v1/projects").want(200).text("data.0.id")
	s.workflow = s.newWorkflow()
	head.post("/v1/workflows/"+s.workflow+"/collaborators", object{"userId": c.pupil.id, "role": "viewer"}).want(201)
	s.app = head.post("/v1/workflows/"+s.workflow+"/publish", object{"slug": "matrix", "name": "Matrix"}).want(201).text("data.id")
	s.run = pupil.post("/v1/app/matrix/run", object{}).want(202).text("runId")
	ended(pupil, "/v1/app/matrix/runs/"+s.run, "execution.status")
	s.execution = pupil.post("/v1/api/run?wait=true", object{"workflowId": s.own()}).want(200).text("executionId")
	s.job = pupil.get("/v1/jobs").want(200).text("data.0.id")
	s.covered = c.head.with(c.head.post("/v1/api-tokens", object{"name": "one workflow", "workflowIds": []string{s.workflow}}).want(201).text("token"))
	s.credential = c.pupil.post("/v1/credentials", object{"name": "Their service", "headerName": "X-Key", "key": "a key", "kind": "plain"}).want(201).text("data.id")
	s.endpoint = c.pupil.post("/v1/webhook-endpoints", object{"url": "https://example.com/hook"}).want(201).text("data.id")
	s.trigger = s.newTrigger()
	s.element, s.voice = s.newElement(), s.newVoice()
	s.setStudio()
	s.client = connected(c.pupil, "Poster wall").id
	s.setBeside()
	return s
}

// newWorkflow is a workflow of the head that everyone in the room may see.
func (s *stage) newWorkflow() string {
	return s.head.in(s.room).post("/v1/workflows", object{"name": "Shared", "visibility": "workspace", "edges": []object{},
		"nodes": []object{{"id": "a", "type": "text", "data": object{"text": "x"}}}}).want(201).text("data.id")
}

// newTrigger is a trigger of the workflow that was made by hand.
func (s *stage) newTrigger() string {
	return s.head.in(s.room).post("/v1/workflow-triggers", object{"workflowId": s.workflow, "type": "webhook"}).want(201).text("data.id")
}

// shortLived is something made to be deleted; on a still stage it is what stands there.
func (s *stage) shortLived(what string) string {
	s.t.Helper()
	switch {
	case what == "workflow" && s.still():
		return s.workflow
	case what == "project" && s.still():
		return s.project
	case what == "trigger" && s.still():
		return s.trigger
	case what == "trigger":
		return s.newTrigger()
	case what == "element" && s.still():
		return s.element
	case what == "element":
		return s.newElement()
	case what == "voice" && s.still():
		return s.voice
	case what == "voice":
		return s.newVoice()
	case what == "pipeline" && s.still():
		return s.pipeline
	case what == "pipeline":
		return s.newPipeline()
	case what == "production" && s.still():
		return s.production
	case what == "production":
		production, _ := s.newProduction()
		return production
	case what == "shot" && s.still():
		return s.shot
	case what == "shot":
		return s.newShot(s.production)
	case s.still():
		return s.app
	case what == "workflow":
		return s.newWorkflow()
	case what == "project":
		return s.head.in(s.room).post("/v1/projects", object{"name": "Short-lived"}).want(201).text("data.id")
	}
	return s.head.in(s.room).post("/v1/workflows/"+s.newWorkflow()+"/publish", object{"name": "Short-lived"}).want(201).text("data.id")
}

// own is a workflow of the pupil.
func (s *stage) own() string {
	return s.pupil.in(s.room).post("/v1/workflows", object{"name": "Own", "visibility": "private", "edges": []object{},
		"nodes": []object{{"id": "a", "type": "text", "data": object{"text": "x"}}}}).want(201).text("data.id")
}

// bodies are the bodies of the matrix; a route without one sends {}.
var bodies = map[string]string{
	"POST /v1/orgs":                                   `{"name":"New","kind":"team"}`,
	"POST /v1/orgs/{id}/transfer-ownership":           `{"userId":"NOWHERE"}`,          // no one becomes the owner
	"POST /v1/orgs/{id}/workspaces":                   `{"name":"Room","slug":"room"}`, // taken
	"POST /v1/orgs/{id}/workspaces/{wsId}/allocate":   `{"delta":999999}`,              // more than the pool holds
	"POST /v1/orgs/{id}/credits/checkout":             `{"packId":"none"}`,             // no one sells it
	"POST /v1/orgs/{id}/invitations":                  `{"emails":["nobody"]}`,
	"PATCH /v1/orgs/{id}/members/{userId}":            `{}`,
	"POST /v1/workspaces/{id}/members":                `{"userId":"NOWHERE","role":"member"}`, // no one is added
	"POST /v1/workspaces/{id}/join-code":              `{"action":"enable"}`,
	"POST /v1/workspaces/join":                        `{"code":"AAAAAAAA"}`,
	"POST /v1/api-tokens":                             `{"name":""}`,
	"POST /v1/oauth/apps":                             `{"name":"","redirectUris":[]}`,
	"POST /v1/projects":                               `{"name":"P"}`,
	"POST /v1/voices":                                 `{"name":""}`,
	"POST /v1/node-presets":                           `{"nodeType":"text-card","name":"","settings":{"align":"left"}}`,
	"POST /v1/community/posts":                        `{"kind":"face","sourceId":"` + nowhere + `"}`,
	"POST /v1/community/posts/{id}/report":            `{"reason":"boring"}`,
	"POST /v1/node-presets/import":                    `{"presets":[]}`,
	"POST /v1/prompt-helper/wizard":                   `{"idea":""}`,
	"POST /v1/workflows":                              `{"name":"W","nodes":[],"edges":[]}`,
	"POST /v1/workflow-triggers":                      `{"workflowId":"WORKFLOW","type":"chat"}`,
	"POST /v1/workflows/{id}/publish":                 `{"name":"Matrix"}`,
	"POST /v1/api/run":                                `{"workflowId":"WORKFLOW"}`,
	"POST /v1/jobs/batch-status":                      `{"ids":["JOB"]}`,
	"POST /v1/webhook-endpoints":                      `{"url":"http://example.com"}`,
	"POST /v1/credentials":                            `{"name":"","headerName":"X-Key","key":"k","kind":"plain"}`,
	"POST /v1/{node-type}":                            `{"text":"x"}`,
	"POST /v1/save-to-storage":                        `{"url":"http://example.com/a.png"}`,
	"POST /v1/credits/model-costs":                    `{"models":["text"]}`,
	"POST /auth/sign-in":                              `{"email":"nobody@example.com","password":"wrong wrong wrong"}`,
	"POST /auth/second-factor":                        `{"secondFactorToken":"none","code":"000000"}`,
	"POST /auth/sso/exchange":                         `{"ssoToken":"spent"}`,
	"POST /auth/passkey/begin":                        `{"purpose":"sign_in"}`,
	"POST /auth/passkey/sign-in":                      `{"challengeId":"NOWHERE","response":{}}`,
	"POST /auth/sign-up":                              `{"email":"nobody","password":"short","displayName":"X"}`,
	"POST /auth/verify-email":                         `{"token":"x"}`,
	"POST /auth/forgot-password":                      `{"email":"nobody@example.com"}`,
	"POST /auth/reset-password":                       `{"token":"x","password":"correct horse battery"}`,
	"POST /v1/workflows/{id}/collaborators":           `{"userId":"NOWHERE","role":"viewer"}`,
	"PATCH /v1/workflows/{id}/collaborators/{userId}": `{"role":"viewer"}`,
	"POST /v1/characters":                             `{"name":""}`,
	"POST /v1/generate-character":                     `{"description":""}`,
	"POST /v1/characters/{id}/consent":                `{"confirmed":true}`,
	"POST /v1/characters/{id}/images":                 `{"url":"http://example.com/a.png"}`,
	"POST /v1/objects":                                `{"name":""}`,
	"POST /v1/generate-object":                        `{"description":""}`,
	"POST /v1/objects/{id}/consent":                   `{"confirmed":true}`,
	"POST /v1/objects/{id}/images":                    `{"url":"http://example.com/a.png"}`,
	"POST /v1/creatures":                              `{"name":""}`,
	"POST /v1/generate-creature":                      `{"description":""}`,
	"POST /v1/creatures/{id}/consent":                 `{"confirmed":true}`,
	"POST /v1/creatures/{id}/images":                  `{"url":"http://example.com/a.png"}`,
	"POST /v1/locations":                              `{"name":""}`,
	"POST /v1/generate-location":                      `{"description":""}`,
	"POST /v1/locations/{id}/consent":                 `{"confirmed":true}`,
	"POST /v1/locations/{id}/images":                  `{"url":"http://example.com/a.png"}`,
	"POST /v1/faces":                                  `{"name":""}`,
	"POST /v1/faces/{id}/consent":                     `{"confirmed":true}`,
	"POST /v1/faces/{id}/images":                      `{"url":"http://example.com/a.png"}`,
	"POST /v1/voices/{id}/consent":                    `{"confirmed":true}`,
	"POST /v1/voices/{id}/preview":                    `{"text":""}`,
}

// id is what {id} names below a path.
func (s *stage) id(path string) string {
	for prefix, id := range map[string]string{
		"/v1/orgs/": s.org, "/v1/workspaces/": s.room, "/v1/invitations/": s.invitation, "/v1/api-tokens/": s.token, "/v1/projects/": s.project,
		"/v1/workflows/": s.workflow, "/v1/apps/": s.app, "/v1/workflow-executions/": s.execution, "/v1/jobs/": s.job, "/v1/webhook-endpoints/": s.endpoint, "/v1/credentials/": s.credential,
		"/v1/workflow-triggers/": s.trigger, "/v1/oauth/apps/": s.client, "/v1/characters/": s.element, "/v1/voices/": s.voice, "/v1/pipelines/": s.pipeline,
		"/v1/studio/productions/": s.production, "/v1/shots/": s.shot,
	} {
		if strings.HasPrefix(path, prefix) {
			return id
		}
	}
	return nowhere
}

// address is a route's path with the ids of the stage.
func (s *stage) address(route, id, user string) string {
	_, path, _ := strings.Cut(route, " ")
	address := strings.NewReplacer("{id}", id, "{userId}", user, "{wsId}", s.room, "{token}", "nonsense", "{slug}", "matrix", "{runId}", s.run,
		"{execId}", s.execution, "{type}", "text", "{node-type}", "text", "{deliveryId}", s.delivery, "{provider}", "nobody", "{imageId}", nowhere, "{shotId}", s.shot).Replace(path)
	switch path {
	case "/v1/jobs/status":
		address += "?ids=" + s.job
	case "/v1/api/schema":
		address += "?workflowId=" + s.workflow
	}
	if strings.Contains(address, "{") {
		s.t.Errorf("the matrix does not know what stands for the parameters of %s", route)
	}
	return address
}

// ask sends the route's request; what a deletion would end is made again.
func (s *stage) ask(who client, route string) *reply {
	method, address, body := s.request(route)
	r := who.do(method, address, body)
	if strings.HasSuffix(route, "/archive") && r.Status == 200 {
		s.owner.post(strings.TrimSuffix(address, "archive")+"unarchive", nil).want(200)
	}
	return r
}

// request is the route's request on the stage.
func (s *stage) request(route string) (method, address string, body any) {
	method, path, _ := strings.Cut(route, " ")
	id, user := s.id(path), s.pupil.id
	switch route {
	case "DELETE /v1/workflows/{id}":
		id = s.shortLived("workflow")
	case "DELETE /v1/projects/{id}":
		id = s.shortLived("project")
	case "DELETE /v1/workflow-triggers/{id}":
		id = s.shortLived("trigger")
	case "DELETE /v1/apps/{id}":
		id = s.shortLived("app")
	case "DELETE /v1/characters/{id}":
		id = s.shortLived("element")
	case "DELETE /v1/voices/{id}":
		id = s.shortLived("voice")
	case "DELETE /v1/pipelines/{id}":
		id = s.shortLived("pipeline")
	case "DELETE /v1/studio/productions/{id}":
		id = s.shortLived("production")
	case "DELETE /v1/orgs/{id}/members/{userId}", "DELETE /v1/workspaces/{id}/members/{userId}", "DELETE /v1/workflows/{id}/collaborators/{userId}":
		user = nowhere
	}
	address = s.address(route, id, user)
	if route == "DELETE /v1/studio/productions/{id}/shots/{shotId}" {
		address = s.shortLivedShot(address)
	}
	if method == "GET" || method == "DELETE" {
		return method, address, nil
	}
	if given, ok := bodies[route]; ok {
		return method, address, strings.NewReplacer("NOWHERE", nowhere, "WORKFLOW", s.workflow, "JOB", s.job).Replace(given)
	}
	return method, address, "{}"
}

// fill puts the stage's ids into a document.
func (s *stage) fill(document string) string {
	values := map[string]string{
		"$org": s.org, "$room": s.room, "$pupil": s.pupil.id, "$nobody": nowhere, "$invitation": s.invitation, "$batch": s.batch,
		"$token": s.token, "$project": s.project, "$workflow": s.workflow, "$app": s.app, "$run": s.run,
		"$execution": s.execution, "$job": s.job, "$endpoint": s.endpoint, "$trigger": s.trigger, "$credential": s.credential, "$client": s.client, "$element": s.element, "$voice": s.voice, "$pipeline": s.pipeline, "$production": s.production, "$shot": s.shot, "$code": s.code, "$outside": s.outside.id, "$admin": s.admin.id, "$soon": time.Now().Add(time.Hour).Format(time.RFC3339),
	}
	return variableName.ReplaceAllStringFunc(document, func(name string) string {
		if kind, ok := strings.CutPrefix(name, "$new_"); ok {
			return `"` + s.shortLived(kind) + `"`
		}
		if values[name] == "" {
			s.t.Errorf("the matrix does not know what %s stands for", name)
		}
		return `"` + values[name] + `"`
	})
}

var variableName = regexp.MustCompile(`\$[a-z_]+`)

// sameInGraphQL are the operations of the schema that do what a route does.
var sameInGraphQL = map[string]string{
	"GET /v1/me":                                       `{ me { id } }`,
	"GET /v1/orgs":                                     `{ organizations { nodes { id } } }`,
	"GET /v1/orgs/{id}":                                `{ organization(id: $org) { id } }`,
	"PATCH /v1/orgs/{id}":                              `mutation { updateOrganization(id: $org, input: {}) { id } }`,
	"DELETE /v1/orgs/{id}":                             `mutation { deleteOrganization(id: $org) }`,
	"POST /v1/orgs/{id}/transfer-ownership":            `mutation { transferOwnership(organizationId: $org, userId: $nobody) { id } }`,
	"GET /v1/orgs/{id}/members":                        `{ organization(id: $org) { members { nodes { email } } } }`,
	"GET /v1/orgs/{id}/audit":                          `{ organization(id: $org) { audit { nodes { id } } } }`,
	"GET /v1/orgs/{id}/credits":                        `{ organization(id: $org) { credits { pool } } }`,
	"GET /v1/orgs/{id}/usage":                          `{ organization(id: $org) { usage { totals { credits } } } }`,
	"GET /v1/orgs/{id}/workspaces":                     `{ organization(id: $org) { workspaces { nodes { id } } } }`,
	"GET /v1/orgs/{id}/invitations":                    `{ organization(id: $org) { invitations { nodes { id } } } }`,
	"PATCH /v1/orgs/{id}/members/{userId}":             `mutation { updateOrganizationMember(organizationId: $org, userId: $pupil, input: {}) { role } }`,
	"DELETE /v1/orgs/{id}/members/{userId}":            `mutation { removeOrganizationMember(organizationId: $org, userId: $nobody) }`,
	"POST /v1/orgs/{id}/workspaces":                    `mutation { createWorkspace(organizationId: $org, input: { name: "Room", slug: "room" }) { id } }`,
	"POST /v1/orgs/{id}/workspaces/{wsId}/allocate":    `mutation { allocateCredits(organizationId: $org, workspaceId: $room, delta: 999999) { pool } }`,
	"POST /v1/orgs/{id}/credits/checkout":              `mutation { checkoutCredits(organizationId: $org, packId: "none") { id } }`,
	"GET /v1/workspaces":                               `{ workspaces { nodes { id } } }`,
	"GET /v1/workspaces/{id}":                          `{ workspace(id: $room) { id } }`,
	"PATCH /v1/workspaces/{id}":                        `mutation { updateWorkspace(id: $room, input: {}) { id } }`,
	"POST /v1/workspaces/{id}/unarchive":               `mutation { unarchiveWorkspace(id: $room) { id } }`,
	"GET /v1/workspaces/{id}/members":                  `{ workspace(id: $room) { members { nodes { role } } } }`,
	"POST /v1/workspaces/{id}/members":                 `mutation { addWorkspaceMember(workspaceId: $room, input: { userId: $nobody, role: member }) { role } }`,
	"PATCH /v1/workspaces/{id}/members/{userId}":       `mutation { updateWorkspaceMember(workspaceId: $room, userId: $pupil, input: {}) { role } }`,
	"DELETE /v1/workspaces/{id}/members/{userId}":      `mutation { removeWorkspaceMember(workspaceId: $room, userId: $nobody) }`,
	"GET /v1/workspaces/{id}/join-code":                `{ workspace(id: $room) { joinCode { code } } }`,
	"POST /v1/workspaces/{id}/join-code":               `mutation { changeJoinCode(workspaceId: $room, action: enable) { code } }`,
	"GET /v1/workspaces/{id}/budget":                   `{ workspace(id: $room) { budget { headroom } } }`,
	"GET /v1/workspaces/{id}/usage":                    `{ workspace(id: $room) { usage { totals { credits } } } }`,
	"POST /v1/workspaces/join":                         `mutation { joinWorkspace(code: "AAAAAAAA") { workspaceId } }`,
	"GET /v1/workflows/{id}":                           `{ workflow(id: $workflow) { id } }`,
	"GET /v1/workflows/{id}/triggers":                  `{ workflow(id: $workflow) { triggers { nodes { id } } } }`,
	"POST /v1/workflows/{id}/sync-triggers":            `mutation { syncTriggers(workflowId: $workflow) { synced } }`,
	"PATCH /v1/workflow-triggers/{id}":                 `mutation { updateTrigger(id: $trigger, input: {}) { id } }`,
	"GET /v1/projects/{id}":                            `{ project(id: $project) { id } }`,
	"GET /v1/workflows/{id}/access":                    `{ workflowAccess(id: $workflow) { access } }`,
	"GET /v1/workflows/shared-with-me":                 `{ sharedWithMe { id } }`,
	"GET /v1/workflows/{id}/collaborators":             `{ workflowAccess(id: $workflow) { collaborators { nodes { role } } } }`,
	"POST /v1/workflows/{id}/collaborators":            `mutation { addCollaborator(workflowId: $workflow, input: { userId: $nobody, role: viewer }) { role } }`,
	"PATCH /v1/workflows/{id}/collaborators/{userId}":  `mutation { updateCollaborator(workflowId: $workflow, userId: $pupil, input: { role: viewer }) { role } }`,
	"DELETE /v1/workflows/{id}/collaborators/{userId}": `mutation { removeCollaborator(workflowId: $workflow, userId: $nobody) }`,
	"GET /v1/api-tokens":                               `{ apiTokens { id } }`,
	"GET /v1/oauth/apps":                               `{ oauthApps { id } }`,
	"POST /v1/oauth/apps":                              `mutation { createOAuthApp(input: { name: "", redirectUris: [] }) { clientSecret } }`,
	"GET /v1/oauth/apps/{id}":                          `{ oauthApp(id: $client) { id } }`,
	"PATCH /v1/oauth/apps/{id}":                        `mutation { updateOAuthApp(id: $client, input: {}) { id } }`,
	"POST /v1/credits/model-costs":                     `{ modelCosts(models: ["text"]) { credits } }`,
	"POST /v1/save-to-storage":                         `mutation { saveToStorage(url: "http://example.com/a.png") { id } }`,
	"GET /v1/characters/{id}":                          `{ element(id: $element) { id } }`,
	"PATCH /v1/characters/{id}":                        `mutation { updateElement(id: $element, input: {}) { id } }`,
	"POST /v1/characters":                              `mutation { createElement(input: { kind: character, name: "" }) { id } }`,
	"POST /v1/characters/{id}/images":                  `mutation { addElementImage(id: $element, input: { url: "http://example.com/a.png" }) { id } }`,
	"POST /v1/characters/{id}/consent":                 `mutation { giveConsent(id: $element, input: { confirmed: true }) { id } }`,
	"POST /v1/characters/{id}/train":                   `mutation { trainElement(id: $element, input: {}) { job { id } } }`,
	"GET /v1/characters/{id}/uses":                     `{ elementUses(id: $element) { nodes { executionId } } }`,
	"POST /v1/generate-character":                      `mutation { generateElement(input: { kind: character, description: "" }) { job { id } } }`,
	"GET /v1/voices/{id}":                              `{ voice(id: $voice) { id } }`,
	"PATCH /v1/voices/{id}":                            `mutation { updateVoice(id: $voice, input: {}) { id } }`,
	"POST /v1/voices/{id}/consent":                     `mutation { giveVoiceConsent(id: $voice, input: { confirmed: true }) { id } }`,
	"POST /v1/voices/{id}/preview":                     `mutation { previewVoice(id: $voice, text: "") { job { id } } }`,
	"GET /v1/pipelines/{id}":                           `{ pipeline(id: $pipeline) { id } }`,
	"PATCH /v1/pipelines/{id}":                         `mutation { updatePipeline(id: $pipeline, input: {}) { id } }`,
	"POST /v1/pipelines/{id}/duplicate":                `mutation { duplicatePipeline(id: $pipeline) { id } }`,
	"GET /v1/studio/productions/{id}":                  `{ production(id: $production) { id } }`,
	"PATCH /v1/studio/productions/{id}":                `mutation { updateProduction(id: $production, input: {}) { id } }`,
	"POST /v1/studio/productions/{id}/breakdown":       `mutation { breakDownScript(id: $production, input: { script: "The sea." }) { production { id } } }`,
	"POST /v1/studio/productions/{id}/shots":           `mutation { createShot(productionId: $production, input: { locationId: $nobody }) { id } }`,
	"PUT /v1/studio/productions/{id}/shots/order":      `mutation { orderShots(productionId: $production, shotIds: [$nobody]) { id } }`,
	"POST /v1/studio/productions/{id}/estimate":        `{ productionEstimate(id: $production, input: {}) { credits } }`,
	"POST /v1/studio/productions/{id}/render":          `mutation { renderProduction(id: $production, input: { shotIds: [$nobody] }) { executionId } }`,
	"GET /v1/studio/productions/{id}/renders":          `{ productionRenders(id: $production) { nodes { executionId } } }`,
	"GET /v1/shots/{id}":                               `{ publicShot(id: $shot) { id } }`,
}

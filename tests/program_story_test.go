package tests

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image/png"
	"strings"
	"testing"
)

// story is a school on its first afternoon, told through the API. Its steps
// are the same wherever it runs: one process, several replicas, or one that
// is killed in the middle.
type story struct {
	t                                     testing.TB
	visitor                               client
	operator, owner, ada, ben             client
	school, class, code, workflow, secret string
	endpoint                              string
}

const password = "correct horse battery"

// signUp makes an account and acts for it.
func (s *story) signUp(name string) client {
	s.t.Helper()
	r := s.visitor.post("/auth/sign-up", object{
		"email": strings.ToLower(name) + "@example.com", "password": password, "displayName": name, "operatorCode": operatorCode,
	}).want(201)
	return s.visitor.with(r.text("data.token"))
}

// begin tells the story up to a class with credits and two students in it.
func begin(t testing.TB, url string) *story {
	t.Helper()
	s := &story{t: t, visitor: client{t: t, URL: url}}
	s.operator, s.owner = s.signUp("Op"), s.signUp("Mara")
	s.visitor.get("/v1/me").wantError(401, "unauthorized")

	s.owner.post("/v1/orgs", object{"name": "Northgate School", "kind": "school"}).wantError(400, "terms_required")
	made := s.owner.post("/v1/orgs", object{"name": "Northgate School", "kind": "school", "acceptTerms": true}).want(201)
	s.school = made.text("data.id")
	if made.text("data.status") != "pending" || made.text("data.slug") != "northgate-school" {
		t.Fatalf("a new school: %s", made.Body)
	}
	s.owner.post("/v1/orgs/"+s.school+"/workspaces", object{"name": "Art 9b"}).wantError(403, "org_not_active")

	waiting := s.operator.graphql(`{ operatorOrganizations(status: pending) { nodes { id name } } }`, nil)
	if waiting.text("data.operatorOrganizations.nodes.0.id") != s.school {
		t.Fatalf("the operator does not see the school: %s", waiting.Body)
	}
	s.operator.graphql(`mutation($id: ID!) { approveOrganization(id: $id) { status } }`, object{"id": s.school})
	s.operator.graphql(`mutation($in: GrantCreditsInput!) { grantCredits(input: $in) { amount } }`,
		object{"in": object{"organizationId": s.school, "amount": 500, "reason": "A first afternoon"}})

	s.class = s.owner.post("/v1/orgs/"+s.school+"/workspaces", object{"name": "Art 9b"}).want(201).text("data.id")
	allocated := s.owner.post("/v1/orgs/"+s.school+"/workspaces/"+s.class+"/allocate", object{"delta": 200}).want(200)
	if allocated.number("data.headroom") != 200 || allocated.number("data.pool") != 300 {
		t.Fatalf("after the allocation: %s", allocated.Body)
	}
	s.code = s.owner.post("/v1/workspaces/"+s.class+"/join-code", object{"action": "enable"}).want(200).text("data.code")

	s.ada, s.ben = s.signUp("Ada"), s.signUp("Ben")
	spoken := strings.ToLower(s.code[:4] + "-" + s.code[4:])
	s.ada.post("/v1/workspaces/join", object{"code": spoken}).want(200)
	s.ben.post("/v1/workspaces/join", object{"code": s.code}).want(200)
	return s
}

// lesson is the workflow of the story: text, a template, a picture, a smaller picture.
var lesson = object{
	"name": "Poster",
	"nodes": []object{
		{"id": "topic", "type": "text", "data": object{"text": "a lighthouse"}},
		{"id": "prompt", "type": "template-text", "data": object{"template": "{{topic}} in the style of {{style}}", "values": object{"style": "a woodcut"}}},
		{"id": "picture", "type": "generate-image", "data": object{"prompt": "", "seed": 7, "aspectRatio": "1:1", "resolution": "1K"}},
		{"id": "small", "type": "resize-image", "data": object{"width": 320, "height": 200, "fit": "cover"}},
	},
	"edges": []object{
		{"id": "e1", "source": "topic", "target": "prompt", "targetHandle": "values.topic"},
		{"id": "e2", "source": "prompt", "target": "picture", "targetHandle": "prompt"},
		{"id": "e3", "source": "picture", "target": "small"},
	},
}

// publish saves the workflow in the class and publishes it with two exposed fields.
func (s *story) publish() {
	s.t.Helper()
	teacher := s.owner.in(s.class)
	s.workflow = teacher.post("/v1/workflows", lesson).want(201).text("data.id")
	app := teacher.post("/v1/workflows/"+s.workflow+"/publish", object{
		"slug": "poster", "name": "Poster", "thumbnailNodeId": "small",
		"presentationSettings": object{"inputItems": []object{
			{"type": "field", "id": "topic", "nodeId": "topic", "field": "text"},
			{"type": "field", "id": "ratio", "nodeId": "picture", "field": "aspectRatio", "allowedValues": []string{"1:1", "16:9"}},
		}},
	}).want(201)
	if app.number("data.version") != 1 || app.number("data.estimatedCredits") != 2.5 {
		s.t.Fatalf("the app: %s", app.Body)
	}
}

// listen registers a webhook endpoint of a student.
func (s *story) listen(who client, url string) {
	s.t.Helper()
	made := who.post("/v1/webhook-endpoints", object{"url": url}).want(201)
	s.endpoint, s.secret = made.text("data.id"), made.text("secret")
}

// run starts the app for a person in the class and returns the run's id.
func (s *story) run(who client, inputs object) string {
	s.t.Helper()
	r := who.in(s.class).post("/v1/app/poster/run", object{"inputs": inputs}).want(202)
	if r.text("status") != "pending" || r.text("executionId") == "" {
		s.t.Fatalf("an accepted run: %s", r.Body)
	}
	return r.text("runId")
}

// finished polls a run until it has ended, and checks it.
func (s *story) finished(who client, run, status string) *reply {
	s.t.Helper()
	var last *reply
	eventually(s.t, func() error {
		last = who.in(s.class).get("/v1/app/poster/runs/" + run).want(200)
		if got := last.text("execution.status"); got != "completed" && got != "failed" {
			return fmt.Errorf("run is %s: %s", got, last.Body)
		}
		return nil
	})
	if got := last.text("execution.status"); got != status {
		s.t.Fatalf("the run ended %s: %s", got, last.Body)
	}
	return last
}

// picture downloads the run's main result and checks that it is a PNG of the asked size.
func (s *story) picture(run *reply) {
	s.t.Helper()
	url := run.text("thumbnailUrl")
	if url == "" || url != run.text("execution.nodeStates.small.output.imageUrl") {
		s.t.Fatalf("the main result: %s", run.Body)
	}
	file := s.visitor.get(url).want(200)
	image, err := png.Decode(bytes.NewReader(file.Body))
	if err != nil || image.Bounds().Dx() != 320 || image.Bounds().Dy() != 200 {
		s.t.Fatalf("%s is no PNG of 320 by 200 (%v)", url, err)
	}
}

// budget checks what the class has spent and still reserves.
func (s *story) budget(spent, reserved float64) {
	s.t.Helper()
	eventually(s.t, func() error {
		b := s.owner.get("/v1/workspaces/" + s.class + "/budget").want(200)
		if b.number("data.spent") != spent || b.number("data.reserved") != reserved {
			return fmt.Errorf("budget %s, want %v spent and %v reserved", b.Body, spent, reserved)
		}
		return nil
	})
}

// delivered checks that each of a run's jobs was told to the endpoint, signed.
func (s *story) delivered(who client, r *receiver, jobs, attempts int) {
	s.t.Helper()
	eventually(s.t, func() error {
		deliveries := who.get("/v1/webhook-endpoints/" + s.endpoint + "/deliveries?status=delivered").want(200)
		if n := len(deliveries.list("data")); n != jobs {
			return fmt.Errorf("%d deliveries, want %d: %s", n, jobs, deliveries.Body)
		}
		return nil
	})
	events := r.all()
	if len(events) != attempts {
		s.t.Errorf("the receiver was called %d times, want %d", len(events), attempts)
	}
	seen := map[string]bool{}
	for _, e := range events {
		var body struct {
			ID, Type string
			Data     struct{ Job struct{ Status string } }
		}
		if err := json.Unmarshal(e.body, &body); err != nil || body.Type != "job.completed" || body.Data.Job.Status != "completed" {
			s.t.Errorf("an event: %s", e.body)
		}
		if !e.verified(s.secret) {
			s.t.Errorf("the signature does not fit: %s", e.header.Get("Service-Signature"))
		}
		seen[body.ID] = true
	}
	if len(seen) != jobs {
		s.t.Errorf("%d different events, want %d", len(seen), jobs)
	}
}

func TestStoryThroughTheAPI(t *testing.T) {
	t.Parallel()
	hooks := newReceiver(t, 2)
	p := startService(t, "SSL_CERT_FILE="+hooks.roots, "DELIVERY_BACKOFF=100ms,200ms,400ms,800ms")
	s := begin(t, p.URL)
	s.publish()
	s.listen(s.ada, hooks.URL+"/events")

	app := s.visitor.get("/v1/app/poster").want(200)
	if app.text("snapshotSettings.presentationSettings.inputItems.0.id") != "topic" || app.text("snapshotNodes.0.id") != "topic" {
		t.Errorf("the public app: %s", app.Body)
	}
	s.ada.in(s.class).post("/v1/app/poster/run", object{"inputs": object{"ratio": "4:3"}}).wantError(400, "validation_error")

	token := s.ada.post("/v1/api-tokens", object{"name": "script"}).want(201).text("token")
	script := s.ada.with(token)
	run := s.finished(script, s.run(script, object{"topic": "a fox"}), "completed")
	s.picture(run)
	if run.number("creditsUsed") != 2.5 || run.number("execution.completedNodes") != 4 || run.number("execution.totalNodes") != 4 {
		t.Errorf("the run: %s", run.Body)
	}
	if got := run.text("execution.nodeStates.prompt.output.text"); got != "a fox in the style of a woodcut" {
		t.Errorf("the prompt was %q", got)
	}
	s.budget(2.5, 0)
	s.delivered(s.ada, hooks, 4, 6)

	me := s.ada.get("/v1/credits/balance").want(200)
	if me.number("data.balance") != 100 {
		t.Errorf("a student paid personally: %s", me.Body)
	}
	s.owner.post("/v1/orgs/"+s.school+"/workspaces/"+s.class+"/allocate", object{"delta": -197}).want(200)
	s.ben.in(s.class).post("/v1/app/poster/run", object{}).wantError(402, "budget_exceeded")
	s.budget(2.5, 0)

	audit := s.owner.get("/v1/orgs/" + s.school + "/audit?limit=200").want(200)
	for _, action := range []string{"organization.created", "organization.approved", "credits.granted", "workspace.created", "budget.allocated"} {
		if !bytes.Contains(audit.Body, []byte(`"`+action+`"`)) {
			t.Errorf("the audit log lacks %s: %s", action, audit.Body)
		}
	}
	history := s.owner.in(s.class).get("/v1/workflows/" + s.workflow + "/executions").want(200)
	if len(history.list("data")) == 0 {
		t.Errorf("the history is empty: %s", history.Body)
	}
}

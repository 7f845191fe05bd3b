package run

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"atelier/models"
	"atelier/models/flow"
	"atelier/models/nodegraph"
)

func wantFailure(t *testing.T, job *Job, a *asked, part string) {
	t.Helper()
	if job.Status != JobFailed || !strings.Contains(models.Deref(job.ErrorMessage), part) || models.Deref(job.ErrorHint) == "" || a.key != "" {
		t.Errorf("%s: %q (%q), sent %q", job.Status, models.Deref(job.ErrorMessage), models.Deref(job.ErrorHint), a.key)
	}
	a.key = ""
}

func wantSent(t *testing.T, job *Job, a *asked) {
	t.Helper()
	if job.Status != JobCompleted || a.key != plainKey {
		t.Errorf("%s: %q, sent %q", job.Status, models.Deref(job.ErrorMessage), a.key)
	}
	if len(job.OutputData) != 1 || job.OutputData["status"] == nil {
		t.Errorf("put out %v", job.OutputData)
	}
	a.key = ""
}

// TestWhichRunsSendAPlainCredential is the table of contract 2, "Webhook-output
// node and credentials" 3: by who starts a run, and how.
func TestWhichRunsSendAPlainCredential(t *testing.T) {
	w, a := newKeys(t)
	own := w.In(w.Room, w.Ann)
	plain := w.keeps(w.Ann, "", false)
	locked := w.keeps(w.Ann, a.URL+"/in", true)
	for _, c := range []*flow.Credential{plain, locked} {
		saved := w.save(own, nodegraph.Nodes{sending("out", a.URL+"/in/x", c.ID)})
		w.Exec(`INSERT INTO workflow_collaborators (workflow_id, user_id, role, granted_by, created_at, updated_at) VALUES (?, ?, 'editor', ?, now(), now())`, saved.ID, w.Bob, w.Ann)
		for name, ctx := range map[string]context.Context{
			"session": own, "token": w.ByToken(w.Ann), "app": w.ByApp(w.Ann, models.ScopeExecute), "editor": w.In(w.Room, w.Bob),
		} {
			t.Run(string(c.Kind)+" "+name, func(t *testing.T) {
				job := w.runs(ctx, saved.ID)
				if c == locked || name == "session" {
					wantSent(t, job, a)
				} else {
					wantFailure(t, job, a, "only in runs that its owner starts personally")
				}
			})
		}
		// An app's run is not the owner's own, not even when they start it.
		t.Run(string(c.Kind)+" published", func(t *testing.T) {
			app, err := w.Flows.Apps().Publish(own, saved.ID, flow.PublishInput{Name: "App", Slug: new("app-" + string(c.Kind))})
			if c == plain {
				wantCode(t, err, models.CodeCredentialUnbound)
				w.Exec(`UPDATE credentials SET kind = 'locked', locked_url = ? WHERE id = ?`, a.URL+"/in/x", c.ID)
				app, err = w.Flows.Apps().Publish(own, saved.ID, flow.PublishInput{Name: "App", Slug: new("app-" + string(c.Kind))})
				w.Exec(`UPDATE credentials SET kind = 'plain', locked_url = NULL WHERE id = ?`, c.ID)
			}
			if err != nil {
				t.Fatal(err)
			}
			run, err := w.AppRuns().Start(own, app.Slug, AppInput{})
			if err != nil {
				t.Fatal(err)
			}
			w.work()
			job := w.jobs(run.Execution.ID)["out"]
			if c == locked {
				wantSent(t, job, a)
				return
			}
			wantFailure(t, job, a, "only in runs that its owner starts personally")
			again, err := w.Executions().Retry(own, run.Execution.ID)
			if err != nil {
				t.Fatal(err)
			}
			w.work()
			wantFailure(t, w.jobs(again.ID)["out"], a, "only in runs that its owner starts personally")
		})
	}
	w.NoRowHas(secretKey)
}

func TestRetriesAndComponentsWithCredentials(t *testing.T) {
	w, a := newKeys(t)
	own := w.In(w.Room, w.Ann)
	plain := w.keeps(w.Ann, "", false)
	saved := w.save(own, nodegraph.Nodes{sending("out", a.URL, plain.ID)})

	byToken, err := w.RunWorkflow(w.ByToken(w.Ann), saved.ID, Input{})
	if err != nil {
		t.Fatal(err)
	}
	w.work()
	again, err := w.Executions().Retry(own, byToken.ID)
	if err != nil {
		t.Fatal(err)
	}
	w.work()
	wantFailure(t, w.jobs(again.ID)["out"], a, "only in runs") // a call of another person's does not become one's own

	outer := w.save(own, nodegraph.Nodes{{ID: "part", Type: nodegraph.ComponentType, Data: map[string]any{"workflowId": saved.ID.String()}}})
	if job := w.runs(own, outer.ID); job.Status != JobCompleted || a.key != plainKey {
		t.Errorf("%s: %s, sent %q", job.Status, models.Deref(job.ErrorMessage), a.key)
	}
	a.key = ""
	wantFailure(t, w.runs(w.ByToken(w.Ann), outer.ID), a, "only in runs")

	// Another person's workflow runs it as a component: the credential is the author's, the run is not.
	w.Exec(`UPDATE workflows SET visibility = 'workspace' WHERE id = ?`, saved.ID)
	theirs := w.save(w.In(w.Room, w.Bob), nodegraph.Nodes{{ID: "part", Type: nodegraph.ComponentType, Data: map[string]any{"workflowId": saved.ID.String()}}})
	wantFailure(t, w.runs(w.In(w.Room, w.Bob), theirs.ID), a, "only in runs")
	_, err = w.Flows.Apps().Publish(w.In(w.Room, w.Bob), theirs.ID, flow.PublishInput{Name: "Theirs", Slug: new("theirs")})
	wantCode(t, err, models.CodeCredentialUnbound)
	refusal, _ := models.AsError(err)
	said := refusal.Extra["nodes"].([]map[string]any)
	if len(said) != 1 || said[0]["nodeId"] != "out" || said[0]["workflowId"] != saved.ID || said[0]["credentialId"] != nil || !strings.Contains(refusal.Message, `"Send out"`) {
		t.Errorf("named as %v: %s", said, refusal.Message)
	}

	// A single node, on settings that are sent along.
	for _, tc := range []struct {
		ctx  context.Context
		sent bool
	}{{w.As(w.Ann), true}, {w.ByToken(w.Ann), false}, {w.As(w.Bob), false}} {
		run, err := w.Nodes().Run(tc.ctx, "webhook-output", map[string]any{"url": a.URL, "credentialId": plain.ID.String()})
		if err != nil {
			t.Fatal(err)
		}
		w.work()
		job := w.jobs(run.Job.ExecutionID)[singleNode]
		if tc.sent {
			wantSent(t, job, a)
		} else if job.Status != JobFailed || a.key != "" {
			t.Errorf("%s, sent %q", job.Status, a.key)
		}
	}
	w.NoRowHas(secretKey)
}

// TestFedAddressesGetNoPlainKey: the owner's own run sends a plain key to no host that flows
// in from elsewhere, and to the host that the owner wrote in the node.
func TestFedAddressesGetNoPlainKey(t *testing.T) {
	w, a := newKeys(t)
	evil := httptest.NewTLSServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { a.key = r.Header.Get("X-Key") }))
	t.Cleanup(evil.Close)
	own, editor := w.In(w.Room, w.Ann), w.In(w.Room, w.Bob)
	plain := w.keeps(w.Ann, "", false)
	addr := w.save(own, nodegraph.Nodes{{ID: "text", Type: "text", Data: map[string]any{"text": a.URL + "/in"}}})
	w.Exec(`INSERT INTO workflow_collaborators (workflow_id, user_id, role, granted_by, created_at, updated_at) VALUES (?, ?, 'editor', ?, now(), now())`, addr.ID, w.Bob, w.Ann)
	part := &nodegraph.Node{ID: "part", Type: nodegraph.ComponentType, Data: map[string]any{"workflowId": addr.ID.String()}}
	mapped := func(url string) *nodegraph.Node {
		return &nodegraph.Node{ID: "out", Type: requestType, Data: map[string]any{
			"url": url, "credentialId": plain.ID.String(), "fieldMappings": map[string]any{"url": map[string]any{"nodeId": "part"}},
		}}
	}
	graphs := map[string]struct {
		flow    *flow.Workflow
		written bool
	}{
		"component, no address":  {w.save(own, nodegraph.Nodes{part, sending("out", "", plain.ID)}, handle(edge("part", "out"), "", "url")), false},
		"component, own address": {w.save(own, nodegraph.Nodes{part, sending("out", a.URL, plain.ID)}, handle(edge("part", "out"), "", "url")), true},
		"mapping, no address":    {w.save(own, nodegraph.Nodes{part, mapped("")}), false},
		"mapping, own address":   {w.save(own, nodegraph.Nodes{part, mapped(a.URL)}), true},
	}
	try := func(when string, sends func(written bool) bool) {
		for name, tc := range graphs {
			w.HTTP, a.key = evil.Client(), ""
			if when == "before" {
				w.HTTP = a.Client()
			}
			exec, err := w.RunWorkflow(own, tc.flow.ID, Input{})
			if err != nil {
				t.Fatal(name, err)
			}
			w.work()
			job := w.jobs(exec.ID)["out"]
			if want := sends(tc.written); (a.key == plainKey) != want || (job.Status == JobCompleted) != want {
				t.Errorf("%s, %s: %s (%s), sent %q", when, name, job.Status, models.Deref(job.ErrorMessage), a.key)
			}
		}
	}
	try("before", func(written bool) bool { return written })
	if _, err := w.Flows.UpdateWorkflow(editor, addr.ID, graphOf([]*nodegraph.Node{{ID: "text", Type: "text", Data: map[string]any{"text": evil.URL}}})); err != nil {
		t.Fatal(err)
	}
	try("after", func(bool) bool { return false })
}

// TestAttackersGetNoKey: the one who may edit a workflow, or holds a token of its
// creator's, does not get the creator's plain key sent elsewhere.
func TestAttackersGetNoKey(t *testing.T) {
	w, a := newKeys(t)
	evil := httptest.NewTLSServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { a.key = r.Header.Get("X-Key") }))
	t.Cleanup(evil.Close)
	own, editor := w.In(w.Room, w.Ann), w.In(w.Room, w.Bob)
	plain := w.keeps(w.Ann, "", false)
	text := &nodegraph.Node{ID: "where", Type: "text", Data: map[string]any{"text": evil.URL}}
	moved := sending("out", evil.URL, plain.ID)
	fed := func(address string) []*nodegraph.Node {
		return []*nodegraph.Node{sending("out", a.URL, plain.ID), {ID: "where", Type: "text", Data: map[string]any{"text": address}}}
	}
	feed := handle(edge("where", "out"), "", "url")
	ask := &nodegraph.Node{ID: "out", Type: requestType, Data: map[string]any{"url": a.URL, "method": "DELETE", "credentialId": plain.ID.String()}}
	for name, tc := range map[string]struct {
		first  []*nodegraph.Node
		edges  []*nodegraph.Edge
		attack func(*flow.Workflow) (flow.UpdateWorkflowInput, context.Context)
		code   models.Code // of the save
	}{
		"another address": {attack: func(*flow.Workflow) (flow.UpdateWorkflowInput, context.Context) {
			return graphOf([]*nodegraph.Node{moved}), editor
		}},
		"another address, token": {attack: func(*flow.Workflow) (flow.UpdateWorkflowInput, context.Context) {
			return graphOf([]*nodegraph.Node{moved}), w.ByToken(w.Ann)
		}},
		"another address, app": {attack: func(*flow.Workflow) (flow.UpdateWorkflowInput, context.Context) {
			return graphOf([]*nodegraph.Node{moved}), w.ByApp(w.Ann, models.ScopeExecute)
		}},
		"another node": {attack: func(*flow.Workflow) (flow.UpdateWorkflowInput, context.Context) {
			return graphOf([]*nodegraph.Node{sending("more", evil.URL, plain.ID)}), editor
		}},
		"a fed address": {attack: func(*flow.Workflow) (flow.UpdateWorkflowInput, context.Context) {
			return graphOf([]*nodegraph.Node{sending("out", a.URL, plain.ID), text}, feed), editor
		}},
		"another type": {attack: func(*flow.Workflow) (flow.UpdateWorkflowInput, context.Context) {
			return graphOf([]*nodegraph.Node{ask}), editor
		}},
		"what feeds the address": {first: fed("https://example.com/"), edges: []*nodegraph.Edge{feed}, attack: func(*flow.Workflow) (flow.UpdateWorkflowInput, context.Context) {
			return graphOf(fed(evil.URL), feed), editor
		}},
		"a credential it had not": {first: []*nodegraph.Node{text}, attack: func(*flow.Workflow) (flow.UpdateWorkflowInput, context.Context) {
			return graphOf([]*nodegraph.Node{moved}), editor
		}, code: models.CodeValidation},
		"a credential by a token": {first: []*nodegraph.Node{text}, attack: func(*flow.Workflow) (flow.UpdateWorkflowInput, context.Context) {
			return graphOf([]*nodegraph.Node{moved}), w.ByToken(w.Ann)
		}},
		"a fed credential": {first: []*nodegraph.Node{text}, attack: func(*flow.Workflow) (flow.UpdateWorkflowInput, context.Context) {
			return graphOf([]*nodegraph.Node{{ID: "out", Type: "webhook-output", Data: map[string]any{"url": evil.URL}}, {ID: "which", Type: "text", Data: map[string]any{"text": plain.ID.String()}}},
				handle(edge("which", "out"), "", "credentialId")), editor
		}},
	} {
		t.Run(name, func(t *testing.T) {
			w.HTTP, a.key = evil.Client(), ""
			first := tc.first
			if first == nil {
				first = []*nodegraph.Node{sending("out", a.URL, plain.ID)}
			}
			flow := w.save(own, first, tc.edges...)
			w.Exec(`INSERT INTO workflow_collaborators (workflow_id, user_id, role, granted_by, created_at, updated_at) VALUES (?, ?, 'editor', ?, now(), now())`, flow.ID, w.Bob, w.Ann)
			in, as := tc.attack(flow)
			_, err := w.Flows.UpdateWorkflow(as, flow.ID, in)
			if tc.code != "" {
				wantCode(t, err, tc.code)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			for round := range 2 {
				exec, err := w.RunWorkflow(own, flow.ID, Input{})
				if err != nil {
					t.Fatal(err)
				}
				w.work()
				for _, job := range w.jobs(exec.ID) {
					if job.JobType != "text" && job.Status != JobFailed || a.key != "" {
						t.Errorf("round %d: %s is %s, sent %q", round, job.NodeID, job.Status, a.key)
					}
				}
				// The owner saves something else, and gives nothing away by that.
				seen, err := w.Flows.FindWorkflow(own, flow.ID)
				if err != nil {
					t.Fatal(err)
				}
				more := append(append([]*nodegraph.Node{}, seen.Nodes...), &nodegraph.Node{ID: fmt.Sprintf("note%d", round), Type: "text", Data: map[string]any{"text": "hello"}})
				if _, err := w.Flows.UpdateWorkflow(own, flow.ID, graphOf(more, seen.Edges...)); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
	t.Run("the way back", func(t *testing.T) {
		w.HTTP = a.Client()
		flow := w.save(own, []*nodegraph.Node{sending("out", a.URL, plain.ID)})
		for _, step := range []struct {
			ctx     context.Context
			address string
			sent    bool
		}{{w.ByToken(w.Ann), a.URL + "/other", false}, {w.ByToken(w.Ann), a.URL, true}, {own, a.URL + "/other", true}, {w.ByToken(w.Ann), a.URL, false}} {
			if _, err := w.Flows.UpdateWorkflow(step.ctx, flow.ID, graphOf([]*nodegraph.Node{sending("out", step.address, plain.ID)})); err != nil {
				t.Fatal(err)
			}
			if job := w.runs(own, flow.ID); step.sent {
				wantSent(t, job, a)
			} else {
				wantFailure(t, job, a, "did not write where this node sends")
			}
		}
	})
	t.Run("the id of another", func(t *testing.T) {
		theirs := w.save(editor, []*nodegraph.Node{sending("out", a.URL, plain.ID)})
		wantFailure(t, w.runs(editor, theirs.ID), a, "does not exist any more")
	})
	w.NoRowHas(secretKey)
}

func TestLockedCredentialsGoToTheirAddressAlone(t *testing.T) {
	w, a := newKeys(t)
	own := w.In(w.Room, w.Ann)
	exact, below := w.keeps(w.Ann, a.URL+"/away", false), w.keeps(w.Ann, a.URL+"/in", true)
	for _, tc := range []struct {
		c       *flow.Credential
		address string
		failure string // empty: sent
	}{
		{below, a.URL + "/in", ""},
		{below, strings.Replace(a.URL, "https", "HTTPS", 1) + "/in/a?b=c", ""},
		{below, a.URL + "/inner", "locked to another address"},
		{below, a.URL + "/in/../x", "locked to another address"},
		{below, a.URL + "/in/%2e%2e/x", "locked to another address"},
		{below, a.URL + "/in/%252e%252e/x", "locked to another address"},
		{below, a.URL + "/in/..;/x", "locked to another address"},
		{below, a.URL + "/", "locked to another address"},
		{below, strings.Replace(a.URL, "https", "http", 1) + "/in", "must start with https://"},
		{exact, a.URL + "/away/", "locked to another address"},
	} {
		job := w.runs(own, w.save(own, nodegraph.Nodes{sending("out", tc.address, tc.c.ID)}).ID)
		if tc.failure == "" {
			wantSent(t, job, a)
		} else if wantFailure(t, job, a, tc.failure); t.Failed() {
			t.Fatal(tc.address)
		}
	}
	// A redirect is an answer: not followed, with or without the key.
	job := w.runs(own, w.save(own, nodegraph.Nodes{sending("out", a.URL+"/away", exact.ID)}).ID)
	if job.Status != JobFailed || !strings.Contains(models.Deref(job.ErrorMessage), "status 307") || a.key != plainKey {
		t.Errorf("%s: %s", job.Status, models.Deref(job.ErrorMessage))
	}
	// A request that would read an answer keeps its status alone, for the answer may hold the key.
	job = w.runs(own, w.save(own, nodegraph.Nodes{{ID: "ask", Type: requestType, Data: map[string]any{"url": a.URL + "/in", "credentialId": below.ID.String()}}}).ID)
	wantSent(t, job, a)
	if err := w.Flows.Credentials().Delete(w.As(w.Ann), below.ID); err != nil {
		t.Fatal(err)
	}
	job = w.runs(own, w.save(own, nodegraph.Nodes{sending("out", a.URL+"/in", below.ID)}).ID)
	wantFailure(t, job, a, "The credential does not exist any more")
	w.NoRowHas(secretKey)
}

func TestStrangersOfTheOrganizationAreNoOwners(t *testing.T) {
	w, a := newKeys(t)
	w.Set("admin_access", `"edit"`)
	w.Join(w.AddRoom("Other"), w.Owner, "admin")
	own := w.In(w.Room, w.Ann)
	c := w.keeps(w.Ann, "", false)
	flow := w.save(own, nodegraph.Nodes{sending("out", a.URL, c.ID)})
	admin := w.In(w.Room, w.Owner)
	if _, err := w.Flows.UpdateWorkflow(admin, flow.ID, graphOf([]*nodegraph.Node{sending("out", a.URL+"/evil", c.ID)})); err != nil {
		t.Skip("admins cannot edit here: " + err.Error())
	}
	wantFailure(t, w.runs(own, flow.ID), a, "did not write where this node sends")
	wantFailure(t, w.runs(admin, flow.ID), a, "only in runs")
}

package run

import (
	"context"
	"strings"
	"testing"

	"atelier/models"
	"atelier/models/flow"
	"atelier/models/nodegraph"
	"atelier/models/space"
	"atelier/nodes/kit"
)

// keyOf is the key as it stands in the graph, which must be sealed.
func keyOf(t *testing.T, all nodegraph.Nodes) string {
	t.Helper()
	headers := all[0].Data["headers"].(map[string]any)
	key := headers["Authorization"].(string)
	if !kit.IsSealed(key) || headers["Accept"] != "text/plain" {
		t.Fatalf("kept as %v", headers)
	}
	return key
}

// runs starts a workflow as a person, works, and tells how its node ended.
func (w *world) runs(ctx context.Context, id models.ID) *Job {
	w.t.Helper()
	exec, err := w.RunWorkflow(ctx, id, Input{})
	if err != nil {
		w.t.Fatal(err)
	}
	w.work()
	for _, job := range w.jobs(exec.ID) {
		return job
	}
	return nil
}

func wantSealedForAnother(t *testing.T, job *Job, a *asked) {
	t.Helper()
	if job.Status != JobFailed || job.ErrorMessage == nil || !strings.Contains(*job.ErrorMessage, "The header Authorization was sealed for another owner or address") ||
		job.ErrorHint == nil || !strings.HasPrefix(*job.ErrorHint, "Type its value again.") || a.key != "" {
		t.Errorf("%s: %v, sent %q", job.Status, models.Deref(job.ErrorMessage), a.key)
	}
}

func TestSecretHeadersAreStoredSealed(t *testing.T) {
	w, a := newSealing(t)
	in := w.In(w.Room, w.Ann)
	sent := nodegraph.Nodes{request(a.URL, plainKey)}
	saved := w.save(in, sent)
	key := keyOf(t, saved.Nodes)
	if sent[0].Data["headers"].(map[string]any)["Authorization"] != plainKey {
		t.Error("the caller's graph was changed")
	}
	w.Exec(`INSERT INTO workflow_collaborators (workflow_id, user_id, role, granted_by, created_at, updated_at) VALUES (?, ?, 'viewer', ?, now(), now())`, saved.ID, w.Bob, w.Ann)
	seen, err := w.Flows.FindWorkflow(w.In(w.Room, w.Bob), saved.ID)
	if err != nil || keyOf(t, seen.Nodes) != key {
		t.Fatalf("a viewer sees %v, %v", seen, err)
	}
	if job := w.runs(in, saved.ID); job.Status != JobCompleted || a.key != plainKey {
		t.Fatalf("%s: %v, sent %q", job.Status, models.Deref(job.ErrorMessage), a.key)
	}

	// What is sent back as it was stays; what is typed again is sealed again.
	same, err := w.Flows.UpdateWorkflow(in, saved.ID, graphOf(seen.Nodes))
	if err != nil || same.Version != 1 || keyOf(t, same.Nodes) != key {
		t.Fatalf("version %d, %v", same.Version, err)
	}
	changed, err := w.Flows.UpdateWorkflow(in, saved.ID, graphOf(nodegraph.Nodes{request(a.URL+"/x", plainKey)}))
	if err != nil || changed.Version != 2 || keyOf(t, changed.Nodes) == key {
		t.Fatalf("version %d, %v", changed.Version, err)
	}
	app, err := w.Flows.Apps().Publish(in, saved.ID, flow.PublishInput{Name: "Ask"})
	if err != nil {
		t.Fatal(err)
	}
	a.key = ""
	run, err := w.AppRuns().Start(w.In(w.Room, w.Bob), app.Slug, AppInput{})
	if err != nil {
		t.Fatal(err)
	}
	w.work()
	if job := w.jobs(*run.ExecutionID)["ask"]; job.Status != JobCompleted || a.key != plainKey || job.InputData["headers"] != nil {
		t.Errorf("%s: %v, sent %q", job.Status, models.Deref(job.ErrorMessage), a.key)
	}
	a.key = ""
	alone, err := w.Nodes().Run(w.As(w.Stranger), requestType, request(a.URL, plainKey).Data)
	if err != nil {
		t.Fatal(err)
	}
	w.work()
	if job := w.jobs(alone.Job.ExecutionID)[singleNode]; job.Status != JobCompleted || a.key != plainKey {
		t.Errorf("%s: %v, sent %q", job.Status, models.Deref(job.ErrorMessage), a.key)
	}
	w.NoRowHas(secretKey)
}

// TestSealedHeadersOpenForTheirOwnerAndHost tries what a viewer and an editor
// can do with the sealed text.
func TestSealedHeadersOpenForTheirOwnerAndHost(t *testing.T) {
	w, a := newSealing(t)
	in := w.In(w.Room, w.Ann)
	saved := w.save(in, nodegraph.Nodes{request(a.URL, plainKey)})
	key := keyOf(t, saved.Nodes)
	elsewhere := strings.Replace(a.URL, "127.0.0.1", "localhost", 1)

	copied := w.save(w.In(w.Room, w.Bob), nodegraph.Nodes{request(a.URL, key)})
	if keyOf(t, copied.Nodes) != key {
		t.Error("a copy was sealed once more")
	}
	wantSealedForAnother(t, w.runs(w.In(w.Room, w.Bob), copied.ID), a)
	alone, err := w.Nodes().Run(w.As(w.Stranger), requestType, request(a.URL, key).Data)
	if err != nil {
		t.Fatal(err)
	}
	w.work()
	wantSealedForAnother(t, w.jobs(alone.Job.ExecutionID)[singleNode], a)

	fed := request("", key)
	for what, graph := range map[string]flow.UpdateWorkflowInput{
		"another address": graphOf(nodegraph.Nodes{request(elsewhere, key)}),
		"a fed address":   graphOf(nodegraph.Nodes{fed, text("to", elsewhere)}, handle(edge("to", "ask"), "text", "url")),
	} {
		t.Log(what)
		if _, err := w.Flows.UpdateWorkflow(in, saved.ID, graph); err != nil {
			t.Fatal(err)
		}
		exec, err := w.RunWorkflow(in, saved.ID, Input{})
		if err != nil {
			t.Fatal(err)
		}
		w.work()
		wantSealedForAnother(t, w.jobs(exec.ID)["ask"], a)
	}

	// Where the address is fed, a key goes to the host that its node names, the one who writes
	// what feeds it, and to no other.
	for _, named := range []string{"https://unused.example", ""} {
		fedElsewhere := w.save(in, nodegraph.Nodes{request(named, plainKey), text("to", a.URL)}, handle(edge("to", "ask"), "text", "url"))
		exec, err := w.RunWorkflow(in, fedElsewhere.ID, Input{})
		if err != nil {
			t.Fatal(err)
		}
		w.work()
		wantSealedForAnother(t, w.jobs(exec.ID)["ask"], a)
	}
	byEdge := w.save(in, nodegraph.Nodes{request(a.URL, plainKey), text("to", a.URL+"/below")}, handle(edge("to", "ask"), "text", "url"))
	exec, err := w.RunWorkflow(in, byEdge.ID, Input{})
	if err != nil {
		t.Fatal(err)
	}
	w.work()
	if job := w.jobs(exec.ID)["ask"]; job.Status != JobCompleted || a.key != plainKey {
		t.Errorf("%s: %v, sent %q", job.Status, models.Deref(job.ErrorMessage), a.key)
	}
	a.key = ""
	written := w.save(in, nodegraph.Nodes{request(elsewhere, keyOf(t, byEdge.Nodes))})
	wantSealedForAnother(t, w.runs(in, written.ID), a)
}

// TestSealedHeadersInComponents guards that the owner of the inner workflow is
// the one whose keys open, the one who runs it.
func TestSealedHeadersInComponents(t *testing.T) {
	w, a := newSealing(t)
	shared := space.WorkspaceShared
	inner, err := w.Flows.CreateWorkflow(w.In(w.Room, w.Ann), flow.CreateWorkflowInput{Name: "Inner", Nodes: nodegraph.Nodes{request(a.URL, plainKey)}, Visibility: &shared})
	if err != nil {
		t.Fatal(err)
	}
	by := w.In(w.Room, w.Bob)
	outer := w.save(by, nodegraph.Nodes{componentNode("c", inner.ID, nil)})
	if job := w.runs(by, outer.ID); job.Status != JobCompleted || a.key != plainKey {
		t.Fatalf("%s: %v, sent %q", job.Status, models.Deref(job.ErrorMessage), a.key)
	}
	a.key = ""
	copied := w.save(by, nodegraph.Nodes{request(a.URL, keyOf(t, inner.Nodes))})
	wantSealedForAnother(t, w.runs(by, w.save(by, nodegraph.Nodes{componentNode("c", copied.ID, nil)}).ID), a)
	w.NoRowHas(secretKey)
}

func TestSecretHeadersNeedAKeyOfTheInstall(t *testing.T) {
	w, a := newSealing(t)
	in := w.In(w.Room, w.Ann)
	saved := w.save(in, nodegraph.Nodes{request(a.URL, plainKey)})
	vault := w.Flows.Vault
	w.Flows.Vault = nil
	refused := func(what string, err error, field string) {
		t.Helper()
		e, _ := models.AsError(err)
		if e == nil || e.Code != models.CodeValidation || e.Field != field || !strings.Contains(e.Message, "SERVICE_ENCRYPTION_KEY") || strings.Contains(e.Message, plainKey) {
			t.Errorf("%s: %v", what, err)
		}
	}
	inGraph := "nodes.ask.data.headers.Authorization"
	_, err := w.Flows.CreateWorkflow(in, flow.CreateWorkflowInput{Name: "W", Nodes: nodegraph.Nodes{request(a.URL, plainKey)}})
	refused("create", err, inGraph)
	_, err = w.Flows.UpdateWorkflow(in, saved.ID, graphOf(nodegraph.Nodes{request(a.URL, plainKey)}))
	refused("update", err, inGraph)
	_, err = w.Nodes().Run(w.As(w.Stranger), requestType, request(a.URL, plainKey).Data)
	refused("a single node", err, "headers.Authorization")
	check, err := w.Flows.CheckWorkflow(in, saved.ID, nodegraph.Nodes{request(a.URL, plainKey)}, nil)
	if err != nil || len(check.Problems) != 1 || check.Problems[0].Field != inGraph || models.Deref(check.Problems[0].NodeID) != "ask" {
		t.Errorf("check: %+v, %v", check, err)
	}
	if _, err := w.Flows.UpdateWorkflow(in, saved.ID, graphOf(saved.Nodes)); err != nil {
		t.Errorf("what is sealed already: %v", err)
	}
	w.save(in, nodegraph.Nodes{request(a.URL, "")})
	wantSealedForAnother(t, w.runs(in, saved.ID), a)

	w.Flows.Vault = vault
	_, err = w.Flows.CreateWorkflow(in, flow.CreateWorkflowInput{Name: "W", Nodes: nodegraph.Nodes{request(a.URL, strings.Repeat("x", kit.MaxSecretHeader+1))}})
	if e, _ := models.AsError(err); e == nil || e.Code != models.CodeValidation || e.Field != inGraph {
		t.Errorf("a long value: %v", err)
	}
}

package run

import (
	"context"
	"maps"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/credit"
	"atelier/models/flow"
	"atelier/models/lane"
	"atelier/models/nodegraph"
	"atelier/nodes/kit"
)

// addWorkflow saves a workflow of the account.
func (e *engine) addWorkflow(owner models.ID, all nodegraph.Nodes, edges nodegraph.Edges) models.ID {
	e.t.Helper()
	id, project := models.NewID(e.clock.Now()), models.NewID(e.clock.Now())
	if edges == nil {
		edges = nodegraph.Edges{}
	}
	e.Exec(`INSERT INTO projects (id, name, user_id, created_by, created_at, updated_at) VALUES (?, 'P', ?, ?, now(), now())`, project, owner, owner)
	e.Exec(`INSERT INTO workflows (id, name, project_id, owner_id, visibility, version, created_at, updated_at) VALUES (?, 'W', ?, ?, 'private', 1, now(), now())`, id, project, owner)
	version := &flow.Version{WorkflowID: id, Version: 1, Nodes: all, Edges: edges, CreatedBy: owner, CreatedAt: e.clock.Now()}
	if err := e.DB.Read(context.Background()).Create(version).Error; err != nil {
		e.t.Fatal(err)
	}
	return id
}

// testComponent runs a workflow within a workflow within a workflow, with a
// worker that dies in between: each inner node runs and is charged once.
func testComponent(t *testing.T, e *engine) {
	costs(t, "combine-text", 300)
	costs(t, "template-text", 500)
	calls, dies := map[string]int{}, 1
	var lease *lane.Lease
	change(t, "template-text", func(n *kit.Node) {
		run := n.Run
		n.Run = func(ctx context.Context, in *kit.Call) (kit.Output, error) {
			calls["template"]++
			if dies > 0 {
				dies--
				e.clock.Advance(lane.DefaultLease + time.Second) // the lease is over before the checkpoint
			}
			return run(ctx, in)
		}
	})
	change(t, "combine-text", func(n *kit.Node) {
		run := n.Run
		n.Run = func(ctx context.Context, in *kit.Call) (kit.Output, error) {
			calls["combine"]++
			return run(ctx, in)
		}
	})
	innermost := e.addWorkflow(e.user, nodegraph.Nodes{combine("c"), {ID: "w", Type: "delay", Data: map[string]any{"seconds": 30.0}},
		{ID: "t", Type: "template-text", Data: map[string]any{"template": "<{{x}}>"}}},
		nodegraph.Edges{edge("c", "w"), handle(edge("w", "t"), "text", "values.x")})
	middle := e.addWorkflow(e.user, nodegraph.Nodes{componentNode("deep", innermost, map[string]any{"inputs": map[string]any{"c": map[string]any{"separator": "~"}}}), combine("m")},
		nodegraph.Edges{handle(edge("deep", "m"), "text", "")})
	all := nodegraph.Nodes{text("a", "hello"), componentNode("outer", middle, nil), combine("z")}
	if got := e.Flows.EstimateCost(e.As(e.user), &flow.Workflow{OwnerID: e.user, Nodes: all}); got != 1400 {
		t.Errorf("estimated at %d", got)
	}
	exec := e.start(all,
		nodegraph.Edges{edge("a", "outer"), handle(edge("outer", "z"), "text", "")})
	if exec.Hold != 300+500+300+300 || exec.TotalNodes != 3 {
		t.Fatalf("accepted as %+v", exec)
	}
	for range 30 {
		if lease = e.claim(); lease == nil {
			e.clock.Advance(10 * time.Second)
			continue
		}
		_ = e.RunJob(context.Background(), *lease)
	}
	done := e.execution(exec.ID)
	if done.Status != ExecutionCompleted || done.Charged != 1400 {
		t.Fatalf("ended as %+v %v", done, *done.ErrorMessage)
	}
	want := map[string]models.Credits{"outer/deep/c": 300, "outer/deep/t": 500, "outer/m": 300, "z": 300}
	if got := e.charges(exec.ID); !maps.Equal(got, want) {
		t.Errorf("charged %v", got)
	}
	if calls["template"] != 2 || calls["combine"] != 3 {
		t.Errorf("the nodes were called %v times", calls)
	}
	if job := e.jobs(exec.ID)["outer"]; *job.CreditsCharged != 1100 || *job.CreditStatus != "committed" {
		t.Errorf("the component's job is %+v", job)
	}
	if got := e.jobs(exec.ID)["z"].OutputData["text"]; got != "<hello>" {
		t.Errorf("the result is %q", got)
	}
	if n := len(e.jobs(exec.ID)); n != 3 {
		t.Errorf("%d jobs, want those of the outer nodes", n)
	}
}

// tryNodes starts a run of nodes, which may be refused.
func (e *engine) tryNodes(all nodegraph.Nodes) error {
	_, err := e.tryStart(Request{Payer: credit.Payer{UserID: e.user}, Trigger: "api", Source: "api", Nodes: all})
	return err
}

func testComponentRefusals(t *testing.T, e *engine) {
	start := e.tryNodes
	foreign := e.addWorkflow(e.AddUser(0), nodegraph.Nodes{text("a", "secret")}, nil)
	wantCode(t, start(nodegraph.Nodes{componentNode("c", foreign, nil)}), models.CodeValidation)
	wantCode(t, start(nodegraph.Nodes{{ID: "c", Type: "component", Data: map[string]any{}}}), models.CodeValidation)

	itself := e.addWorkflow(e.user, nodegraph.Nodes{}, nil)
	e.Exec(`UPDATE workflow_versions SET nodes = jsonb_build_array(jsonb_build_object('id', 'c', 'type', 'component', 'data', jsonb_build_object('workflowId', ?::text))) WHERE workflow_id = ?`, itself.String(), itself)
	wantCode(t, start(nodegraph.Nodes{componentNode("c", itself, nil)}), models.CodeValidation)

	failing := e.addWorkflow(e.user, nodegraph.Nodes{text("t", "x"), {ID: "r", Type: "resize-image", Data: map[string]any{}}}, nil)
	exec := e.start(nodegraph.Nodes{componentNode("c", failing, nil)}, nil)
	e.work()
	if done := e.execution(exec.ID); done.Status != ExecutionFailed {
		t.Errorf("ended as %+v", done)
	}
}

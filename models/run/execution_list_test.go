package run

import (
	"testing"

	"atelier/models"
	"atelier/models/nodegraph"
)

func TestListsAreNarrowed(t *testing.T) {
	e := newEngine(t)
	good := e.start(nodegraph.Nodes{text("a", "x")}, nil)
	e.work()
	bad := e.start(nodegraph.Nodes{node("a", "json-query", map[string]any{"query": "("})}, nil)
	e.work()
	ctx := e.As(e.user)
	failed, completed, schedule := ExecutionFailed, ExecutionCompleted, "schedule"
	for name, c := range map[string]struct {
		filter ExecutionFilter
		want   []models.ID
	}{
		"all":        {ExecutionFilter{}, []models.ID{bad.ID, good.ID}},
		"failed":     {ExecutionFilter{Status: &failed}, []models.ID{bad.ID}},
		"completed":  {ExecutionFilter{Status: &completed}, []models.ID{good.ID}},
		"schedule":   {ExecutionFilter{Trigger: &schedule}, nil},
		"a workflow": {ExecutionFilter{WorkflowID: &good.ID}, nil},
	} {
		list, err := e.Executions().List(ctx, models.Page{}, c.filter)
		if err != nil || len(list.Nodes) != len(c.want) {
			t.Fatalf("%s: %v %v", name, list, err)
		}
		for i, id := range c.want {
			if list.Nodes[i].ID != id {
				t.Errorf("%s: %v", name, list.Nodes[i].ID)
			}
		}
	}
	failedJob, pending := JobFailed, JobPending
	if jobs, err := e.Jobs().List(ctx, models.Page{}, &failedJob, nil); err != nil || len(jobs.Nodes) != 1 || jobs.Nodes[0].ExecutionID != bad.ID {
		t.Errorf("%v %v", jobs, err)
	}
	if jobs, err := e.Jobs().List(ctx, models.Page{}, &pending, nil); err != nil || len(jobs.Nodes) != 0 {
		t.Errorf("%v %v", jobs, err)
	}
	one := 1
	first, err := e.Executions().List(ctx, models.Page{Limit: &one}, ExecutionFilter{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = e.Executions().List(ctx, models.Page{Limit: &one, Cursor: first.Next()}, ExecutionFilter{Status: &failed})
	if err == nil {
		t.Error("a cursor of another list is taken")
	}
}

package run

import (
	"context"
	"testing"

	"atelier/models"
	"atelier/models/nodegraph"
)

// An app that may read runs alone reads what it started of a workflow's history,
// though not the workflow; one that may only run does not.
func TestWorkflowHistoryScope(t *testing.T) {
	w := newWorld(t, "school")
	saved := w.save(w.As(w.user), nodegraph.Nodes{{ID: "a", Type: "text", Data: nodegraph.Data{"text": "x"}}})
	for _, starter := range []context.Context{w.As(w.user), w.ByApp(w.user, models.ScopeExecute)} {
		if _, err := w.RunWorkflow(starter, saved.ID, Input{}); err != nil {
			t.Fatal(err)
		}
	}
	reader := w.ByApp(w.user, models.ScopeJobsRead)
	history, err := w.Executions().WorkflowHistory(reader, saved.ID, models.Page{})
	if err != nil || len(history.Nodes) != 1 {
		t.Fatalf("the history is %+v, %v", history, err)
	}
	_, err = w.Flows.FindWorkflow(reader, saved.ID)
	wantCode(t, err, models.CodeInsufficientScope)
	_, err = w.Executions().WorkflowHistory(w.ByApp(w.user, models.ScopeExecute), saved.ID, models.Page{})
	wantCode(t, err, models.CodeInsufficientScope)
	_, err = w.Executions().WorkflowHistory(w.ByToken(w.user, w.user), saved.ID, models.Page{})
	wantCode(t, err, models.CodeForbidden)
	_, err = w.Executions().WorkflowHistory(w.As(w.AddUser(0)), saved.ID, models.Page{})
	wantCode(t, err, models.CodeNotFound)
	most := 0
	_, err = w.Executions().WorkflowHistory(w.As(w.user), saved.ID, models.Page{Limit: &most})
	wantCode(t, err, models.CodeValidation)
}

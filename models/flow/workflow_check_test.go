package flow

import (
	"testing"

	"atelier/models"
	"atelier/models/nodegraph"
	"atelier/models/org"
)

func TestCheckWorkflowSavesNothing(t *testing.T) {
	w := newWorld(t, org.School)
	ctx := w.In(w.Room, w.Ann)
	saved := w.save(ctx, nodegraph.Nodes{text("a", "x")})
	check, err := w.CheckWorkflow(ctx, saved.ID, nodegraph.Nodes{node("p", "generate-image", nil)}, nil)
	if err != nil || len(check.Problems) != 0 || check.EstimatedCredits != 2*models.Credit {
		t.Fatalf("%+v %v", check, err)
	}
	if again, err := w.FindWorkflow(ctx, saved.ID); err != nil || again.Version != 1 || again.Nodes[0].ID != "a" {
		t.Errorf("%+v %v", again, err)
	}
	_, err = w.CheckWorkflow(w.As(w.Stranger), saved.ID, nil, nil)
	wantError(t, err, models.CodeNotFound, "Workflow")
}

package flow

import (
	"context"
	"fmt"
	"testing"

	"atelier/models"
	"atelier/models/dbtest"
	"atelier/models/nodegraph"
	"atelier/models/org"
)

// TestComponentsOfAnEditor: who may edit another's graph lets its components
// run only what they may see themselves, though they run with the owner's rights.
func TestComponentsOfAnEditor(t *testing.T) {
	w := newWorld(t, org.Team)
	ann, editor := w.As(w.Ann), w.As(w.Stranger)
	shared, private := w.save(ann, nil), w.save(ann, nil)
	own := w.save(editor, nil)
	if _, err := w.Collaborators().Add(ann, shared.ID, AddCollaboratorInput{UserID: &w.Stranger, Role: Editor}); err != nil {
		t.Fatal(err)
	}
	naming := func(ctx context.Context, ids ...models.ID) error {
		all := nodegraph.Nodes{}
		for i, id := range ids {
			all = append(all, &nodegraph.Node{ID: fmt.Sprint("part", i), Type: nodegraph.ComponentType, Data: nodegraph.Data{"workflowId": id.String()}})
		}
		_, err := w.UpdateWorkflow(ctx, shared.ID, UpdateWorkflowInput{Nodes: models.Some([]*nodegraph.Node(all))})
		return err
	}
	wantError(t, naming(editor, private.ID), models.CodeValidation, "nodes.part0.data.workflowId")
	wantError(t, naming(editor, models.NewID(w.clock.Now())), models.CodeValidation, "names no workflow")
	if err := naming(editor, own.ID); err != nil {
		t.Errorf("a workflow of the editor: %v", err)
	}
	if err := naming(ann, private.ID); err != nil {
		t.Errorf("the owner: %v", err)
	}
	if err := naming(editor, private.ID, own.ID); err != nil {
		t.Errorf("what the owner had named stays: %v", err)
	}
	wantError(t, naming(editor, own.ID, w.save(ann, nil).ID), models.CodeValidation, "nodes.part1.data.workflowId")
}

// TestComponentsAreReadAtOnce: to name many workflows takes as many statements
// as to name one.
func TestComponentsAreReadAtOnce(t *testing.T) {
	w := newWorld(t, org.Team)
	ann, editor := w.As(w.Ann), w.As(w.Stranger)
	shared := w.save(ann, nil)
	if _, err := w.Collaborators().Add(ann, shared.ID, AddCollaboratorInput{UserID: &w.Stranger, Role: Editor}); err != nil {
		t.Fatal(err)
	}
	statements := dbtest.CountStatements(t, w.DB)
	naming := func(n int) int64 {
		all := nodegraph.Nodes{}
		for i := range n {
			named := w.save(editor, nil).ID.String()
			all = append(all, &nodegraph.Node{ID: fmt.Sprint("part", i), Type: nodegraph.ComponentType, Data: nodegraph.Data{"workflowId": named}})
		}
		before := statements.Load()
		if _, err := w.UpdateWorkflow(editor, shared.ID, UpdateWorkflowInput{Nodes: models.Some([]*nodegraph.Node(all))}); err != nil {
			t.Fatal(err)
		}
		return statements.Load() - before
	}
	if one, ten := naming(1), naming(10); ten != one {
		t.Errorf("%d statements for one component, %d for ten", one, ten)
	}
}

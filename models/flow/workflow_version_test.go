package flow

import (
	"testing"

	"atelier/models"
	"atelier/models/nodegraph"
	"atelier/models/org"
)

func TestVersionsCanBeReadAgain(t *testing.T) {
	w := newWorld(t, org.School)
	ctx := w.In(w.Room, w.Ann)
	saved := w.save(ctx, nodegraph.Nodes{text("a", "first")})
	for _, word := range []string{"second", "third"} {
		in := UpdateWorkflowInput{Nodes: models.Some([]*nodegraph.Node{text("a", word)}), Edges: models.Some([]*nodegraph.Edge{})}
		if _, err := w.UpdateWorkflow(ctx, saved.ID, in); err != nil {
			t.Fatal(err)
		}
	}
	now, err := w.FindWorkflow(ctx, saved.ID)
	if err != nil {
		t.Fatal(err)
	}
	var numbers []int
	two := 2
	for page := (models.Page{Limit: &two}); ; {
		list, err := w.ListVersions(ctx, now, page)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range list.Nodes {
			numbers = append(numbers, v.Version)
		}
		if page.Cursor = list.Next(); page.Cursor == nil {
			break
		}
	}
	if len(numbers) != 3 || numbers[0] != 3 || numbers[2] != 1 {
		t.Errorf("%v", numbers)
	}
	if v, err := w.FindVersion(ctx, saved.ID, 2); err != nil || v.Nodes[0].Data["text"] != "second" || v.CreatedBy != w.Ann {
		t.Errorf("%+v %v", v, err)
	}
	_, err = w.FindVersion(ctx, saved.ID, 9)
	wantError(t, err, models.CodeNotFound, "Version")
	_, err = w.FindVersion(w.As(w.Stranger), saved.ID, 2)
	wantError(t, err, models.CodeNotFound, "Workflow")
}

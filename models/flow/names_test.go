package flow

import (
	"context"
	"testing"

	"atelier/models"
	"atelier/models/nodegraph"
	"atelier/models/org"
)

// TestWorkflowsByID: in every role and for other tenants, those that can be reached are there, whatever space is selected, and no others.
func TestWorkflowsByID(t *testing.T) {
	w := newWorld(t, org.School)
	private := w.save(w.In(w.Room, w.Ann), nodegraph.Nodes{text("a", "")})
	shared := w.save(w.In(w.Room, w.Ann), nodegraph.Nodes{text("a", "")})
	w.Exec(`UPDATE workflows SET visibility = CASE id WHEN ? THEN 'workspace' ELSE 'private' END`, shared.ID)
	personal := w.save(w.As(w.user), nodegraph.Nodes{})
	ids := []models.ID{shared.ID, w.DB.NewID(w.clock.Now()), private.ID, personal.ID}
	people := w.FurtherPeople()
	people["owner"], people["ann"], people["bob"], people["stranger"] = w.Owner, w.Ann, w.Bob, w.Stranger
	for name, want := range map[string][]models.ID{
		"owner": {shared.ID, private.ID}, "orgadmin": {shared.ID, private.ID}, "admin": {shared.ID, private.ID}, "ann": {shared.ID, private.ID}, "bob": {shared.ID},
		"stranger": {personal.ID}, "outside": {},
	} {
		found, err := w.WorkflowsByID(w.As(people[name]), ids)
		if err != nil || len(found) != len(want) {
			t.Errorf("%s finds %d, %v; want %d", name, len(found), err, len(want))
			continue
		}
		for i, one := range found {
			if one.ID != want[i] {
				t.Errorf("%s finds %v as number %d, want %v", name, one.ID, i, want[i])
			}
		}
	}
	if found, err := w.WorkflowsByID(context.Background(), nil); err != nil || found == nil || len(found) > 0 {
		t.Errorf("of no ids: %v, %v", found, err)
	}
}

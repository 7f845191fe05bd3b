package flow

import (
	"encoding/json"
	"testing"

	"atelier/models"
	"atelier/models/nodegraph"
)

// TestOldGraphsAreSealedWhenTouched saves and publishes a graph that was stored
// before headers were sealed.
func TestOldGraphsAreSealedWhenTouched(t *testing.T) {
	w, a := newSealing(t)
	in := w.In(w.Room, w.Ann)
	for what, touch := range map[string]func(models.ID) error{
		"saved": func(id models.ID) error {
			flow, err := w.UpdateWorkflow(in, id, graphOf(nodegraph.Nodes{request(a.URL, plainKey)}))
			if err == nil && flow.Version != 2 {
				t.Errorf("saved as version %d", flow.Version)
			}
			return err
		},
		"published": func(id models.ID) error { _, err := w.Apps().Publish(in, id, PublishInput{Name: "Old"}); return err },
	} {
		flow := w.save(in, nodegraph.Nodes{request(a.URL, "")})
		old, _ := json.Marshal(nodegraph.Nodes{request(a.URL, plainKey)})
		w.Exec(`UPDATE workflow_versions SET nodes = ? WHERE workflow_id = ?`, string(old), flow.ID)
		if err := touch(flow.ID); err != nil {
			t.Fatal(what, err)
		}
		w.Exec(`DELETE FROM workflow_versions WHERE workflow_id = ? AND version = 1`, flow.ID)
		w.NoRowHas(secretKey)
	}
}

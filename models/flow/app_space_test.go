package flow

import (
	"testing"

	"atelier/models"
	"atelier/models/nodegraph"
	"atelier/models/org"
)

// The apps of a workspace are listed whatever is selected; a card shows what the
// caller may see of what they made.
func TestWorkspaceAppsAndTheirResults(t *testing.T) {
	w := newWorld(t, org.School)
	in := w.in(w.room, w.owner)
	app, err := w.PublishWorkflow(in, w.save(in, nodegraph.Nodes{{ID: "a", Type: "text"}}).ID, PublishInput{Name: "Poster"})
	if err != nil {
		t.Fatal(err)
	}
	w.exec(`INSERT INTO app_runs (id, app_id, account_id, workspace_id, version, thumbnail_url, created_at)
		VALUES (gen_random_uuid(), ?, ?, ?, 1, 'http://a.example/ann.png', now())`, app.ID, w.ann, w.room.ID)
	for name, tc := range map[string]struct {
		who  models.ID
		want string
	}{
		"the admin of the workspace": {w.owner, "http://a.example/ann.png"}, "who made it": {w.ann, "http://a.example/ann.png"},
		"another member": {w.bob, ""},
	} {
		listed, err := w.ListWorkspaceApps(w.as(tc.who), w.room.ID, models.Page{})
		if err != nil || len(listed.Nodes) != 1 || listed.Nodes[0].ID != app.ID {
			t.Errorf("%s: %+v, %v", name, listed, err)
		}
		if found, err := w.LatestResultsOf(w.as(tc.who), []models.ID{app.ID}); err != nil || found[app.ID] != tc.want {
			t.Errorf("%s sees %q, %v", name, found[app.ID], err)
		}
	}
	_, err = w.ListWorkspaceApps(w.as(w.stranger), w.room.ID, models.Page{})
	wantCode(t, err, models.CodeNotFound)
	if found, err := w.LatestResultsOf(w.as(w.stranger), []models.ID{app.ID}); err != nil || found[app.ID] != "" {
		t.Errorf("a stranger sees %q, %v", found[app.ID], err)
	}
}

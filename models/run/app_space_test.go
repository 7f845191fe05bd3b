package run

import (
	"testing"

	"atelier/models"
	"atelier/models/flow"
	"atelier/models/nodegraph"
	"atelier/models/org"
)

// The apps of a workspace are listed whatever is selected; a card shows what the
// caller may see of what they made.
func TestWorkspaceAppsAndTheirResults(t *testing.T) {
	w := newWorld(t, org.School)
	in := w.In(w.Room, w.Owner)
	app, err := w.Flows.Apps().Publish(in, w.save(in, nodegraph.Nodes{{ID: "a", Type: "text"}}).ID, flow.PublishInput{Name: "Poster"})
	if err != nil {
		t.Fatal(err)
	}
	w.Exec(`INSERT INTO app_runs (id, app_id, account_id, workspace_id, version, thumbnail_url, created_at)
		VALUES (gen_random_uuid(), ?, ?, ?, 1, 'http://a.example/ann.png', now())`, app.ID, w.Ann, w.Room.ID)
	for name, tc := range map[string]struct {
		who  models.ID
		want string
	}{
		"the admin of the workspace": {w.Owner, "http://a.example/ann.png"}, "who made it": {w.Ann, "http://a.example/ann.png"},
		"another member": {w.Bob, ""},
	} {
		listed, err := w.Flows.Apps().ListOfWorkspace(w.As(tc.who), w.Room.ID, models.Page{})
		if err != nil || len(listed.Nodes) != 1 || listed.Nodes[0].ID != app.ID {
			t.Errorf("%s: %+v, %v", name, listed, err)
		}
		if found, err := w.Results().LatestByApp(w.As(tc.who), []models.ID{app.ID}); err != nil || found[app.ID] != tc.want {
			t.Errorf("%s sees %q, %v", name, found[app.ID], err)
		}
	}
	_, err = w.Flows.Apps().ListOfWorkspace(w.As(w.Stranger), w.Room.ID, models.Page{})
	wantCode(t, err, models.CodeNotFound)
	if found, err := w.Results().LatestByApp(w.As(w.Stranger), []models.ID{app.ID}); err != nil || found[app.ID] != "" {
		t.Errorf("a stranger sees %q, %v", found[app.ID], err)
	}
}

// Admins of a workspace see who made something of an app there, and who did not; no one else does.
func TestPeopleOfAnApp(t *testing.T) {
	w := newWorld(t, org.School)
	in := w.In(w.Room, w.Owner)
	app, err := w.Flows.Apps().Publish(in, w.save(in, nodegraph.Nodes{{ID: "a", Type: "text"}}).ID, flow.PublishInput{Name: "Poster"})
	if err != nil {
		t.Fatal(err)
	}
	other := w.AddRoom("Other")
	w.Exec(`INSERT INTO app_runs (id, app_id, account_id, workspace_id, version, execution_id, thumbnail_url, created_at) VALUES
		(gen_random_uuid(), @app, @ann, @room, 1, gen_random_uuid(), 'http://a.example/ann.png', now()),
		(gen_random_uuid(), @app, @ann, @other, 1, gen_random_uuid(), NULL, now()),
		(gen_random_uuid(), @app, @ann, @room, 1, NULL, NULL, now())`, map[string]any{"app": app.ID, "ann": w.Ann, "room": w.Room.ID, "other": other.ID})
	people, err := PeopleOfApp(w.As(w.Owner), w.Service, app)
	if err != nil || len(people) != 2 {
		t.Fatalf("%+v, %v", people, err)
	}
	for _, p := range people {
		switch p.UserID {
		case w.Ann:
			if p.Runs != 1 || p.LatestID == nil || p.LatestURL == nil || *p.LatestURL != "http://a.example/ann.png" || p.LatestAt == nil {
				t.Errorf("who made one: %+v", p)
			}
		case w.Bob:
			if p.Runs != 0 || p.LatestID != nil || p.LatestURL != nil {
				t.Errorf("who made none: %+v", p)
			}
		default:
			t.Errorf("who is no member: %+v", p)
		}
	}
	for name, who := range map[string]models.ID{"a member": w.Ann, "a stranger": w.Stranger} {
		if people, err := PeopleOfApp(w.As(who), w.Service, app); err != nil || people != nil {
			t.Errorf("%s sees %+v, %v", name, people, err)
		}
	}
	if people, err := PeopleOfApp(w.As(w.Owner), w.Service, &flow.App{ID: app.ID}); err != nil || people != nil {
		t.Errorf("of an app in a personal space: %+v, %v", people, err)
	}
}

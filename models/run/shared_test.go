package run

import (
	"testing"

	"atelier/models"
	"atelier/models/flow"
	"atelier/models/nodegraph"
	"atelier/models/org"
	"atelier/models/space"
)

// An outsider with an editor grant looks, and does nothing else.
func TestOutsidersOnlyLook(t *testing.T) {
	s := newSharedWorld(t)
	s.grant(s.flow, s.Stranger, flow.Editor)
	ctx := s.As(s.Stranger)
	if w, err := s.Flows.FindWorkflow(ctx, s.flow.ID); err != nil || len(w.Nodes) != 1 {
		t.Fatalf("%+v, %v", w, err)
	}
	own := s.save(ctx, nil)
	for name, try := range map[string]func() error{
		"save": func() error {
			_, err := s.Flows.UpdateWorkflow(ctx, s.flow.ID, flow.UpdateWorkflowInput{Name: models.Some("Mine")})
			return err
		},
		"run": func() error { _, err := s.RunWorkflow(ctx, s.flow.ID, Input{}); return err },
		"publish": func() error {
			_, err := s.Flows.Apps().Publish(ctx, s.flow.ID, flow.PublishInput{Name: "Mine"})
			return err
		},
		"delete": func() error { return s.Flows.DeleteWorkflow(ctx, s.flow.ID) },
		"visibility": func() error {
			_, err := s.Flows.UpdateWorkflow(ctx, s.flow.ID, flow.UpdateWorkflowInput{Visibility: models.Some(space.Private)})
			return err
		},
		"take away": func() error {
			_, err := s.Flows.UpdateWorkflow(ctx, s.flow.ID, flow.UpdateWorkflowInput{ProjectID: models.Some(own.ProjectID)})
			return err
		},
		"share": func() error {
			_, err := s.Flows.Collaborators().Add(ctx, s.flow.ID, flow.AddCollaboratorInput{UserID: &s.Bob, Role: flow.Viewer})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) { wantError(t, try(), models.CodeInsufficientRole, "") })
	}
	s.Exec(`UPDATE organizations SET status = 'suspended' WHERE id = ?`, s.Org.ID)
	wantError(t, s.Flows.Collaborators().Remove(ctx, s.flow.ID, s.Stranger), models.CodeOrgNotActive, "")
	s.Exec(`UPDATE organizations SET deleted_at = now() WHERE id = ?`, s.Org.ID)
	_, err := s.Flows.FindWorkflow(ctx, s.flow.ID)
	wantError(t, err, models.CodeNotFound, "Workflow not found")
	if shared, err := s.Flows.SharedWithMe(ctx); err != nil || len(shared) != 0 {
		t.Errorf("%+v, %v", shared, err)
	}
}

// A personal workflow can be shared: an editor saves and runs it, and pays.
func TestPersonalWorkflowsAreShared(t *testing.T) {
	w := newWorld(t, org.Team)
	s := &sharedWorld{world: w}
	mine := w.save(w.As(w.Ann), nodegraph.Nodes{node("p", "generate-image", nodegraph.Data{"prompt": "sky"})})
	editor, viewer := w.AddUser(10*models.Credit), w.AddUser(10*models.Credit)
	s.grant(mine, editor, flow.Editor)
	s.grant(mine, viewer, flow.Viewer)
	if found, err := w.Flows.FindWorkflow(w.As(editor), mine.ID); err != nil || found.Access != space.CanEdit || found.Can != (flow.WorkflowPermissions{Edit: true, Run: true, Publish: true}) {
		t.Fatalf("%+v, %v", found, err)
	}
	if _, err := w.Flows.UpdateWorkflow(w.As(editor), mine.ID, flow.UpdateWorkflowInput{Description: models.Some("Ours")}); err != nil {
		t.Error(err)
	}
	exec, err := w.RunWorkflow(w.As(editor), mine.ID, Input{})
	if err != nil || exec.AccountID != editor || exec.WorkspaceID != nil {
		t.Fatalf("%+v, %v", exec, err)
	}
	if reserved := w.Count(`SELECT reserved FROM wallets WHERE user_id = ?`, editor); models.Credits(reserved) != exec.Hold {
		t.Errorf("the editor's wallet reserved %d, want %d", reserved, exec.Hold)
	}
	_, err = w.RunWorkflow(w.As(viewer), mine.ID, Input{})
	wantError(t, err, models.CodeInsufficientRole, "look at")
	theirs := w.save(w.As(editor), nil)
	_, err = w.Flows.UpdateWorkflow(w.As(editor), mine.ID, flow.UpdateWorkflowInput{ProjectID: models.Some(theirs.ProjectID)})
	wantError(t, err, models.CodeInsufficientRole, "")
	if shared, err := w.Flows.SharedWithMe(w.As(editor)); err != nil || len(shared) != 1 || shared[0].Access() != space.CanEdit || shared[0].GrantedBy != w.Ann {
		t.Errorf("%+v, %v", shared, err)
	}
	listed, err := w.Flows.ListWorkflows(w.As(editor), nil, models.Page{})
	if err != nil || len(listed.Nodes) != 1 || listed.Nodes[0].ID != theirs.ID {
		t.Errorf("the personal space lists %+v, %v", listed, err)
	}
}

// An editor of a person's personal workflow lists its app in the personal space, and runs of it are called by its name
// as long as it is shared.
func TestPersonalWorkflowOfAnother(t *testing.T) {
	s := newSharedWorld(t)
	personal := s.save(s.As(s.Ann), nodegraph.Nodes{text("a", "x")})
	s.Exec(`UPDATE workflows SET name = 'Mine' WHERE id = ?`, personal.ID)
	s.grant(personal, s.Bob, flow.Editor)
	if _, err := s.Flows.Apps().Publish(s.As(s.Bob), personal.ID, flow.PublishInput{Name: "Shared"}); err != nil {
		t.Fatal(err)
	}
	run, err := s.RunWorkflow(s.As(s.Bob), personal.ID, Input{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		role   flow.CollaboratorRole
		listed int
		title  string
	}{{flow.Editor, 1, "Mine"}, {flow.Viewer, 0, "Mine"}, {"", 0, "Text"}} {
		s.grant(personal, s.Bob, c.role)
		if list, err := s.Flows.Apps().List(s.As(s.Bob), models.Page{}); err != nil || len(list.Nodes) != c.listed {
			t.Errorf("with %q: %+v, %v", c.role, list, err)
		}
		if titles, err := s.Executions().Titles(s.As(s.Bob), []models.ID{run.ID}); err != nil || titles[run.ID] != (Title{c.title, c.role == ""}) {
			t.Errorf("with %q the run is called %+v, %v", c.role, titles[run.ID], err)
		}
	}
	if list, err := s.Flows.Apps().List(s.As(s.Ann), models.Page{}); err != nil || len(list.Nodes) != 1 {
		t.Errorf("its owner: %+v, %v", list, err)
	}
}

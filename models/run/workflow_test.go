package run

import (
	"testing"

	"atelier/models"
	"atelier/models/flow"
	"atelier/models/nodegraph"
	"atelier/models/org"
	"atelier/models/space"
)

// TestAccess is the rule of who reaches a workspace workflow, for each setting.
func TestAccess(t *testing.T) {
	w := newWorld(t, org.Team)
	teacher := w.AddUser(0)
	w.Join(w.Room, teacher, "admin")
	private, shared := w.save(w.In(w.Room, w.Ann), nil), w.save(w.In(w.Room, w.Ann), nil)
	w.Exec(`UPDATE workflows SET visibility = 'private' WHERE id = ?`, private.ID)
	people := map[string]models.ID{"ann": w.Ann, "bob": w.Bob, "teacher": teacher, "owner": w.Owner, "stranger": w.Stranger}
	for name, c := range map[string]struct {
		admin, member string
		private       map[string]space.Access
		shared        map[string]space.Access
	}{
		"admins view, members edit": {`"view"`, `"edit"`,
			map[string]space.Access{"ann": space.IsCreator, "teacher": space.CanView, "owner": space.CanView},
			map[string]space.Access{"ann": space.IsCreator, "bob": space.CanEdit, "teacher": space.CanEdit, "owner": space.CanEdit}},
		"admins edit, members view": {`"edit"`, `"view"`,
			map[string]space.Access{"ann": space.IsCreator, "teacher": space.CanEdit, "owner": space.CanEdit},
			map[string]space.Access{"ann": space.IsCreator, "bob": space.CanView, "teacher": space.CanEdit, "owner": space.CanEdit}},
		"both view": {`"view"`, `"view"`,
			map[string]space.Access{"ann": space.IsCreator, "teacher": space.CanView, "owner": space.CanView},
			map[string]space.Access{"ann": space.IsCreator, "bob": space.CanView, "teacher": space.CanView, "owner": space.CanView}},
	} {
		t.Run(name, func(t *testing.T) {
			w.Set("admin_access", c.admin)
			w.Set("member_access_to_shared", c.member)
			for person, id := range people {
				w.checkAccess(t, person, id, private, c.private[person])
				w.checkAccess(t, person, id, shared, c.shared[person])
			}
		})
	}
}

// checkAccess compares reading, listing, permissions and saving with an access.
func (w *world) checkAccess(t *testing.T, person string, id models.ID, of *flow.Workflow, want space.Access) {
	t.Helper()
	found, err := w.Flows.FindWorkflow(w.As(id), of.ID)
	if want == "" {
		wantError(t, err, models.CodeNotFound, "Workflow not found")
		wantError(t, w.Flows.DeleteWorkflow(w.As(id), of.ID), models.CodeNotFound, "Workflow not found")
		return
	}
	if err != nil || found.Access != want {
		t.Fatalf("%s has %+v (%v), want %s", person, found, err, want)
	}
	listed, err := w.Flows.ListWorkflows(w.In(w.Room, id), nil, models.Page{})
	if err != nil {
		t.Fatal(err)
	}
	seen := false
	for _, one := range listed.Nodes {
		if one.ID == of.ID {
			seen = one.Access == want
		}
	}
	if !seen {
		t.Errorf("%s does not see %s with %s in the list", person, of.ID, want)
	}
	_, err = w.Flows.UpdateWorkflow(w.As(id), of.ID, flow.UpdateWorkflowInput{Description: models.Some(person)})
	if edits := want != space.CanView; edits != (err == nil) || edits != found.Can.Edit || edits != found.Can.Run {
		t.Errorf("%s with %s: saving said %v, permissions %+v", person, want, err, found.Can)
	}
	if err != nil {
		wantError(t, err, models.CodeInsufficientRole, "look at")
		_, err = w.RunWorkflow(w.As(id), of.ID, Input{})
		wantError(t, err, models.CodeInsufficientRole, "look at")
		_, err = w.Flows.Apps().Publish(w.As(id), of.ID, flow.PublishInput{Name: "X"})
		wantError(t, err, models.CodeInsufficientRole, "look at")
	}
}

func TestRunWorkflow(t *testing.T) {
	w := newWorld(t, org.Team)
	in := w.In(w.Room, w.Ann)
	saved := w.save(in, nodegraph.Nodes{text("a", "x"), node("send", "webhook-output", nil)}, edge("a", "send"))
	t.Run("in its workspace", func(t *testing.T) {
		exec, err := w.RunWorkflow(in, saved.ID, Input{Inputs: map[string]any{"a.text": "hello"}})
		if err != nil || exec.WorkspaceID == nil || *exec.WorkspaceID != w.Room.ID || exec.Trigger != "editor" || exec.Source != "web" {
			t.Fatalf("%+v, %v", exec, err)
		}
		if got := field(exec.Nodes, "a", "text"); got != "hello" || *exec.WorkflowVersion != 1 {
			t.Errorf("ran with %v", got)
		}
	})
	t.Run("by its id alone", func(t *testing.T) {
		exec, err := w.RunWorkflow(w.ByToken(w.Bob), saved.ID, Input{})
		if err != nil || exec.WorkspaceID == nil || *exec.WorkspaceID != w.Room.ID || exec.AccountID != w.Bob || exec.Trigger != "api" || exec.Source != "api" {
			t.Fatalf("%+v, %v", exec, err)
		}
	})
	t.Run("ErrLocked", func(t *testing.T) {
		_, err := w.RunWorkflow(in, saved.ID, Input{InputOverrides: override("send", "url", "https://evil.example")})
		wantError(t, err, models.CodeLockedField, "url")
	})
	t.Run("ErrArchived", func(t *testing.T) {
		w.Archive(w.Room, true)
		defer w.Archive(w.Room, false)
		_, err := w.RunWorkflow(in, saved.ID, Input{})
		wantError(t, err, models.CodeWorkspaceArchived, "")
		wantStatus(t, err, 409)
	})
	t.Run("ErrOutside", func(t *testing.T) {
		_, err := w.RunWorkflow(w.As(w.Stranger), saved.ID, Input{})
		wantError(t, err, models.CodeNotFound, "Workflow not found")
	})
	t.Run("ErrScope", func(t *testing.T) {
		_, err := w.RunWorkflow(w.ByApp(w.Ann, models.ScopeJobsRead), saved.ID, Input{})
		wantError(t, err, models.CodeInsufficientScope, "workflows:execute")
	})
}

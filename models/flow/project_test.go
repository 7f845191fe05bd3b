package flow

import (
	"context"
	"testing"

	"atelier/models"
	"atelier/models/account"
	"atelier/models/nodegraph"
	"atelier/models/org"
	"atelier/models/space"
)

func TestCreateProject(t *testing.T) {
	w := newWorld(t, org.School)
	create := func(ctx context.Context) error {
		_, err := w.Spaces.CreateProject(ctx, space.CreateProjectInput{Name: " Poems "})
		return err
	}
	t.Run("ErrUnauthorized", func(t *testing.T) {
		wantError(t, create(context.Background()), models.CodeUnauthorized, "")
	})
	t.Run("ErrScope", func(t *testing.T) {
		wantError(t, create(w.ByApp(w.Ann, models.ScopeJobsRead)), models.CodeInsufficientScope, "workflows:execute")
	})
	t.Run("ErrName", func(t *testing.T) {
		_, err := w.Spaces.CreateProject(w.As(w.Ann), space.CreateProjectInput{Name: "  "})
		wantError(t, err, models.CodeValidation, "name")
	})
	t.Run("ErrOnlyAdmins", func(t *testing.T) {
		wantError(t, create(w.In(w.Room, w.Ann)), models.CodeProjectCreate, "Only admins")
		if err := create(w.In(w.Room, w.Owner)); err != nil {
			t.Error(err)
		}
		w.Set("members_can_create_projects", "true")
		if err := create(w.In(w.Room, w.Ann)); err != nil {
			t.Error(err)
		}
	})
	t.Run("ErrPersonalSpaceDisabled", func(t *testing.T) {
		if err := create(w.As(w.Ann)); err != nil {
			t.Error(err)
		}
		w.Set("personal_space_enabled", "false")
		defer w.Set("personal_space_enabled", "true")
		wantError(t, create(w.As(w.Ann)), models.CodePersonalSpaceDisabled, "")
		wantError(t, create(w.As(w.Owner)), models.CodePersonalSpaceDisabled, "")
		if err := create(w.As(w.Stranger)); err != nil {
			t.Error(err)
		}
	})
	t.Run("ErrArchived", func(t *testing.T) {
		w.Archive(w.Room, true)
		defer w.Archive(w.Room, false)
		err := create(w.In(w.Room, w.Owner))
		wantError(t, err, models.CodeWorkspaceArchived, "archived")
		wantStatus(t, err, 409)
	})
}

func TestChangeProject(t *testing.T) {
	w := newWorld(t, org.Team)
	p, err := w.Spaces.CreateProject(w.In(w.Room, w.Ann), space.CreateProjectInput{Name: "Poems"})
	if err != nil {
		t.Fatal(err)
	}
	rename := func(ctx context.Context) error {
		_, err := w.Spaces.UpdateProject(ctx, p.ID, space.UpdateProjectInput{Name: models.Some("Songs")})
		return err
	}
	wantError(t, rename(w.As(w.Stranger)), models.CodeNotFound, "Project not found")
	wantError(t, rename(w.As(w.Bob)), models.CodeInsufficientRole, "creator")
	if err := rename(w.As(w.Ann)); err != nil {
		t.Error(err)
	}
	if found, err := w.Spaces.FindProject(w.As(w.Bob), p.ID); err != nil || found.Name != "Songs" {
		t.Errorf("%+v, %v", found, err)
	}
	_, err = w.Spaces.UpdateProject(w.As(w.Ann), p.ID, space.UpdateProjectInput{Name: models.Null[string]()})
	wantError(t, err, models.CodeValidation, "name must not be null")
	w.Archive(w.Room, true)
	err = rename(w.As(w.Owner))
	wantError(t, err, models.CodeWorkspaceArchived, "")
	wantStatus(t, err, 403)
}

func TestDeleteProject(t *testing.T) {
	w := newWorld(t, org.Team)
	in := w.In(w.Room, w.Ann)
	saved := w.save(in, nodegraph.Nodes{text("a", "x")})
	err := w.Spaces.DeleteProject(w.As(w.Owner), saved.ProjectID)
	wantError(t, err, models.CodeValidation, "still holds workflows (1)")
	if err := w.DeleteWorkflow(in, saved.ID); err != nil {
		t.Fatal(err)
	}
	if err := w.Spaces.DeleteProject(w.As(w.Owner), saved.ProjectID); err != nil {
		t.Fatal(err)
	}
	wantError(t, w.Spaces.DeleteProject(w.As(w.Owner), saved.ProjectID), models.CodeNotFound, "Project not found")
	_, err = w.CreateWorkflow(in, CreateWorkflowInput{Name: "No home"})
	wantError(t, err, models.CodeNoDefaultProject, "no default project")
	fresh, err := w.Spaces.CreateProject(in, space.CreateProjectInput{Name: "Another"})
	if err != nil || !fresh.IsDefault {
		t.Fatalf("%+v, %v", fresh, err)
	}
	w.save(in, nil)
}

func TestPersonalDefaultProjectComesBack(t *testing.T) {
	w := newWorld(t, org.Team)
	first := w.save(w.As(w.Ann), nil)
	if again := w.save(w.As(w.Ann), nil); again.ProjectID != first.ProjectID {
		t.Error("two default projects")
	}
}

func TestHooksMakeDefaultProjects(t *testing.T) {
	w := newWorld(t, org.Team)
	projects, err := w.Spaces.ListProjects(w.In(w.Room, w.Ann), models.Page{})
	if err != nil || len(projects.Nodes) != 1 || !projects.Nodes[0].IsDefault {
		t.Fatalf("projects of a new workspace: %+v, %v", projects, err)
	}
	signedUp, err := w.Accounts.SignUp(context.Background(), account.SignUpInput{Email: "new@example.com", Password: "a long password", DisplayName: "New"})
	if err != nil {
		t.Fatal(err)
	}
	projects, err = w.Spaces.ListProjects(w.As(signedUp.SignedIn.User.ID), models.Page{})
	if err != nil || len(projects.Nodes) != 1 || !projects.Nodes[0].IsDefault {
		t.Fatalf("projects of a new account: %+v, %v", projects, err)
	}
}

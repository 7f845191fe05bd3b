package flow

import (
	"context"
	"sync"
	"testing"

	"atelier/models"
	"atelier/models/nodegraph"
	"atelier/models/org"
	"atelier/models/space"
)

func TestCreateWorkflow(t *testing.T) {
	w := newWorld(t, org.Team)
	in := w.In(w.Room, w.Ann)
	project := w.save(in, nil).ProjectID
	personal := w.save(w.As(w.Ann), nil)
	foreign := w.save(w.As(w.Stranger), nil)
	shared, nonsense := space.WorkspaceShared, space.Visibility("public")
	create := func(ctx context.Context, in CreateWorkflowInput) error {
		if in.Name == "" {
			in.Name = "W"
		}
		_, err := w.CreateWorkflow(ctx, in)
		return err
	}
	for name, c := range map[string]struct {
		ctx  context.Context
		in   CreateWorkflowInput
		code models.Code
		part string
	}{
		"ErrUnauthorized":          {context.Background(), CreateWorkflowInput{}, models.CodeUnauthorized, ""},
		"ErrScope":                 {w.ByApp(w.Ann, models.ScopeJobsRead), CreateWorkflowInput{}, models.CodeInsufficientScope, "workflows:execute"},
		"ErrToken":                 {w.ByToken(w.Ann, project), CreateWorkflowInput{}, models.CodeForbidden, "restricted"},
		"ErrName":                  {in, CreateWorkflowInput{Name: "\x00"}, models.CodeValidation, "name"},
		"ErrGraph":                 {in, CreateWorkflowInput{Nodes: nodegraph.Nodes{node("a", "magic", nil)}}, models.CodeValidation, "nodes.a.type"},
		"ErrVisibility":            {in, CreateWorkflowInput{Visibility: &nonsense}, models.CodeValidation, "visibility"},
		"ErrSharedPersonally":      {w.As(w.Ann), CreateWorkflowInput{Visibility: &shared}, models.CodeValidation, "visibility must be private"},
		"ErrProjectElsewhere":      {in, CreateWorkflowInput{ProjectID: &personal.ProjectID}, models.CodeNotFound, "Project not found"},
		"ErrWorkspaceFromPersonal": {w.As(w.Ann), CreateWorkflowInput{ProjectID: &project}, models.CodeNotFound, "Project not found"},
		"ErrForeignProject":        {w.As(w.Ann), CreateWorkflowInput{ProjectID: &foreign.ProjectID}, models.CodeNotFound, "Project not found"},
		"ErrNoProject":             {in, CreateWorkflowInput{ProjectID: &w.Ann}, models.CodeNotFound, "Project not found"},
	} {
		t.Run(name, func(t *testing.T) { wantError(t, create(c.ctx, c.in), c.code, c.part) })
	}
	t.Run("ErrArchived", func(t *testing.T) {
		w.Archive(w.Room, true)
		defer w.Archive(w.Room, false)
		err := create(in, CreateWorkflowInput{})
		wantError(t, err, models.CodeWorkspaceArchived, "")
		wantStatus(t, err, 409)
		wantError(t, create(in, CreateWorkflowInput{ProjectID: &personal.ProjectID}), models.CodeNotFound, "Project not found")
	})
	t.Run("ErrPersonalSpaceDisabled", func(t *testing.T) {
		w.Set("personal_space_enabled", "false")
		defer w.Set("personal_space_enabled", "true")
		wantError(t, create(w.As(w.Ann), CreateWorkflowInput{}), models.CodePersonalSpaceDisabled, "")
	})
	t.Run("ErrMemberSuspended", func(t *testing.T) {
		w.Exec(`UPDATE workspace_members SET status = 'suspended' WHERE user_id = ?`, w.Bob)
		wantError(t, create(w.In(w.Room, w.Bob), CreateWorkflowInput{}), models.CodeMemberSuspended, "")
	})
	t.Run("visibility", func(t *testing.T) {
		if v := w.save(in, nil).Visibility; v != space.WorkspaceShared {
			t.Errorf("a team's default is %s", v)
		}
		w.Set("default_workflow_visibility", `"private"`)
		if v := w.save(in, nil).Visibility; v != space.Private {
			t.Errorf("the setting was ignored: %s", v)
		}
		if v := personal.Visibility; v != space.Private {
			t.Errorf("a personal workflow is %s", v)
		}
	})
}

func TestUpdateWorkflow(t *testing.T) {
	w := newWorld(t, org.Team)
	in := w.In(w.Room, w.Ann)
	saved := w.save(in, nodegraph.Nodes{text("a", "x")})
	one, two := 1, 2
	t.Run("a name makes no version", func(t *testing.T) {
		got, err := w.UpdateWorkflow(in, saved.ID, UpdateWorkflowInput{Name: models.Some("Renamed"), Version: &one})
		if err != nil || got.Version != 1 || got.Name != "Renamed" || len(got.Nodes) != 1 {
			t.Fatalf("%+v, %v", got, err)
		}
	})
	t.Run("the same graph makes no version", func(t *testing.T) {
		got, err := w.UpdateWorkflow(in, saved.ID, UpdateWorkflowInput{Nodes: models.Some([]*nodegraph.Node{text("a", "x")})})
		if err != nil || got.Version != 1 {
			t.Fatalf("%+v, %v", got, err)
		}
	})
	t.Run("another graph does, and the old one is kept", func(t *testing.T) {
		got, err := w.UpdateWorkflow(in, saved.ID, UpdateWorkflowInput{Nodes: models.Some([]*nodegraph.Node{text("a", "y"), text("b", "")}), Version: &one})
		if err != nil || got.Version != 2 {
			t.Fatalf("%+v, %v", got, err)
		}
		if n := w.Count(`SELECT count(*) FROM workflow_versions WHERE workflow_id = ?`, saved.ID); n != 2 {
			t.Errorf("%d versions are kept", n)
		}
	})
	t.Run("ErrStale", func(t *testing.T) {
		_, err := w.UpdateWorkflow(in, saved.ID, UpdateWorkflowInput{Name: models.Some("Late"), Version: &one})
		wantError(t, err, models.CodeStale, "version 2")
	})
	t.Run("ErrGraphOfBothHalves", func(t *testing.T) {
		_, err := w.UpdateWorkflow(in, saved.ID, UpdateWorkflowInput{Edges: models.Some([]*nodegraph.Edge{edge("a", "c")}), Version: &two})
		wantError(t, err, models.CodeValidation, "target names no node")
	})
	t.Run("ErrNull", func(t *testing.T) {
		for field, change := range map[string]UpdateWorkflowInput{
			"name": {Name: models.Null[string]()}, "projectId": {ProjectID: models.Null[models.ID]()},
			"visibility": {Visibility: models.Null[space.Visibility]()}, "nodes": {Nodes: models.Null[[]*nodegraph.Node]()},
		} {
			_, err := w.UpdateWorkflow(in, saved.ID, change)
			wantError(t, err, models.CodeValidation, field+" must not be null")
		}
	})
	t.Run("ErrVisibilityOfOthersWork", func(t *testing.T) {
		_, err := w.UpdateWorkflow(w.As(w.Bob), saved.ID, UpdateWorkflowInput{Visibility: models.Some(space.Private)})
		wantError(t, err, models.CodeInsufficientRole, "creator")
		wantError(t, w.DeleteWorkflow(w.As(w.Bob), saved.ID), models.CodeInsufficientRole, "creator")
	})
	t.Run("ErrTokenOfAnotherWorkflow", func(t *testing.T) {
		_, err := w.FindWorkflow(w.ByToken(w.Ann, w.Bob), saved.ID)
		wantError(t, err, models.CodeForbidden, "token")
		if _, err := w.FindWorkflow(w.ByToken(w.Ann, saved.ID), saved.ID); err != nil {
			t.Error(err)
		}
	})
	t.Run("ErrArchived", func(t *testing.T) {
		w.Archive(w.Room, true)
		defer w.Archive(w.Room, false)
		_, err := w.UpdateWorkflow(in, saved.ID, UpdateWorkflowInput{Name: models.Some("Late")})
		wantError(t, err, models.CodeWorkspaceArchived, "")
		wantStatus(t, err, 403)
		wantStatus(t, w.DeleteWorkflow(in, saved.ID), 403)
		_, err = w.Apps().Publish(in, saved.ID, PublishInput{Name: "X"})
		wantStatus(t, err, 409)
		if _, err := w.FindWorkflow(in, saved.ID); err != nil {
			t.Error(err)
		}
	})
	t.Run("ErrOrgNotActive", func(t *testing.T) {
		w.Exec(`UPDATE organizations SET status = 'suspended' WHERE id = ?`, w.Org.ID)
		defer w.Exec(`UPDATE organizations SET status = 'active' WHERE id = ?`, w.Org.ID)
		_, err := w.UpdateWorkflow(w.As(w.Ann), saved.ID, UpdateWorkflowInput{Name: models.Some("Late")})
		wantError(t, err, models.CodeOrgNotActive, "suspended")
		if found, err := w.FindWorkflow(w.As(w.Ann), saved.ID); err != nil || found.Can.Edit {
			t.Errorf("%+v, %v", found, err)
		}
	})
}

func TestConcurrentSavesOfOneVersion(t *testing.T) {
	e := newWorkshop(t)
	saved := e.save(e.As(e.user), nodegraph.Nodes{text("a", "0")})
	one := 1
	var group sync.WaitGroup
	results := make(chan error, 8)
	for i := range 8 {
		group.Go(func() {
			_, err := e.UpdateWorkflow(e.As(e.user), saved.ID, UpdateWorkflowInput{Version: &one, Nodes: models.Some([]*nodegraph.Node{text("a", string(rune('1'+i)))})})
			results <- err
		})
	}
	group.Wait()
	close(results)
	won := 0
	for err := range results {
		if err == nil {
			won++
			continue
		}
		wantError(t, err, models.CodeStale, "version 2")
	}
	if won != 1 {
		t.Errorf("%d saves won", won)
	}
}

func TestMoveWorkflow(t *testing.T) {
	w := newWorld(t, org.Team)
	other := w.AddRoom("Other")
	w.Join(other, w.Ann, "member")
	in, there := w.In(w.Room, w.Ann), w.In(other, w.Ann)
	home, away := w.save(w.As(w.Ann), nil).ProjectID, w.save(there, nil).ProjectID
	move := func(ctx context.Context, id, project models.ID) (*Workflow, error) {
		return w.UpdateWorkflow(ctx, id, UpdateWorkflowInput{ProjectID: models.Some(project)})
	}
	saved := w.save(in, nodegraph.Nodes{text("a", "x")})
	app, err := w.Apps().Publish(in, saved.ID, PublishInput{Name: "Moving"})
	if err != nil {
		t.Fatal(err)
	}
	t.Run("ErrForeignProject", func(t *testing.T) {
		_, err := move(in, saved.ID, w.save(w.As(w.Stranger), nil).ProjectID)
		wantError(t, err, models.CodeNotFound, "Project not found")
		_, err = move(w.As(w.Bob), saved.ID, away)
		wantError(t, err, models.CodeNotFound, "Project not found")
	})
	t.Run("ErrOthersWork", func(t *testing.T) {
		_, err := move(w.As(w.Bob), saved.ID, w.save(w.As(w.Bob), nil).ProjectID)
		wantError(t, err, models.CodeInsufficientRole, "creator")
		w.Set("admin_access", `"edit"`)
		defer w.Set("admin_access", `"view"`)
		_, err = move(w.As(w.Owner), saved.ID, w.save(w.As(w.Owner), nil).ProjectID)
		wantError(t, err, models.CodeInsufficientRole, "Only its creator")
	})
	t.Run("ErrIntoArchived", func(t *testing.T) {
		w.Archive(other, true)
		defer w.Archive(other, false)
		_, err := move(in, saved.ID, away)
		wantError(t, err, models.CodeWorkspaceArchived, "")
		wantStatus(t, err, 409)
	})
	t.Run("ErrPersonalSpaceDisabled", func(t *testing.T) {
		w.Set("personal_space_enabled", "false")
		defer w.Set("personal_space_enabled", "true")
		_, err := move(in, saved.ID, home)
		wantError(t, err, models.CodePersonalSpaceDisabled, "")
	})
	t.Run("to another workspace and its app along", func(t *testing.T) {
		got, err := move(in, saved.ID, away)
		if err != nil || *got.WorkspaceID != other.ID || got.Visibility != space.WorkspaceShared {
			t.Fatalf("%+v, %v", got, err)
		}
		if n := w.Count(`SELECT count(*) FROM apps WHERE id = ? AND workspace_id = ?`, app.ID, other.ID); n != 1 {
			t.Error("the app stayed behind")
		}
	})
	t.Run("out of an archived workspace", func(t *testing.T) {
		w.Archive(other, true)
		got, err := move(there, saved.ID, home)
		if err != nil || got.WorkspaceID != nil || got.Visibility != space.Private || got.Access != space.IsCreator {
			t.Fatalf("%+v, %v", got, err)
		}
	})
}

func TestDeleteWorkflowTakesItsApp(t *testing.T) {
	e := newWorkshop(t)
	ctx := e.As(e.user)
	saved := e.save(ctx, nodegraph.Nodes{text("a", "x")})
	app, err := e.Apps().Publish(ctx, saved.ID, PublishInput{Name: "Gone"})
	if err != nil {
		t.Fatal(err)
	}
	if err := e.DeleteWorkflow(ctx, saved.ID); err != nil {
		t.Fatal(err)
	}
	_, err = e.Apps().Find(ctx, app.Slug)
	wantError(t, err, models.CodeNotFound, "App not found")
	_, err = e.FindWorkflow(ctx, saved.ID)
	wantError(t, err, models.CodeNotFound, "Workflow not found")
}

func TestTokenBudget(t *testing.T) {
	e := newWorkshop(t)
	for range 10 {
		if err := e.CountTokenCall(e.As(e.user)); err != nil {
			t.Fatalf("a session has a budget: %v", err)
		}
	}
	token := e.ByToken(e.user)
	for range 3 {
		if err := e.CountTokenCall(token); err != nil {
			t.Fatal(err)
		}
	}
	err := e.CountTokenCall(token)
	wantError(t, err, models.CodeRateLimited, "Too many requests. Max 3 per minute.")
	if refusal, _ := models.AsError(err); refusal.RetryAfter <= 0 {
		t.Error("no Retry-After")
	}
	e.clock.Advance(60e9)
	if err := e.CountTokenCall(token); err != nil {
		t.Fatal(err)
	}
}

func TestListsGoPageByPage(t *testing.T) {
	e := newWorkshop(t)
	ctx, two := e.As(e.user), 2
	var saved []models.ID
	for range 3 {
		w := e.save(ctx, nodegraph.Nodes{text("a", "")})
		if _, err := e.Apps().Publish(ctx, w.ID, PublishInput{Name: "App"}); err != nil {
			t.Fatal(err)
		}
		e.clock.Advance(1e6)
		saved = append(saved, w.ID)
	}
	first, err := e.ListWorkflows(ctx, nil, models.Page{Limit: &two})
	if err != nil || len(first.Nodes) != 2 || first.Nodes[0].ID != saved[2] || first.Next() == nil {
		t.Fatalf("%+v, %v", first, err)
	}
	rest, err := e.ListWorkflows(ctx, nil, models.Page{Limit: &two, Cursor: first.Next()})
	if err != nil || len(rest.Nodes) != 1 || rest.Nodes[0].ID != saved[0] || rest.Next() != nil {
		t.Fatalf("%+v, %v", rest, err)
	}
	_, err = e.Apps().List(ctx, models.Page{Cursor: first.Next()})
	wantError(t, err, models.CodeValidation, "cursor")
	if only, err := e.ListWorkflows(e.ByToken(e.user, saved[1]), nil, models.Page{}); err != nil || len(only.Nodes) != 1 || only.Nodes[0].ID != saved[1] {
		t.Fatalf("a restricted token lists %+v, %v", only, err)
	}
	apps, err := e.Apps().List(ctx, models.Page{Limit: &two})
	if err != nil || len(apps.Nodes) != 2 || apps.Nodes[0].Latest == nil {
		t.Fatalf("%+v, %v", apps, err)
	}
	if apps, err = e.Apps().List(ctx, models.Page{Limit: &two, Cursor: apps.Next()}); err != nil || len(apps.Nodes) != 1 {
		t.Fatalf("%+v, %v", apps, err)
	}
}

package flow

import (
	"context"
	"strings"
	"testing"

	"atelier/models"
	"atelier/models/nodegraph"
	"atelier/models/org"
)

const textField = `[{"type":"field","id":"greeting","nodeId":"a","field":"text","allowedValues":["hello","bye"]}]`

func TestPublish(t *testing.T) {
	w := newWorld(t, org.Team)
	in := w.In(w.Room, w.Ann)
	saved := w.save(in, nodegraph.Nodes{text("a", "hello"), node("i", "generate-image", map[string]any{"prompt": "x"})})
	bad, zero, missing := "Not A Slug", 0, "nowhere"
	for name, c := range map[string]struct {
		ctx  context.Context
		in   PublishInput
		code models.Code
		part string
	}{
		"ErrUnauthorized":  {context.Background(), PublishInput{Name: "X"}, models.CodeUnauthorized, ""},
		"ErrScope":         {w.ByApp(w.Ann, models.ScopeJobsRead), PublishInput{Name: "X"}, models.CodeInsufficientScope, ""},
		"ErrToken":         {w.ByToken(w.Ann, w.Bob), PublishInput{Name: "X"}, models.CodeForbidden, ""},
		"ErrName":          {in, PublishInput{Name: " "}, models.CodeValidation, "name"},
		"ErrSlug":          {in, PublishInput{Name: "X", Slug: &bad}, models.CodeValidation, "slug must be 1 to 50"},
		"ErrLimit":         {in, PublishInput{Name: "X", MaxRunsPerUserPerDay: &zero}, models.CodeValidation, "maxRunsPerUserPerDay"},
		"ErrIcon":          {in, PublishInput{Name: "X", IconURL: &bad}, models.CodeValidation, "iconUrl"},
		"ErrDomain":        {in, PublishInput{Name: "X", AllowedEmbedDomains: []string{"https://ok.example", "nonsense"}}, models.CodeValidation, "allowedEmbedDomains[1]"},
		"ErrThumbnail":     {in, PublishInput{Name: "X", ThumbnailNodeID: &missing}, models.CodeValidation, "thumbnailNodeId names no node"},
		"ErrItem":          {in, PublishInput{Name: "X", PresentationSettings: form(`[{"type":"field","id":"a","nodeId":"x","field":"y"}]`)}, models.CodeValidation, "inputItems[0].nodeId"},
		"ErrItemOfANumber": {in, PublishInput{Name: "X", PresentationSettings: form(`[7]`)}, models.CodeValidation, "inputItems has an item of the wrong form"},
		"ErrOutside":       {w.As(w.Stranger), PublishInput{Name: "X"}, models.CodeNotFound, "Workflow not found"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := w.Apps().Publish(c.ctx, saved.ID, c.in)
			wantError(t, err, c.code, c.part)
		})
	}
	thumbnail, five := "i", 5
	first, err := w.Apps().Publish(in, saved.ID, PublishInput{
		Name: "Grüße & Küsse", ThumbnailNodeID: &thumbnail, MaxRunsPerUserPerDay: &five,
		PresentationSettings: form(textField), AllowedEmbedDomains: []string{"https://Site.example/", "https://site.example"},
	})
	if err != nil {
		t.Fatal(err)
	}
	if first.Slug != "grusse-kusse" && first.Slug != "gruesse-kuesse" && !strings.HasPrefix(first.Slug, "gru") {
		t.Errorf("slug %s", first.Slug)
	}
	if first.LatestVersion != 1 || first.Latest.EstimatedCost != 2*models.Credit || len(first.AllowedEmbedDomains) != 1 || !first.IsActive {
		t.Errorf("%+v", first)
	}
	t.Run("the next version keeps what is not sent", func(t *testing.T) {
		again, err := w.Apps().Publish(in, saved.ID, PublishInput{Name: "Greetings"})
		if err != nil {
			t.Fatal(err)
		}
		if again.ID != first.ID || again.Slug != first.Slug || again.LatestVersion != 2 || *again.MaxRunsPerUserPerDay != 5 ||
			*again.Latest.ThumbnailNodeID != "i" || !nodegraph.SameJSON(again.Latest.InputItems, first.Latest.InputItems) {
			t.Errorf("%+v %+v", again, again.Latest)
		}
		if versions, _ := w.Apps().Versions(in, []models.ID{first.ID}); len(versions[first.ID]) != 2 || versions[first.ID][0].Version != 2 {
			t.Errorf("%v", versions)
		}
	})
	t.Run("a form that no longer fits", func(t *testing.T) {
		if _, err := w.UpdateWorkflow(in, saved.ID, UpdateWorkflowInput{Nodes: models.Some([]*nodegraph.Node{text("b", "")})}); err != nil {
			t.Fatal(err)
		}
		_, err := w.Apps().Publish(in, saved.ID, PublishInput{Name: "Greetings"})
		wantError(t, err, models.CodeValidation, "inputItems[0].nodeId")
	})
}

func TestSlugsOfApps(t *testing.T) {
	e := newWorkshop(t)
	ctx := e.As(e.user)
	publish := func(slug *string) (*App, error) {
		return e.Apps().Publish(ctx, e.save(ctx, nodegraph.Nodes{text("a", "")}).ID, PublishInput{Name: "My App", Slug: slug})
	}
	for _, want := range []string{"my-app", "my-app-2", "my-app-3"} {
		if app, err := publish(nil); err != nil || app.Slug != want {
			t.Fatalf("%+v, %v, want %s", app, err, want)
		}
	}
	taken := "my-app-2"
	_, err := publish(&taken)
	wantError(t, err, models.CodeNameTaken, "my-app-2")
	app, err := publish(nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = e.Apps().Publish(ctx, app.WorkflowID, PublishInput{Name: "My App", Slug: &taken})
	wantError(t, err, models.CodeNameTaken, "")
	if err := e.Apps().Delete(ctx, app.ID); err != nil {
		t.Fatal(err)
	}
	if app, err := publish(&app.Slug); err != nil || app.LatestVersion != 1 {
		t.Fatalf("a deleted app's slug is not free: %v", err)
	}
}

func TestUpdateApp(t *testing.T) {
	w := newWorld(t, org.School)
	in := w.In(w.Room, w.Ann)
	saved := w.save(in, nodegraph.Nodes{text("a", "")})
	app, err := w.Apps().Publish(in, saved.ID, PublishInput{Name: "App"})
	if err != nil {
		t.Fatal(err)
	}
	off := UpdateAppInput{IsActive: models.Some(false)}
	_, err = w.Apps().Update(w.As(w.Stranger), app.ID, off)
	wantError(t, err, models.CodeNotFound, "App not found")
	w.Exec(`UPDATE workflows SET visibility = 'workspace' WHERE id = ?`, saved.ID)
	_, err = w.Apps().Update(w.As(w.Bob), app.ID, off)
	wantError(t, err, models.CodeInsufficientRole, "look at")
	_, err = w.Apps().Update(w.ByToken(w.Ann, w.Bob), app.ID, off)
	wantError(t, err, models.CodeForbidden, "")
	for field, change := range map[string]UpdateAppInput{
		"name": {Name: models.Null[string]()}, "isActive": {IsActive: models.Null[bool]()},
		"maxRunsPerUserPerDay": {MaxRunsPerUserPerDay: models.Some(0)}, "allowedEmbedDomains": {AllowedEmbedDomains: models.Some([]string{"x"})},
	} {
		_, err := w.Apps().Update(w.As(w.Ann), app.ID, change)
		wantError(t, err, models.CodeValidation, field)
	}
	got, err := w.Apps().Update(w.As(w.Ann), app.ID, UpdateAppInput{
		Name: models.Some("Renamed"), MaxRunsPerUserPerDay: models.Some(3), AllowedEmbedDomains: models.Some([]string{"https://a.example"}),
	})
	if err != nil || got.Name != "Renamed" || *got.MaxRunsPerUserPerDay != 3 || got.Admin().AllowedEmbedDomains[0] != "https://a.example" {
		t.Fatalf("%+v, %v", got, err)
	}
	if got, err = w.Apps().Update(w.As(w.Ann), app.ID, UpdateAppInput{MaxRunsPerUserPerDay: models.Null[int]()}); err != nil || got.MaxRunsPerUserPerDay != nil {
		t.Fatalf("%+v, %v", got, err)
	}
	for person, sees := range map[models.ID]int{w.Ann: 1, w.Owner: 1, w.Bob: 0} {
		apps, err := w.Apps().List(w.In(w.Room, person), models.Page{})
		if err != nil || len(apps.Nodes) != sees {
			t.Errorf("lists %d apps (%v), want %d", len(apps.Nodes), err, sees)
		}
	}
	runnable := func(person models.ID, manages ...bool) {
		t.Helper()
		apps, err := w.Apps().ListRunnable(w.In(w.Room, person), models.Page{})
		if err != nil || len(apps.Nodes) != len(manages) {
			t.Fatalf("may run or manage %d apps (%v), want %d", len(apps.Nodes), err, len(manages))
		}
		for i, manages := range manages {
			if got := apps.Nodes[i]; (got.Admin() != nil) != manages || got.Latest == nil {
				t.Errorf("%+v", got)
			}
		}
	}
	runnable(w.Ann, true)
	runnable(w.Owner, true)
	runnable(w.Bob, false) // who may not edit still runs it
	if found, err := w.Apps().Find(context.Background(), app.Slug); err != nil || found.Admin() != nil {
		t.Errorf("the public sees %+v, %v", found, err)
	}
	if found, err := w.Apps().Find(w.As(w.Owner), app.Slug); err != nil || found.Admin() == nil {
		t.Errorf("a manager sees no admin fields: %v", err)
	}
	if _, err = w.Apps().Update(w.As(w.Ann), app.ID, off); err != nil {
		t.Fatal(err)
	}
	runnable(w.Ann, true) // switched off, it is its managers' alone
	runnable(w.Bob)
	_, err = w.Apps().Find(w.As(w.Ann), app.Slug)
	wantError(t, err, models.CodeNotFound, "App not found")
	_, err = w.Apps().Find(w.As(w.Ann), "No Slug")
	wantError(t, err, models.CodeValidation, "slug")
	w.Archive(w.Room, true)
	_, err = w.Apps().Update(w.As(w.Ann), app.ID, off)
	wantStatus(t, err, 403)
}

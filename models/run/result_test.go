package run

import (
	"context"
	"testing"

	"atelier/models"
	"atelier/models/flow"
	"atelier/models/nodegraph"
	"atelier/models/org"
)

func TestMainResult(t *testing.T) {
	named := func(id string) *string { return &id }
	text := made{nodeID: "text", jobType: "text", index: 0, text: "a red fox"}
	picture := made{nodeID: "picture", jobType: "generate-image", index: 1, key: "imageUrl", address: "/media/a.png"}
	caption := made{nodeID: "caption", jobType: "template-text", index: 2, text: "A fox"}
	hook := made{nodeID: "hook", jobType: "webhook-output", index: 3}
	for _, test := range []struct {
		name  string
		all   []made
		named *string
		ends  []string
		want  string
	}{
		{"the only one", []made{text}, nil, []string{"text"}, "text"},
		{"what nothing follows", []made{text, picture}, nil, []string{"picture"}, "picture"},
		{"a text at the end before a picture on the way", []made{picture, caption}, nil, []string{"caption"}, "caption"},
		{"files before texts", []made{picture, caption}, nil, []string{"picture", "caption"}, "picture"},
		{"the last of equals", []made{text, caption}, nil, []string{"text", "caption"}, "caption"},
		{"what is shown before what is not", []made{text, picture, hook}, nil, []string{"hook"}, "picture"},
		{"the named one", []made{text, picture, caption}, named("text"), []string{"caption"}, "text"},
		{"nothing, when the named one made nothing", []made{picture, hook}, named("hook"), []string{"hook"}, ""},
		{"nothing at all", []made{hook}, nil, []string{"hook"}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := ""
			if main := mainResult(test.all, test.named, func(id string) bool { return contains(test.ends, id) }); main != nil {
				got = main.nodeID
			}
			if got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func contains(all []string, one string) bool {
	for _, s := range all {
		if s == one {
			return true
		}
	}
	return false
}

func TestResultKind(t *testing.T) {
	for _, test := range []struct {
		m    made
		want ResultKind
	}{
		{made{jobType: "generate-image", key: "url", address: "https://x.example/a"}, ImageResult},
		{made{jobType: "component", key: "videoUrl", address: "https://x.example/a"}, VideoResult},
		{made{jobType: "http-request", key: "url", address: "https://x.example/a.MP3?x=1.png"}, AudioResult},
		{made{jobType: "http-request", key: "resultUrl", address: "https://x.example/a.jpg"}, ImageResult},
		{made{jobType: "http-request", key: "resultUrl", address: "https://x.example/a.glb"}, FileResult},
		{made{jobType: "http-request", key: "url", address: "https://x.example/a.json"}, FileResult},
		{made{jobType: "generate-image", text: "words"}, TextResult},
	} {
		if got := test.m.kind(); got != test.want {
			t.Errorf("%+v is %s, want %s", test.m, got, test.want)
		}
	}
}

// makeText runs a text node as a person in a room, or in their personal space.
func (w *world) makeText(ctx context.Context, words string) models.ID {
	w.t.Helper()
	run, err := w.Nodes().Run(ctx, "text", map[string]any{"text": words})
	if err != nil {
		w.t.Fatal(err)
	}
	return run.Job.ExecutionID
}

func (w *world) excerpts(ctx context.Context, scope ResultScope) (found []string) {
	w.t.Helper()
	list, err := w.Results().List(ctx, models.Page{}, scope, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, r := range list.Nodes {
		found = append(found, *r.Excerpt)
	}
	return found
}

func TestResults(t *testing.T) {
	w := newWorld(t, org.School)
	w.Grant(w.Ann, 10*models.Credit)
	w.Set("personal_space", "true")
	other := w.AddRoom("Other")
	ann, bob, owner := w.In(w.Room, w.Ann), w.In(w.Room, w.Bob), w.In(w.Room, w.Owner)
	first, second := w.makeText(ann, "First"), w.makeText(ann, "  Second  one\n")
	bobs := w.makeText(bob, "Bob's")
	same := func(name string, got []string, want ...string) {
		t.Helper()
		if len(got) != len(want) {
			t.Fatalf("%s: %q, want %q", name, got, want)
		}
		for i := range got {
			if got[i] != want[i] {
				t.Fatalf("%s: %q, want %q", name, got, want)
			}
		}
	}
	same("one's own, newest first", w.excerpts(ann, OwnResults), "Second  one", "First")
	same("everybody's, for an admin", w.excerpts(owner, AllResults), "Bob's", "Second  one", "First")
	same("nothing is shared yet", w.excerpts(bob, SharedResults))
	same("nothing of a room in the personal space", w.excerpts(w.As(w.Ann), OwnResults))
	same("nothing is shared in a personal space", w.excerpts(w.As(w.Ann), SharedResults))
	if _, err := w.Results().List(ann, models.Page{}, AllResults, nil); !models.HasCode(err, models.CodeInsufficientRole) {
		t.Fatalf("everybody's, for a member: %v", err)
	}
	picture := ImageResult
	if list, err := w.Results().List(ann, models.Page{}, OwnResults, &picture); err != nil || len(list.Nodes) != 0 {
		t.Fatalf("pictures: %+v, %v", list, err)
	}
	if r, err := w.Results().Find(ann, second); err != nil || *r.Subject != "Second one" || r.Kind != TextResult {
		t.Fatalf("one's own: %+v, %v", r, err)
	}

	if _, err := w.Results().Share(bob, first); !models.HasCode(err, models.CodeNotFound) {
		t.Fatalf("sharing what one cannot see: %v", err)
	}
	if _, err := w.Results().Share(owner, first); !models.HasCode(err, models.CodeInsufficientRole) {
		t.Fatalf("sharing somebody else's: %v", err)
	}
	for _, id := range []models.ID{second, first, first} {
		if r, err := w.Results().Share(ann, id); err != nil || !r.Shared() {
			t.Fatalf("sharing: %+v, %v", r, err)
		}
	}
	if n := w.Count(`SELECT count(*) FROM audit_entries WHERE action = 'result.shared'`); n != 2 {
		t.Fatalf("%d entries for two results", n)
	}
	same("by when it was shared", w.excerpts(bob, SharedResults), "First", "Second  one")
	if _, err := w.Results().Find(bob, first); err != nil {
		t.Fatalf("what is shared: %v", err)
	}
	if _, err := w.Executions().Find(bob, first); !models.HasCode(err, models.CodeNotFound) {
		t.Fatalf("the run of what is shared: %v", err)
	}
	if _, err := w.Results().Find(w.As(w.Stranger), first); !models.HasCode(err, models.CodeNotFound) {
		t.Fatalf("for a stranger: %v", err)
	}
	if _, err := w.Results().List(w.In(other, w.Bob), models.Page{}, SharedResults, nil); !models.HasCode(err, models.CodeNotFound) {
		t.Fatalf("of a room that one is not in: %v", err)
	}
	if _, err := w.Results().Unshare(bob, first); !models.HasCode(err, models.CodeInsufficientRole) {
		t.Fatalf("taking back somebody else's: %v", err)
	}
	if _, err := w.Results().Unshare(owner, first); err != nil {
		t.Fatalf("taking back as an admin: %v", err)
	}
	same("after that", w.excerpts(bob, SharedResults), "Second  one")
	if _, err := w.Results().Find(bob, first); !models.HasCode(err, models.CodeNotFound) {
		t.Fatalf("what is not shared any more: %v", err)
	}

	t.Run("it stays when its maker leaves, who may take it back", func(t *testing.T) {
		w.Exec(`DELETE FROM workspace_members WHERE user_id = ? AND workspace_id = ?`, w.Ann, w.Room.ID)
		same("shared", w.excerpts(bob, SharedResults), "Second  one")
		if _, err := w.Results().Share(w.As(w.Ann), first); !models.HasCode(err, models.CodeNotFound) {
			t.Fatalf("sharing: %v", err)
		}
		r, err := w.Results().Find(w.As(w.Ann), second)
		if err != nil {
			t.Fatal(err)
		}
		if may, err := w.Results().MayShare(w.As(w.Ann), []*Result{r}); err != nil || may[r] != (ResultPermissions{Unshare: true}) {
			t.Fatalf("%+v, %v", may, err)
		}
		if _, err := w.Results().Unshare(w.As(w.Ann), second); err != nil {
			t.Fatal(err)
		}
		same("taken back", w.excerpts(bob, SharedResults))
	})
	t.Run("personal", func(t *testing.T) {
		own := w.makeText(w.As(w.Ann), "Mine")
		same("mine", w.excerpts(w.As(w.Ann), OwnResults), "Mine")
		if _, err := w.Results().Share(w.As(w.Ann), own); !models.HasCode(err, models.CodeValidation) {
			t.Fatalf("sharing: %v", err)
		}
	})
	t.Run("archived", func(t *testing.T) {
		w.Archive(w.Room, true)
		defer w.Archive(w.Room, false)
		if _, err := w.Results().Share(bob, bobs); !models.HasCode(err, models.CodeWorkspaceArchived) {
			t.Fatalf("sharing: %v", err)
		}
	})
}

func TestResultOfAnAppsRun(t *testing.T) {
	e := newEngine(t)
	ctx, thumbnail := e.As(e.user), "a"
	all := nodegraph.Nodes{text("a", "hello"), text("b", "there")}
	app, err := e.Flows.Apps().Publish(ctx, e.save(ctx, all, edge("a", "b")).ID, flow.PublishInput{
		Name: "App", ThumbnailNodeID: &thumbnail, PresentationSettings: form(`[{"type":"field","id":"greeting","nodeId":"a","field":"text"}]`),
	})
	if err != nil {
		t.Fatal(err)
	}
	run, err := e.AppRuns().Start(ctx, app.Slug, AppInput{Inputs: map[string]any{"greeting": "A red fox\n in the snow"}})
	if err != nil {
		t.Fatal(err)
	}
	e.work()
	mine := func() int {
		t.Helper()
		list, err := e.Results().List(ctx, models.Page{}, OwnResults, nil)
		if err != nil {
			t.Fatal(err)
		}
		return len(list.Nodes)
	}
	r, err := e.Results().Find(ctx, *run.ExecutionID)
	if err != nil || r.NodeID != "a" || r.Kind != TextResult || *r.Subject != "A red fox in the snow" || *r.AppID != app.ID {
		t.Fatalf("%+v, %v", r, err)
	}
	texts, err := e.Results().Texts(ctx, []models.ID{*run.ExecutionID})
	if err != nil || *texts[*run.ExecutionID] != "A red fox\n in the snow" {
		t.Fatalf("%+v, %v", texts, err)
	}
	if apps, err := e.Flows.Apps().Runnable(ctx, []models.ID{app.ID, run.ID}); err != nil || apps[app.ID].Latest.Version != 1 || apps[run.ID] != nil {
		t.Fatalf("%+v, %v", apps, err)
	}
	if runs, err := e.AppRuns().OwnOf(ctx, []models.ID{*run.ExecutionID}); err != nil || *runs[*run.ExecutionID] != run.ID {
		t.Fatalf("%+v, %v", runs, err)
	}
	if runs, err := e.AppRuns().OwnOf(e.As(e.AddUser(0)), []models.ID{*run.ExecutionID}); err != nil || runs[*run.ExecutionID] != nil {
		t.Fatalf("somebody else's: %+v, %v", runs, err)
	}
	if mine() != 1 {
		t.Fatal("it is not listed")
	}
	if _, err := e.AppRuns().Archive(ctx, app.Slug, run.ID); err != nil || mine() != 0 {
		t.Fatalf("it is listed although it was put aside, %v", err)
	}
	if _, err := e.AppRuns().Restore(ctx, app.Slug, run.ID); err != nil || mine() != 1 {
		t.Fatalf("it did not come back, %v", err)
	}
	if _, err := e.AppRuns().Archive(ctx, app.Slug, run.ID); err != nil {
		t.Fatal(err)
	}
	if err := e.AppRuns().Delete(ctx, app.Slug, run.ID); err != nil {
		t.Fatal(err)
	}
	_, err = e.Results().Find(ctx, *run.ExecutionID)
	wantError(t, err, models.CodeNotFound, "Result not found")
	if n := e.Count(`SELECT count(*) FROM executions WHERE subject IS NOT NULL`); n != 0 {
		t.Error("the words of a deleted run are kept")
	}
}

// What was made last in some workspaces: by anyone for their admins, by oneself for others, and nothing of a workspace
// that one cannot enter.
func TestLatestInWorkspaces(t *testing.T) {
	w := newWorld(t, org.School)
	other := w.AddRoom("Other")
	w.Join(other, w.Bob, "admin")
	anns := w.makeText(w.In(w.Room, w.Ann), "Ann's")
	bobs := w.makeText(w.In(w.Room, w.Bob), "Bob's")
	elsewhere := w.makeText(w.In(other, w.Bob), "Bob's elsewhere")
	for name, tc := range map[string]struct {
		who         models.ID
		room, other models.ID
	}{
		"the owner":                   {w.Owner, bobs, elsewhere},
		"a member of one":             {w.Ann, anns, models.ID{}},
		"a member who runs the other": {w.Bob, bobs, elsewhere},
		"a stranger":                  {w.Stranger, models.ID{}, models.ID{}},
	} {
		var rooms []*org.Workspace
		for _, id := range []models.ID{w.Room.ID, other.ID} {
			room, err := w.Orgs.Workspaces().FindFor(context.Background(), tc.who, id)
			if err != nil {
				t.Fatal(err)
			}
			rooms = append(rooms, room)
		}
		found, err := LatestInWorkspaces(w.As(tc.who), w.Service, rooms)
		if err != nil {
			t.Fatal(name, err)
		}
		for room, want := range map[models.ID]models.ID{w.Room.ID: tc.room, other.ID: tc.other} {
			var got models.ID
			if r := found[room]; r != nil {
				got = r.ExecutionID
			}
			if got != want {
				t.Errorf("%s: %v, want %v", name, got, want)
			}
		}
	}
}

//go:build !race

package studio

import (
	"slices"
	"strings"
	"testing"

	"atelier/models"
	"atelier/models/library"
	"atelier/models/space"
)

// A production is what was said of it, and the usual otherwise.
func TestProductions(t *testing.T) {
	w := newWorld(t)
	ctx := w.in(w.ann)
	p := w.production(ctx, CreateProductionInput{Name: "  The well "})
	if p.Name != "The well" || p.Language != "en" || p.AspectRatio != "16:9" || p.Resolution != "720p" || p.Captions != "none" || p.PipelineID != StandardPipeline ||
		p.Status != Draft || p.Music != nil || p.PresetID != nil || p.Seed < 0 || p.Version != 1 || p.ProjectID == nil || p.Access != space.IsCreator ||
		jsonOf(t, p.CastIDs) != "[]" || p.Shots == nil || p.VideoURL != nil || p.LatestRender != nil {
		t.Errorf("made %+v", p)
	}
	if p.Can != (ProductionCan{Edit: true, Delete: true, Share: true, Render: true}) {
		t.Errorf("Ann may %+v", p.Can)
	}
	mina := w.element(ctx, library.Character, "Mina", space.Private)
	style, err := w.Library.Presets().Create(ctx, library.CreatePresetInput{NodeType: "generate-image", Name: "Ink", Settings: map[string]any{"prompt": "{{prompt}}, ink"}})
	if err != nil {
		t.Fatal(err)
	}
	voices, err := w.Library.Voices().List(ctx, nil, models.Page{Limit: ptr(1)})
	if err != nil || len(voices.Nodes) == 0 {
		t.Fatalf("there are no voices: %v", err)
	}
	board := factoryPipelines[1].ID
	changed, err := w.UpdateProduction(ctx, p.ID, UpdateProductionInput{
		Name: models.Some("The deep well"), Script: models.Some("INT. WELL\n\nDark."), Language: models.Some("pt-BR"), AspectRatio: models.Some("9:16"), Resolution: models.Some("1080p"),
		Captions: models.Some("burned"), Seed: models.Some(7), CastIDs: models.Some([]models.ID{mina.ID, mina.ID}), PresetID: models.Some(style.ID), NarratorVoiceID: models.Some(voices.Nodes[0].ID),
		Music: models.Some(MusicInput{URL: "https://example.com/a.mp3"}), PipelineID: models.Some(board), Version: ptr(1),
	})
	if err != nil {
		t.Fatal(err)
	}
	if changed.Version != 2 || changed.Script != "INT. WELL\n\nDark." || changed.Language != "pt-BR" || changed.Seed != 7 || !slices.Equal(changed.CastIDs, models.IDs{mina.ID}) ||
		*changed.PresetID != style.ID || *changed.NarratorVoiceID != voices.Nodes[0].ID || *changed.Music != (Music{"https://example.com/a.mp3", usualVolume}) || changed.PipelineID != board {
		t.Errorf("changed to %+v", changed)
	}
	_, err = w.UpdateProduction(ctx, p.ID, UpdateProductionInput{Version: ptr(1), Name: models.Some("Late")})
	w.refused(err, models.CodeStale, "")
	emptied, err := w.UpdateProduction(ctx, p.ID, UpdateProductionInput{PresetID: models.Null[models.ID](), NarratorVoiceID: models.Null[models.ID](), Music: models.Null[MusicInput]()})
	if err != nil || emptied.PresetID != nil || emptied.NarratorVoiceID != nil || emptied.Music != nil || emptied.Version != 3 {
		t.Errorf("emptied to %+v, %v", emptied, err)
	}
	same, err := w.UpdateProduction(ctx, p.ID, UpdateProductionInput{Name: models.Some("The deep well")})
	if err != nil || same.Version != 3 {
		t.Errorf("nothing was changed: version %d, %v", same.Version, err)
	}
	if err := w.DeleteProduction(ctx, p.ID); err != nil {
		t.Fatal(err)
	}
	_, err = w.FindProduction(ctx, p.ID)
	w.refused(err, models.CodeNotFound, "")
	for _, action := range []string{"production.created", "production.updated", "production.deleted"} {
		if w.count(`SELECT count(*) FROM audit_entries WHERE action = ? AND target_id = ?`, action, p.ID) == 0 {
			t.Errorf("no entry %s", action)
		}
	}
	if w.count(`SELECT count(*) FROM audit_entries WHERE details::text LIKE '%well%' OR details::text LIKE '%Dark%'`) != 0 {
		t.Error("the audit log tells of a name or a script")
	}
}

// Every field of a production has its form, and what it names is within reach.
func TestProductionForms(t *testing.T) {
	w := newWorld(t)
	ctx := w.in(w.ann)
	p := w.production(ctx, CreateProductionInput{})
	hidden := w.element(w.in(w.bob), library.Character, "Hidden", space.Private)
	card, err := w.Library.Presets().Create(ctx, library.CreatePresetInput{NodeType: "text-card", Name: "Card", Settings: map[string]any{"align": "left"}})
	if err != nil {
		t.Fatal(err)
	}
	his := w.pipelineOf(w.in(w.bob), CreatePipelineInput{Visibility: ptr(space.Private)})
	many := make([]models.ID, MaxCast+1)
	for i := range many {
		many[i] = models.NewID(w.DB.Clock.Now())
	}
	long := func(n int) *string { return ptr(strings.Repeat("x", n)) }
	for field, in := range map[string]CreateProductionInput{
		"name": {Name: " "}, "description": {Description: long(4_001)}, "script": {Script: long(50_001)}, "language": {Language: ptr("english please")},
		"aspectRatio": {AspectRatio: ptr("2:1")}, "resolution": {Resolution: ptr("4k")}, "captions": {Captions: ptr("loud")}, "seed": {Seed: ptr(-1)},
		"music.url": {Music: &MusicInput{URL: "http://music.example/a.mp3"}}, "music.volume": {Music: &MusicInput{URL: "https://example.com/a.mp3", Volume: ptr(101)}},
		"castIds": {CastIDs: many}, "castIds[1]": {CastIDs: []models.ID{w.element(ctx, library.Object, "Cup", space.Private).ID, hidden.ID}},
		"pipelineId": {PipelineID: &his.ID}, "presetId": {PresetID: &card.ID}, "narratorVoiceId": {NarratorVoiceID: &card.ID}, "visibility": {Visibility: ptr(space.Visibility("all"))},
	} {
		if in.Name == "" {
			in.Name = "Wrong"
		}
		_, err := w.CreateProduction(ctx, in)
		w.refused(err, models.CodeValidation, field)
	}
	if _, err := w.CreateProduction(ctx, CreateProductionInput{Name: "Cards", PresetID: &card.ID, PipelineID: &factoryPipelines[2].ID}); err != nil {
		t.Errorf("a preset of the type that makes the pictures: %v", err)
	}
	if long := w.production(ctx, CreateProductionInput{Script: long(50_000)}); len(long.Script) != 50_000 {
		t.Error("the longest script is cut")
	}
	for field, in := range map[string]UpdateProductionInput{
		"name": {Name: models.Null[string]()}, "script": {Script: models.Null[string]()}, "pipelineId": {PipelineID: models.Null[models.ID]()}, "projectId": {ProjectID: models.Null[models.ID]()},
		"castIds": {CastIDs: models.Null[[]models.ID]()}, "music.url": {Music: models.Some(MusicInput{})}, "captions": {Captions: models.Some("")}, "castIds[0]": {CastIDs: models.Some([]models.ID{hidden.ID})},
	} {
		_, err := w.UpdateProduction(ctx, p.ID, in)
		w.refused(err, models.CodeValidation, field)
	}
	if got := w.find(ctx, p.ID); got.Version != 1 {
		t.Errorf("a refused change was saved: %+v", got)
	}
}

// Productions lie in projects, as workflows do.
func TestProjectsOfProductions(t *testing.T) {
	w := newWorld(t)
	owner := w.in(w.owner)
	project, err := w.Spaces.CreateProject(owner, space.CreateProjectInput{Name: "Films"})
	if err != nil {
		t.Fatal(err)
	}
	far, err := w.Spaces.CreateProject(w.as(w.stranger), space.CreateProjectInput{Name: "Far"})
	if err != nil {
		t.Fatal(err)
	}
	p := w.production(owner, CreateProductionInput{ProjectID: &project.ID})
	_, err = w.CreateProduction(owner, CreateProductionInput{Name: "Far", ProjectID: &far.ID})
	w.refused(err, models.CodeNotFound, "")
	_, err = w.UpdateProduction(owner, p.ID, UpdateProductionInput{ProjectID: models.Some(far.ID)})
	w.refused(err, models.CodeNotFound, "")
	w.refused(w.Spaces.DeleteProject(owner, project.ID), models.CodeValidation, "", "productions")
	listed, err := w.ListProductions(owner, &ProductionFilter{ProjectID: &project.ID}, models.Page{})
	if err != nil || len(listed.Nodes) != 1 {
		t.Errorf("listed %v, %v", listed, err)
	}
	_, err = w.ListProductions(owner, &ProductionFilter{ProjectID: &far.ID}, models.Page{})
	w.refused(err, models.CodeNotFound, "")
	if err := w.DeleteProduction(owner, p.ID); err != nil {
		t.Fatal(err)
	}
	if err := w.Spaces.DeleteProject(owner, project.ID); err != nil {
		t.Errorf("an empty project: %v", err)
	}
	w.exec(`UPDATE projects SET deleted_at = now() WHERE workspace_id = ?`, w.room.ID)
	_, err = w.CreateProduction(owner, CreateProductionInput{Name: "Nowhere"})
	w.refused(err, models.CodeNoDefaultProject, "")
	if own := w.production(w.as(w.ann), CreateProductionInput{}); own.WorkspaceID != nil || own.Visibility != space.Private || own.ProjectID == nil {
		t.Errorf("in the personal space: %+v", own)
	}
}

// Productions are reached, changed and deleted as workflows are, by every role.
func TestProductionAccess(t *testing.T) {
	w := newWorld(t)
	ann, bob, owner := w.in(w.ann), w.in(w.bob), w.in(w.owner)
	p := w.production(ann, CreateProductionInput{Visibility: ptr(space.Private)})
	shot := w.shot(ann, p.ID, CreateShotInput{})
	all := func(ctx contextType) map[string]error {
		_, find := w.FindProduction(ctx, p.ID)
		_, update := w.UpdateProduction(ctx, p.ID, UpdateProductionInput{Description: models.Some("x")})
		_, twin := w.DuplicateProduction(ctx, p.ID)
		_, create := w.CreateShot(ctx, p.ID, CreateShotInput{})
		_, change := w.UpdateShot(ctx, p.ID, shot.ID, UpdateShotInput{Notes: models.Some("x")})
		_, order := w.OrderShots(ctx, p.ID, []models.ID{shot.ID})
		_, breakdown := w.BreakDownScript(ctx, p.ID, BreakDownInput{Script: ptr("A. B."), Replace: ptr(true)})
		_, share := w.ShareShot(ctx, p.ID, shot.ID, ShareShotInput{})
		_, export := w.ExportProduction(ctx, p.ID, "json")
		return map[string]error{
			"find": find, "update": update, "duplicate": twin, "create": create, "change": change, "order": order, "breakdown": breakdown, "share": share, "export": export,
			"delete": w.DeleteProduction(ctx, p.ID), "remove": w.DeleteShot(ctx, p.ID, shot.ID),
		}
	}
	for _, ctx := range []contextType{bob, w.as(w.stranger), w.as(w.bob), w.in(w.stranger)} {
		for what, err := range all(ctx) {
			if !models.HasCode(err, models.CodeNotFound) {
				t.Errorf("%s by somebody who does not reach it: %v", what, err)
			}
		}
	}
	if _, err := w.UpdateProduction(ann, p.ID, UpdateProductionInput{Visibility: models.Some(space.WorkspaceShared)}); err != nil {
		t.Fatal(err)
	}
	for what, err := range all(bob) { // who may look
		if looks := what == "find" || what == "duplicate" || what == "export"; looks && err != nil || !looks && !models.HasCode(err, models.CodeInsufficientRole) {
			t.Errorf("%s by who may look: %v", what, err)
		}
	}
	if seen := w.find(bob, p.ID); seen.Can != (ProductionCan{}) || seen.Access != space.CanView {
		t.Errorf("Bob may %+v", seen.Can)
	}
	w.exec(`UPDATE workspaces SET settings = '{"member_access_to_shared": "edit", "admin_access": "view"}' WHERE id = ?`, w.room.ID)
	if _, err := w.UpdateShot(bob, p.ID, shot.ID, UpdateShotInput{Notes: models.Some("Bob's")}); err != nil {
		t.Errorf("who may edit: %v", err)
	}
	w.refused(w.DeleteProduction(bob, p.ID), models.CodeInsufficientRole, "")
	_, err := w.UpdateProduction(bob, p.ID, UpdateProductionInput{Visibility: models.Some(space.Private)})
	w.refused(err, models.CodeInsufficientRole, "")
	w.exec(`UPDATE workspaces SET settings = '{"admin_access": "edit"}' WHERE id = ?`, w.room.ID)
	if seen := w.find(owner, p.ID); seen.Can != (ProductionCan{Edit: true, Delete: true, Share: true, Render: true, ShareShots: true}) {
		t.Errorf("an admin may %+v", seen.Can)
	}
	w.exec(`UPDATE workspaces SET archived_at = now() WHERE id = ?`, w.room.ID)
	for what, err := range all(ann) {
		if looks := what == "find" || what == "export"; looks && err != nil || !looks && !models.HasCode(err, models.CodeWorkspaceArchived) {
			t.Errorf("%s in an archived workspace: %v", what, err)
		}
	}
	_, err = w.CreateProduction(ann, CreateProductionInput{Name: "Late"})
	w.refused(err, models.CodeWorkspaceArchived, "")
	w.exec(`UPDATE workspaces SET archived_at = NULL WHERE id = ?`, w.room.ID)
	if err := w.DeleteProduction(owner, p.ID); err != nil {
		t.Errorf("an admin who may edit members' work: %v", err)
	}
	restricted := models.WithActor(ann, models.Actor{Kind: models.ByToken, UserID: w.ann, WorkflowIDs: []models.ID{p.ID}, Scopes: models.Scopes})
	_, err = w.ListProductions(restricted, nil, models.Page{})
	w.refused(err, models.CodeForbidden, "")
	_, err = w.FindProduction(models.WithActor(ann, models.Actor{}), p.ID)
	w.refused(err, models.CodeUnauthorized, "")
}

// The list is filtered, and costs as many statements for fifty as for one.
func TestProductionList(t *testing.T) {
	w := newWorld(t)
	ctx := w.in(w.ann)
	first := w.production(ctx, CreateProductionInput{Name: "The café by the sea", Description: ptr("About a storm")})
	his := w.production(w.in(w.bob), CreateProductionInput{Name: "Bob's", Visibility: ptr(space.WorkspaceShared)})
	w.production(w.in(w.bob), CreateProductionInput{Name: "Hidden", Visibility: ptr(space.Private)})
	w.shot(ctx, first.ID, CreateShotInput{})
	list := func(f *ProductionFilter) (names []string) {
		t.Helper()
		found, err := w.ListProductions(ctx, f, models.Page{})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range found.Nodes {
			if p.Shots == nil || len(p.Shots) != 0 {
				t.Errorf("%s is listed with its shots", p.Name)
			}
			names = append(names, p.Name)
		}
		return names
	}
	for _, want := range []struct {
		f     *ProductionFilter
		names []string
	}{
		{nil, []string{"Bob's", "The café by the sea"}},
		{&ProductionFilter{Query: ptr("cafe")}, []string{"The café by the sea"}},
		{&ProductionFilter{Query: ptr("storm")}, []string{"The café by the sea"}},
		{&ProductionFilter{Query: ptr("nothing")}, nil},
		{&ProductionFilter{Mine: ptr(true)}, []string{"The café by the sea"}},
		{&ProductionFilter{Status: ptr(Ready)}, nil},
		{&ProductionFilter{Status: ptr(Draft), ProjectID: his.ProjectID}, []string{"Bob's", "The café by the sea"}},
	} {
		if got := list(want.f); !slices.Equal(got, want.names) {
			t.Errorf("%+v lists %v", want.f, got)
		}
	}
	_, err := w.ListProductions(ctx, &ProductionFilter{Status: ptr(ProductionStatus("lost"))}, models.Page{})
	w.refused(err, models.CodeValidation, "status")
	_, err = w.ListProductions(ctx, nil, models.Page{Limit: ptr(201)})
	w.refused(err, models.CodeValidation, "limit")
	page, err := w.ListProductions(ctx, nil, models.Page{Limit: ptr(1)})
	if err != nil {
		t.Fatal(err)
	}
	_, err = w.ListProductions(ctx, &ProductionFilter{Mine: ptr(true)}, models.Page{Cursor: page.Next()})
	w.refused(err, models.CodeValidation, "cursor")

	one := w.statementsOf(func() { list(&ProductionFilter{Mine: ptr(true)}) })
	read := w.statementsOf(func() { w.find(ctx, first.ID) })
	for range 20 {
		w.shot(ctx, w.production(ctx, CreateProductionInput{}).ID, CreateShotInput{})
		w.shot(ctx, first.ID, CreateShotInput{})
	}
	if many := w.statementsOf(func() { list(&ProductionFilter{Mine: ptr(true)}) }); many != one {
		t.Errorf("%d statements for a list of many, %d for one", many, one)
	}
	if many := w.statementsOf(func() { w.find(ctx, first.ID) }); many != read {
		t.Errorf("%d statements for many shots, %d for one", many, read)
	}
}

// A copy has the shots, and of what it names what is there where it lies.
func TestDuplicateProduction(t *testing.T) {
	w := newWorld(t)
	ctx := w.in(w.ann)
	mina := w.element(ctx, library.Character, "Mina", space.WorkspaceShared)
	own := w.pipeline(CreatePipelineInput{Visibility: ptr(space.WorkspaceShared)})
	p := w.production(ctx, CreateProductionInput{Script: ptr("Once."), PipelineID: &own.ID, CastIDs: []models.ID{mina.ID}, Visibility: ptr(space.WorkspaceShared), Seed: ptr(9)})
	shot := w.shot(ctx, p.ID, CreateShotInput{Title: ptr("One"), CharacterIDs: []models.ID{mina.ID}, SpeakerID: &mina.ID, Locked: ptr(true)})
	w.exec(`UPDATE shots SET status = 'ready' WHERE id = ?`, shot.ID)
	w.exec(`UPDATE productions SET status = 'ready', video_url = 'https://atelier.example/media/x.mp4', film_fingerprint = 'f' WHERE id = ?`, p.ID)
	twin, err := w.DuplicateProduction(ctx, p.ID)
	if err != nil {
		t.Fatal(err)
	}
	if twin.Name != "Story (copy)" || twin.Script != "Once." || twin.Seed != 9 || twin.PipelineID != own.ID || !slices.Equal(twin.CastIDs, models.IDs{mina.ID}) ||
		twin.VideoURL != nil || twin.Status != Draft || twin.FilmFingerprint != "" || twin.Version != 1 || len(twin.Shots) != 1 {
		t.Fatalf("the copy is %+v", twin)
	}
	if s := twin.Shots[0]; s.ID == shot.ID || s.Title != "One" || s.Status != ShotEmpty || s.Version != 1 || !s.Locked || !slices.Equal(s.CharacterIDs, models.IDs{mina.ID}) {
		t.Errorf("its shot is %+v", s)
	}
	home, err := w.DuplicateProduction(w.as(w.ann), p.ID)
	if err != nil {
		t.Fatal(err)
	}
	if s := home.Shots[0]; home.WorkspaceID != nil || home.PipelineID != StandardPipeline || len(home.CastIDs) != 0 || len(s.CharacterIDs) != 0 || s.SpeakerID != nil {
		t.Errorf("elsewhere the copy is %+v with %+v", home, s)
	}
}

// A space holds 500 productions.
func TestProductionCap(t *testing.T) {
	w := newWorld(t)
	ctx := w.in(w.ann)
	p := w.production(ctx, CreateProductionInput{})
	w.exec(`INSERT INTO productions (id, owner_id, workspace_id, organization_id, project_id, visibility, name, language, aspect_ratio, resolution, pipeline_id, captions, seed, status, created_at, updated_at)
		SELECT gen_random_uuid(), owner_id, workspace_id, organization_id, project_id, visibility, name, language, aspect_ratio, resolution, pipeline_id, captions, seed, status, now(), now()
		FROM productions, generate_series(2, ?) WHERE id = ?`, MaxProductions, p.ID)
	_, err := w.CreateProduction(ctx, CreateProductionInput{Name: "One more"})
	w.refused(err, models.CodeLimitReached, "")
	_, err = w.DuplicateProduction(ctx, p.ID)
	w.refused(err, models.CodeLimitReached, "")
}

//go:build !race

package studio

import (
	"slices"
	"strings"
	"testing"

	"atelier/models"
	"atelier/models/flow"
	"atelier/models/library"
	"atelier/models/nodegraph"
	"atelier/models/org"
	"atelier/models/space"
)

func stages(in StagesInput) *StagesInput { return &in }

func story() *StagesInput {
	return stages(StagesInput{Image: &StageInput{NodeType: "generate-image"}, Clip: &StageInput{NodeType: "shot-clip"}, Cut: &StageInput{NodeType: "freecut-export"}})
}

func (w *world) pipeline(in CreatePipelineInput) *Pipeline { return w.pipelineOf(w.in(w.ann), in) }

func (w *world) pipelineOf(ctx contextType, in CreatePipelineInput) *Pipeline {
	w.t.Helper()
	if in.Name == "" {
		in.Name = "Class film"
	}
	if in.Stages == nil {
		in.Stages = story()
	}
	p, err := w.CreatePipeline(ctx, in)
	if err != nil {
		w.t.Fatal(err)
	}
	return p
}

// workflow saves a workflow in the account's own space.
func (w *world) workflow(ctx contextType, visibility space.Visibility, edges nodegraph.Edges, all ...*nodegraph.Node) *flow.Workflow {
	w.t.Helper()
	made, err := w.Flows.CreateWorkflow(ctx, flow.CreateWorkflowInput{Name: "Own stage", Visibility: &visibility, Nodes: nodegraph.Nodes(all), Edges: edges})
	if err != nil {
		w.t.Fatal(err)
	}
	return made
}

// The pipelines of the program are the same everywhere, come last, and cannot be changed.
func TestFactoryPipelines(t *testing.T) {
	w := newWorld(t)
	ctx := w.in(w.ann)
	own := w.pipeline(CreatePipelineInput{})
	newer := w.pipeline(CreatePipelineInput{Name: "Newer"})
	found, err := w.ListPipelines(ctx, models.Page{})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, p := range found.Nodes {
		names = append(names, p.Name)
	}
	if !slices.Equal(names, []string{"Newer", "Class film", "narrated-storyboard", "storyboard", "text-cards", "film"}) {
		t.Errorf("listed %v", names)
	}
	if found.Nodes[0].ID != newer.ID || found.Nodes[1].ID != own.ID {
		t.Error("the newest does not come first")
	}
	first, err := w.ListPipelines(ctx, models.Page{Limit: ptr(3)})
	if err != nil {
		t.Fatal(err)
	}
	rest, err := w.ListPipelines(ctx, models.Page{Cursor: first.Next()})
	if err != nil || len(rest.Nodes) != 3 || rest.Nodes[0].Name != "storyboard" {
		t.Errorf("the second page has %d, %v", len(rest.Nodes), err)
	}
	for _, p := range found.Nodes[2:] {
		if p.ID.Version() != 5 || !p.IsFactory || p.Access != space.CanView || p.Can != (library.ThingCan{}) || p.WorkspaceID != nil {
			t.Errorf("%s is %+v", p.Name, p)
		}
		if film := p.Name == "film"; p.Usable == film || (p.Reason != nil) != film {
			t.Errorf("%s: usable %v, %v", p.Name, p.Usable, p.Reason)
		}
		_, err := w.UpdatePipeline(ctx, p.ID, UpdatePipelineInput{Name: models.Some("Mine")})
		w.refused(err, models.CodeForbidden, "")
		w.refused(w.DeletePipeline(ctx, p.ID), models.CodeForbidden, "")
	}
	if got, want := StandardPipeline.String(), found.Nodes[2].ID.String(); got != want {
		t.Errorf("the standard pipeline is %s, not %s", got, want)
	}
	board, err := w.FindPipeline(ctx, found.Nodes[3].ID)
	if err != nil {
		t.Fatal(err)
	}
	picture, _ := w.Flows.Catalogue.Find("generate-image")
	if board.EstimatedCredits != picture.Price(nil) || board.EstimatedCredits == 0 {
		t.Errorf("a storyboard costs %s", board.EstimatedCredits)
	}
	copied, err := w.DuplicatePipeline(ctx, board.ID)
	if err != nil || copied.IsFactory || copied.Name != "storyboard (copy)" || copied.Stages.Image == nil || copied.Access != space.IsCreator {
		t.Errorf("the copy is %+v, %v", copied, err)
	}
}

// A stage that cannot work is refused, naming the field.
func TestStages(t *testing.T) {
	w := newWorld(t)
	ctx := w.in(w.ann)
	preset, err := w.Library.Presets().Create(ctx, library.CreatePresetInput{NodeType: "text-card", Name: "Card", Settings: map[string]any{"align": "left"}})
	if err != nil {
		t.Fatal(err)
	}
	far, err := w.Library.Presets().Create(w.as(w.stranger), library.CreatePresetInput{NodeType: "generate-image", Name: "Far", Settings: map[string]any{"aspectRatio": "1:1"}})
	if err != nil {
		t.Fatal(err)
	}
	paints := w.workflow(ctx, space.Private, nil, &nodegraph.Node{ID: "p", Type: "generate-image", Data: map[string]any{"prompt": "a"}})
	speaks := w.workflow(ctx, space.Private, nil, &nodegraph.Node{ID: "s", Type: "text-to-speech", Data: map[string]any{"text": "a"}})
	image, clip := &StageInput{NodeType: "generate-image"}, &StageInput{NodeType: "shot-clip"}
	component := func(w *flow.Workflow) *StageInput {
		if w == nil {
			return &StageInput{NodeType: "component"}
		}
		return &StageInput{NodeType: "component", WorkflowID: &w.ID}
	}
	for _, wrong := range []struct {
		field string
		in    StagesInput
	}{
		{"stages", StagesInput{}},
		{"stages.cut.nodeType", StagesInput{Image: image, Cut: &StageInput{NodeType: "freecut-export"}}},
		{"stages.clip.nodeType", StagesInput{Clip: clip}},
		{"stages.clip.nodeType", StagesInput{Image: image, Clip: &StageInput{NodeType: "generate-image"}}},
		{"stages.image.nodeType", StagesInput{Image: &StageInput{NodeType: "resize-image"}}},
		{"stages.image.nodeType", StagesInput{Image: &StageInput{}}},
		{"stages.speech.nodeType", StagesInput{Speech: image}},
		{"stages.cut.nodeType", StagesInput{Image: image, Clip: clip, Cut: component(paints)}},
		{"stages.image.settings.aspectRatio", StagesInput{Image: &StageInput{NodeType: "generate-image", Settings: map[string]any{"aspectRatio": "5:1"}}}},
		{"stages.image.settings.prompt", StagesInput{Image: &StageInput{NodeType: "generate-image", Settings: map[string]any{"prompt": "{{nonsense}}"}}}},
		{"stages.image.settings.presetId", StagesInput{Image: &StageInput{NodeType: "generate-image", Settings: map[string]any{"presetId": preset.ID.String()}}}},
		{"stages.image.presetId", StagesInput{Image: &StageInput{NodeType: "generate-image", PresetID: &preset.ID}}},
		{"stages.image.presetId", StagesInput{Image: &StageInput{NodeType: "generate-image", PresetID: &far.ID}}},
		{"stages.image.presetId", StagesInput{Image: &StageInput{NodeType: "component", WorkflowID: &paints.ID, PresetID: &preset.ID}}},
		{"stages.image.workflowId", StagesInput{Image: &StageInput{NodeType: "generate-image", WorkflowID: &paints.ID}}},
		{"stages.image.workflowId", StagesInput{Image: component(nil)}},
		{"stages.image.workflowId", StagesInput{Image: component(speaks)}},
		{"stages.image.workflowId", StagesInput{Image: &StageInput{NodeType: "component", WorkflowID: &preset.ID}}},
		{"stages.image.settings", StagesInput{Image: &StageInput{NodeType: "component", WorkflowID: &paints.ID, Settings: map[string]any{"a": 1}}}},
	} {
		_, err := w.CreatePipeline(ctx, CreatePipelineInput{Name: "Wrong", Stages: &wrong.in})
		w.refused(err, models.CodeValidation, wrong.field)
	}
	_, err = w.CreatePipeline(ctx, CreatePipelineInput{Name: "None"})
	w.refused(err, models.CodeValidation, "stages")
	hers := w.workflow(w.as(w.stranger), space.Private, nil, &nodegraph.Node{ID: "p", Type: "generate-image", Data: map[string]any{"prompt": "a"}})
	_, err = w.CreatePipeline(ctx, CreatePipelineInput{Name: "Hers", Stages: &StagesInput{Image: component(hers)}})
	w.refused(err, models.CodeValidation, "stages.image.workflowId")

	p := w.pipeline(CreatePipelineInput{Stages: &StagesInput{
		Image: &StageInput{NodeType: "text-card", PresetID: &preset.ID, Settings: map[string]any{"caption": "5B"}}, Speech: component(speaks), Clip: clip, Cut: &StageInput{NodeType: "freecut-export"},
	}})
	if !p.Usable || p.EstimatedCredits == 0 || *p.Stages.Image.PresetID != preset.ID || *p.Stages.Speech.WorkflowID != speaks.ID {
		t.Errorf("made %+v", p)
	}
	if err := w.Library.Presets().Delete(ctx, preset.ID); err != nil {
		t.Fatal(err)
	}
	if p, err = w.FindPipeline(ctx, p.ID); err != nil || p.Usable || p.Reason == nil || !strings.Contains(*p.Reason, "preset") {
		t.Errorf("without its preset: %+v, %v", p, err)
	}
	if err := w.Flows.DeleteWorkflow(ctx, speaks.ID); err != nil {
		t.Fatal(err)
	}
	kept := &StagesInput{Image: &StageInput{NodeType: "text-card", PresetID: &preset.ID}, Speech: component(speaks)}
	if _, err := w.UpdatePipeline(ctx, p.ID, UpdatePipelineInput{Stages: models.Some(*kept)}); err != nil {
		t.Errorf("what it named before: %v", err)
	}
}

// Pipelines are reached, changed and deleted as workflows are.
func TestPipelineAccess(t *testing.T) {
	w := newWorld(t)
	ann, bob, owner := w.in(w.ann), w.in(w.bob), w.in(w.owner)
	p := w.pipeline(CreatePipelineInput{Visibility: ptr(space.Private)})
	for _, ctx := range []contextType{bob, w.as(w.stranger), w.as(w.bob)} {
		_, err := w.FindPipeline(ctx, p.ID)
		w.refused(err, models.CodeNotFound, "")
		_, err = w.UpdatePipeline(ctx, p.ID, UpdatePipelineInput{})
		w.refused(err, models.CodeNotFound, "")
		w.refused(w.DeletePipeline(ctx, p.ID), models.CodeNotFound, "")
		_, err = w.DuplicatePipeline(ctx, p.ID)
		w.refused(err, models.CodeNotFound, "")
	}
	changed, err := w.UpdatePipeline(ann, p.ID, UpdatePipelineInput{
		Name: models.Some("Other"), Description: models.Some("For 5B"), Visibility: models.Some(space.WorkspaceShared), Version: ptr(1),
		Stages: models.Some(StagesInput{Image: &StageInput{NodeType: "text-card"}}),
	})
	if err != nil || changed.Version != 2 || changed.Name != "Other" || changed.Stages.Clip != nil || changed.Visibility != space.WorkspaceShared {
		t.Fatalf("changed to %+v, %v", changed, err)
	}
	_, err = w.UpdatePipeline(ann, p.ID, UpdatePipelineInput{Version: ptr(1), Name: models.Some("Late")})
	w.refused(err, models.CodeStale, "")
	seen, err := w.FindPipeline(bob, p.ID)
	if err != nil || seen.Access != space.CanView || seen.Can.Edit || seen.Can.Delete {
		t.Errorf("Bob sees %+v, %v", seen, err)
	}
	_, err = w.UpdatePipeline(bob, p.ID, UpdatePipelineInput{Name: models.Some("Bob's")})
	w.refused(err, models.CodeInsufficientRole, "")
	w.refused(w.DeletePipeline(bob, p.ID), models.CodeInsufficientRole, "")
	w.exec(`UPDATE workspaces SET settings = '{"member_access_to_shared": "edit", "admin_access": "edit"}' WHERE id = ?`, w.room.ID)
	if _, err := w.UpdatePipeline(bob, p.ID, UpdatePipelineInput{Name: models.Some("Bob's")}); err != nil {
		t.Error(err)
	}
	_, err = w.UpdatePipeline(bob, p.ID, UpdatePipelineInput{Visibility: models.Some(space.Private)})
	w.refused(err, models.CodeInsufficientRole, "")
	for field, in := range map[string]UpdatePipelineInput{
		"name": {Name: models.Some(" ")}, "description": {Description: models.Null[string]()}, "stages": {Stages: models.Null[StagesInput]()},
		"visibility": {Visibility: models.Some(space.Visibility("all"))},
	} {
		_, err = w.UpdatePipeline(ann, p.ID, in)
		w.refused(err, models.CodeValidation, field)
	}
	_, err = w.UpdatePipeline(ann, p.ID, UpdatePipelineInput{ProjectID: models.Some(p.ID)})
	w.refused(err, models.CodeNotFound, "")
	_, err = w.CreatePipeline(ann, CreatePipelineInput{Name: "Elsewhere", Stages: story(), ProjectID: &p.ID})
	w.refused(err, models.CodeNotFound, "")
	if err := w.DeletePipeline(owner, p.ID); err != nil {
		t.Errorf("an admin who may edit members' work: %v", err)
	}
	_, err = w.FindPipeline(ann, p.ID)
	w.refused(err, models.CodeNotFound, "")
	for _, action := range []string{"pipeline.created", "pipeline.updated", "pipeline.visibility_changed", "pipeline.deleted"} {
		if w.count(`SELECT count(*) FROM audit_entries WHERE action = ? AND target_id = ?`, action, p.ID) == 0 {
			t.Errorf("no entry %s", action)
		}
	}
	restricted := models.WithActor(ann, models.Actor{Kind: models.ByToken, UserID: w.ann, WorkflowIDs: []models.ID{p.ID}, Scopes: models.Scopes})
	_, err = w.ListPipelines(restricted, models.Page{})
	w.refused(err, models.CodeForbidden, "")
	_, err = w.CreatePipeline(models.WithActor(ann, models.Actor{}), CreatePipelineInput{Name: "Nobody", Stages: story()})
	w.refused(err, models.CodeUnauthorized, "")
	w.exec(`UPDATE workspaces SET archived_at = now() WHERE id = ?`, w.room.ID)
	_, err = w.CreatePipeline(ann, CreatePipelineInput{Name: "Late", Stages: story()})
	w.refused(err, models.CodeWorkspaceArchived, "")
}

// A space holds a hundred pipelines; listing them costs as many statements as listing two.
func TestManyPipelines(t *testing.T) {
	w := newWorld(t)
	ctx := w.in(w.ann)
	few := w.statementsOf(func() { w.pipelinesOf(ctx) })
	for range MaxPipelines {
		w.exec(`INSERT INTO pipelines (id, owner_id, workspace_id, organization_id, visibility, name, stages, created_at, updated_at)
			VALUES (?, ?, ?, ?, 'workspace', 'P', '{"image": {"nodeType": "generate-image", "settings": {}, "presetId": null, "workflowId": null}}', now(), now())`,
			models.NewID(w.DB.Clock.Now()), w.ann, w.room.ID, w.org.ID)
	}
	if many := w.statementsOf(func() { w.pipelinesOf(ctx) }); many != few {
		t.Errorf("%d statements for many pipelines, %d for few", many, few)
	}
	_, err := w.CreatePipeline(ctx, CreatePipelineInput{Name: "One more", Stages: story()})
	w.refused(err, models.CodeLimitReached, "")
	if _, err := w.CreatePipeline(w.as(w.ann), CreatePipelineInput{Name: "Elsewhere", Stages: story()}); err != nil {
		t.Error(err)
	}
}

func (w *world) pipelinesOf(ctx contextType) {
	w.t.Helper()
	if _, err := w.ListPipelines(ctx, models.Page{Limit: ptr(200)}); err != nil {
		w.t.Fatal(err)
	}
}

// Without a project of its own, and in a team, a pipeline is what it is in a school.
func TestPipelineInATeam(t *testing.T) {
	w := newWorld(t)
	_, room := w.addRoom(w.stranger, org.Team, "Team")
	p := w.pipelineOf(w.inRoom(w.stranger, room), CreatePipelineInput{})
	if p.WorkspaceID == nil || *p.WorkspaceID != room.ID || p.Source != nil {
		t.Errorf("made %+v", p)
	}
	_, err := w.FindPipeline(w.in(w.ann), p.ID)
	w.refused(err, models.CodeNotFound, "")
}

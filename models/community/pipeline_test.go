package community

import (
	"slices"
	"testing"

	"atelier/models"
	"atelier/models/flow"
	"atelier/models/library"
	"atelier/models/nodegraph"
	"atelier/models/space"
	"atelier/models/studio"
)

// A pipeline is posted without what belongs to one account, and copied.
func TestPipelinePosts(t *testing.T) {
	w := newWorld(t)
	w.makeTeam()
	author, reader := w.in(w.ann), w.in(w.bob)
	workflow, err := w.Flows.CreateWorkflow(author, flow.CreateWorkflowInput{Name: "Own stage", Nodes: nodegraph.Nodes{{ID: "s", Type: "text-to-speech", Data: map[string]any{"text": "a"}}}})
	if err != nil {
		t.Fatal(err)
	}
	preset, err := w.Library.Presets().Create(author, library.CreatePresetInput{NodeType: "generate-image", Name: "Ink", Settings: map[string]any{"prompt": "{{prompt}}, ink"}})
	if err != nil {
		t.Fatal(err)
	}
	inked := "Inked"
	p, err := w.Studio.CreatePipeline(author, studio.CreatePipelineInput{Name: "Comic", Description: &inked, Stages: &studio.StagesInput{
		Image: &studio.StageInput{NodeType: "generate-image", PresetID: &preset.ID, Settings: map[string]any{"aspectRatio": "1:1"}}, Speech: &studio.StageInput{NodeType: "component", WorkflowID: &workflow.ID},
	}})
	if err != nil {
		t.Fatal(err)
	}
	post, err := w.Post(author, PostInput{Kind: PostPipeline, SourceID: p.ID})
	if err != nil {
		t.Fatal(err)
	}
	if post.Title != "Comic" || post.EstimatedCredits == nil || *post.EstimatedCredits == 0 || len(post.Requires) != 2 || post.Requires[0].NodeType != "generate-image" || !post.Requires[0].Offered {
		t.Errorf("posted %+v, requires %+v", post, post.Requires)
	}
	if got := post.Content.Removed; !slices.Equal(got, []string{"stages.image.presetId", "stages.speech.workflowId"}) {
		t.Errorf("taken out was %s", got)
	}
	for _, id := range []models.ID{preset.ID, workflow.ID} {
		if w.count(`SELECT count(*) FROM community_posts WHERE content::text LIKE '%' || ? || '%'`, id.String()) != 0 {
			t.Error("the post names what belongs to one account")
		}
	}
	used, err := w.UsePost(reader, post.ID, UsePostInput{})
	if err != nil {
		t.Fatal(err)
	}
	copied, err := w.Studio.FindPipeline(reader, *used.ID)
	if err != nil || copied.Name != "Comic" || copied.Visibility != space.Private || copied.Source == nil || copied.Stages.Image.Settings["aspectRatio"] != "1:1" ||
		copied.Stages.Image.PresetID != nil || copied.Stages.Speech.WorkflowID != nil || copied.Usable {
		t.Errorf("the copy is %+v, %v", copied, err)
	}
	_, err = w.Post(author, PostInput{Kind: PostPipeline, SourceID: studio.StandardPipeline})
	w.refused(err, models.CodeValidation, "sourceId")
	_, err = w.Post(reader, PostInput{Kind: PostPipeline, SourceID: p.ID})
	if !models.HasCode(err, models.CodeNotFound) && !models.HasCode(err, models.CodeInsufficientRole) {
		t.Errorf("who did not make it: %v", err)
	}
}

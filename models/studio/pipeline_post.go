package studio

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

	"atelier/models"
	"atelier/models/library"
	"atelier/models/nodegraph"
	"atelier/models/space"
)

// pipelinePosts are pipelines in the community.
type pipelinePosts struct{ s *Service }

// Snapshot takes out of a pipeline what belongs to one account: workflows, presets that do not
// come with the program, and what settings name of the library.
func (k pipelinePosts) Snapshot(ctx context.Context, id models.ID) (*library.SourceSnapshot, error) {
	p, _, err := k.s.reachPipeline(ctx, k.s.DB.Read(ctx), id)
	if err != nil {
		return nil, err
	}
	if p.IsFactory {
		return nil, library.ErrFromProgram
	}
	stages, removed := k.withoutOwn(p.Stages)
	written, err := json.Marshal(stages)
	if err != nil {
		return nil, err
	}
	return &library.SourceSnapshot{
		Snapshot: &library.Snapshot{Name: p.Name, Description: p.Description, Stages: written, Removed: removed},
		Owned:    p.Owned(), Access: p.Access, Source: p.Source,
	}, nil
}

func (k pipelinePosts) withoutOwn(stages Stages) (kept Stages, removed []string) {
	removed = []string{}
	for _, name := range stageNames {
		stage := stages.At(name)
		if stage == nil {
			continue
		}
		at := "stages." + string(name) + "."
		own := &Stage{NodeType: stage.NodeType, Settings: maps.Clone(stage.Settings), PresetID: stage.PresetID}
		if stage.WorkflowID != nil {
			removed = append(removed, at+"workflowId")
		}
		if stage.PresetID != nil && stage.PresetID.Version() != 5 { // what comes with the program is the same everywhere
			own.PresetID, removed = nil, append(removed, at+"presetId")
		}
		kind, known := k.s.Flows.Catalogue.Find(stage.NodeType)
		for _, field := range slices.Sorted(maps.Keys(stage.Settings)) {
			if text, _ := stage.Settings[field].(string); known && kind.LibraryKind(field) != "" && !fromProgram(text) {
				delete(own.Settings, field)
				removed = append(removed, at+"settings."+field)
			}
		}
		*kept.at(name) = own
	}
	return kept, removed
}

func fromProgram(text string) bool {
	id, err := models.ParseID("id", text)
	return err == nil && id.Version() == 5
}

// Copy makes a private pipeline of a snapshot. A component has no workflow there; the copy says so
// until it is given one.
func (k pipelinePosts) Copy(tx *models.Tx, p *library.Post, in library.UsePostInput, source json.RawMessage) (models.ID, error) {
	name, err := models.CleanName("name", *in.Name)
	if err != nil {
		return models.ID{}, err
	}
	private, made := space.Private, &Pipeline{Name: name, Description: p.Content.Description, Version: 1, Source: source}
	made.ProjectID = in.ProjectID
	if err := json.Unmarshal(p.Content.Stages, &made.Stages); err != nil {
		return models.ID{}, err
	}
	err = k.s.keepPipeline(tx, made, &private, func(*space.Viewer) error { return nil })
	return made.ID, err
}

// Judge names the node types of the stages, and what they cost for one shot.
func (k pipelinePosts) Judge(c *library.Snapshot) (needs nodegraph.Nodes, credits models.Credits) {
	var stages Stages
	if json.Unmarshal(c.Stages, &stages) != nil {
		return nil, 0
	}
	for _, name := range stageNames {
		if stage := stages.At(name); stage != nil {
			needs = append(needs, &nodegraph.Node{ID: string(name), Type: stage.NodeType, Data: stage.Settings})
		}
	}
	p := &Pipeline{Stages: stages}
	k.s.judge(context.Background(), p, k.s.Library.FactoryPresets(), nil)
	return needs, p.EstimatedCredits
}

package community

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

	"atelier/models"
	"atelier/models/library"
	"atelier/models/nodegraph"
	"atelier/models/space"
	"atelier/models/studio"
)

// takePipeline takes out of a pipeline what belongs to one account: workflows, presets that do not
// come with the program, and what settings name of the library.
func (s *Service) takePipeline(ctx context.Context, id models.ID) (*taken, space.Access, error) {
	p, _, err := s.Studio.ReachPipeline(ctx, s.DB.Read(ctx), id)
	if err != nil {
		return nil, "", err
	}
	if p.IsFactory {
		return nil, "", library.ErrFromProgram
	}
	stages, removed := s.stagesWithoutOwn(p.Stages)
	written, err := json.Marshal(stages)
	if err != nil {
		return nil, "", err
	}
	t := &taken{owned: p.Owned(), source: p.Source}
	t.Snapshot = &Snapshot{Name: p.Name, Description: p.Description, Stages: written, Removed: removed}
	return t, p.Access, nil
}

func (s *Service) stagesWithoutOwn(stages studio.Stages) (kept studio.Stages, removed []string) {
	removed = []string{}
	for _, name := range studio.StageNames {
		stage := stages.At(name)
		if stage == nil {
			continue
		}
		at := "stages." + string(name) + "."
		own := &studio.Stage{NodeType: stage.NodeType, Settings: maps.Clone(stage.Settings), PresetID: stage.PresetID}
		if stage.WorkflowID != nil {
			removed = append(removed, at+"workflowId")
		}
		if stage.PresetID != nil && stage.PresetID.Version() != 5 { // what comes with the program is the same everywhere
			own.PresetID, removed = nil, append(removed, at+"presetId")
		}
		kind, known := s.Flows.Catalogue.Find(stage.NodeType)
		for _, field := range slices.Sorted(maps.Keys(stage.Settings)) {
			if text, _ := stage.Settings[field].(string); known && kind.LibraryKind(field) != "" && !fromProgram(text) {
				delete(own.Settings, field)
				removed = append(removed, at+"settings."+field)
			}
		}
		kept.Set(name, own)
	}
	return kept, removed
}

func fromProgram(text string) bool {
	id, err := models.ParseID("id", text)
	return err == nil && id.Version() == 5
}

func (s *Service) copyPipeline(tx *models.Tx, p *Post, in UsePostInput, source []byte) (models.ID, error) {
	name, err := models.CleanName("name", *in.Name)
	if err != nil {
		return models.ID{}, err
	}
	made := &studio.Pipeline{Name: name, Description: p.Content.Description, Version: 1, Source: source}
	made.ProjectID = in.ProjectID
	if err := json.Unmarshal(p.Content.Stages, &made.Stages); err != nil {
		return models.ID{}, err
	}
	err = s.Studio.InsertPipelineCopy(tx, made)
	return made.ID, err
}

// judgePipeline names the node types of the stages, and what they cost for one shot.
func (s *Service) judgePipeline(ctx context.Context, c *Snapshot) (needs nodegraph.Nodes, credits models.Credits) {
	var stages studio.Stages
	if json.Unmarshal(c.Stages, &stages) != nil {
		return nil, 0
	}
	for _, name := range studio.StageNames {
		if stage := stages.At(name); stage != nil {
			needs = append(needs, &nodegraph.Node{ID: string(name), Type: stage.NodeType, Data: stage.Settings})
		}
	}
	return needs, s.Studio.EstimateStages(ctx, stages)
}

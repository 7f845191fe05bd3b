package studio

import (
	"context"

	"atelier/models"
	"atelier/models/flow"
	"atelier/models/library"
)

// judgedShot is the length of the shot whose price a pipeline shows, in seconds.
const judgedShot = 5.0

// judgePipeline tells whether a pipeline can be used on this install, and what a shot costs.
func (s *Service) judgePipeline(ctx context.Context, p *Pipeline) error {
	return s.judgePipelines(ctx, p)
}

// judgePipelines is judgePipeline for many, in a constant number of statements. What a caller
// does not reach is only known to be missing.
func (s *Service) judgePipelines(ctx context.Context, all ...*Pipeline) error {
	var presets, workflows []models.ID
	for _, p := range all {
		for _, name := range StageNames {
			if stage := p.Stages.At(name); stage != nil && stage.PresetID != nil {
				presets = append(presets, *stage.PresetID)
			} else if stage != nil && stage.WorkflowID != nil {
				workflows = append(workflows, *stage.WorkflowID)
			}
		}
	}
	settings, err := s.Library.Presets().ByID(s.DB.Read(ctx), presets...)
	if err != nil {
		return err
	}
	graphs, err := s.Flows.GraphsByID(ctx, workflows...)
	if err != nil {
		return err
	}
	for _, p := range all {
		s.judge(ctx, p, settings, graphs)
	}
	return nil
}

func (s *Service) judge(ctx context.Context, p *Pipeline, presets map[models.ID]*library.Preset, graphs map[models.ID]*flow.Workflow) {
	p.Usable, p.Reason, p.EstimatedCredits = true, nil, 0
	for _, name := range StageNames {
		stage := p.Stages.At(name)
		if stage == nil {
			continue
		}
		price, reason := s.judgeStage(ctx, stage, presets, graphs)
		p.EstimatedCredits += price
		if reason != "" && p.Usable {
			reason = "The stage " + string(name) + ": " + reason
			p.Usable, p.Reason = false, &reason
		}
	}
	if clip := p.Stages.Clip; clip != nil && p.Stages.Speech != nil && s.soundApart(clip.NodeType) {
		if sound, known := s.Flows.Catalogue.Find(soundType); known {
			p.EstimatedCredits += sound.Price(nil)
		}
	}
	if s.Runs.Free {
		p.EstimatedCredits = 0
	}
}

// soundApart tells whether a node type makes clips without a sound, so that another node puts what is said under them.
func (s *Service) soundApart(clipType string) bool {
	kind, known := s.Flows.Catalogue.Find(clipType)
	if !known || clipType == componentType {
		return false
	}
	_, takes := kind.InputSchema.Properties.Find(stageOutputs[SpeechStage])
	return !takes
}

// judgeStage is what a stage costs for one shot, and why it cannot be done here.
func (s *Service) judgeStage(ctx context.Context, stage *Stage, presets map[models.ID]*library.Preset, graphs map[models.ID]*flow.Workflow) (price models.Credits, reason string) {
	if stage.NodeType == componentType {
		if stage.WorkflowID == nil {
			return 0, "name a workflow for its component"
		}
		if w := graphs[*stage.WorkflowID]; w != nil {
			return s.Flows.EstimateCost(ctx, w), ""
		}
		return 0, "its workflow is deleted, or out of your reach"
	}
	kind, known := s.Flows.Catalogue.Find(stage.NodeType)
	if !known {
		return 0, "this install has no node type " + stage.NodeType
	}
	data := stage.Settings
	if stage.PresetID != nil {
		p := presets[*stage.PresetID]
		if p == nil {
			return 0, "its preset is deleted"
		}
		data = kind.LayPreset(data, p.Settings)
	}
	input := map[string]any{}
	for field, value := range data {
		input[field] = value
	}
	if _, has := kind.InputSchema.Properties.Find("duration"); has {
		input["duration"] = judgedShot
	}
	return kind.Price(input), kind.Unusable(data)
}

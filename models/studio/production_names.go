package studio

import (
	"slices"
	"strconv"

	"gorm.io/gorm"

	"atelier/models"
	"atelier/models/library"
	"atelier/models/space"
)

// checkNames refuses what a production names and may not: of what it did not name before, nil
// for a new one.
func (s *Service) checkNames(q *gorm.DB, viewer *space.Viewer, before, p *Production) error {
	if before == nil {
		before = &Production{}
	}
	if p.PipelineID != before.PipelineID {
		if _, err := s.pipelineFor(q, viewer, p.PipelineID); err != nil {
			return err
		}
	}
	if err := s.checkStyle(q, viewer, before, p); err != nil {
		return err
	}
	if id := p.NarratorVoiceID; id != nil && !same(id, before.NarratorVoiceID) {
		found, err := s.Library.Voices().In(q, viewer, *id)
		if err != nil {
			return err
		}
		if found[*id] == nil {
			return models.Invalid("narratorVoiceId", "names no voice that this production may use")
		}
	}
	if err := s.checkSource(q, "music.url", before.musicURL(), p.musicURL()); err != nil {
		return err
	}
	return s.checkCast(q, viewer, before.CastIDs, p.CastIDs)
}

func (p *Production) musicURL() *string {
	if p.Music == nil {
		return nil
	}
	return &p.Music.URL
}

// checkStyle refuses a preset that is out of reach, or of another node type than makes the
// pictures.
func (s *Service) checkStyle(q *gorm.DB, viewer *space.Viewer, before, p *Production) error {
	if p.PresetID == nil || same(p.PresetID, before.PresetID) {
		return nil
	}
	found, err := s.Library.Presets().In(q, viewer, *p.PresetID)
	if err != nil {
		return err
	}
	style := found[*p.PresetID]
	if style == nil {
		return models.Invalid("presetId", "names no preset that this production may use")
	}
	pipeline, err := s.pipelineFor(q, viewer, p.PipelineID)
	if _, refused := models.AsError(err); refused {
		return nil // it is gone since
	}
	if err != nil {
		return err
	}
	if stage := pipeline.Stages.Image; stage != nil && stage.NodeType != componentType && stage.NodeType != style.NodeType {
		return models.Invalid("presetId", "names a preset of %s, and the pipeline makes pictures by %s", style.NodeType, stage.NodeType)
	}
	return nil
}

func (s *Service) checkCast(q *gorm.DB, viewer *space.Viewer, before, cast models.IDs) error {
	fresh := slices.DeleteFunc(slices.Clone(cast), func(id models.ID) bool { return slices.Contains(before, id) })
	found, err := s.Library.Elements().In(q, viewer, fresh...)
	if err != nil {
		return err
	}
	for i, id := range cast {
		if e := found[id]; slices.Contains(fresh, id) && (e == nil || e.Kind == library.Face) {
			return models.Invalid("castIds["+strconv.Itoa(i)+"]", "names no element that this production may use")
		}
	}
	return nil
}

func same(a, b *models.ID) bool { return a == nil && b == nil || a != nil && b != nil && *a == *b }

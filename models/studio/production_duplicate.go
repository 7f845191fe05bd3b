package studio

import (
	"context"
	"slices"

	"atelier/models"
	"atelier/models/library"
	"atelier/models/space"
)

// DuplicateProduction makes an own copy in the selected space, with the shots and without
// results and shares. What it names and the copy may not stays behind.
func (s *Service) DuplicateProduction(ctx context.Context, id models.ID) (*Production, error) {
	if err := admit(models.ActorFrom(ctx)); err != nil {
		return nil, err
	}
	var twin *Production
	err := s.DB.Write(ctx, func(tx *models.Tx) error {
		p, _, err := s.reachProduction(tx.Context(), tx.DB, id)
		if err != nil {
			return err
		}
		copied := *p
		twin = &copied
		twin.Name, twin.Version, twin.Status, twin.Uses = library.CopyName(p.Name), 1, Draft, models.IDs{}
		twin.FilmFingerprint, twin.VideoURL, twin.ThumbnailURL, twin.CaptionsURL = "", nil, nil, nil
		var folder *models.ID
		if same(p.WorkspaceID, tx.Actor.WorkspaceID) && (p.WorkspaceID != nil || p.OwnerID == tx.Actor.UserID) {
			folder = p.ProjectID
		}
		shots := p.Shots
		twin.Shots = nil
		err = s.keepProduction(tx, twin, folder, nil, func(viewer *space.Viewer) error { return s.keepNames(tx, viewer, twin, shots) })
		if err != nil {
			return err
		}
		return s.copyShots(tx, twin, shots)
	})
	if err != nil {
		return nil, err
	}
	return s.FindProduction(ctx, twin.ID)
}

// copyShots gives a production shots like others, which nothing was made of.
func (s *Service) copyShots(tx *models.Tx, twin *Production, shots []*Shot) error {
	twin.Shots = make([]*Shot, len(shots))
	for i, shot := range shots {
		copied := *shot
		copied.ID, copied.ProductionID, copied.Position, copied.Version = tx.NewID(), twin.ID, i+1, 1
		copied.Status, copied.ErrorMessage, copied.ExecutionID, copied.Results, copied.Share, copied.SharedURL = ShotEmpty, nil, nil, nil, nil, nil
		copied.CreatedAt, copied.UpdatedAt = tx.Now, tx.Now
		twin.Shots[i] = &copied
	}
	if len(twin.Shots) > 0 {
		if err := tx.Create(twin.Shots).Error; err != nil {
			return err
		}
	}
	return s.noteChange(tx, twin)
}

// keepNames takes out of a production and its shots what they may not name in a space.
func (s *Service) keepNames(tx *models.Tx, viewer *space.Viewer, p *Production, shots []*Shot) error {
	voices, elements := []models.ID{}, slices.Clone([]models.ID(p.CastIDs))
	for _, shot := range shots {
		elements = append(elements, shot.elements()...)
		if shot.VoiceID != nil {
			voices = append(voices, *shot.VoiceID)
		}
	}
	if p.NarratorVoiceID != nil {
		voices = append(voices, *p.NarratorVoiceID)
	}
	known, err := s.Library.Elements().In(tx.DB, viewer, elements...)
	if err != nil {
		return err
	}
	spoken, err := s.Library.Voices().In(tx.DB, viewer, voices...)
	if err != nil {
		return err
	}
	if err := s.checkStyle(tx.DB, viewer, &Production{}, p); err != nil {
		if _, refused := models.AsError(err); !refused {
			return err
		}
		p.PresetID = nil
	}
	if _, err := s.pipelineFor(tx.DB, viewer, p.PipelineID); err != nil {
		if _, refused := models.AsError(err); !refused {
			return err
		}
		p.PipelineID = StandardPipeline
	}
	one := func(id **models.ID, there func(models.ID) bool) {
		if *id != nil && !there(**id) {
			*id = nil
		}
	}
	isElement := func(id models.ID) bool { return known[id] != nil }
	isVoice := func(id models.ID) bool { return spoken[id] != nil }
	keep := func(ids models.IDs) models.IDs {
		return slices.DeleteFunc(slices.Clone(ids), func(id models.ID) bool { return !isElement(id) })
	}
	p.CastIDs = keep(p.CastIDs)
	one(&p.NarratorVoiceID, isVoice)
	for _, shot := range shots {
		shot.CharacterIDs, shot.CreatureIDs, shot.ObjectIDs = keep(shot.CharacterIDs), keep(shot.CreatureIDs), keep(shot.ObjectIDs)
		one(&shot.SpeakerID, isElement)
		one(&shot.LocationID, isElement)
		one(&shot.VoiceID, isVoice)
	}
	return nil
}

package studio

import (
	"math"
	"slices"

	"atelier/models"
	"atelier/models/library"
)

// How a camera looks, the usual first.
var (
	cameraSizes     = []string{"medium", "extreme-wide", "wide", "full", "close", "extreme-close"}
	cameraAngles    = []string{"eye", "high", "low", "overhead"}
	cameraMovements = []string{"static", "push-in", "pull-out", "pan-left", "pan-right", "tilt-up", "tilt-down"}
)

// The length of a shot in seconds.
const (
	minShot = 1
	maxShot = 30
)

// usualCamera is a camera of which nothing is said.
var usualCamera = Camera{Size: cameraSizes[0], Angle: cameraAngles[0], Movement: cameraMovements[0]}

func cleanCamera(field string, in CameraInput) (c Camera, err error) {
	if c.Size, err = choice(field+".size", in.Size, cameraSizes); err != nil {
		return c, err
	}
	if c.Angle, err = choice(field+".angle", in.Angle, cameraAngles); err != nil {
		return c, err
	}
	c.Movement, err = choice(field+".movement", in.Movement, cameraMovements)
	return c, err
}

func cleanDuration(seconds *float64) (*float64, error) {
	if seconds != nil && (math.IsNaN(*seconds) || *seconds < minShot || *seconds > maxShot) {
		return nil, models.Invalid("duration", "must be between %d and %d seconds", minShot, maxShot)
	}
	return seconds, nil
}

// cleanIDs are the elements of a list in their order, each once.
func cleanIDs(field string, ids []models.ID) (models.IDs, error) {
	kept := models.IDs{}
	for _, id := range ids {
		if !slices.Contains(kept, id) {
			kept = append(kept, id)
		}
	}
	if len(kept) > maxEach {
		return nil, models.Invalid(field, "must be at most %d", maxEach)
	}
	return kept, nil
}

// newShot is the shot of an input, its form checked.
func newShot(in CreateShotInput) (*Shot, error) {
	s := &Shot{Camera: usualCamera, Status: ShotEmpty, Version: 1, CharacterIDs: models.IDs{}, CreatureIDs: models.IDs{}, ObjectIDs: models.IDs{}}
	change := UpdateShotInput{CharacterIDs: some(&in.CharacterIDs), CreatureIDs: some(&in.CreatureIDs), ObjectIDs: some(&in.ObjectIDs)}
	change.Title, change.Action, change.Dialogue = some(in.Title), some(in.Action), some(in.Dialogue)
	change.SpeakerID, change.VoiceID, change.LocationID, change.SpeakerName = some(in.SpeakerID), some(in.VoiceID), some(in.LocationID), some(in.SpeakerName)
	change.Camera, change.Duration, change.Prompt, change.NegativePrompt = some(in.Camera), some(in.Duration), some(in.Prompt), some(in.NegativePrompt)
	change.OwnImageURL, change.Skip, change.Locked, change.Notes = some(in.OwnImageURL), some(in.Skip), some(in.Locked), some(in.Notes)
	return s, s.change(change)
}

// some is a field that was sent, unless it is nil.
func some[T any](v *T) (o models.Opt[T]) {
	if v == nil {
		return o
	}
	return models.Some(*v)
}

// change takes over what was sent, its form checked.
func (s *Shot) change(in UpdateShotInput) error {
	type texts = struct {
		name string
		sent models.Opt[string]
		to   *string
		most int
	}
	for _, text := range []texts{
		{"title", in.Title, &s.Title, maxTitle}, {"action", in.Action, &s.Action, maxAction}, {"dialogue", in.Dialogue, &s.Dialogue, maxDialogue},
		{"speakerName", in.SpeakerName, &s.SpeakerName, maxTitle},
		{"prompt", in.Prompt, &s.Prompt, maxPrompt}, {"negativePrompt", in.NegativePrompt, &s.NegativePrompt, maxPrompt}, {"notes", in.Notes, &s.Notes, maxNotes},
	} {
		if err := library.Change(text.name, text.sent, text.to, library.Bounded(text.most)); err != nil {
			return err
		}
	}
	for _, set := range []func() error{
		func() error { return changeIDs("characterIds", in.CharacterIDs, &s.CharacterIDs) },
		func() error { return changeIDs("creatureIds", in.CreatureIDs, &s.CreatureIDs) },
		func() error { return changeIDs("objectIds", in.ObjectIDs, &s.ObjectIDs) },
		func() error {
			sent, ok, err := models.Required("camera", in.Camera)
			if err == nil && ok {
				s.Camera, err = cleanCamera("camera", sent)
			}
			return err
		},
		func() (err error) {
			if seconds, sent := in.Duration.ValueOK(); sent {
				s.Duration, err = cleanDuration(seconds)
			}
			return err
		},
		func() (err error) {
			if address, sent := in.OwnImageURL.ValueOK(); sent {
				s.OwnImageURL, err = library.CleanAddress("ownImageUrl", address)
			}
			return err
		},
		func() error { return library.Change("skip", in.Skip, &s.Skip, as[bool]) },
		func() error { return library.Change("locked", in.Locked, &s.Locked, as[bool]) },
	} {
		if err := set(); err != nil {
			return err
		}
	}
	for _, id := range []struct {
		sent models.Opt[models.ID]
		to   **models.ID
	}{{in.SpeakerID, &s.SpeakerID}, {in.VoiceID, &s.VoiceID}, {in.LocationID, &s.LocationID}} {
		if sent, ok := id.sent.ValueOK(); ok {
			*id.to = sent
		}
	}
	if n := len(s.CharacterIDs) + len(s.CreatureIDs) + len(s.ObjectIDs); n > maxTogether {
		return models.Invalid("characterIds", "is too much: at most %d characters, creatures and objects together", maxTogether)
	}
	return nil
}

func as[T any](_ string, v T) (T, error) { return v, nil }

func changeIDs(field string, sent models.Opt[[]models.ID], to *models.IDs) error {
	ids, ok, err := models.Required(field, sent)
	if err == nil && ok {
		*to, err = cleanIDs(field, ids)
	}
	return err
}

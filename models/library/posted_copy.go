package library

import (
	"encoding/json"

	"atelier/models"
	"atelier/models/media"
	"atelier/models/space"
)

// How what was posted in the community becomes a private thing of the selected space, in the
// caller's transaction. Each copy names its source.

// InsertCopy keeps a copy of a preset.
func (s Presets) InsertCopy(tx *models.Tx, in CreatePresetInput, source json.RawMessage) (models.ID, error) {
	private := space.Private
	in.Visibility = &private
	if in.ImageURL != nil && (*in.ImageURL == "" || s.library.checkPicture(tx.DB, "imageUrl", nil, in.ImageURL) != nil) {
		in.ImageURL = nil
	}
	made, err := s.Create(tx.Context(), in)
	if err != nil {
		return models.ID{}, err
	}
	return made.ID, tx.Model(made).Update("source", string(source)).Error
}

// InsertCopy keeps a copy of a designed voice.
func (s Voices) InsertCopy(tx *models.Tx, v *Voice, name, description string) error {
	if err := v.describe(name, &description); err != nil {
		return err
	}
	private := space.Private
	if _, err := s.library.placeVoice(tx, v, &private); err != nil {
		return err
	}
	if err := tx.Create(v).Error; err != nil {
		return err
	}
	return auditVoice(tx, v, "voice.created", models.Fields{"source": {To: v.Source}})
}

// CopiedPicture is a picture of an element, and the file that it is copied from.
type CopiedPicture struct {
	Image
	File *media.File
}

// InsertCopy keeps a copy of an element that depicts no person, with its pictures.
func (s Elements) InsertCopy(tx *models.Tx, e *Element, projectID *models.ID, pictures []CopiedPicture) error {
	private := space.Private
	viewer, err := s.library.placeNew(tx, e, CreateElementInput{ProjectID: projectID, Visibility: &private})
	if err != nil {
		return err
	}
	if err := s.library.insertElement(tx, viewer, e, nil); err != nil {
		return err
	}
	for _, picture := range pictures {
		if err := s.library.addCopy(tx, e, picture.File, picture.Image); err != nil {
			return err
		}
	}
	return nil
}

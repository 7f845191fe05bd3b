package library

import (
	"context"
	"maps"
	"slices"

	"atelier/models"
	"atelier/models/media"
	"atelier/models/space"
)

// Duplicate copies an element into the selected space with its pictures,
// without its training. What depicts a person is never copied: validation_error.
func (s Elements) Duplicate(ctx context.Context, id models.ID) (*Element, error) {
	if err := admit(models.ActorFrom(ctx)); err != nil {
		return nil, err
	}
	var twin *Element
	err := s.library.DB.Write(ctx, func(tx *models.Tx) error {
		e, _, err := s.Reach(tx.Context(), id)
		if err != nil {
			return err
		}
		if e.DepictsPerson {
			return models.Err(models.CodeValidation, "What depicts a person cannot be duplicated: its consent is for this one")
		}
		viewer, err := s.library.Spaces.ForCreate(tx)
		if err != nil {
			return err
		}
		if err := viewer.CheckOpen(true); err != nil {
			return err
		}
		if twin, err = s.library.twinOf(tx, viewer, e); err != nil {
			return err
		}
		if err := takeRoom(tx, viewer); err != nil {
			return err
		}
		if twin.Handle, err = freeHandle(tx, viewer, e.Handle); err != nil {
			return err
		}
		if err := s.library.insertElement(tx, viewer, twin, nil); err != nil {
			return err
		}
		return s.library.copyImages(tx, e, twin)
	})
	if err != nil {
		return nil, err
	}
	return s.Find(ctx, twin.ID)
}

// twinOf is a new element of a space that is like another one. A voice and a
// folder that it has not there stay behind.
func (s *Service) twinOf(tx *models.Tx, viewer *space.Viewer, e *Element) (*Element, error) {
	o, err := viewer.Place(nil)
	if err != nil {
		return nil, err
	}
	twin := &Element{
		Kind: e.Kind, Name: e.Name, Description: e.Description, Prompt: e.Prompt, NegativePrompt: e.NegativePrompt,
		Attributes: maps.Clone(e.Attributes), Tags: slices.Clone(e.Tags), Seed: e.Seed, Palette: slices.Clone(e.Palette),
		Status: Ready, VoiceID: e.VoiceID, Source: e.Source, Version: 1,
		Placed: Placed{OwnerID: o.OwnerID, WorkspaceID: o.WorkspaceID, OrganizationID: o.OrganizationID, Visibility: o.Visibility},
	}
	if same(e.WorkspaceID, twin.WorkspaceID) {
		twin.ProjectID = e.ProjectID
	} else {
		twin.VoiceID = nil
	}
	return twin, nil
}

// copyImages gives an element private files of its own with another's pictures.
func (s *Service) copyImages(tx *models.Tx, from, to *Element) error {
	images, err := ImagesOf(tx.DB, from.ID)
	if err != nil {
		return err
	}
	ids := make([]models.ID, len(images))
	for i, image := range images {
		ids[i] = image.FileID
	}
	files, err := s.Media.PrivateFiles(tx.DB, ids...)
	if err != nil {
		return err
	}
	for _, image := range images {
		if files[image.FileID] == nil {
			continue
		}
		if err := s.addCopy(tx, to, files[image.FileID], *image); err != nil {
			return err
		}
	}
	return nil
}

// addCopy adds a picture like another one to an element, with a private file of its own.
func (s *Service) addCopy(tx *models.Tx, to *Element, of *media.File, like Image) error {
	file, err := s.Media.CopyPrivate(tx, to.OwnerID, to.WorkspaceID, of)
	if err != nil {
		return err
	}
	return tx.Create(&Image{
		ID: tx.NewID(), ElementID: to.ID, FileID: file.ID, Role: like.Role, Caption: like.Caption,
		IsPrimary: like.IsPrimary, AwaitsConsent: like.AwaitsConsent, Palette: like.Palette, CreatedAt: tx.Now,
	}).Error
}

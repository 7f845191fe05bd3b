package library

import (
	"context"

	"atelier/models"
	"atelier/models/space"
)

// The caps of a space and of an element; see docs/security.md.
const (
	MaxElements      = 2_000
	MaxElementImages = 30
	maxImageURLs     = 10
)

// Create makes an element in the selected space, with copies of the
// pictures at the addresses. Refusals: name_taken for a handle, limit_reached
// for a full space, validation_error on consent for what depicts a person.
func (s Elements) Create(ctx context.Context, in CreateElementInput) (*Element, error) {
	if err := admit(models.ActorFrom(ctx)); err != nil {
		return nil, err
	}
	e, err := newElement(in)
	if err != nil {
		return nil, err
	}
	if len(in.ImageUrls) > maxImageURLs {
		return nil, models.Invalid("imageUrls", "must be at most %d", maxImageURLs)
	}
	if err := s.library.mayCreate(ctx, in.ProjectID); err != nil {
		return nil, err
	}
	brought, err := s.library.bringAll(ctx, in.Kind, in.ImageUrls)
	defer closeAll(brought)
	if err != nil {
		return nil, err
	}
	err = s.library.Media.WithContent(ctx, contents(brought), func(tx *models.Tx) error {
		viewer, err := s.library.placeNew(tx, e, in)
		if err != nil {
			return err
		}
		if err := s.library.insertElement(tx, viewer, e, in.Consent); err != nil {
			return err
		}
		return s.library.addBrought(tx, viewer, e, brought)
	})
	if err != nil {
		return nil, err
	}
	return s.Find(ctx, e.ID)
}

// mayCreate refuses before anything is fetched who cannot create in the selected space.
func (s *Service) mayCreate(ctx context.Context, projectID *models.ID) error {
	viewer, err := s.Spaces.Selected(ctx)
	if err != nil {
		return err
	}
	if err := space.CheckFolder(s.DB.Read(ctx), viewer, projectID); err != nil {
		return err
	}
	return viewer.CheckOpen(true)
}

// placeNew puts a new element into the selected space, which is held, and checks
// what it names there.
func (s *Service) placeNew(tx *models.Tx, e *Element, in CreateElementInput) (*space.Viewer, error) {
	viewer, err := s.Spaces.ForCreate(tx)
	if err != nil {
		return nil, err
	}
	// A project of another space does not exist here, whatever else is wrong.
	if err := space.CheckFolder(tx.DB, viewer, in.ProjectID); err != nil {
		return nil, err
	}
	if err := viewer.CheckOpen(true); err != nil {
		return nil, err
	}
	depicts := e.DepictsPerson || e.Kind == Face || e.FaceID != nil
	o, err := viewer.Place(defaultPrivacy(depicts, in.Visibility))
	if err != nil {
		return nil, err
	}
	e.Placed = Placed{OwnerID: o.OwnerID, WorkspaceID: o.WorkspaceID, OrganizationID: o.OrganizationID, ProjectID: in.ProjectID, Visibility: o.Visibility}
	return viewer, s.checkVoice(tx, e)
}

// checkVoice refuses a voice that the caller does not reach.
func (s *Service) checkVoice(tx *models.Tx, e *Element) error {
	if e.VoiceID == nil {
		return nil
	}
	_, err := s.Voices().Find(tx.Context(), *e.VoiceID)
	if models.HasCode(err, models.CodeNotFound) {
		return models.Invalid("voiceId", "names no voice that you may use")
	}
	return err
}

// insertElement writes the row of an element that was placed, under its consent,
// where the space has room: limit_reached.
func (s *Service) insertElement(tx *models.Tx, viewer *space.Viewer, e *Element, consent *ConsentInput) error {
	if err := takeRoom(tx, viewer); err != nil {
		return err
	}
	if err := s.consentForNew(tx, viewer, e, consent); err != nil {
		return err
	}
	var err error
	if e.Handle == "" {
		if e.Handle, err = freeHandle(tx, viewer, madeHandle(e.Name, e.Kind)); err != nil {
			return err
		}
	}
	e.ID, e.CreatedAt, e.UpdatedAt = tx.NewID(), tx.Now, tx.Now
	if err := tx.Create(e).Error; err != nil {
		return err
	}
	if err := s.keepNewConsent(tx, e); err != nil {
		return err
	}
	return auditElement(tx, e, "created", models.Fields{"visibility": {To: e.Visibility}})
}

// takeRoom makes those who create elements in a space wait for each other, and
// refuses when it is full.
func takeRoom(tx *models.Tx, viewer *space.Viewer) error {
	if err := tx.Exec(`SELECT pg_advisory_xact_lock(hashtextextended(?, 0))`, "elements:"+viewer.Key()).Error; err != nil {
		return err
	}
	var n int64
	if err := inSpace(tx.Model(&Element{}), viewer).Count(&n).Error; err != nil {
		return err
	}
	if n >= MaxElements {
		return models.Err(models.CodeLimitReached, "A space has at most %d elements: delete some first", MaxElements)
	}
	return nil
}

// auditElement writes an audit entry for an element of an organization, without
// a name: its details hold ids and the names of fields.
func auditElement(tx *models.Tx, e *Element, what string, fields models.Fields) error {
	if e.OrganizationID == nil {
		return nil
	}
	return tx.Audit(*e.OrganizationID, string(e.Kind)+"."+what, models.Target{Type: string(e.Kind), ID: e.ID, WorkspaceID: e.WorkspaceID}, fields)
}

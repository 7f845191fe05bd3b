package library

import (
	"context"
	"time"

	"gorm.io/gorm"

	"atelier/models"
	"atelier/models/media"
	"atelier/models/space"
)

// consentListed is a row of ListConsents.
type consentListed struct {
	ID          models.ID
	Kind        string
	Name        string
	OwnerID     models.ID
	WorkspaceID *models.ID
	Consent     *Consent `gorm:"serializer:json"`
	FileID      *models.ID
	CreatedAt   time.Time
	UpdatedAt   time.Time
}

// ListConsents is what awaits the caller's consent in the selected space, and
// everything anywhere that depicts the caller, newest first.
func (s *Service) ListConsents(ctx context.Context, page models.Page) (*models.Connection[*ConsentItem], error) {
	actor := models.ActorFrom(ctx)
	if err := admit(actor); err != nil {
		return nil, err
	}
	viewer, err := s.Spaces.Selected(ctx)
	if err != nil {
		return nil, err
	}
	db := s.DB.Read(ctx)
	elements := consentsOf(db.Table("elements"), db, viewer).
		Select(`elements.id, kind, name, owner_id, workspace_id, consent, elements.created_at, elements.updated_at,
			(SELECT i.file_id FROM element_images i WHERE i.element_id = elements.id AND i.is_primary) AS file_id`)
	voices := consentsOf(db.Table("voices"), db, viewer).
		Select("voices.id, 'voice' AS kind, name, owner_id, workspace_id, consent, voices.created_at, voices.updated_at, NULL::uuid AS file_id")
	list := models.List[*consentListed]{
		Name: "consents:" + viewer.Key() + ":" + actor.UserID.String(), Position: func(c *consentListed) string { return c.ID.String() },
	}
	rows, err := models.ListPage(s.DB, list, page, db.Table("(? UNION ALL ?) consented", elements, voices), models.NewestFirst("consented.id"))
	if err != nil {
		return nil, err
	}
	var files []models.ID
	for _, row := range rows.Nodes {
		if row.FileID != nil {
			files = append(files, *row.FileID)
		}
	}
	pictures, err := s.Media.PrivateFiles(db, files...)
	if err != nil {
		return nil, err
	}
	return models.MapConnection(rows, func(row *consentListed) *ConsentItem { return s.consentItem(row, viewer, pictures) }), nil
}

// consentsOf are the things among those of a table about whose consents a person may say
// something: they await an admin of the space, or depict the caller.
func consentsOf(things, db *gorm.DB, viewer *space.Viewer) *gorm.DB {
	q := things.Where("consent IS NOT NULL")
	depicted := db.Where("(consent ->> 'userId')::uuid = ?", viewer.UserID)
	if !viewer.IsAdmin() {
		return q.Where(depicted)
	}
	return q.Where(depicted.Or(
		"workspace_id = ? AND consent ->> 'status' = ? AND consent -> 'awaits' @> ?::jsonb", viewer.Workspace.ID, Awaiting, `["`+awaitsAdmin+`"]`))
}

func (s *Service) consentItem(row *consentListed, viewer *space.Viewer, pictures map[models.ID]*media.File) *ConsentItem {
	now := s.DB.Clock.Now()
	r := space.Personal(viewer.UserID, false) // where it is not the selected space, the caller is who is depicted
	if row.WorkspaceID != nil && viewer.Workspace != nil && *row.WorkspaceID == viewer.Workspace.ID {
		r = viewer
	}
	item := &ConsentItem{
		ID: row.ID, Kind: row.Kind, Name: row.Name, MadeBy: row.OwnerID, CreatedAt: row.CreatedAt, UpdatedAt: row.UpdatedAt,
		Consent: row.Consent.shownTo(r, now), AwaitsMe: row.Consent.awaitsCaller(r), DepictsMe: row.Consent.depicts(viewer.UserID),
	}
	if row.FileID != nil && pictures[*row.FileID] != nil {
		address, _ := s.Media.SignedURL(pictures[*row.FileID], now)
		item.ImageURL = &address
	}
	return item
}

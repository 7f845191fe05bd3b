package library

import (
	"context"

	"gorm.io/gorm"

	"atelier/models/space"
)

// ofCaller are the ways in which a row depicts the caller: by its own consent, and of
// elements by that of the face that they have.
var ofCaller = map[string]string{
	"elements": `((elements.consent ->> 'userId')::uuid = @user OR elements.face_id IN (
		SELECT face.id FROM elements face WHERE face.consent IS NOT NULL AND (face.consent ->> 'userId')::uuid = @user))`,
	"voices": `(voices.consent ->> 'userId')::uuid = @user`,
}

// elementsIn narrows a query of elements to what the caller reaches in the space: the rule of
// flow.OwnedIn, and what depicts the caller, no matter who made it and for whom.
func (s *Service) elementsIn(ctx context.Context, q *gorm.DB, viewer *space.Viewer) *gorm.DB {
	return s.depictingIn(ctx, q, "elements", viewer)
}

// voicesIn is elementsIn for voices.
func (s *Service) voicesIn(ctx context.Context, q *gorm.DB, viewer *space.Viewer) *gorm.DB {
	return s.depictingIn(ctx, q, "voices", viewer)
}

func (s *Service) depictingIn(ctx context.Context, q *gorm.DB, table string, viewer *space.Viewer) *gorm.DB {
	return space.OwnedIn(q, table, viewer, s.DB.Read(ctx).Where(ofCaller[table], map[string]any{"user": viewer.UserID}))
}

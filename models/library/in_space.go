package library

import (
	"context"

	"gorm.io/gorm"

	"atelier/models/flow"
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
func (s *Service) elementsIn(ctx context.Context, q *gorm.DB, space *flow.Reach) *gorm.DB {
	return s.depictingIn(ctx, q, "elements", space)
}

// voicesIn is elementsIn for voices.
func (s *Service) voicesIn(ctx context.Context, q *gorm.DB, space *flow.Reach) *gorm.DB {
	return s.depictingIn(ctx, q, "voices", space)
}

func (s *Service) depictingIn(ctx context.Context, q *gorm.DB, table string, space *flow.Reach) *gorm.DB {
	return flow.OwnedIn(q, table, space, s.DB.Read(ctx).Where(ofCaller[table], map[string]any{"user": space.UserID}))
}

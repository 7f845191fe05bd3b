package org

import (
	"context"
	"time"

	"atelier/models"
)

// slugChecks are enough for a person who types.
var slugChecks = models.Limit{Name: "organizations.slug_free", Max: 60, Per: time.Minute}

// SlugFree tells whether an organization could have a slug now (anyone who is
// signed in; sixty times a minute).
func (s *Service) SlugFree(ctx context.Context, slug string) (bool, error) {
	actor, err := reader(ctx)
	if err != nil {
		return false, err
	}
	if err := CheckSlug(&slug); err != nil {
		return false, err
	}
	if err := s.DB.CountCall(ctx, slugChecks, actor.UserID.String()); err != nil {
		return false, err
	}
	err = s.checkSlugFree(ctx, &slug)
	if models.HasCode(err, models.CodeNameTaken) {
		return false, nil
	}
	return err == nil, err
}

package org

import (
	"context"

	"atelier/models"
	"atelier/models/account"
)

// RememberSelection keeps the workspace that the caller works in, which they
// must be able to select; nil is the personal space (session only).
func (s *Service) RememberSelection(ctx context.Context, id *models.ID) (*account.User, error) {
	if err := models.ActorFrom(ctx).RequireSession(); err != nil {
		return nil, err
	}
	if id != nil {
		if _, err := s.SelectWorkspace(ctx, *id); err != nil {
			return nil, err
		}
	}
	if err := s.Accounts.RememberWorkspace(ctx, id); err != nil {
		return nil, err
	}
	return s.Accounts.FindProfile(ctx)
}

package oauth

import (
	"context"
	"errors"
	"time"

	"atelier/models"
)

// How long rows are kept that count no more.
const (
	unusedFor = 30 * 24 * time.Hour  // a registration that no one used
	idleFor   = 180 * 24 * time.Hour // one that no one allows any more
	endedFor  = 90 * 24 * time.Hour  // grants that were taken back, and deleted apps
)

// Sweep ends what is left of deleted apps, and removes codes and tokens that
// ended a day ago, grants and apps that ended long ago, and registrations that
// no one used.
func (s *Service) Sweep(ctx context.Context) error {
	now := s.DB.Clock.Now()
	dayAgo := now.Add(-24 * time.Hour)
	err := errors.Join(
		s.endDeleted(ctx),
		s.DB.SweepRows(ctx, "oauth_codes", "expires_at < $1", dayAgo),
		s.DB.SweepRows(ctx, "oauth_tokens", "expires_at < $1 OR revoked_at < $1", dayAgo),
		s.endIdle(ctx, now),
		s.dropUnused(ctx, now.Add(-unusedFor)),
	)
	// Grants go when nothing points at them any more, and then their apps.
	return errors.Join(err,
		s.DB.SweepRows(ctx, "oauth_grants", `revoked_at < $1
			AND NOT EXISTS (SELECT FROM oauth_tokens t WHERE t.grant_id = oauth_grants.id)
			AND NOT EXISTS (SELECT FROM oauth_codes c WHERE c.grant_id = oauth_grants.id)`, now.Add(-endedFor)),
		s.DB.SweepRows(ctx, "oauth_apps", "deleted_at < $1 AND NOT EXISTS (SELECT FROM oauth_grants g WHERE g.app_id = oauth_apps.id)", now.Add(-endedFor)))
}

// endDeleted ends the grants that are left of deleted apps.
func (s *Service) endDeleted(ctx context.Context) error {
	var ids []models.ID
	err := s.DB.Read(ctx).Model(&App{}).Where("ending").Order("id").Limit(100).Pluck("id", &ids).Error
	for _, id := range ids {
		for more := true; more && err == nil; {
			more, err = s.endMore(ctx, id)
		}
	}
	return err
}

// endIdle marks registrations deleted that were used, and that no one allows any more.
func (s *Service) endIdle(ctx context.Context, now time.Time) error {
	return s.DB.Read(ctx).Exec(`
		UPDATE oauth_apps SET deleted_at = ?, ending = true WHERE owner_id IS NULL AND deleted_at IS NULL AND last_used_at < ?
			AND NOT EXISTS (SELECT FROM oauth_grants g WHERE g.app_id = oauth_apps.id AND g.revoked_at IS NULL)`, now, now.Add(-idleFor)).Error
}

// dropUnused removes registrations of before a moment that no one used.
func (s *Service) dropUnused(ctx context.Context, before time.Time) error {
	return s.DB.SweepRows(ctx, "oauth_apps", `owner_id IS NULL AND last_used_at IS NULL AND created_at < $1
		AND NOT EXISTS (SELECT FROM oauth_grants g WHERE g.app_id = oauth_apps.id)`, before)
}

package oauth

import (
	"context"

	"atelier/models"
	"atelier/models/account"
)

// countApps says which apps end with an account: those that act for its person,
// and those that the person registered.
func (s *Service) countApps(ctx context.Context, userID models.ID, c *account.Closing) error {
	return s.DB.Read(ctx).Raw(`
		SELECT (SELECT count(*) FROM oauth_grants WHERE user_id = ? AND revoked_at IS NULL) AS connected_apps,
			(SELECT count(*) FROM oauth_apps WHERE owner_id = ? AND deleted_at IS NULL) AS developer_apps`, userID, userID).
		Row().Scan(&c.ConnectedApps, &c.DeveloperApps)
}

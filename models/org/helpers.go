package org

import (
	"context"

	"atelier/models"
	"atelier/models/account"
)

// maxHelpers is how many people a refusal names.
const maxHelpers = 5

// HelpersByOrganization are the active owner and admins of organizations, the
// owner first, at most five of each: whom their members can ask. The
// organizations were authorized when they were read.
func (s Members) HelpersByOrganization(ctx context.Context, ids []models.ID) (map[models.ID][]models.ID, error) {
	return s.org.helpers(ctx, ids, `
		SELECT m.organization_id AS place_id, m.user_id, row_number() OVER (PARTITION BY m.organization_id ORDER BY m.role = 'owner' DESC, m.user_id) AS n
		FROM organization_members m `+account.JoinUndeleted("m.user_id")+`
		WHERE m.organization_id IN ? AND m.role IN ('owner', 'admin') AND m.status = ?`)
}

// Helpers are the active admins who are listed in workspaces, at
// most five of each; see Members.HelpersByOrganization.
func (s WorkspaceMembers) Helpers(ctx context.Context, ids []models.ID) (map[models.ID][]models.ID, error) {
	return s.org.helpers(ctx, ids, `
		SELECT m.workspace_id AS place_id, m.user_id, row_number() OVER (PARTITION BY m.workspace_id ORDER BY m.added_at, m.user_id) AS n
		FROM workspace_members m `+account.JoinUndeleted("m.user_id")+`
		JOIN organization_members o ON o.organization_id = m.organization_id AND o.user_id = m.user_id AND o.status = 'active'
		WHERE m.workspace_id IN ? AND m.role = 'admin' AND m.status = ?`)
}

func (s *Service) helpers(ctx context.Context, ids []models.ID, ranked string) (map[models.ID][]models.ID, error) {
	var rows []struct{ PlaceID, UserID models.ID }
	err := s.DB.Read(ctx).Raw(`SELECT place_id, user_id FROM (`+ranked+`) ranked WHERE n <= ? ORDER BY place_id, n`, ids, MemberActive, maxHelpers).Scan(&rows).Error
	found := map[models.ID][]models.ID{}
	for _, id := range ids {
		found[id] = nil
	}
	for _, row := range rows {
		found[row.PlaceID] = append(found[row.PlaceID], row.UserID)
	}
	return found, err
}

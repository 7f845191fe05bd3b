package org

import (
	"context"
	"time"

	"atelier/models"
)

// OpenJoinCode is a code that admits people now.
type OpenJoinCode struct {
	WorkspaceID   models.ID
	WorkspaceName string
	ClosesAt      *time.Time
	JoinedToday   int
}

// ListOpen is the codes of an organization that admit people now,
// those that close first in front, at most 50 (owner and admins).
func (s JoinCodes) ListOpen(ctx context.Context, organizationID models.ID) ([]*OpenJoinCode, error) {
	o, err := s.org.readable(ctx, organizationID, ReadMembers)
	if err != nil || o.Status != Active {
		return []*OpenJoinCode{}, err
	}
	now, codes := s.org.DB.Clock.Now(), []*OpenJoinCode{}
	err = s.org.DB.Read(ctx).Table("workspaces w").
		Select(`w.id AS workspace_id, w.name AS workspace_name, c.closes_at,
			(SELECT count(*) FROM workspace_members m WHERE m.workspace_id = w.id AND m.joined_by_code AND m.added_at >= ?) AS joined_today`,
			now.Truncate(24*time.Hour)).
		Joins("JOIN join_codes c ON c.workspace_id = w.id").
		Where("w.organization_id = ? AND w.archived_at IS NULL AND c.enabled AND (c.closes_at IS NULL OR c.closes_at > ?)", o.ID, now).
		Order("c.closes_at, w.name, w.id").Limit(50).Scan(&codes).Error
	return codes, err
}

package org

import (
	"context"
	"slices"

	"atelier/models"
)

// PersonalSpaceClosed tells whether any active organization in which a person
// is active closed the personal space, owners included.
func (s *Service) PersonalSpaceClosed(ctx context.Context, userID models.ID) (bool, error) {
	return models.Recall(ctx, closedKey(userID), func() (closed bool, err error) {
		err = s.DB.Row(ctx, `
			SELECT EXISTS (
				SELECT FROM organization_members m JOIN organizations o ON o.id = m.organization_id
				WHERE m.user_id = $1 AND `+closesPersonalSpace("$2")+`)`,
			userID, kindsWith(func(r Rules) bool { return r.PersonalSpaceEnabled })).Scan(&closed)
		return closed, err
	})
}

// closedKey is under what a transaction remembers whether a person's personal space is closed.
type closedKey models.ID

// PersonalSpacesClosed are those of some accounts whose personal space is closed.
func (s *Service) PersonalSpacesClosed(ctx context.Context, userIDs []models.ID) (map[models.ID]bool, error) {
	closed := map[models.ID]bool{}
	if len(userIDs) == 0 {
		return closed, nil
	}
	found, err := models.Rows(ctx, s.DB, func(id *models.ID) []any { return []any{id} }, `
		SELECT DISTINCT m.user_id FROM organization_members m JOIN organizations o ON o.id = m.organization_id
		WHERE m.user_id = ANY($1::uuid[]) AND `+closesPersonalSpace("$2"), userIDs, kindsWith(func(r Rules) bool { return r.PersonalSpaceEnabled }))
	for _, id := range found {
		closed[id] = true
	}
	return closed, err
}

// closesPersonalSpace is the condition that a membership m of an organization o closes
// the personal space; open are the kinds that leave it open by themselves.
func closesPersonalSpace(open string) string {
	return `m.status = 'active' AND o.status = 'active' AND o.deleted_at IS NULL
		AND NOT coalesce((o.settings ->> 'personal_space_enabled')::boolean, o.kind = ANY(` + open + `))`
}

// kindsWith are the kinds of organization whose defaults fit.
func kindsWith(fits func(Rules) bool) []string {
	kinds := []string{}
	for kind, rules := range defaults {
		if fits(rules) {
			kinds = append(kinds, string(kind))
		}
	}
	slices.Sort(kinds)
	return kinds
}

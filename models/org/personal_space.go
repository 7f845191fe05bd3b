package org

import (
	"context"
	"slices"

	"atelier/models"
)

// PersonalSpaceClosed tells whether any active organization in which somebody
// is active closed the personal space, owners included.
func (s *Service) PersonalSpaceClosed(ctx context.Context, userID models.ID) (closed bool, err error) {
	err = s.DB.Row(ctx, `
		SELECT EXISTS (
			SELECT FROM organization_members m JOIN organizations o ON o.id = m.organization_id
			WHERE m.user_id = $1 AND m.status = 'active' AND o.status = 'active' AND o.deleted_at IS NULL
				AND NOT coalesce((o.settings ->> 'personal_space_enabled')::boolean, o.kind = ANY($2)))`,
		userID, kindsWith(func(r Rules) bool { return r.PersonalSpaceEnabled })).Scan(&closed)
	return closed, err
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

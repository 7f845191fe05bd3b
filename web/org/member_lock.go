package org

import (
	"context"

	"atelier/web/query"
)

// memberLock says why a membership cannot be changed by the viewer; empty when it can.
func memberLock(ctx context.Context, o query.OrganizationHead, m query.OrganizationPerson, self string) string {
	switch {
	case m.Role == query.OrganizationRoleOwner:
		return t(ctx, "The owner's membership changes only when the ownership is handed over.")
	case !o.ViewerCan.ManageMembers:
		return t(ctx, "Owner and admins can change people while the organization is active.")
	case m.User.Id == self:
		return t(ctx, "Your own membership is changed by another admin. You can leave.")
	}
	return ""
}

package org

import "atelier/web/query"

// memberLock says why a membership cannot be changed by the viewer; empty when it can.
func memberLock(o query.OrganizationHead, m query.OrganizationPerson, self string) string {
	switch {
	case m.Role == query.OrganizationRoleOwner:
		return "The owner's membership changes only when the ownership is handed over."
	case !o.ViewerCan.ManageMembers:
		return "Owner and admins can change people while the organization is active."
	case m.User.Id == self:
		return "Your own membership is changed by another admin. You can leave."
	}
	return ""
}

package org

import (
	"net/url"

	"atelier/web/frame"
	"atelier/web/query"
)

// memberFilter is what the address leaves of the list.
type memberFilter struct {
	Search, Workspace *string
	Role              *query.OrganizationRole
	Status            *query.MemberStatus
}

// memberFilterOf reads a filter; values that do not exist are no filter.
func memberFilterOf(values url.Values) memberFilter {
	f := memberFilter{Search: frame.Given(values, "q"), Workspace: frame.Given(values, "workspace")}
	switch role := query.OrganizationRole(values.Get("role")); role {
	case query.OrganizationRoleOwner, query.OrganizationRoleAdmin, query.OrganizationRoleMember:
		f.Role = &role
	}
	switch status := query.MemberStatus(values.Get("status")); status {
	case query.MemberStatusActive, query.MemberStatusSuspended:
		f.Status = &status
	}
	return f
}

package frame

import "atelier/web/query"

// ClosedTo says why nothing new can be made where the person works, empty when it can.
func ClosedTo(at Place) string {
	switch {
	case at.Workspace != nil && at.Workspace.Archived:
		return at.Workspace.Name + " is archived."
	case at.Workspace != nil && Suspended(at.Workspace.MemberStatus):
		return "You are suspended in " + at.Workspace.Name + "."
	case at.Org != nil && at.Org.Status != query.OrganizationStatusActive:
		return at.Org.Name + " is not active."
	}
	return ""
}

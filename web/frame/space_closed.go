package frame

import (
	"context"

	"atelier/web/query"
)

// ClosedTo says why nothing new can be made where the person works, empty when it can.
func ClosedTo(ctx context.Context, at Place) string {
	switch {
	case at.Workspace != nil && at.Workspace.Archived:
		return t(ctx, "%s is archived.", at.Workspace.Name)
	case at.Workspace != nil && Suspended(at.Workspace.MemberStatus):
		return t(ctx, "You are suspended in %s.", at.Workspace.Name)
	case at.Org != nil && at.Org.Status != query.OrganizationStatusActive:
		return t(ctx, "%s is not active.", at.Org.Name)
	}
	return ""
}

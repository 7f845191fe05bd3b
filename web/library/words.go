package library

import (
	"context"

	"atelier/web/query"
)

// roleWord is what a picture of an element shows, within a sentence.
func roleWord(ctx context.Context, role query.ElementImageRole) string {
	switch role {
	case query.ElementImageRoleReference:
		return tc(ctx, "picture", "reference")
	case query.ElementImageRolePortrait:
		return tc(ctx, "picture", "portrait")
	case query.ElementImageRoleFront:
		return tc(ctx, "picture", "front")
	case query.ElementImageRoleSide:
		return tc(ctx, "picture", "side")
	case query.ElementImageRoleBack:
		return tc(ctx, "picture", "back")
	case query.ElementImageRoleSheet:
		return tc(ctx, "picture", "sheet")
	case query.ElementImageRoleExpression:
		return tc(ctx, "picture", "expression")
	case query.ElementImageRoleVariation:
		return tc(ctx, "picture", "variation")
	}
	return string(role)
}

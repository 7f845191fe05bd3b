package graph

import (
	"context"

	"atelier/models"

	"github.com/99designs/gqlgen/graphql"
)

// recentlyConfirmed is @recentlyConfirmed of the schema. Use cases refuse a session of long
// ago where that belongs in the order of checks; behind them nothing that a field with the
// directive writes is committed for one, whichever use case it calls.
func recentlyConfirmed(ctx context.Context, _ any, next graphql.Resolver, when []string) (any, error) {
	if asksForConfirmation(graphql.GetFieldContext(ctx), graphql.GetOperationContext(ctx).Variables, when) {
		ctx = models.OnlyConfirmed(ctx)
	}
	return next(ctx)
}

// asksForConfirmation tells whether the input of a field has one of the fields named; without names it always asks.
func asksForConfirmation(field *graphql.FieldContext, variables map[string]any, when []string) bool {
	if len(when) == 0 {
		return true
	}
	input, _ := field.Field.ArgumentMap(variables)["input"].(map[string]any)
	for _, name := range when {
		if _, sent := input[name]; sent {
			return true
		}
	}
	return false
}

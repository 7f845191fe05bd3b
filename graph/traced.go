package graph

import (
	"context"

	"atelier/models/tracing"

	"github.com/99designs/gqlgen/graphql"
)

// traced tells of the fields that operations ask for at their root, each of
// which is a use case: the one place that sees all that are asked for so.
type traced struct{}

var _ interface {
	graphql.HandlerExtension
	graphql.RootFieldInterceptor
} = traced{}

func (traced) ExtensionName() string                   { return "traced" }
func (traced) Validate(graphql.ExecutableSchema) error { return nil }

func (traced) InterceptRootField(ctx context.Context, next graphql.RootResolver) graphql.Marshaler {
	if !tracing.On() {
		return next(ctx)
	}
	root := graphql.GetRootFieldContext(ctx)
	ctx, span := tracing.Start(ctx, tracing.Inside, root.Object+"."+root.Field.Name)
	defer span.End()
	return next(ctx)
}

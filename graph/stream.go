package graph

import (
	"context"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// streams are the rules of subscriptions: one ends when its caller's
// credentials stop counting, and each of its events is read again. Whether the
// caller may still see what it watches is asked by what is watched.
type streams struct{ resolver *Resolver }

func (streams) ExtensionName() string { return "Streams" }

func (streams) Validate(graphql.ExecutableSchema) error { return nil }

// InterceptOperation runs subscriptions in a context that ends with the credentials.
func (s streams) InterceptOperation(ctx context.Context, next graphql.OperationHandler) graphql.ResponseHandler {
	if subscribes(ctx) {
		ctx = s.resolver.Accounts.WhileValid(ctx)
		if err := context.Cause(ctx); err != nil {
			return graphql.OneShot(&graphql.Response{Errors: gqlerror.List{presentError(ctx, err)}})
		}
	}
	return next(ctx)
}

// InterceptResponse gives each event loaders of its own, which have not read anything yet.
func (s streams) InterceptResponse(ctx context.Context, next graphql.ResponseHandler) *graphql.Response {
	if subscribes(ctx) {
		ctx = WithLoaders(ctx, s.resolver)
	}
	return next(ctx)
}

// subscribes tells whether the operation is a subscription; a document that
// was refused has none.
func subscribes(ctx context.Context) bool {
	if !graphql.HasOperationContext(ctx) {
		return false
	}
	op := graphql.GetOperationContext(ctx).Operation
	return op != nil && op.Operation == ast.Subscription
}

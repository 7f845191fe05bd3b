package graph

import (
	"context"
	"errors"
	"time"

	"atelier/models"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/parser"
)

// How long an operation from outside may take. Mutations may have to fetch
// something; a subscription waits for its events as long as its stream lasts.
const (
	queryTime    = 30 * time.Second
	mutationTime = 2 * time.Minute
	// maxFaults is how many errors an answer names.
	maxFaults = 100
)

var errTooLong = models.Err(models.CodeLimitReached, "The request took too long and was given up: ask for less at once")

// bounded keeps operations from outside within bounds: the document before it
// is validated, then the time, the answer and how much of it is made at once.
type bounded struct{ schema *ast.Schema }

func (bounded) ExtensionName() string { return "Bounded" }

func (bounded) Validate(graphql.ExecutableSchema) error { return nil }

// MutateOperationParameters judges the document. What cannot be parsed is left
// to the executor, which parses it again.
func (b bounded) MutateOperationParameters(ctx context.Context, params *graphql.RawParams) *gqlerror.Error {
	if len(params.Query) > maxQuery {
		return &gqlerror.Error{Err: tooMuch("%d bytes, and may have %d", len(params.Query), maxQuery)}
	}
	parsed, err := parser.ParseQueryWithTokenLimit(&ast.Source{Input: params.Query}, maxTokens)
	if err != nil {
		return nil
	}
	if err := checkDocument(b.schema, models.ActorFrom(ctx), parsed, params.Variables); err != nil {
		return &gqlerror.Error{Err: err}
	}
	return nil
}

// MutateOperationContext opens the schema to those whose document may read it.
func (bounded) MutateOperationContext(ctx context.Context, op *graphql.OperationContext) *gqlerror.Error {
	op.DisableIntrospection = !models.ActorFrom(ctx).SignedIn()
	return nil
}

// InterceptResponse makes one answer within its time and size. What was made
// of an answer that is given up is thrown away: one error says why.
func (b bounded) InterceptResponse(ctx context.Context, next graphql.ResponseHandler) *graphql.Response {
	if !graphql.HasOperationContext(ctx) {
		return next(ctx)
	}
	inner, giveUp := context.WithCancelCause(ctx)
	defer giveUp(nil)
	if !subscribes(ctx) {
		timed, cancel := context.WithTimeoutCause(inner, timeFor(graphql.GetOperationContext(ctx)), errTooLong)
		defer cancel()
		inner = timed
	}
	holds := holdingFrom(ctx)
	if subscribes(ctx) { // each event by itself
		holds = &memoryBudget{all: holds.all}
		defer holds.release()
	}
	response := next(withAnswer(inner, b.schema, holds, giveUp))
	if response == nil {
		return nil
	}
	var why *models.Error
	if errors.As(context.Cause(inner), &why) {
		return &graphql.Response{Errors: gqlerror.List{presentError(ctx, why)}}
	}
	response.Errors = response.Errors[:min(len(response.Errors), maxFaults)]
	return response
}

// timeFor is how long an operation may take to answer.
func timeFor(op *graphql.OperationContext) time.Duration {
	if op.Operation != nil && op.Operation.Operation == ast.Mutation {
		return mutationTime
	}
	return queryTime
}

// InterceptRootField reads few objects at once.
func (bounded) InterceptRootField(ctx context.Context, next graphql.RootResolver) graphql.Marshaler {
	a := answerFrom(ctx)
	if a == nil {
		return next(ctx)
	}
	if !take(ctx, a.roots) {
		return graphql.Null
	}
	defer give(a.roots)
	return next(ctx)
}

// InterceptField resolves few fields at once, and none when the answer is
// given up; equal fields at the root are read once.
func (bounded) InterceptField(ctx context.Context, next graphql.Resolver) (any, error) {
	a, field := answerFrom(ctx), graphql.GetFieldContext(ctx)
	if a == nil {
		return next(ctx)
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	value, err := a.resolve(ctx, field, next)
	if err != nil {
		return nil, err
	}
	a.charge(len(field.Field.Alias) + sizeOf(value))
	return value, nil
}

package graph

import (
	"bytes"
	"context"
	"encoding/json"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/executor"
	"github.com/vektah/gqlparser/v2/ast"
)

// Executor runs operations of the schema within the process: the console is
// its client. Its documents are the program's own, so the limits on documents
// from outside do not apply.
type Executor struct {
	executor *executor.Executor
	resolver *Resolver
	schema   *ast.Schema
}

// NewExecutor makes an executor of the schema.
func NewExecutor(r *Resolver) *Executor {
	schema := newSchema(r)
	e := executor.New(schema)
	configure(e, r)
	return &Executor{e, r, schema.Schema()}
}

// Execute runs a query or mutation and returns the whole response, errors included.
func (e *Executor) Execute(ctx context.Context, query, operation string, variables json.RawMessage) (json.RawMessage, error) {
	next, ctx, err := e.start(ctx, query, operation, variables)
	if err != nil {
		return nil, err
	}
	return json.Marshal(next(ctx))
}

// Subscribe runs a subscription and ticks at each of its events; the channel
// closes when the subscription ends, also because the caller lost access. With
// too much open already it is rate_limit_exceeded.
func (e *Executor) Subscribe(ctx context.Context, query, operation string, variables json.RawMessage) (<-chan struct{}, error) {
	ctx, err := e.resolver.Accounts.Hold(ctx)
	if err != nil {
		return nil, err
	}
	next, ctx, err := e.start(ctx, query, operation, variables)
	if err != nil {
		return nil, err
	}
	ticks := make(chan struct{}, 1)
	go func() {
		defer close(ticks)
		for {
			response := next(ctx)
			if response == nil || len(response.Errors) > 0 {
				return
			}
			select {
			case ticks <- struct{}{}:
			case <-ctx.Done():
				return
			}
		}
	}()
	return ticks, nil
}

// start prepares an operation. A document that does not fit the schema is
// answered like any other response, with its errors.
func (e *Executor) start(ctx context.Context, query, operation string, variables json.RawMessage) (graphql.ResponseHandler, context.Context, error) {
	params := &graphql.RawParams{Query: query, OperationName: operation}
	if len(variables) > 0 {
		decoder := json.NewDecoder(bytes.NewReader(variables))
		decoder.UseNumber()
		if err := decoder.Decode(&params.Variables); err != nil {
			return nil, ctx, err
		}
	}
	ctx = WithLoaders(ctx, e.resolver) // a live page runs its query again and must not read what it read before
	params.ReadTime = graphql.TraceTiming{Start: graphql.Now(), End: graphql.Now()}
	ctx = graphql.StartOperationTrace(ctx)
	op, errs := e.executor.CreateOperationContext(ctx, params)
	if errs != nil {
		return graphql.OneShot(e.executor.DispatchError(graphql.WithOperationContext(ctx, op), errs)), ctx, nil
	}
	next, ctx := e.executor.DispatchOperation(ctx, op)
	return next, ctx, nil
}

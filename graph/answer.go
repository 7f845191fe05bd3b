package graph

import (
	"context"
	"sync"
	"sync/atomic"

	"atelier/models"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
)

// The bounds on one answer to outsiders. Bytes count what is read for lists
// and what is answered, as JSON.
const (
	maxAnswer           = 24 << 20
	maxAnswerOfVisitors = 10 << 20
	rootsAtOnce         = 2
	fieldsAtOnce        = 8
	largeFieldsAtOnce   = 2
)

var errAnswerTooLarge = models.Err(models.CodePayloadTooLarge, "The answer is too large: ask for fewer objects at once")

// answer is the one that is being made: what it may still hold, and how much
// of it is made at once.
type answer struct {
	schema               *ast.Schema
	left                 atomic.Int64
	holds                *memoryBudget
	giveUp               context.CancelCauseFunc
	roots, fields, large chan struct{}

	mu   sync.Mutex
	read map[string]func() (any, error)
}

type answerKey struct{}

func withAnswer(ctx context.Context, schema *ast.Schema, holds *memoryBudget, giveUp context.CancelCauseFunc) context.Context {
	a := &answer{
		schema: schema, holds: holds, giveUp: giveUp, read: map[string]func() (any, error){}, roots: make(chan struct{}, rootsAtOnce),
		fields: make(chan struct{}, fieldsAtOnce), large: make(chan struct{}, largeFieldsAtOnce),
	}
	a.left.Store(maxAnswerOfVisitors)
	if models.ActorFrom(ctx).SignedIn() {
		a.left.Store(maxAnswer)
	}
	return context.WithValue(ctx, answerKey{}, a)
}

// answerFrom is the answer that a request from outside makes, nil within the program.
func answerFrom(ctx context.Context) *answer {
	a, _ := ctx.Value(answerKey{}).(*answer)
	return a
}

// charge counts bytes, and gives the answer up when it becomes too large, by
// itself or with all others.
func (a *answer) charge(bytes int) {
	if a.left.Add(-int64(bytes)) < 0 {
		a.giveUp(errAnswerTooLarge)
	} else if err := a.holds.add(bytes); err != nil {
		a.giveUp(err)
	}
}

// resolve runs the resolver of a field in its turn: that of its answer, and for
// reads that of all. What needs no resolver is there already.
func (a *answer) resolve(ctx context.Context, field *graphql.FieldContext, next graphql.Resolver) (any, error) {
	if !field.IsResolver {
		return next(ctx)
	}
	turn := a.fields
	if a.isLarge(field.Field.Definition) {
		turn = a.large
	}
	if !take(ctx, turn) {
		return nil, context.Cause(ctx)
	}
	defer give(turn)
	if field.Object == "Mutation" || field.Object == "Subscription" {
		return next(ctx)
	}
	if !take(ctx, a.holds.all.reads) {
		return nil, context.Cause(ctx)
	}
	defer give(a.holds.all.reads)
	if field.Object != "Query" {
		return next(ctx)
	}
	return a.once(callOf(field.Field.Field), func() (any, error) { return next(ctx) })
}

// once shares what a field at the root reads among all that ask for the same.
func (a *answer) once(call string, read func() (any, error)) (any, error) {
	a.mu.Lock()
	shared, asked := a.read[call]
	if !asked {
		shared = sync.OnceValues(read)
		a.read[call] = shared
	}
	a.mu.Unlock()
	return shared()
}

// isLarge tells whether a field costs as much as what may be megabytes.
func (a *answer) isLarge(field *ast.FieldDefinition) bool {
	return ownWeight(field) > 0 || listWeight(a.schema, field.Type) > 0
}

// take waits for a turn; false when the answer is given up meanwhile.
func take(ctx context.Context, turn chan struct{}) bool {
	select {
	case turn <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

func give(turn chan struct{}) { <-turn }

// charged counts what a loader of something large reads, and reads no more for
// an answer that is given up.
func charged[K comparable, V any](fetch func(context.Context, []K) (map[K]V, error)) func(context.Context, []K) (map[K]V, error) {
	return func(ctx context.Context, keys []K) (map[K]V, error) {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		found, err := fetch(ctx, keys)
		if a := answerFrom(ctx); a != nil {
			for _, value := range found {
				a.charge(sizeOf(value))
			}
		}
		return found, err
	}
}

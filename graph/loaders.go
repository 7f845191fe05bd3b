package graph

import (
	"context"
	"sync"
	"time"

	"atelier/models"
	"atelier/models/account"

	"github.com/vikstrous/dataloadgen"
)

// Loaders gather what the fields of one request ask for one by one into one
// statement each. They live for one request.
type Loaders struct {
	Users *dataloadgen.Loader[models.ID, *account.User]
	nouns nounLoaders
}

type loadersKey struct{}

// WithLoaders gives a request its loaders, which are made when the first of them is asked for: most requests ask for none.
func WithLoaders(ctx context.Context, r *Resolver) context.Context {
	return context.WithValue(ctx, loadersKey{}, sync.OnceValue(func() *Loaders {
		return &Loaders{Users: loader(r.Accounts.UsersByID), nouns: newNounLoaders(r)}
	}))
}

// loadersFrom are the request's loaders.
func loadersFrom(ctx context.Context) *Loaders {
	return ctx.Value(loadersKey{}).(func() *Loaders)()
}

// loader gathers keys for a millisecond, at most 200 at once.
func loader[K comparable, V any](fetch func(context.Context, []K) (map[K]V, error)) *dataloadgen.Loader[K, V] {
	return dataloadgen.NewMappedLoader(fetch, dataloadgen.WithWait(time.Millisecond), dataloadgen.WithBatchCapacity(200))
}

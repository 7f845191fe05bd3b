// Package bulk makes reading much at once give way: files of many pages, read as fast as a client takes them,
// would keep every processor from those who wait for one answer.
package bulk

import (
	"context"
	"runtime"
	"time"
)

// patience is how long a part waits for its turn; after that it is read beside the others.
const patience = 10 * time.Second

// places are the parts that may be read at once in this process: half of its processors.
var places = make(chan struct{}, max(1, runtime.GOMAXPROCS(0)/2))

// Part reads one part of a file, a page of a list for instance, once one of the places is free; those who wait are
// called in the order in which they came, so that files advance by turns. It is held while read runs and not
// while the part is sent. The context's error when that ends before the turn.
func Part[T any](ctx context.Context, read func(context.Context) (T, error)) (T, error) {
	return part(ctx, places, patience, read)
}

func part[T any](ctx context.Context, places chan struct{}, patience time.Duration, read func(context.Context) (T, error)) (T, error) {
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case places <- struct{}{}:
		defer func() { <-places }()
	case <-timer.C:
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
	return read(ctx)
}

// Package bulk limits how many exports are read at the same time. An export of many pages, read as fast as its
// client takes them, would otherwise take the processors from requests that wait for a single answer.
package bulk

import (
	"context"
	"runtime"
	"time"
)

// patience is how long a part waits for a place; after that it is read without one.
const patience = 10 * time.Second

// places are the parts that may be read at once in this process: half of its processors.
var places = make(chan struct{}, max(1, runtime.GOMAXPROCS(0)/2))

// Part reads one part of an export, such as a page of a list, once a place is free. Callers wait in the order in
// which they came, so that exports take turns. The place is held while read runs, and must not be held while the part is sent to a
// client. It returns the context's error when the context ends first.
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

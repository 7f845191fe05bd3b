package graph

import (
	"context"
	"sync/atomic"
	"time"

	"atelier/models"
)

// The bounds on all requests from outside together.
const (
	// maxHeld is how many bytes of large bodies and of answers are held at
	// once. They take some three times as much memory.
	maxHeld = 128 << 20
	// readsAtOnce is how many fields of queries are read at once, so that the
	// rest of the house always has connections to the database left.
	readsAtOnce = 12
)

var errBusy = &models.Error{
	Code: models.CodeRateLimited, RetryAfter: 2 * time.Second,
	Message: "The service is busy with large requests. Try again in a moment.",
}

// common is what all requests from outside share.
type common struct {
	held  atomic.Int64
	reads chan struct{}
}

func newCommon() *common { return &common{reads: make(chan struct{}, readsAtOnce)} }

// memoryBudget is what one request holds of it.
type memoryBudget struct {
	all *common
	own atomic.Int64
}

type memoryBudgetKey struct{}

func withHolding(ctx context.Context, h *memoryBudget) context.Context {
	return context.WithValue(ctx, memoryBudgetKey{}, h)
}

// holdingFrom is the request's holding, nil within the program.
func holdingFrom(ctx context.Context) *memoryBudget {
	h, _ := ctx.Value(memoryBudgetKey{}).(*memoryBudget)
	return h
}

// add holds more, or is rate_limited when all together hold too much.
func (h *memoryBudget) add(bytes int) error {
	if h.all.held.Add(int64(bytes)) > maxHeld {
		h.all.held.Add(-int64(bytes))
		return errBusy
	}
	h.own.Add(int64(bytes))
	return nil
}

// release gives everything back.
func (h *memoryBudget) release() { h.all.held.Add(-h.own.Swap(0)) }

package graph

import (
	"context"
	"sync/atomic"
	"time"

	"atelier/models"
)

// maxHeld is how many bytes of large bodies and of answers are held for
// requests from outside at once, by all of them together. They take some three
// times as much memory.
const maxHeld = 128 << 20

var errBusy = &models.Error{
	Code: models.CodeRateLimited, RetryAfter: 2 * time.Second,
	Message: "The service is busy with large requests. Try again in a moment.",
}

// holding is what one request holds of it.
type holding struct {
	all *atomic.Int64
	own atomic.Int64
}

type holdingKey struct{}

func withHolding(ctx context.Context, h *holding) context.Context {
	return context.WithValue(ctx, holdingKey{}, h)
}

// holdingFrom is the request's holding, nil within the program.
func holdingFrom(ctx context.Context) *holding {
	h, _ := ctx.Value(holdingKey{}).(*holding)
	return h
}

// add holds more, or is rate_limited when all together hold too much.
func (h *holding) add(bytes int) error {
	if h.all.Add(int64(bytes)) > maxHeld {
		h.all.Add(-int64(bytes))
		return errBusy
	}
	h.own.Add(int64(bytes))
	return nil
}

// release gives everything back.
func (h *holding) release() { h.all.Add(-h.own.Swap(0)) }

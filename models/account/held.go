package account

import (
	"context"
	"sync"
	"time"

	"atelier/models"
)

// How much may stay open at once - streams, subscriptions and answers that are
// waited for - of one account, and in all in one process.
const (
	HeldPerAccount = 50
	HeldInAll      = 2_000
	heldRetry      = 10 * time.Second
)

// holds count what stays open by account.
type holds struct {
	mu        sync.Mutex
	all       int
	byAccount map[models.ID]int
}

type heldKey struct{}

// Hold counts what stays open for the context's actor until ctx ends, or until Release, once for
// each request. Beyond the bounds it is rate_limit_exceeded.
func (s *Service) Hold(ctx context.Context) (context.Context, error) {
	if ctx.Value(heldKey{}) != nil {
		return ctx, nil
	}
	account := models.ActorFrom(ctx).UserID
	if !s.held.add(account) {
		refusal := models.Err(models.CodeRateLimitExceeded, "Too much is open at once: at most %d streams and waiting requests of an account. Close some and try again.", HeldPerAccount)
		refusal.RetryAfter = heldRetry
		return ctx, refusal
	}
	release := sync.OnceFunc(func() { s.held.remove(account) })
	context.AfterFunc(ctx, release)
	return context.WithValue(ctx, heldKey{}, release), nil
}

// Release tells that nothing is waited for any more with a context of Hold, before the answer leaves: who asks
// again with the answer in hand must not meet themselves.
func Release(ctx context.Context) {
	if release, ok := ctx.Value(heldKey{}).(func()); ok {
		release()
	}
}

func (h *holds) add(account models.ID) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.all >= HeldInAll || h.byAccount[account] >= HeldPerAccount {
		return false
	}
	if h.byAccount == nil {
		h.byAccount = map[models.ID]int{}
	}
	h.all++
	h.byAccount[account]++
	return true
}

func (h *holds) remove(account models.ID) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.all--
	if h.byAccount[account]--; h.byAccount[account] == 0 {
		delete(h.byAccount, account)
	}
}

package media

import (
	"context"
	"sync"

	"atelier/models"
	"atelier/models/space"
)

// arrivals are the bytes of files that are on their way into the process, by
// account: they count against its quota before they are kept.
type arrivals struct {
	mu sync.Mutex
	of map[models.ID]int64
}

// room is what the account of a request may still keep.
type room struct {
	all     *arrivals
	account models.ID
	kept    int64
	quota   *int64 // nil without end
	taken   int64
}

type roomKey struct{}

func roomFrom(ctx context.Context) *room {
	r, _ := ctx.Value(roomKey{}).(*room)
	return r
}

// Arriving counts what arrives in a request against the quota of the caller's
// account, until done. Without any room left it is limit_reached.
func (s *Service) Arriving(ctx context.Context) (counted context.Context, take func(bytes int64) error, done func(), err error) {
	actor := models.ActorFrom(ctx)
	if has := roomFrom(ctx); has != nil || !actor.SignedIn() || !s.ready() {
		return ctx, func(int64) error { return nil }, func() {}, nil
	}
	kept, err := s.Spaces.StorageOfAccount(ctx, actor.UserID)
	if err != nil {
		return nil, nil, nil, err
	}
	r := &room{all: &s.arriving, account: actor.UserID, kept: kept.Files, quota: kept.Quota.Files}
	if r.quota != nil && r.kept >= *r.quota {
		return nil, nil, nil, space.ErrFilesFull(*r.quota)
	}
	return context.WithValue(ctx, roomKey{}, r), r.take, r.leave, nil
}

// take counts n bytes that arrived.
func (r *room) take(n int64) error {
	if r == nil {
		return nil
	}
	r.all.mu.Lock()
	defer r.all.mu.Unlock()
	if r.quota != nil && r.kept+r.all.of[r.account]+n > *r.quota {
		return space.ErrFilesFull(*r.quota)
	}
	if r.all.of == nil {
		r.all.of = map[models.ID]int64{}
	}
	r.all.of[r.account] += n
	r.taken += n
	return nil
}

// leave gives back what was counted.
func (r *room) leave() {
	r.all.mu.Lock()
	defer r.all.mu.Unlock()
	if r.taken == 0 {
		return // nothing arrived, and of may not be made yet
	}
	if r.all.of[r.account] -= r.taken; r.all.of[r.account] <= 0 {
		delete(r.all.of, r.account)
	}
	r.taken = 0
}

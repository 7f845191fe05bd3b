package models

import "context"

type slotReleaseKey struct{}

// WithSlotRelease says how the context's request gives its slot to others while it
// only waits for another service.
func WithSlotRelease(ctx context.Context, outside func(ctx context.Context, wait func())) context.Context {
	return context.WithValue(ctx, slotReleaseKey{}, outside)
}

// ReleaseSlotWhile waits for another service, such as an identity provider, without the
// request's slot among anonymous requests. Never within a transaction.
func ReleaseSlotWhile(ctx context.Context, wait func()) {
	if outside, ok := ctx.Value(slotReleaseKey{}).(func(context.Context, func())); ok {
		outside(ctx, wait)
		return
	}
	wait()
}

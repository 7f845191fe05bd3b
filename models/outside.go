package models

import "context"

type outsideKey struct{}

// WithOutside says how the context's request gives up, while it only waits for
// another person, what others wait for.
func WithOutside(ctx context.Context, outside func(ctx context.Context, wait func())) context.Context {
	return context.WithValue(ctx, outsideKey{}, outside)
}

// Outside waits for another person, such as an identity provider, without the
// request's place among visitors. Never within a transaction.
func Outside(ctx context.Context, wait func()) {
	if outside, ok := ctx.Value(outsideKey{}).(func(context.Context, func())); ok {
		outside(ctx, wait)
		return
	}
	wait()
}

package models

import (
	"context"
	"log/slog"
)

type logKey struct{}

// WithLog is a context whose lines of the log name more: the request that is
// served, the work that is done.
func WithLog(ctx context.Context, named ...slog.Attr) context.Context {
	before := LogOf(ctx)
	return context.WithValue(ctx, logKey{}, append(before[:len(before):len(before)], named...))
}

// LogOf is what lines of the log name that are written in a context.
func LogOf(ctx context.Context) []slog.Attr {
	named, _ := ctx.Value(logKey{}).([]slog.Attr)
	return named
}

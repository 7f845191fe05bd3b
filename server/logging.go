package server

import (
	"context"
	"log/slog"
	"os"
	"slices"
	"strings"

	"atelier/config"
	"atelier/models"
	"atelier/models/tracing"
)

// StartLogging makes the log what the configuration says, and tells its warnings.
func StartLogging(c config.Config) {
	options := &slog.HandlerOptions{Level: c.LogLevel}
	var handler slog.Handler = slog.NewTextHandler(os.Stderr, options)
	if c.LogFormat == "json" {
		handler = slog.NewJSONHandler(os.Stderr, options)
	}
	slog.SetDefault(slog.New(hushed{inContext{handler}}))
	for _, warning := range c.Warnings {
		slog.Warn(warning)
	}
}

// hushed leaves out what net/http says of receivers that send what no one asked
// for: with kilobytes of theirs in each line, as often as they like.
type hushed struct{ slog.Handler }

var unasked = []string{
	"Unsolicited response received on idle HTTP channel", "protocol error: received ", "http2: Transport received unsolicited ",
	"Transport: unhandled response ", "http2: 1xx informational responses too large",
}

// Handle writes all other records.
func (h hushed) Handle(ctx context.Context, record slog.Record) error {
	if slices.ContainsFunc(unasked, func(start string) bool { return strings.HasPrefix(record.Message, start) }) {
		return nil
	}
	return h.Handler.Handle(ctx, record)
}

// WithAttrs keeps leaving them out.
func (h hushed) WithAttrs(attrs []slog.Attr) slog.Handler { return hushed{h.Handler.WithAttrs(attrs)} }

// WithGroup keeps leaving them out.
func (h hushed) WithGroup(name string) slog.Handler { return hushed{h.Handler.WithGroup(name)} }

// inContext adds what a line's context names to it: the request or the work, and
// the span, where the process traces. What the line names itself stays.
type inContext struct{ slog.Handler }

// Handle writes the record.
func (h inContext) Handle(ctx context.Context, record slog.Record) error {
	named := models.LogOf(ctx)
	traceID, spanID := tracing.IDs(ctx)
	if len(named) == 0 && traceID == "" {
		return h.Handler.Handle(ctx, record)
	}
	has := map[string]bool{}
	record.Attrs(func(a slog.Attr) bool { has[a.Key] = true; return true })
	record = record.Clone()
	for _, a := range named {
		if !has[a.Key] {
			record.AddAttrs(a)
		}
	}
	if traceID != "" {
		record.AddAttrs(slog.String("trace_id", traceID), slog.String("span_id", spanID))
	}
	return h.Handler.Handle(ctx, record)
}

// WithAttrs keeps adding.
func (h inContext) WithAttrs(attrs []slog.Attr) slog.Handler {
	return inContext{h.Handler.WithAttrs(attrs)}
}

// WithGroup keeps adding.
func (h inContext) WithGroup(name string) slog.Handler { return inContext{h.Handler.WithGroup(name)} }

package server

import (
	"context"
	"log/slog"
	"os"
	"slices"
	"strings"

	"atelier/config"
)

// StartLogging makes the log what the configuration says, and tells its warnings.
func StartLogging(c config.Config) {
	options := &slog.HandlerOptions{Level: c.LogLevel}
	var handler slog.Handler = slog.NewTextHandler(os.Stderr, options)
	if c.LogFormat == "json" {
		handler = slog.NewJSONHandler(os.Stderr, options)
	}
	slog.SetDefault(slog.New(hushed{handler}))
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

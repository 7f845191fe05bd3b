package server

import (
	"log/slog"
	"os"

	"atelier/config"
)

// StartLogging makes the log what the configuration says, and tells its warnings.
func StartLogging(c config.Config) {
	options := &slog.HandlerOptions{Level: c.LogLevel}
	var handler slog.Handler = slog.NewTextHandler(os.Stderr, options)
	if c.LogFormat == "json" {
		handler = slog.NewJSONHandler(os.Stderr, options)
	}
	slog.SetDefault(slog.New(handler))
	for _, warning := range c.Warnings {
		slog.Warn(warning)
	}
}

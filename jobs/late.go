package jobs

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"atelier/models"
	"atelier/models/event"
	"atelier/models/lane"
)

// late watches how long events wait for the service itself. While they do, the
// work of runs leaves them the machine for moments, and all processes are told,
// so that runs are accepted more slowly.
type late struct {
	deliverer  *event.Deliverer
	dispatcher *lane.Dispatcher
	now        atomic.Int64
}

const (
	pollInterval = 250 * time.Millisecond
	// Above reportThreshold lateness is told, and runs are eased by an eighth of it.
	reportThreshold = 250 * time.Millisecond
	maxBackoff      = 200 * time.Millisecond
)

func (l *late) watch(ctx context.Context, db *models.DB) {
	ticker := time.NewTicker(pollInterval)
	defer ticker.Stop()
	told := false
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		now := l.deliverer.Late() + l.dispatcher.Lag()
		l.now.Store(int64(now))
		tell := now > reportThreshold
		if !tell && !told {
			continue
		}
		if err := lane.NoteLate(ctx, db, workerName(), now); err != nil && ctx.Err() == nil {
			slog.WarnContext(ctx, "the worker could not say how late events are", "error", err)
		}
		told = tell
	}
}

// backoff is how long claims of the work of runs pause.
func (l *late) backoff() time.Duration {
	if now := time.Duration(l.now.Load()); now > reportThreshold {
		return min(now/8, maxBackoff)
	}
	return 0
}

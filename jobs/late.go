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
	lateLooks = 250 * time.Millisecond
	// Above worthTelling lateness is told, and runs are eased by an eighth of it.
	worthTelling = 250 * time.Millisecond
	maxEase      = 200 * time.Millisecond
)

func (l *late) watch(ctx context.Context, db *models.DB) {
	ticker := time.NewTicker(lateLooks)
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
		tell := now > worthTelling
		if !tell && !told {
			continue
		}
		if err := lane.NoteLate(ctx, db, workerName(), now); err != nil && ctx.Err() == nil {
			slog.Warn("the worker could not say how late events are", "error", err)
		}
		told = tell
	}
}

// ease is how long claims of the work of runs pause.
func (l *late) ease() time.Duration {
	if now := time.Duration(l.now.Load()); now > worthTelling {
		return min(now/8, maxEase)
	}
	return 0
}

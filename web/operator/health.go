package operator

import (
	"context"
	"time"

	"atelier/web/query"
	"atelier/web/ui"
)

// From when on operators are warned.
const (
	slowDatabase = 200 // milliseconds
	longWait     = time.Minute
	veryLongWait = 10 * time.Minute
	oldBackup    = 36 * time.Hour
)

func databaseTone(h query.Health) ui.Tone {
	if h.DatabaseMillis > slowDatabase {
		return ui.Warn
	}
	return ui.OK
}

func databaseWord(ctx context.Context, h query.Health) string {
	if h.DatabaseMillis > slowDatabase {
		return t(ctx, "Slow")
	}
	return t(ctx, "Healthy")
}

func workersTone(h query.Health) ui.Tone {
	if h.Workers == 0 {
		return ui.Bad
	}
	return ui.OK
}

func workersWord(ctx context.Context, h query.Health) string {
	if h.Workers == 0 {
		return t(ctx, "None: no run goes on")
	}
	return tn(ctx, "%d process", "%d processes", h.Workers)
}

func queueTone(h query.Health, now time.Time) ui.Tone {
	switch {
	case h.OldestWaiting == nil || now.Sub(*h.OldestWaiting) < longWait:
		return ui.OK
	case now.Sub(*h.OldestWaiting) < veryLongWait:
		return ui.Warn
	}
	return ui.Bad
}

func queueWord(ctx context.Context, h query.Health, now time.Time) string {
	if queueTone(h, now) == ui.OK {
		return tn(ctx, "%d waiting", "%d waiting", h.Waiting)
	}
	return tn(ctx, "%d waiting too long", "%d waiting too long", h.Waiting)
}

func mailTone(on bool) ui.Tone {
	if on {
		return ui.OK
	}
	return ui.Plain
}

func mailWord(ctx context.Context, on bool) string {
	if on {
		return t(ctx, "On")
	}
	return t(ctx, "Off")
}

func backupTone(h query.Health, now time.Time) ui.Tone {
	switch {
	case h.LastBackup == nil:
		return ui.Plain
	case now.Sub(*h.LastBackup) > oldBackup:
		return ui.Bad
	}
	return ui.OK
}

func backupWord(ctx context.Context, h query.Health, now time.Time) string {
	switch backupTone(h, now) {
	case ui.Plain:
		return t(ctx, "Not known")
	case ui.Bad:
		return t(ctx, "Too old")
	}
	return t(ctx, "Recent")
}

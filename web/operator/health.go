package operator

import (
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

func databaseWord(h query.Health) string {
	if h.DatabaseMillis > slowDatabase {
		return "Slow"
	}
	return "Healthy"
}

func workersTone(h query.Health) ui.Tone {
	if h.Workers == 0 {
		return ui.Bad
	}
	return ui.OK
}

func workersWord(h query.Health) string {
	if h.Workers == 0 {
		return "None: no run goes on"
	}
	return ui.Plural(h.Workers, "process", "processes")
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

func queueWord(h query.Health, now time.Time) string {
	if queueTone(h, now) == ui.OK {
		return ui.Count(h.Waiting) + " waiting"
	}
	return ui.Count(h.Waiting) + " waiting too long"
}

func mailTone(on bool) ui.Tone {
	if on {
		return ui.OK
	}
	return ui.Plain
}

func mailWord(on bool) string {
	if on {
		return "On"
	}
	return "Off"
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

func backupWord(h query.Health, now time.Time) string {
	switch backupTone(h, now) {
	case ui.Plain:
		return "Not known"
	case ui.Bad:
		return "Too old"
	}
	return "Recent"
}

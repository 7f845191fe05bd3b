package ui

import (
	"context"
	"strconv"
)

// A wait of up to maxCountdown seconds is counted down in the page.
const maxCountdown = 120

func wholeSeconds(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}

func longWait(seconds string) bool { return wholeSeconds(seconds) > maxCountdown }

// Wait says when a wait is over as people say it: "in 40 seconds", "in 2 minutes", "in 9 hours". It is rounded up.
func Wait(ctx context.Context, seconds int) string {
	switch {
	case seconds < 90:
		return tn(ctx, "in %d second", "in %d seconds", max(1, seconds))
	case seconds <= 90*60:
		return tn(ctx, "in %d minute", "in %d minutes", (seconds+59)/60)
	case seconds <= 36*3600:
		return tn(ctx, "in %d hour", "in %d hours", (seconds+3599)/3600)
	}
	return tn(ctx, "in %d day", "in %d days", (seconds+86399)/86400)
}

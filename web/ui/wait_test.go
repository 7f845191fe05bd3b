//go:build !race

package ui

import (
	"context"
	"strings"
	"testing"
)

func TestWaits(t *testing.T) {
	for seconds, want := range map[int]string{
		0: "in 1 second", 40: "in 40 seconds", 100: "in 2 minutes", 120: "in 2 minutes", 3600: "in 60 minutes", 32611: "in 10 hours", 200000: "in 3 days",
	} {
		if got := Wait(context.Background(), seconds); got != want {
			t.Errorf("%d: %q, want %q", seconds, got, want)
		}
	}
}

// A short wait is counted down by script, a long one is said once.
func TestFormSaysHowLongToWait(t *testing.T) {
	for wait, counts := range map[string]bool{"30": true, "120": true, "32611": false} {
		var b strings.Builder
		if err := Form(FormProps{Action: "/x", RetryAfter: wait}).Render(context.Background(), &b); err != nil {
			t.Fatal(err)
		}
		if page := b.String(); strings.Contains(page, "data-retry-after") != counts || strings.Contains(page, "data-retry-left") != counts ||
			strings.Contains(page, "in 10 hours") == counts || strings.Contains(page, "32611") {
			t.Errorf("%s: %s", wait, page)
		}
	}
}

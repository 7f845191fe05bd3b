package org

import (
	"testing"

	"atelier/web/query"
)

func TestRunwayText(t *testing.T) {
	for days, want := range map[int]string{0: "0 days", 1: "1 day", 12: "12 days", 731: "over 2 years"} {
		if got := runwayText(query.Spending{RunwayDays: &days}); got != want {
			t.Errorf("%d: %q", days, got)
		}
	}
	if got := runwayText(query.Spending{}); got != "–" {
		t.Errorf("unknown: %q", got)
	}
}

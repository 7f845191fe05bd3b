//go:build !race

package org

import (
	"testing"

	"atelier/web/query"
)

func TestRunwayText(t *testing.T) {
	for days, want := range map[int]string{0: "0 days", 1: "1 day", 12: "12 days", 731: "over 2 years"} {
		if got := runwayText(t.Context(), query.Runway{RunwayDays: &days}); got != want {
			t.Errorf("%d: %q", days, got)
		}
	}
	if got := runwayText(t.Context(), query.Runway{}); got != "–" {
		t.Errorf("unknown: %q", got)
	}
}

func TestSpentDetail(t *testing.T) {
	day := func(date string, credits float64) query.SpendingDay {
		return query.SpendingDay{Date: date, Credits: credits}
	}
	for want, s := range map[string]query.Spending{
		"by runs":                         {Days: []query.SpendingDay{day("2026-03-01", 0)}},
		"by runs, the last on 1 Mar 2026": {Days: []query.SpendingDay{day("2026-03-01", 2), day("2026-03-02", 0)}},
		"3 more absorbed by the platform": {Absorbed: 3, Days: []query.SpendingDay{day("2026-03-01", 2)}},
	} {
		if got := spentDetail(t.Context(), s); got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
}

//go:build !race

package flow

import (
	"context"
	"testing"

	"atelier/web/locale"
	"atelier/web/query"
)

func TestTimetableWords(t *testing.T) {
	german, english := locale.With(context.Background(), locale.ByCode("de")), context.Background()
	said, zone := "Every Monday and Thursday at 08:30, Europe/Berlin", "Europe/Berlin"
	rule := func(pairs ...any) map[string]any {
		out := map[string]any{"kind": pairs[0], "hour": 8.0, "minute": 30.0}
		for i := 1; i < len(pairs); i += 2 {
			name, _ := pairs[i].(string)
			out[name] = pairs[i+1]
		}
		return out
	}
	row := func(most any, rules ...any) query.ScheduleRow {
		return query.ScheduleRow{Words: &said, Timezone: &zone, Config: map[string]any{"rules": rules, "maxExecutions": most}}
	}
	for want, r := range map[string]query.ScheduleRow{
		"Jeden Montag und Donnerstag um 08:30, Europe/Berlin": row(nil, rule("weeks", "every", 1.0, "weekdays", []any{4.0, 1.0})),
		"Alle 2 Wochen am Sonntag um 08:30, Europe/Berlin":    row(nil, rule("weeks", "every", 2.0, "weekdays", []any{0.0})),
		"Alle 15 Minuten, Europe/Berlin, höchstens 3-mal":     row(3.0, rule("minutes", "every", 15.0)),
		"Jeden Tag um 08:30; Wenn 0 9 * * 1 zutrifft, Europe/Berlin": row(nil,
			rule("weeks", "every", 1.0, "weekdays", []any{0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0}), rule("cron", "cron", "0 9 * * 1")),
		"Am letzten Tag jedes Monats um 08:30, Europe/Berlin": row(nil, rule("months", "every", 1.0, "dayOfMonth", 31.0)),
	} {
		if got := timetableWords(german, r); got != want {
			t.Errorf("%q, not %q", got, want)
		}
		if got := timetableWords(english, r); got != said {
			t.Errorf("in English %q", got)
		}
	}
}

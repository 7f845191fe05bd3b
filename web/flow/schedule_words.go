package flow

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"atelier/web/frame"
	"atelier/web/locale"
	"atelier/web/query"
)

// inWords is a reason that came as data, as people read it.
func (c Pages) inWords(r *http.Request, reason *string) *string {
	if reason == nil {
		return nil
	}
	said := c.InWords(r.Context(), "", *reason)
	return &said
}

// timetableWords are when a schedule runs: in English as the service says it, in other languages from its rules.
func timetableWords(ctx context.Context, row query.ScheduleRow) string {
	rules, _ := row.Config["rules"].([]any)
	if row.Words == nil || len(rules) == 0 || locale.Of(ctx) == locale.English {
		return frame.Value(row.Words)
	}
	said := make([]string, len(rules))
	for i, rule := range rules {
		fields, _ := rule.(map[string]any)
		said[i] = ruleWords(ctx, fields)
	}
	out := strings.Join(said, "; ") + ", " + strings.ReplaceAll(frame.Or(frame.Value(row.Timezone), "UTC"), "_", " ")
	if most, limited := row.Config["maxExecutions"].(float64); limited {
		out = tn(ctx, "%[2]s, once", "%[2]s, at most %[1]d times", int(most), out)
	}
	return out
}

// ruleWords are one rule.
func ruleWords(ctx context.Context, rule map[string]any) string {
	number := func(name string) int { n, _ := rule[name].(float64); return int(n) }
	every, at := max(1, number("every")), fmt.Sprintf("%02d:%02d", number("hour"), number("minute"))
	switch rule["kind"] {
	case "minutes":
		if 60%every != 0 {
			return t(ctx, "Every %d minutes from the start of each hour", every)
		}
		return tn(ctx, "Every minute", "Every %d minutes", every)
	case "hours":
		return tn(ctx, "Every hour at minute %[2]d", "Every %d hours from midnight, at minute %[2]d", every, number("minute"))
	case "days":
		return tn(ctx, "Every day at %[2]s", "Every %d days at %[2]s", every, at)
	case "weeks":
		days := weekdayWords(ctx, rule["weekdays"])
		if len(days) == 7 && every == 1 {
			return tn(ctx, "Every day at %[2]s", "Every %d days at %[2]s", 1, at)
		}
		return tn(ctx, "Every %[2]s at %[3]s", "Every %d weeks on %[2]s at %[3]s", every, listed(ctx, days), at)
	case "months":
		if day := number("dayOfMonth"); day < 31 {
			return tn(ctx, "On day %[2]d of every month at %[3]s", "Every %d months on day %[2]d at %[3]s", every, day, at)
		}
		return tn(ctx, "On the last day of every month at %[2]s", "Every %d months on the last day at %[2]s", every, at)
	}
	expression, _ := rule["cron"].(string)
	return t(ctx, "Whenever %s matches", expression)
}

// weekdayWords are the days of a rule, Monday first.
func weekdayWords(ctx context.Context, days any) []string {
	var out []string
	list, _ := days.([]any)
	for i := range 7 {
		day := (i + 1) % 7
		if slices.Contains(list, any(float64(day))) {
			out = append(out, locale.Weekday(ctx, time.Weekday(day)))
		}
	}
	return out
}

// listed is a list in a sentence: "Monday, Tuesday and Friday".
func listed(ctx context.Context, names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := len(names) - 1
	return t(ctx, "%s and %s", strings.Join(names[:last], ", "), names[last])
}

//go:build !race

package timetable_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"atelier/models/timetable"

	"pgregory.net/rapid"
)

// oddZones are those whose clocks do what few others do: half an hour, a day
// that was left out, Friday's midnight, changes at midnight, two hours, odd
// offsets, four changes in a year, and one that gave up its changes.
var oddZones = []string{
	"Europe/Berlin", "Australia/Lord_Howe", "Pacific/Apia", "Africa/Cairo", "America/Sao_Paulo", "Antarctica/Troll",
	"Asia/Kathmandu", "Africa/Casablanca", "Asia/Pyongyang", "America/Caracas", "Asia/Gaza", "America/Havana", "America/Nuuk",
}

var (
	firstOracle = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
	lastOracle  = time.Date(2040, 1, 1, 0, 0, 0, 0, time.UTC)
)

// transitions are the moments between 2000 and 2040 at which a zone's clocks change.
func transitions(zone *time.Location) (all []time.Time) {
	for at := firstOracle; ; {
		_, end := at.In(zone).ZoneBounds()
		if end.IsZero() || end.After(lastOracle) {
			return all
		}
		_, before := end.Add(-time.Second).In(zone).Zone()
		if _, after := end.In(zone).Zone(); before != after {
			all = append(all, end.UTC())
		}
		at = end.UTC()
	}
}

// byHand tells whether a rule matches a local time, in the words of the
// contract and with nothing of the package's own.
func byHand(rule map[string]any, at time.Time) bool {
	n := func(field string) int { v, _ := rule[field].(int); return v }
	day := int(time.Date(at.Year(), at.Month(), at.Day(), 0, 0, 0, 0, time.UTC).Unix() / 86400)
	timed := at.Hour() == n("hour") && at.Minute() == n("minute")
	switch rule["kind"] {
	case "minutes":
		return at.Minute()%n("every") == 0
	case "hours":
		return at.Hour()%n("every") == 0 && at.Minute() == n("minute")
	case "days":
		return timed && day%n("every") == 0
	case "weeks":
		return timed && (day+3)/7%n("every") == 0 && slices.Contains(rule["weekdays"].([]any), any(int(at.Weekday())))
	case "months":
		last := time.Date(at.Year(), at.Month()+1, 0, 0, 0, 0, 0, time.UTC).Day()
		return timed && ((at.Year()-1970)*12+int(at.Month())-1)%n("every") == 0 && at.Day() == min(n("dayOfMonth"), last)
	}
	fields := strings.Fields(rule["cron"].(string))
	for i, value := range []int{at.Minute(), at.Hour(), at.Day(), int(at.Month()), int(at.Weekday())} {
		if !cronByHand(fields[i], value) && !(i == 4 && value == 0 && cronByHand(fields[i], 7)) {
			return false
		}
	}
	return true
}

// cronByHand looks at one field of the forms that the tests write.
func cronByHand(field string, value int) bool {
	for item := range strings.SplitSeq(field, ",") {
		span, step, stepped := strings.Cut(item, "/")
		every := 1
		if stepped {
			every, _ = strconv.Atoi(step)
		}
		low, high := 0, 59
		if first, last, ranged := strings.Cut(span, "-"); ranged {
			low, _ = strconv.Atoi(first)
			high, _ = strconv.Atoi(last)
		} else if span != "*" {
			low, _ = strconv.Atoi(span)
			high = low
		}
		if value >= low && value <= high && (value-low)%every == 0 {
			return true
		}
	}
	return false
}

// oracle goes minute by minute. It begins two days early to know which minutes
// the clock has shown before.
func oracle(rules []map[string]any, zone *time.Location, from, until time.Time) (fires []time.Time) {
	shown := map[string]bool{}
	for at := from.Add(-48 * time.Hour).Truncate(time.Minute); !at.After(until); at = at.Add(time.Minute) {
		local := at.In(zone)
		label := local.Format("2006-01-02T15:04")
		if again := shown[label]; again {
			continue
		}
		shown[label] = true
		if at.After(from) && slices.ContainsFunc(rules, func(r map[string]any) bool { return byHand(r, local) }) {
			fires = append(fires, at)
		}
	}
	return fires
}

func read(t interface {
	Helper()
	Fatal(...any)
}, zone string, rules ...map[string]any) *timetable.Timetable {
	t.Helper()
	list := make([]any, len(rules))
	for i, r := range rules {
		list[i] = r
	}
	table, problem := timetable.Read(map[string]any{"rules": list, "timezone": zone})
	if problem != nil {
		t.Fatal(problem)
	}
	return table
}

// compare holds the package against the oracle between two moments.
func compare(t interface {
	Helper()
	Fatal(...any)
}, zone string, from, until time.Time, rules ...map[string]any) {
	t.Helper()
	table := read(t, zone, rules...)
	want := oracle(rules, table.Zone, from, until)
	at := from
	for i := 0; ; i++ {
		next, ok := table.NextAfter(at)
		if !ok || next.After(until) {
			if i != len(want) {
				t.Fatal(fmt.Sprintf("%s %v: missed %v (%v)", zone, rules, want[i], want[i].In(table.Zone)))
			}
			return
		}
		if i >= len(want) || !next.Equal(want[i]) {
			t.Fatal(fmt.Sprintf("%s %v: after %v came %v (%v), want number %d of %v", zone, rules, at, next, next.In(table.Zone), i, want))
		}
		at = next
	}
}

// rulesAround are rules that run about the local time of a clock change.
func rulesAround(at time.Time) []map[string]any {
	hour, minute, day, weekday := at.Hour(), at.Minute(), at.Day(), int(at.Weekday())
	return []map[string]any{
		{"kind": "minutes", "every": 1},
		{"kind": "minutes", "every": 7},
		{"kind": "hours", "every": 1, "minute": 30},
		{"kind": "hours", "every": 5, "minute": 0},
		{"kind": "days", "every": 1, "hour": hour, "minute": minute},
		{"kind": "days", "every": 1, "hour": (hour + 1) % 24, "minute": 30},
		{"kind": "days", "every": 1, "hour": (hour + 23) % 24, "minute": 45},
		{"kind": "weeks", "every": 1, "weekdays": []any{weekday}, "hour": hour, "minute": 15},
		{"kind": "months", "every": 1, "dayOfMonth": day, "hour": hour, "minute": 30},
		{"kind": "cron", "cron": fmt.Sprintf("*/10 %d-%d * * *", max(0, hour-1), min(23, hour+1))},
	}
}

// Around every change of clocks from 2000 to 2040 the same minutes come out as
// by going minute by minute; the long form does so in every zone there is.
func TestClockChanges(t *testing.T) {
	for _, name := range oddZones {
		t.Run(name, func(t *testing.T) { t.Parallel(); clockChanges(t, name, soak) })
	}
}

func clockChanges(t *testing.T, name string, whole bool) {
	zone, ok := timetable.LoadZone(name)
	if !ok {
		t.Fatal("no such zone")
	}
	for i, change := range transitions(zone) {
		rules := rulesAround(change.In(zone))
		if !whole { // one rule for itself, all rules together: in turns
			rules = []map[string]any{rules[0], rules[1+i%(len(rules)-1)]}
		}
		for _, rule := range rules {
			compare(t, name, change.Add(-25*time.Hour), change.Add(25*time.Hour), rule)
		}
		compare(t, name, change.Add(-25*time.Hour), change.Add(25*time.Hour), rules...)
	}
}

// anyRule draws a rule within the contract's ranges.
func anyRule(t *rapid.T) map[string]any {
	number := func(low, high int, name string) int { return rapid.IntRange(low, high).Draw(t, name) }
	rule := map[string]any{"hour": number(0, 23, "hour"), "minute": number(0, 59, "minute")}
	switch kind := rapid.SampledFrom(timetable.Kinds).Draw(t, "kind"); kind {
	case timetable.Cron:
		field := func(low, high int, name string) string {
			a, b := number(low, high, name), number(low, high, name)
			return rapid.SampledFrom([]string{
				"*", "*", strconv.Itoa(a), fmt.Sprintf("%d-%d", min(a, b), max(a, b)), fmt.Sprintf("%d,%d", a, b),
				fmt.Sprintf("%d-%d/%d", min(a, b), max(a, b), 1+b%7),
			}).Draw(t, name)
		}
		return map[string]any{"kind": "cron", "cron": strings.Join([]string{
			field(0, 59, "minutes"), field(0, 23, "hours"), field(1, 31, "days"), field(1, 12, "months"), field(0, 7, "weekdays"),
		}, " ")}
	default:
		rule["kind"] = string(kind)
		rule["every"] = number(1, map[timetable.Kind]int{"minutes": 59, "hours": 23, "days": 31, "weeks": 52, "months": 12}[kind], "every")
		if kind == timetable.Weeks {
			rule["weekdays"] = []any{number(0, 6, "weekday"), number(0, 6, "weekday")}
		}
		if kind == timetable.Months {
			rule["dayOfMonth"] = number(1, 31, "day")
		}
	}
	return rule
}

func TestAnyTimetable(t *testing.T) {
	days := 9
	if soak {
		days = 90
	}
	rapid.Check(t, func(t *rapid.T) {
		zone := rapid.SampledFrom(oddZones).Draw(t, "zone")
		from := firstOracle.Add(time.Duration(rapid.Int64Range(0, int64(lastOracle.Sub(firstOracle))/int64(time.Second)).Draw(t, "from")) * time.Second)
		rules := []map[string]any{anyRule(t)}
		if rapid.Bool().Draw(t, "two") {
			rules = append(rules, anyRule(t))
		}
		compare(t, zone, from, from.Add(time.Duration(days)*24*time.Hour), rules...)
	})
}

// What is said about the clocks is what happens: skipped minutes are none of
// the next ones, and every next minute is one that fires.
func TestUpcomingIsWhatFires(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		zone := rapid.SampledFrom(oddZones).Draw(t, "zone")
		table := read(t, zone, anyRule(t))
		from := firstOracle.Add(time.Duration(rapid.Int64Range(0, 365*39*24).Draw(t, "hours")) * time.Hour)
		before := from
		for _, o := range table.Upcoming(from, 5) {
			if next, _ := table.NextAfter(before); !next.Equal(o.At) || !table.Fires(o.At) {
				t.Fatal("not the next one:", o.At, next)
			}
			_, was := before.In(table.Zone).Zone()
			if _, is := o.At.In(table.Zone).Zone(); time.Duration(is-was)*time.Second != o.Shift {
				t.Fatal("shift", o.Shift, was, is)
			}
			before = o.At
		}
	})
}

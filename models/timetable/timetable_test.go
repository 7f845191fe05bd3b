//go:build !race

package timetable_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"atelier/models/timetable"
)

func config(t *testing.T, text string) map[string]any {
	t.Helper()
	var c map[string]any
	if err := json.Unmarshal([]byte(text), &c); err != nil {
		t.Fatal(err)
	}
	return c
}

func mustRead(t *testing.T, text string) *timetable.Timetable {
	t.Helper()
	table, problem := timetable.Read(config(t, text))
	if problem != nil {
		t.Fatalf("%s: %v", text, problem)
	}
	return table
}

func at(t *testing.T, text string) time.Time {
	t.Helper()
	moment, err := time.Parse(time.RFC3339, text)
	if err != nil {
		t.Fatal(err)
	}
	return moment.UTC()
}

func TestNextMinutes(t *testing.T) {
	for _, c := range []struct{ name, config, after, want string }{
		{"minutes from 0 of every hour", `{"rules":[{"kind":"minutes","every":25}]}`, "2026-11-22T10:10:00Z",
			"2026-11-22T10:25 2026-11-22T10:50 2026-11-22T11:00"},
		{"the minute itself is over", `{"rules":[{"kind":"minutes","every":1}]}`, "2026-11-22T10:10:00Z", "2026-11-22T10:11 2026-11-22T10:12"},
		{"hours from 0 of every day", `{"rules":[{"kind":"hours","every":7,"minute":30}]}`, "2026-11-22T13:00:00Z",
			"2026-11-22T14:30 2026-11-22T21:30 2026-11-23T00:30"},
		{"every 31 days from 1970", `{"rules":[{"kind":"days","every":31,"hour":0,"minute":0}]}`, "1970-01-01T00:00:00Z", "1970-02-01T00:00 1970-03-04T00:00"},
		{"weeks start on Monday", `{"rules":[{"kind":"weeks","every":2,"weekdays":[0,1],"hour":8,"minute":0}]}`, "1969-12-28T00:00:00Z",
			"1969-12-29T08:00 1970-01-04T08:00 1970-01-12T08:00 1970-01-18T08:00"},
		{"the last day of shorter months", `{"rules":[{"kind":"months","every":1,"dayOfMonth":31,"hour":9,"minute":5}]}`, "2028-01-01T00:00:00Z",
			"2028-01-31T09:05 2028-02-29T09:05 2028-03-31T09:05 2028-04-30T09:05"},
		{"every third month from January", `{"rules":[{"kind":"months","every":3,"dayOfMonth":30,"hour":0,"minute":0}]}`, "2026-11-22T00:00:00Z",
			"2027-01-30T00:00 2027-04-30T00:00 2027-07-30T00:00"},
		{"both days of cron", `{"rules":[{"kind":"cron","cron":"0 0 13 * 5"}]}`, "2026-01-01T00:00:00Z", "2026-02-13T00:00 2026-03-13T00:00 2026-11-13T00:00"},
		{"7 is Sunday", `{"rules":[{"kind":"cron","cron":"0 12 * * 6-7"}]}`, "2026-11-22T00:00:00Z", "2026-11-22T12:00 2026-11-28T12:00 2026-11-29T12:00"},
		{"a leap day on Monday", `{"rules":[{"kind":"cron","cron":"0 0 29 2 1"}]}`, "2090-01-01T00:00:00Z", "2112-02-29T00:00 2140-02-29T00:00"},
		{"any rule", `{"rules":[{"kind":"days","every":1,"hour":9,"minute":0},{"kind":"cron","cron":"0 9,10 * * *"}]}`, "2026-11-22T00:00:00Z",
			"2026-11-22T09:00 2026-11-22T10:00 2026-11-23T09:00"},
		{"Berlin skips 02:30", `{"rules":[{"kind":"days","every":1,"hour":2,"minute":30}],"timezone":"Europe/Berlin"}`, "2026-03-27T12:00:00Z",
			"2026-03-28T01:30 2026-03-30T00:30"},
		{"Berlin shows 02:30 twice", `{"rules":[{"kind":"days","every":1,"hour":2,"minute":30}],"timezone":"Europe/Berlin"}`, "2026-10-24T12:00:00Z",
			"2026-10-25T00:30 2026-10-26T01:30"},
		{"Lord Howe skips half an hour", `{"rules":[{"kind":"hours","every":1,"minute":15}],"timezone":"Australia/Lord_Howe"}`, "2026-10-03T14:00:00Z",
			"2026-10-03T14:45 2026-10-03T16:15"},
		{"Apia has no 30 December", `{"rules":[{"kind":"days","every":1,"hour":12,"minute":0}],"timezone":"Pacific/Apia"}`, "2011-12-29T00:00:00Z",
			"2011-12-29T22:00 2011-12-30T22:00"},
		{"Cairo has no midnight", `{"rules":[{"kind":"days","every":1,"hour":0,"minute":0}],"timezone":"Africa/Cairo"}`, "2026-04-22T12:00:00Z",
			"2026-04-22T22:00 2026-04-24T21:00"},
		{"an old interval", `{"interval":"5m"}`, "2026-11-22T10:03:00Z", "2026-11-22T10:05 2026-11-22T10:10"},
		{"an old cron", `{"cron":"5 4 * * *","timezone":"Asia/Kathmandu"}`, "2026-11-22T10:03:00Z", "2026-11-22T22:20 2026-11-23T22:20"},
	} {
		t.Run(c.name, func(t *testing.T) {
			table, after, got := mustRead(t, c.config), at(t, c.after), []string{}
			for range strings.Fields(c.want) {
				next, ok := table.NextAfter(after)
				if !ok {
					break
				}
				got, after = append(got, next.Format("2006-01-02T15:04")), next
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

func TestImpossibleDatesEndQuickly(t *testing.T) {
	for _, cron := range []string{"0 0 30 2 *", "0 0 31 2,4,6,9,11 *", "30 2 31 3 0"} {
		table := mustRead(t, `{"rules":[{"kind":"cron","cron":"`+cron+`"}],"timezone":"Europe/Berlin"}`)
		begun := time.Now()
		next, ok := table.NextAfter(at(t, "2026-11-22T00:00:00Z"))
		if took := time.Since(begun); took > time.Second {
			t.Errorf("%s took %s", cron, took)
		}
		if cron == "30 2 31 3 0" { // the one Sunday on which the clocks always skip it
			if ok {
				t.Errorf("%s: %v", cron, next)
			}
		} else if ok {
			t.Errorf("%s: %v", cron, next)
		}
	}
}

func TestProblems(t *testing.T) {
	for _, c := range []struct{ config, field string }{
		{`{}`, "rules"},
		{`{"rules":[]}`, "rules"},
		{`{"rules":[],"interval":"5m"}`, "rules"},
		{`{"rules":"daily"}`, "rules"},
		{`{"rules":[` + strings.Repeat(`{"kind":"minutes","every":1},`, 50) + `{"kind":"minutes","every":1}]}`, "rules"},
		{`{"rules":[1]}`, "rules[0]"},
		{`{"rules":[{}]}`, "rules[0].kind"},
		{`{"rules":[{"kind":"years","every":1}]}`, "rules[0].kind"},
		{`{"rules":[{"kind":"Minutes","every":1}]}`, "rules[0].kind"},
		{`{"rules":[{"kind":"minutes"}]}`, "rules[0].every"},
		{`{"rules":[{"kind":"minutes","every":0}]}`, "rules[0].every"},
		{`{"rules":[{"kind":"minutes","every":60}]}`, "rules[0].every"},
		{`{"rules":[{"kind":"minutes","every":1.5}]}`, "rules[0].every"},
		{`{"rules":[{"kind":"minutes","every":"5"}]}`, "rules[0].every"},
		{`{"rules":[{"kind":"minutes","every":1e300}]}`, "rules[0].every"},
		{`{"rules":[{"kind":"minutes","every":1},{"kind":"hours","every":24,"minute":0}]}`, "rules[1].every"},
		{`{"rules":[{"kind":"hours","every":1}]}`, "rules[0].minute"},
		{`{"rules":[{"kind":"hours","every":1,"minute":60}]}`, "rules[0].minute"},
		{`{"rules":[{"kind":"days","every":32,"hour":0,"minute":0}]}`, "rules[0].every"},
		{`{"rules":[{"kind":"days","every":1,"minute":0}]}`, "rules[0].hour"},
		{`{"rules":[{"kind":"days","every":1,"hour":24,"minute":0}]}`, "rules[0].hour"},
		{`{"rules":[{"kind":"days","every":1,"hour":-1,"minute":0}]}`, "rules[0].hour"},
		{`{"rules":[{"kind":"weeks","every":53,"weekdays":[1],"hour":0,"minute":0}]}`, "rules[0].every"},
		{`{"rules":[{"kind":"weeks","every":1,"weekdays":[],"hour":0,"minute":0}]}`, "rules[0].weekdays"},
		{`{"rules":[{"kind":"weeks","every":1,"hour":0,"minute":0}]}`, "rules[0].weekdays"},
		{`{"rules":[{"kind":"weeks","every":1,"weekdays":[7],"hour":0,"minute":0}]}`, "rules[0].weekdays"},
		{`{"rules":[{"kind":"months","every":13,"dayOfMonth":1,"hour":0,"minute":0}]}`, "rules[0].every"},
		{`{"rules":[{"kind":"months","every":1,"dayOfMonth":0,"hour":0,"minute":0}]}`, "rules[0].dayOfMonth"},
		{`{"rules":[{"kind":"months","every":1,"dayOfMonth":32,"hour":0,"minute":0}]}`, "rules[0].dayOfMonth"},
		{`{"rules":[{"kind":"months","every":1,"hour":0,"minute":0}]}`, "rules[0].dayOfMonth"},
		{`{"rules":[{"kind":"cron"}]}`, "rules[0].cron"},
		{`{"rules":[{"kind":"cron","cron":""}]}`, "rules[0].cron"},
		{`{"rules":[{"kind":"cron","cron":5}]}`, "rules[0].cron"},
		{`{"rules":[{"kind":"minutes","every":5}],"timezone":"Local"}`, "timezone"},
		{`{"rules":[{"kind":"minutes","every":5}],"timezone":"Mars/Olympus"}`, "timezone"},
		{`{"rules":[{"kind":"minutes","every":5}],"timezone":"../etc/localtime"}`, "timezone"},
		{`{"rules":[{"kind":"minutes","every":5}],"timezone":"/usr/share/zoneinfo/UTC"}`, "timezone"},
		{`{"rules":[{"kind":"minutes","every":5}],"timezone":"right/UTC"}`, "timezone"},
		{`{"rules":[{"kind":"minutes","every":5}],"timezone":"+01:00"}`, "timezone"},
		{`{"rules":[{"kind":"minutes","every":5}],"timezone":1}`, "timezone"},
		{`{"rules":[{"kind":"minutes","every":5}],"maxExecutions":0}`, "maxExecutions"},
		{`{"rules":[{"kind":"minutes","every":5}],"maxExecutions":1.5}`, "maxExecutions"},
		{`{"rules":[{"kind":"minutes","every":5}],"maxExecutions":"3"}`, "maxExecutions"},
		{`{"interval":"0m"}`, "interval"},
		{`{"interval":"90m"}`, "interval"},
		{`{"interval":"30s"}`, "interval"},
		{`{"interval":"36h"}`, "interval"},
		{`{"interval":"m"}`, "interval"},
		{`{"interval":5}`, "interval"},
		{`{"cron":"@daily"}`, "cron"},
	} {
		_, problem := timetable.Read(config(t, c.config))
		if problem == nil {
			t.Errorf("%s is read", c.config)
		} else if problem.Field != c.field {
			t.Errorf("%s: %q, want %q", c.config, problem.Field, c.field)
		} else if !strings.HasSuffix(problem.Sentence, ".") || strings.Contains(problem.Sentence, "dayOfMonth") || strings.Contains(problem.Sentence, "maxExecutions") {
			t.Errorf("%s: no sentence: %q", c.config, problem.Sentence)
		}
	}
}

func TestCronText(t *testing.T) {
	for _, fine := range []string{"* * * * *", "0 0 * * 7", " 5\t4 * * *  ", "*/5 1-3,7 1-31/2 1,12 0-7", "59 23 31 12 6", "00 05 * * *", "5/15 * * * *", "*/59 * * * *"} {
		if _, problem := timetable.Read(map[string]any{"rules": []any{map[string]any{"kind": "cron", "cron": fine}}}); problem != nil {
			t.Errorf("%q: %v", fine, problem)
		}
	}
	for _, wrong := range []string{
		"@daily", "@reboot", "* * * *", "* * * * * *", "60 * * * *", "* 24 * * *", "* * 0 * *", "* * 32 * *", "* * * 0 *", "* * * 13 *", "* * * * 8",
		"* * * jan *", "* * * * MON", "*/0 * * * *", "*/60 * * * *", "*/-1 * * * *", "5-1 * * * *", "1- * * * *", "-1 * * * *", ", * * * *", "1,,2 * * * *", "1, * * * *",
		"*/ * * * *", "*-5 * * * *", "1-2-3 * * * *", "1/2/3 * * * *", "? * * * *", "* * L * *", "* * 15W * *", "* * * * 5#3", "+1 * * * *", "１ * * * *", "1.5 * * * *", "001 * * * *",
		"* * * * *\n* * * * *", "TZ=UTC * * * * *", strings.Repeat("1,", 150) + "1 * * * *",
	} {
		if _, problem := timetable.Read(map[string]any{"rules": []any{map[string]any{"kind": "cron", "cron": wrong}}}); problem == nil {
			t.Errorf("%q is read", wrong)
		}
	}
}

func FuzzCron(f *testing.F) {
	for _, seed := range []string{"* * * * *", "*/5 1-3,7 1-31/2 1,12 0-7", "0 0 30 2 *", "@daily", "5/15 * * * *", "0-0 0 1 1 7,0"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		table, problem := timetable.Read(map[string]any{"cron": text})
		if problem != nil {
			return
		}
		again, problem := timetable.Read(table.Config())
		if problem != nil || !again.Equal(table) {
			t.Fatal("is not read back", table.Config(), problem)
		}
		if next, ok := table.NextAfter(firstOracle); ok && !table.Fires(next) {
			t.Fatal("does not fire", next)
		}
	})
}

func TestOlderConfigsBecomeRules(t *testing.T) {
	for sent, want := range map[string]string{
		`{"interval":"5m"}`:        `[{"every":5,"kind":"minutes"}]`,
		`{"interval":"60m"}`:       `[{"every":1,"kind":"hours","minute":0}]`,
		`{"interval":"1h"}`:        `[{"every":1,"kind":"hours","minute":0}]`,
		`{"interval":"1d"}`:        `[{"every":1,"hour":0,"kind":"days","minute":0}]`,
		`{"interval":"24h"}`:       `[{"every":1,"hour":0,"kind":"days","minute":0}]`,
		`{"interval":"2w"}`:        `[{"every":2,"hour":0,"kind":"weeks","minute":0,"weekdays":[1]}]`,
		`{"cron":" 0 9  * * 1-5"}`: `[{"cron":"0 9 * * 1-5","kind":"cron"}]`,
	} {
		got, _ := json.Marshal(mustRead(t, sent).Config()["rules"])
		if string(got) != want {
			t.Errorf("%s: %s, want %s", sent, got, want)
		}
	}
}

func TestConfigKeepsWhatCounts(t *testing.T) {
	table := mustRead(t, `{"rules":[{"kind":"weeks","every":1,"weekdays":[5,1,1],"hour":8,"minute":30,"dayOfMonth":4}],"timezone":null,"maxExecutions":3,"x":1}`)
	got, _ := json.Marshal(table.Config())
	if want := `{"maxExecutions":3,"rules":[{"every":1,"hour":8,"kind":"weeks","minute":30,"weekdays":[1,5]}],"timezone":"UTC"}`; string(got) != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestWords(t *testing.T) {
	for sent, want := range map[string]string{
		`{"rules":[{"kind":"weeks","every":1,"weekdays":[4,1],"hour":8,"minute":30}],"timezone":"Europe/Berlin"}`:            "Every Monday and Thursday at 08:30, Europe/Berlin",
		`{"rules":[{"kind":"minutes","every":1}]}`:                                                                           "Every minute, UTC",
		`{"rules":[{"kind":"minutes","every":7}]}`:                                                                           "Every 7 minutes from the start of each hour, UTC",
		`{"rules":[{"kind":"hours","every":6,"minute":0},{"kind":"days","every":1,"hour":9,"minute":0}]}`:                    "Every 6 hours from midnight, on the hour; every day at 09:00, UTC",
		`{"rules":[{"kind":"months","every":6,"dayOfMonth":1,"hour":0,"minute":0}],"timezone":"America/Sao_Paulo"}`:          "On the 1st of January and July at 00:00, America/Sao Paulo",
		`{"rules":[{"kind":"months","every":1,"dayOfMonth":30,"hour":0,"minute":0}],"maxExecutions":3}`:                      "On the 30th, or the last day of a shorter month, of every month at 00:00, UTC, 3 times at most",
		`{"rules":[{"kind":"months","every":5,"dayOfMonth":31,"hour":0,"minute":0}],"maxExecutions":1}`:                      "On the last day of each 5th month at 00:00, UTC, once",
		`{"rules":[{"kind":"cron","cron":"30 8 * * 1-5"}]}`:                                                                  "Every Monday, Tuesday, Wednesday, Thursday and Friday at 08:30, UTC",
		`{"rules":[{"kind":"cron","cron":"*/5 8 13 * 5"}]}`:                                                                  "Whenever */5 8 13 * 5 matches, UTC",
		`{"rules":[{"kind":"weeks","every":2,"weekdays":[0],"hour":8,"minute":30}]}`:                                         "On Sunday of each 2nd week at 08:30, UTC",
		`{"rules":[{"kind":"weeks","every":1,"weekdays":[0,1,2,3,4,5,6],"hour":8,"minute":30}],"timezone":"Asia/Kathmandu"}`: "Every day at 08:30, Asia/Kathmandu",
	} {
		if got := mustRead(t, sent).Words(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestUpcomingMarksClockChanges(t *testing.T) {
	daily := mustRead(t, `{"rules":[{"kind":"days","every":1,"hour":2,"minute":30}],"timezone":"Europe/Berlin"}`)
	spring := daily.Upcoming(at(t, "2026-03-27T12:00:00Z"), 3)
	if o := spring[1]; o.Shift != time.Hour || o.Skipped != 1 || o.FirstSkipped.String() != "2026-03-29T02:30" || o.Repeated != 0 {
		t.Errorf("spring: %+v", o)
	}
	if o := spring[0]; o.Shift != 0 || o.Skipped != 0 {
		t.Errorf("before: %+v", o)
	}
	autumn := daily.Upcoming(at(t, "2026-10-25T00:00:00Z"), 2)
	if o := autumn[1]; o.Shift != -time.Hour || o.Repeated != 1 || o.FirstRepeated.String() != "2026-10-25T02:30" {
		t.Errorf("autumn: %+v", o)
	}
	if all := mustRead(t, `{"cron":"0 0 30 2 *"}`).Upcoming(firstOracle, 5); len(all) != 0 {
		t.Error(all)
	}
}

func TestCount(t *testing.T) {
	every := mustRead(t, `{"interval":"1m"}`)
	from := at(t, "2026-11-22T10:00:00Z")
	if n, last := every.Count(from, from.Add(10*time.Minute), 100); n != 10 || !last.Equal(from.Add(10*time.Minute)) {
		t.Error(n, last)
	}
	if n, _ := every.Count(from, from.Add(10*time.Hour), 100); n != 100 {
		t.Error(n)
	}
}

func TestLabels(t *testing.T) {
	table := mustRead(t, `{"interval":"1m","timezone":"Asia/Kathmandu"}`)
	if l := table.LabelAt(at(t, "2026-11-22T18:20:59Z")); l.String() != "2026-11-23T00:05" {
		t.Error(l)
	}
	if !slices.Equal([]string{table.LabelAt(at(t, "1969-12-31T00:00:00Z")).String()}, []string{"1969-12-31T05:30"}) {
		t.Error(table.LabelAt(at(t, "1969-12-31T00:00:00Z")))
	}
}

func BenchmarkNextAfter(b *testing.B) {
	for name, c := range map[string]map[string]any{
		"minutes": {"interval": "5m", "timezone": "Europe/Berlin"},
		"yearly":  {"cron": "0 0 1 1 *", "timezone": "Europe/Berlin"},
		"never":   {"cron": "0 0 30 2 *", "timezone": "Europe/Berlin"},
	} {
		table, _ := timetable.Read(c)
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				table.NextAfter(firstOracle)
			}
		})
	}
}

package timetable

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
)

// maxExecutions bounds the number of runs after which a timetable stops.
const maxExecutions = 1_000_000_000

// Read is the timetable of a config. What it needs and how far its values go is
// in contract 2, "Schedule config"; fields that it does not know are passed
// over. Without rules, the interval or the cron expression of older configs
// counts.
func Read(config map[string]any) (*Timetable, *Problem) {
	t := &Timetable{}
	var problem *Problem
	if t.Rules, problem = readRules(config); problem != nil {
		return nil, problem
	}
	if t.Zone, t.ZoneName, problem = readZone(config["timezone"]); problem != nil {
		return nil, problem
	}
	if t.MaxExecutions, problem = readMax(config["maxExecutions"]); problem != nil {
		return nil, problem
	}
	return t, nil
}

func readRules(config map[string]any) ([]Rule, *Problem) {
	sent, given := config["rules"]
	if !given || sent == nil {
		if rule, older, problem := readOlder(config); older {
			return []Rule{rule}, problem
		}
	}
	entries, isList := sent.([]any)
	switch {
	case given && sent != nil && !isList:
		return nil, &Problem{"rules", "must be a list of rules", "The rules are not a list: write them again."}
	case len(entries) == 0:
		return nil, &Problem{"rules", "must have at least one rule", "It has no rule yet: add when it runs."}
	case len(entries) > maxRules:
		return nil, &Problem{"rules", fmt.Sprintf("may have at most %d rules", maxRules), fmt.Sprintf("It has more than %d rules: remove some.", maxRules)}
	}
	rules := make([]Rule, len(entries))
	for i, entry := range entries {
		in := ruleReader{place: fmt.Sprintf("rules[%d]", i), number: i + 1}
		in.fields, _ = entry.(map[string]any)
		if rules[i] = in.read(); in.problem != nil {
			return nil, in.problem
		}
	}
	return rules, nil
}

// readOlder reads the interval or cron expression of configs before rules.
func readOlder(config map[string]any) (rule Rule, older bool, problem *Problem) {
	if sent := config["interval"]; sent != nil && sent != "" {
		text, _ := sent.(string)
		rule, ok := Interval(text)
		if !ok {
			return rule, true, &Problem{"interval", "must be a number of minutes, hours or days that a rule can have, such as 5m, 1h or 1d",
				"The interval cannot be read: write it as a rule."}
		}
		return rule, true, nil
	}
	if sent := config["cron"]; sent != nil && sent != "" {
		in := ruleReader{fields: map[string]any{"kind": "cron", "cron": sent}, number: 1}
		rule = in.read()
		if in.problem != nil {
			in.problem.Field = "cron"
		}
		return rule, true, in.problem
	}
	return rule, false, nil
}

// Interval is the rule of an older interval: a number with m, h, d or w, such as
// 5m, 1h or 1d. False where no rule runs in that rhythm.
func Interval(text string) (Rule, bool) {
	text = strings.TrimSpace(text)
	if len(text) < 2 || len(text) > 6 || strings.Trim(text[:len(text)-1], "0123456789") != "" {
		return Rule{}, false
	}
	n := 0
	for _, c := range text[:len(text)-1] {
		n = n*10 + int(c-'0')
	}
	switch text[len(text)-1] {
	case 'm':
	case 'h':
		n *= 60
	case 'd':
		n *= minutesOfDay
	case 'w':
		n *= 7 * minutesOfDay
	default:
		return Rule{}, false
	}
	var rule Rule
	switch {
	case n >= 7*minutesOfDay && n%(7*minutesOfDay) == 0 && text[len(text)-1] == 'w':
		rule = Rule{Kind: Weeks, Every: n / (7 * minutesOfDay), Weekdays: []int{1}}
	case n >= minutesOfDay && n%minutesOfDay == 0:
		rule = Rule{Kind: Days, Every: n / minutesOfDay}
	case n >= 60 && n%60 == 0:
		rule = Rule{Kind: Hours, Every: n / 60}
	default:
		rule = Rule{Kind: Minutes, Every: n}
	}
	rule.prepareIf(rule.Every >= 1 && rule.Every <= most[rule.Kind])
	return rule, rule.minutes != 0
}

func (r *Rule) prepareIf(fine bool) {
	if fine {
		r.prepare()
	}
}

func readZone(sent any) (*time.Location, string, *Problem) {
	if sent == nil || sent == "" {
		return time.UTC, "UTC", nil
	}
	name, _ := sent.(string)
	zone, ok := LoadZone(name)
	if !ok {
		return nil, "", &Problem{"timezone", "must be the name of a time zone, such as Europe/Berlin",
			"Its time zone cannot be read: choose one such as Europe/Berlin."}
	}
	return zone, name, nil
}

func readMax(sent any) (int64, *Problem) {
	if sent == nil {
		return 0, nil
	}
	n, ok := whole(sent)
	if !ok || n < 1 || n > maxExecutions {
		return 0, &Problem{"maxExecutions", fmt.Sprintf("must be a whole number from 1 to %d", maxExecutions),
			"The number of runs after which it stops must be a whole number from 1 on."}
	}
	return n, nil
}

// ruleReader reads one rule and keeps the first problem.
type ruleReader struct {
	fields  map[string]any
	place   string
	number  int
	problem *Problem
}

func (in *ruleReader) read() (r Rule) {
	if in.fields == nil {
		in.problem = &Problem{in.place, "must be a rule", fmt.Sprintf("Rule %d cannot be read: write it again.", in.number)}
		return r
	}
	kind, _ := in.fields["kind"].(string)
	r.Kind = Kind(kind)
	fields, known := fieldsOf[r.Kind]
	if !known {
		in.fail("kind", "must be one of minutes, hours, days, weeks, months, cron", "needs a unit: minutes, hours, days, weeks, months or an expression")
		return r
	}
	for _, f := range fields {
		switch f {
		case "every":
			r.Every = in.numberIn(f, 1, most[r.Kind], "“every”")
		case "hour":
			r.Hour = in.numberIn(f, 0, 23, "the hour")
		case "minute":
			r.Minute = in.numberIn(f, 0, 59, "the minute")
		case "dayOfMonth":
			r.DayOfMonth = in.numberIn(f, 1, 31, "the day of the month")
		case "weekdays":
			r.Weekdays = in.weekdays(f)
		case "cron":
			r.Cron, r.cron = in.cron(f)
		}
	}
	r.prepareIf(in.problem == nil)
	return r
}

// fail keeps what is wrong with a field; people read it after "Rule 1".
func (in *ruleReader) fail(field, message, said string) {
	if in.problem == nil {
		in.problem = &Problem{in.place + "." + field, message, fmt.Sprintf("Rule %d %s.", in.number, said)}
	}
}

// numberIn is a whole number of a range; name is the field's to people.
func (in *ruleReader) numberIn(field string, low, high int, name string) int {
	n, ok := whole(in.fields[field])
	if !ok || n < int64(low) || n > int64(high) {
		in.fail(field, fmt.Sprintf("must be a whole number from %d to %d", low, high), fmt.Sprintf("needs a whole number from %d to %d as %s", low, high, name))
		return 0
	}
	return int(n)
}

func (in *ruleReader) weekdays(field string) (days []int) {
	sent, _ := in.fields[field].([]any)
	for _, value := range sent {
		n, ok := whole(value)
		if !ok || n < 0 || n > 6 {
			in.fail(field, "must be numbers from 0, Sunday, to 6, Saturday", "has a weekday that is none")
			return nil
		}
		if !slices.Contains(days, int(n)) {
			days = append(days, int(n))
		}
	}
	if len(days) == 0 {
		in.fail(field, "must have at least one weekday, from 0, Sunday, to 6, Saturday", "needs at least one weekday")
	}
	slices.Sort(days)
	return days
}

func (in *ruleReader) cron(field string) (string, cron) {
	text, isText := in.fields[field].(string)
	if in.fields[field] != nil && !isText {
		in.fail(field, "must be a text of five fields", "has an expression that is not a text")
		return "", cron{}
	}
	c, err := parseCron(text)
	if err != nil {
		said := "has an expression that cannot be read: it " + err.Error()
		if strings.TrimSpace(text) == "" {
			said = "needs an expression"
		}
		in.fail(field, err.Error(), said)
	}
	return strings.Join(strings.Fields(text), " "), c
}

// whole is a number without a fraction, however JSON was read.
func whole(value any) (int64, bool) {
	switch n := value.(type) {
	case float64:
		if n != math.Trunc(n) || math.Abs(n) > 1e15 {
			return 0, false
		}
		return int64(n), true
	case int:
		return int64(n), true
	case int64:
		return n, true
	case json.Number:
		if i, err := n.Int64(); err == nil {
			return i, true
		}
		f, err := n.Float64()
		if err != nil {
			return 0, false
		}
		return whole(f)
	}
	return 0, false
}

// ReadRules are the rules of a config as they are kept, older ways to count
// among them.
func ReadRules(config map[string]any) ([]any, *Problem) {
	rules, problem := readRules(config)
	if problem != nil {
		return nil, problem
	}
	return (&Timetable{Rules: rules}).Config()["rules"].([]any), nil
}

// Package timetable says at which minutes a schedule runs: rules read on the
// calendar and the clock of one zone (contract 2, "Schedule config" and
// "Schedule firing rules"). It knows no database and no time but what it is
// given.
package timetable

import (
	"slices"
	"time"
)

// maxRules bounds a timetable.
const maxRules = 50

// Timetable runs whenever any of its rules matches.
type Timetable struct {
	Rules []Rule
	// Zone is the clock of the rules; ZoneName is as it was given, "UTC" for none.
	Zone     *time.Location
	ZoneName string
	// MaxExecutions is after how many runs it stops; 0 is never.
	MaxExecutions int64
}

// Problem is why a timetable cannot be read.
type Problem struct {
	// Field is the place in the config, such as rules[0].every.
	Field string
	// Message says what is wrong with the field, to programs: "must be …".
	Message string
	// Sentence says the same to people.
	Sentence string
}

func (p *Problem) Error() string { return p.Field + " " + p.Message }

// Config is the timetable as it is kept: what Read reads, with nothing else.
func (t *Timetable) Config() map[string]any {
	rules := make([]any, len(t.Rules))
	for i, r := range t.Rules {
		rules[i] = r.config()
	}
	config := map[string]any{"rules": rules, "timezone": t.ZoneName}
	if t.MaxExecutions > 0 {
		config["maxExecutions"] = float64(t.MaxExecutions)
	}
	return config
}

// config is the rule with the fields of its kind.
func (r *Rule) config() map[string]any {
	c := map[string]any{"kind": string(r.Kind)}
	for _, f := range fieldsOf[r.Kind] {
		switch f {
		case "every":
			c[f] = float64(r.Every)
		case "hour":
			c[f] = float64(r.Hour)
		case "minute":
			c[f] = float64(r.Minute)
		case "dayOfMonth":
			c[f] = float64(r.DayOfMonth)
		case "cron":
			c[f] = r.Cron
		case "weekdays":
			days := make([]any, len(r.Weekdays))
			for i, d := range r.Weekdays {
				days[i] = float64(d)
			}
			c[f] = days
		}
	}
	return c
}

// fieldsOf are the fields that each kind has, all of them needed.
var fieldsOf = map[Kind][]string{
	Minutes: {"every"},
	Hours:   {"every", "minute"},
	Days:    {"every", "hour", "minute"},
	Weeks:   {"every", "weekdays", "hour", "minute"},
	Months:  {"every", "dayOfMonth", "hour", "minute"},
	Cron:    {"cron"},
}

// Kinds are all kinds of rule, in the contract's order.
var Kinds = []Kind{Minutes, Hours, Days, Weeks, Months, Cron}

// Equal tells whether two timetables run at the same minutes by the same rules.
func (t *Timetable) Equal(other *Timetable) bool {
	return t.ZoneName == other.ZoneName && t.MaxExecutions == other.MaxExecutions && slices.EqualFunc(t.Rules, other.Rules, func(a, b Rule) bool {
		return a.Kind == b.Kind && a.Every == b.Every && slices.Equal(a.Weekdays, b.Weekdays) && a.DayOfMonth == b.DayOfMonth &&
			a.Hour == b.Hour && a.Minute == b.Minute && a.Cron == b.Cron
	})
}

package timetable

import (
	"fmt"
	"strconv"
	"strings"
)

var weekdayNames = [7]string{"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"}

var monthNames = [12]string{"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"}

// Words is the timetable as people say it: "Every Monday and Thursday at 08:30,
// Europe/Berlin".
func (t *Timetable) Words() string {
	said := make([]string, len(t.Rules))
	for i := range t.Rules {
		if said[i] = t.Rules[i].Words(); i > 0 {
			said[i] = strings.ToLower(said[i][:1]) + said[i][1:]
		}
	}
	s := strings.Join(said, "; ") + ", " + strings.ReplaceAll(t.ZoneName, "_", " ")
	switch t.MaxExecutions {
	case 0:
		return s
	case 1:
		return s + ", once"
	}
	return s + ", " + strconv.FormatInt(t.MaxExecutions, 10) + " times at most"
}

// Words is the rule as people say it, without its zone.
func (r *Rule) Words() string {
	at := fmt.Sprintf(" at %02d:%02d", r.Hour, r.Minute)
	switch r.Kind {
	case Minutes:
		return r.minuteWords()
	case Hours:
		return r.hourWords()
	case Days:
		return each(r.Every, "day") + at
	case Weeks:
		return r.weekWords() + at
	case Months:
		return r.monthWords() + at
	}
	return r.cronWords()
}

// each is "Every day", "Every 3 days".
func each(n int, unit string) string {
	if n == 1 {
		return "Every " + unit
	}
	return fmt.Sprintf("Every %d %ss", n, unit)
}

func (r *Rule) minuteWords() string {
	if 60%r.Every != 0 {
		return each(r.Every, "minute") + " from the start of each hour"
	}
	return each(r.Every, "minute")
}

func (r *Rule) hourWords() string {
	s := each(r.Every, "hour")
	if r.Every > 1 {
		s += " from midnight"
	}
	if r.Minute == 0 {
		return s + ", on the hour"
	}
	return fmt.Sprintf("%s, at minute %d", s, r.Minute)
}

func (r *Rule) weekWords() string {
	var days []string
	for i := range 7 { // Monday first
		for _, d := range r.Weekdays {
			if d == (i+1)%7 {
				days = append(days, weekdayNames[d])
			}
		}
	}
	switch {
	case r.Every == 1 && len(days) == 7:
		return "Every day"
	case r.Every == 1:
		return "Every " + and(days)
	case len(days) == 7:
		return fmt.Sprintf("On every day of each %s week", ordinal(r.Every))
	}
	return fmt.Sprintf("On %s of each %s week", and(days), ordinal(r.Every))
}

func (r *Rule) monthWords() string {
	s := "On the " + ordinal(r.DayOfMonth)
	switch {
	case r.DayOfMonth == 31:
		s = "On the last day"
	case r.DayOfMonth > 28:
		s += ", or the last day of a shorter month,"
	}
	if r.Every == 1 {
		return s + " of every month"
	}
	if 12%r.Every != 0 {
		return s + " of each " + ordinal(r.Every) + " month"
	}
	var months []string
	for m := 0; m < 12; m += r.Every {
		months = append(months, monthNames[m])
	}
	return s + " of " + and(months)
}

// cronWords says plain expressions in words, and shows the others.
func (r *Rule) cronWords() string {
	c := r.cron
	hour, oneHour := single(c.hours)
	minute, oneMinute := single(c.minutes)
	if oneHour && oneMinute && full(c.days, 1, 31) && full(c.months, 1, 12) {
		plain := Rule{Kind: Weeks, Every: 1, Hour: hour, Minute: minute}
		for d := range 7 {
			if c.weekdays>>d&1 != 0 {
				plain.Weekdays = append(plain.Weekdays, d)
			}
		}
		return plain.Words()
	}
	return "Whenever " + r.Cron + " matches"
}

// single is the only value of a set.
func single(set uint64) (int, bool) {
	for i := range 64 {
		if set == 1<<i {
			return i, true
		}
	}
	return 0, false
}

func and(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}

func ordinal(n int) string {
	if n%100 >= 11 && n%100 <= 13 {
		return strconv.Itoa(n) + "th"
	}
	switch n % 10 {
	case 1:
		return strconv.Itoa(n) + "st"
	case 2:
		return strconv.Itoa(n) + "nd"
	case 3:
		return strconv.Itoa(n) + "rd"
	}
	return strconv.Itoa(n) + "th"
}

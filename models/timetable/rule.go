package timetable

import "math/bits"

// Kind is the unit of a rule.
type Kind string

const (
	Minutes Kind = "minutes"
	Hours   Kind = "hours"
	Days    Kind = "days"
	Weeks   Kind = "weeks"
	Months  Kind = "months"
	Cron    Kind = "cron"
)

// most is the highest "every" of a kind.
var most = map[Kind]int{Minutes: 59, Hours: 23, Days: 31, Weeks: 52, Months: 12, Cron: 0}

// Rule is one line of a timetable (contract 2, "Schedule config").
type Rule struct {
	Kind Kind
	// Every is each Nth unit, counted from the fixed origin; minutes and hours
	// count from the beginning of their hour and day.
	Every int
	// Weekdays are those of a rule of weeks, 0 is Sunday, in their order.
	Weekdays []int
	// DayOfMonth is the last day of months that are shorter.
	DayOfMonth   int
	Hour, Minute int
	Cron         string

	cron cron
	// hours and minutes are the times of each day that day lets through.
	hours, minutes uint64
}

// prepare works out the times of the day.
func (r *Rule) prepare() {
	switch r.Kind {
	case Minutes:
		r.hours, r.minutes = stepped(24, 1), stepped(60, r.Every)
	case Hours:
		r.hours, r.minutes = stepped(24, r.Every), 1<<r.Minute
	case Cron:
		r.hours, r.minutes = r.cron.hours, r.cron.minutes
	default:
		r.hours, r.minutes = 1<<r.Hour, 1<<r.Minute
	}
}

// stepped is 0, step, 2·step and so on below a number.
func stepped(below, step int) (set uint64) {
	for i := 0; i < below; i += step {
		set |= 1 << i
	}
	return set
}

// month tells whether the rule may run in the month at all.
func (r *Rule) month(d date) bool {
	switch r.Kind {
	case Months:
		return modulo(d.monthOf(), int64(r.Every)) == 0
	case Cron:
		return r.cron.months>>d.month&1 != 0
	}
	return true
}

// day tells whether the rule runs on a day of a month that it may run in.
func (r *Rule) day(day int64, d date) bool {
	switch r.Kind {
	case Days:
		return modulo(day, int64(r.Every)) == 0
	case Weeks:
		if modulo(week(day), int64(r.Every)) != 0 {
			return false
		}
		for _, w := range r.Weekdays {
			if w == weekday(day) {
				return true
			}
		}
		return false
	case Months:
		return d.day == min(r.DayOfMonth, d.lastDay())
	case Cron:
		return r.cron.days>>d.day&1 != 0 && r.cron.weekdays>>weekday(day)&1 != 0
	}
	return true
}

// next is the first minute from low to below high that the rule matches.
func (r *Rule) next(low, high Label) (Label, bool) {
	day, from := low.day(), low.minuteOfDay()
	for day*minutesOfDay < int64(high) {
		d := civil(day)
		if !r.month(d) {
			day, from = d.nextMonth().dayOf(), 0
			continue
		}
		if r.day(day, d) {
			if m, ok := r.time(from); ok {
				l := Label(day*minutesOfDay + int64(m))
				return l, l < high
			}
		}
		day, from = day+1, 0
	}
	return 0, false
}

// time is the first minute of a day from the given one on.
func (r *Rule) time(from int) (int, bool) {
	hour := from / 60
	if r.hours>>hour&1 != 0 {
		if left := r.minutes >> (from % 60) << (from % 60); left != 0 {
			return hour*60 + bits.TrailingZeros64(left), true
		}
	}
	later := r.hours >> (hour + 1) << (hour + 1)
	if later == 0 || r.minutes == 0 {
		return 0, false
	}
	return bits.TrailingZeros64(later)*60 + bits.TrailingZeros64(r.minutes), true
}

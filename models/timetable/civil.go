package timetable

import "fmt"

// A date of the Gregorian calendar. Days are counted from 1 January 1970, months
// from January 1970, weeks from the Monday before it; those counts are the fixed
// origin of "every Nth" (contract 2, "Trigger endpoints" 9).
type date struct{ year, month, day int }

const (
	minutesOfDay = 24 * 60
	// mondayBefore is how many days before 1 January 1970, a Thursday, its week began.
	mondayBefore = 3
)

// civil is the date of a day.
func civil(day int64) date {
	z := day + 719468 // days since 1 March of the year 0
	era := floorDiv(z, 146097)
	ofEra := z - era*146097
	yearOfEra := (ofEra - ofEra/1460 + ofEra/36524 - ofEra/146096) / 365
	ofYear := ofEra - (365*yearOfEra + yearOfEra/4 - yearOfEra/100)
	shifted := (5*ofYear + 2) / 153 // March is 0
	d := date{year: int(yearOfEra + era*400), month: int(shifted + 3), day: int(ofYear-(153*shifted+2)/5) + 1}
	if d.month > 12 {
		d.month, d.year = d.month-12, d.year+1
	}
	return d
}

// dayOf is the day of a date.
func (d date) dayOf() int64 {
	year, month := int64(d.year), int64(d.month)
	if month <= 2 {
		year, month = year-1, month+12
	}
	era := floorDiv(year, 400)
	yearOfEra := year - era*400
	ofYear := (153*(month-3)+2)/5 + int64(d.day) - 1
	return era*146097 + yearOfEra*365 + yearOfEra/4 - yearOfEra/100 + ofYear - 719468
}

// monthOf counts months.
func (d date) monthOf() int64 { return int64(d.year-1970)*12 + int64(d.month-1) }

// nextMonth is the first day of the month after it.
func (d date) nextMonth() date {
	if d.month == 12 {
		return date{d.year + 1, 1, 1}
	}
	return date{d.year, d.month + 1, 1}
}

// lastDay is how many days its month has.
func (d date) lastDay() int {
	switch d.month {
	case 4, 6, 9, 11:
		return 30
	case 2:
		if d.year%4 == 0 && (d.year%100 != 0 || d.year%400 == 0) {
			return 29
		}
		return 28
	}
	return 31
}

// weekday of a day, 0 is Sunday.
func weekday(day int64) int { return int(modulo(day+4, 7)) }

// week counts weeks, which start on Monday.
func week(day int64) int64 { return floorDiv(day+mondayBefore, 7) }

// Label is a minute as a clock in the timetable's zone shows it: minutes since
// 1970-01-01T00:00 of that clock.
type Label int64

func (l Label) day() int64 { return floorDiv(int64(l), minutesOfDay) }

func (l Label) minuteOfDay() int { return int(modulo(int64(l), minutesOfDay)) }

// String is the minute without its zone: "2026-03-29T02:30".
func (l Label) String() string {
	d, m := civil(l.day()), l.minuteOfDay()
	return fmt.Sprintf("%04d-%02d-%02dT%02d:%02d", d.year, d.month, d.day, m/60, m%60)
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

func ceilDiv(a, b int64) int64 { return -floorDiv(-a, b) }

func modulo(a, b int64) int64 { return a - floorDiv(a, b)*b }

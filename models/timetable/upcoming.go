package timetable

import "time"

// Occurrence is a minute at which a timetable runs, and what the clocks did
// between it and the one before.
type Occurrence struct {
	At time.Time
	// Shift is by how much the clocks differ from those of the minute before: an
	// hour when summer time began.
	Shift time.Duration
	// Skipped is how many minutes of the timetable the clocks left out, from
	// FirstSkipped on.
	Skipped      int
	FirstSkipped Label
	// Repeated is how many minutes the clocks showed twice; each runs once.
	Repeated      int
	FirstRepeated Label
}

// Upcoming are the next n minutes after a time, fewer when no more come.
func (t *Timetable) Upcoming(after time.Time, n int) []Occurrence {
	all := make([]Occurrence, 0, n)
	for len(all) < n {
		next, ok := t.NextAfter(after)
		if !ok {
			break
		}
		all = append(all, t.occurrence(after, next))
		after = next
	}
	return all
}

// occurrence looks at the clock changes on the way to a minute.
func (t *Timetable) occurrence(before, at time.Time) Occurrence {
	o := Occurrence{At: at}
	s := t.offsetPeriodAt(before.Unix())
	first := s.offset
	for s.end <= at.Unix() {
		next := t.offsetPeriodAt(s.end)
		low, high := Label(ceilDiv(s.end+s.offset, 60)), Label(ceilDiv(s.end+next.offset, 60))
		if low < high {
			o.Skipped += t.count(low, high, &o.FirstSkipped)
		} else if high < low {
			o.Repeated += t.count(high, low, &o.FirstRepeated)
		}
		s = next
	}
	o.Shift = time.Duration(s.offset-first) * time.Second
	return o
}

// count is how many minutes of a span match; the first of all is kept.
func (t *Timetable) count(low, high Label, first *Label) (n int) {
	for low < high {
		l, ok := t.nextLabel(low, high)
		if !ok {
			break
		}
		if *first == 0 {
			*first = l
		}
		n, low = n+1, l+1
	}
	return n
}

// Count is how many minutes the timetable has from one time, exclusive, to
// another, inclusive, and the last of them; it stops at most.
func (t *Timetable) Count(after, until time.Time, most int) (n int, last time.Time) {
	for n < most {
		next, ok := t.NextAfter(after)
		if !ok || next.After(until) {
			break
		}
		n, last, after = n+1, next, next
	}
	return n, last
}

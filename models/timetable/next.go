package timetable

import (
	"math"
	"time"
)

// horizon is how far ahead a minute is looked for. Dates repeat within 40 years
// at the latest (29 February on a certain weekday, over a year such as 2100).
const horizon = 100 * 366 * 24 * 60 * 60

// maxFold is how long, in seconds, a minute can come again after the clocks went
// back: no two zones are further apart.
const maxFold = 2 * 24 * 60 * 60

// offsetPeriod is a time in which a zone keeps one offset, in seconds.
type offsetPeriod struct{ start, end, offset int64 }

func (t *Timetable) offsetPeriodAt(second int64) offsetPeriod {
	at := time.Unix(second, 0).In(t.Zone)
	_, offset := at.Zone()
	s := offsetPeriod{math.MinInt64 / 4, math.MaxInt64 / 4, int64(offset)}
	start, end := at.ZoneBounds()
	if !start.IsZero() {
		s.start = start.Unix()
	}
	if !end.IsZero() {
		s.end = end.Unix()
	}
	if s.end <= second { // on the last day of a leap year that the rule of a zone reaches, Go says that it ended the day before
		s.end = (floorDiv(second, 24*60*60) + 1) * 24 * 60 * 60
	}
	return s
}

// labels are the minutes that begin within the stretch.
func (s offsetPeriod) labels() (low, high Label) {
	return Label(ceilDiv(s.start+s.offset, 60)), Label(ceilDiv(s.end+s.offset, 60))
}

// NextAfter is the first minute that begins after the given time and at which a
// rule matches what the zone's clock shows. A minute that the clocks skip is not
// made up for; of one that they show twice, the first counts alone (contract 2,
// "Schedule firing rules" 2). False when no such minute comes within 100 years.
func (t *Timetable) NextAfter(after time.Time) (time.Time, bool) {
	second := floorDiv(after.UnixNano(), 1e9) + 1
	for limit := second + horizon; second < limit; {
		s := t.offsetPeriodAt(second)
		_, high := s.labels()
		low := Label(ceilDiv(second+s.offset, 60))
		high = min(high, Label(ceilDiv(limit+s.offset, 60)))
		for low < high {
			label, ok := t.nextLabel(low, high)
			if !ok {
				break
			}
			if later, shown := t.repeated(label, s); shown {
				low = max(later, label+1)
				continue
			}
			return time.Unix(int64(label)*60-s.offset, 0).UTC(), true
		}
		second = s.end
	}
	return time.Time{}, false
}

// Fires tells whether the timetable runs at a minute, given by its beginning.
func (t *Timetable) Fires(minute time.Time) bool {
	next, ok := t.NextAfter(minute.Add(-time.Second))
	return ok && next.Equal(minute)
}

// LabelAt is what the zone's clock shows at a time.
func (t *Timetable) LabelAt(at time.Time) Label {
	_, offset := at.In(t.Zone).Zone()
	return Label(floorDiv(at.Unix()+int64(offset), 60))
}

// nextLabel is the first minute of the clock that any rule matches.
func (t *Timetable) nextLabel(low, high Label) (first Label, found bool) {
	for i := range t.Rules {
		if l, ok := t.Rules[i].next(low, high); ok {
			first, found, high = l, true, l
		}
	}
	return first, found
}

// repeated tells whether the clock has shown a minute of period s before s
// began, and the first minute that it then had not shown yet.
func (t *Timetable) repeated(l Label, s offsetPeriod) (Label, bool) {
	at := int64(l)*60 - s.offset
	for s.start > at-maxFold {
		s = t.offsetPeriodAt(s.start - 1)
		if low, high := s.labels(); low <= l && l < high {
			return high, true
		}
	}
	return 0, false
}

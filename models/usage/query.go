package usage

import (
	"fmt"
	"time"

	"atelier/models"
	"atelier/models/timetable"
)

// Bounds of reports (contract 3, "Limits").
const (
	maxRange    = 366
	defaultDays = 30
	maxGroups   = 5_000
)

// asked is a query that was read: whose usage, in which days.
type asked struct {
	scope
	days
	group Group
}

// scope is whose usage a report covers, as it was authorized.
type scope struct {
	organizationID models.ID
	workspaceID    *models.ID // nil for all of the organization
	userID         *models.ID // nil for everyone
}

// read judges the form of a query; whose usage it is about is for the caller.
func (q Query) read(now time.Time) (a asked, err error) {
	a.group = ByDay
	if q.GroupBy != nil {
		a.group = *q.GroupBy
	}
	switch a.group {
	case ByWorkspace, ByMember, ByModel, ByDay, Runs:
	default:
		return a, models.Invalid("groupBy", "must be workspace, member, model, day or none")
	}
	a.zone, a.tz = time.UTC, "UTC"
	if q.TZ != nil {
		zone, ok := timetable.LoadZone(*q.TZ)
		if !ok {
			return a, models.Invalid("tz", "must be the name of a time zone, such as Europe/Berlin")
		}
		a.zone, a.tz = zone, *q.TZ
	}
	a.from, a.to, err = q.dates(dateOf(now, a.zone))
	if err != nil {
		return a, err
	}
	a.scope.workspaceID, a.scope.userID = q.WorkspaceID, q.UserID
	a.days.cut()
	return a, nil
}

// dates are the first and the last day; one alone has the other 29 days away, at
// most today (open points, "Usage").
func (q Query) dates(today date) (from, to date, err error) {
	if q.From != nil {
		if from, err = readDate("from", *q.From); err != nil {
			return from, to, err
		}
	}
	if q.To != nil {
		if to, err = readDate("to", *q.To); err != nil {
			return from, to, err
		}
	}
	switch {
	case q.From == nil && q.To == nil:
		from, to = today-(defaultDays-1), today
	case q.From == nil:
		from = to - (defaultDays - 1)
	case q.To == nil:
		to = min(from+(defaultDays-1), today)
	}
	if from > to {
		return from, to, models.Invalid("from", "must not be after to")
	}
	if to-from+1 > maxRange {
		return from, to, models.Invalid("to", "must be at most %d days from the first: a report covers %d days", maxRange-1, maxRange)
	}
	return from, to, nil
}

func readDate(field, text string) (date, error) {
	t, err := time.Parse(time.DateOnly, text)
	if err != nil || t.Year() < 1 {
		return 0, models.Invalid(field, "must be a day that exists, written YYYY-MM-DD")
	}
	return date(t.Unix() / secondsOfDay), nil
}

// name tells reports apart, for the cursors of their runs.
func (a asked) name() string {
	return fmt.Sprintf("usage:%s:%s:%s:%s:%s:%s", a.organizationID, text(a.workspaceID), text(a.userID), a.from, a.to, a.tz)
}

func text(id *models.ID) string {
	if id == nil {
		return ""
	}
	return id.String()
}

// everyone tells whether the report is not about one person.
func (s scope) everybody() bool { return s.userID == nil }

// id is the row of usage_quarters that has the scope when it covers everyone.
func (s scope) id() models.ID {
	if s.workspaceID != nil {
		return *s.workspaceID
	}
	return s.organizationID
}

// date counts days from 1970-01-01 on the calendar, of whatever zone.
type date int

const secondsOfDay = 24 * 60 * 60

func dateOf(t time.Time, zone *time.Location) date {
	y, m, d := t.In(zone).Date()
	return dateIn(y, m, d)
}

func dateIn(y int, m time.Month, d int) date {
	seconds := time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Unix()
	return date((seconds - (seconds%secondsOfDay+secondsOfDay)%secondsOfDay) / secondsOfDay)
}

// midnight is when the day begins in UTC.
func (d date) midnight() time.Time { return time.Unix(int64(d)*secondsOfDay, 0).UTC() }

func (d date) String() string { return d.midnight().Format(time.DateOnly) }

// days are the days of a report, which begin at instants: those of one zone.
type days struct {
	tz       string
	zone     *time.Location
	from, to date
	// starts are where each day begins, and where the last one ends.
	starts []time.Time
}

// cut works out where the days begin.
func (d *days) cut() {
	d.starts = make([]time.Time, 0, int(d.to-d.from)+2)
	for day := d.from; day <= d.to+1; day++ {
		d.starts = append(d.starts, startOf(day, d.zone))
	}
}

func (d *days) begin() time.Time { return d.starts[0] }
func (d *days) end() time.Time   { return d.starts[len(d.starts)-1] }

// before are the days of the range of equal length before.
func (d days) before() days {
	earlier := days{tz: d.tz, zone: d.zone, from: d.from - (d.to - d.from + 1), to: d.from - 1}
	earlier.cut()
	return earlier
}

// furthest is more than a clock anywhere is apart from UTC.
const furthest = 26 * time.Hour

// startOf is the first instant at which clocks of the zone show the day or a
// later one: a day that a zone leaves out begins and ends at once, and one in
// whose first hour clocks are set back begins once.
func startOf(day date, zone *time.Location) time.Time {
	midnight := day.midnight()
	for at := midnight.Add(-furthest); ; {
		begins, ends := at.In(zone).ZoneBounds()
		_, offset := at.In(zone).Zone()
		start := midnight.Add(-time.Duration(offset) * time.Second)
		if !begins.IsZero() && start.Before(begins) {
			start = begins
		}
		if ends.IsZero() || start.Before(ends) {
			return start.UTC()
		}
		at = ends
	}
}

// quarter is what the rows of rollups count.
const quarter = 15 * time.Minute

// upToQuarter is the first quarter of an hour that begins at t or later.
func upToQuarter(t time.Time) time.Time {
	down := t.Truncate(quarter)
	if down.Before(t) {
		return down.Add(quarter)
	}
	return down
}

// stretch is a part of a range whose rows have one grain.
type stretch struct {
	grain    string
	from, to time.Time
}

// stretches divide a range among the coarsest rows that lie in it: months
// inside, days around them, quarters of an hour at the edges.
func stretches(from, to time.Time) (all []stretch) {
	add := func(grain string, from, to time.Time) {
		if from.Before(to) {
			all = append(all, stretch{grain, from, to})
		}
	}
	from, to = upToQuarter(from), upToQuarter(to)
	firstDay, lastDay := dayUp(from), to.Truncate(24*time.Hour)
	if !firstDay.Before(lastDay) {
		add("quarter", from, to)
		return all
	}
	add("quarter", from, firstDay)
	add("quarter", lastDay, to)
	firstMonth, lastMonth := monthUp(firstDay), monthDown(lastDay)
	if !firstMonth.Before(lastMonth) {
		add("day", firstDay, lastDay)
		return all
	}
	add("day", firstDay, firstMonth)
	add("day", lastMonth, lastDay)
	add("month", firstMonth, lastMonth)
	return all
}

func dayUp(t time.Time) time.Time {
	if down := t.Truncate(24 * time.Hour); down.Before(t) {
		return down.Add(24 * time.Hour)
	}
	return t
}

func monthDown(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), 1, 0, 0, 0, 0, time.UTC)
}

func monthUp(t time.Time) time.Time {
	if down := monthDown(t); down.Before(t) {
		return down.AddDate(0, 1, 0)
	}
	return t
}

// offsets are when the zone's clocks change within a range, the first at its
// beginning, and how many seconds they are ahead of UTC from then on.
func (d *days) offsets() (since []time.Time, ahead []int64) {
	for at := d.begin(); at.Before(d.end()); {
		_, offset := at.In(d.zone).Zone()
		since, ahead = append(since, at), append(ahead, int64(offset))
		_, ends := at.In(d.zone).ZoneBounds()
		if ends.IsZero() {
			break
		}
		at = ends.UTC()
	}
	return since, ahead
}

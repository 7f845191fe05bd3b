package usage

import (
	"fmt"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/timetable"
)

// zones are those that days are tried in: of 23 and 25 hours, half-hour and
// quarter-hour offsets, days that begin at one o'clock, twice, or not at all.
var zones = []string{
	"UTC", "Europe/Berlin", "Europe/London", "Europe/Dublin", "Europe/Lisbon", "Europe/Moscow", "Europe/Istanbul", "Atlantic/Azores", "Atlantic/Reykjavik",
	"America/New_York", "America/Chicago", "America/Los_Angeles", "America/St_Johns", "America/Sao_Paulo", "America/Havana", "America/Santiago",
	"America/Caracas", "America/Asuncion", "America/Nuuk", "America/Phoenix", "Africa/Cairo", "Africa/Casablanca", "Africa/Lagos", "Asia/Beirut",
	"Asia/Amman", "Asia/Tehran", "Asia/Kabul", "Asia/Karachi", "Asia/Kolkata", "Asia/Kathmandu", "Asia/Yangon", "Asia/Shanghai", "Asia/Tokyo",
	"Asia/Pyongyang", "Australia/Eucla", "Australia/Adelaide", "Australia/Lord_Howe", "Pacific/Auckland", "Pacific/Chatham", "Pacific/Apia", "Pacific/Kiritimati",
}

// TestDaysAreCutByInstants compares where days begin with what clocks show a
// minute later and before.
func TestDaysAreCutByInstants(t *testing.T) {
	if len(zones) < 40 {
		t.Fatalf("%d zones", len(zones))
	}
	for _, name := range zones {
		zone, ok := timetable.LoadZone(name)
		if !ok {
			t.Fatalf("%s is no zone", name)
		}
		for _, year := range []int{2011, 2018, 2026} {
			previous := time.Time{}
			for day := dateIn(year, 1, 1); day < dateIn(year+1, 1, 10); day++ {
				start := startOf(day, zone)
				if start.Before(previous) {
					t.Fatalf("%s: %s begins before the day before", name, day)
				}
				previous = start
				if next := startOf(day+1, zone); next.Equal(start) {
					if name != "Pacific/Apia" || day.String() != "2011-12-30" {
						t.Errorf("%s leaves out %s", name, day)
					}
					continue
				}
				if got := dateOf(start, zone); got != day {
					t.Errorf("%s: at the beginning of %s it is %s", name, day, got)
				}
				if got := dateOf(start.Add(-time.Second), zone); got >= day {
					t.Errorf("%s: a second before %s begins it is %s", name, day, got)
				}
				if start != upToQuarter(start) {
					t.Errorf("%s: %s begins at %s, within a quarter of an hour", name, day, start)
				}
			}
		}
	}
	for _, c := range []struct {
		zone, day string
		length    time.Duration
	}{
		{"Europe/Berlin", "2026-03-29", 23 * time.Hour}, {"Europe/Berlin", "2026-10-25", 25 * time.Hour}, {"Europe/Berlin", "2026-10-26", 24 * time.Hour},
		{"Australia/Lord_Howe", "2026-04-05", 24*time.Hour + 30*time.Minute}, {"Australia/Lord_Howe", "2026-10-04", 23*time.Hour + 30*time.Minute},
		{"Pacific/Apia", "2011-12-30", 0}, {"Pacific/Apia", "2011-12-31", 24 * time.Hour}, {"Asia/Kathmandu", "2026-07-01", 24 * time.Hour},
		{"Asia/Beirut", "2026-03-29", 23 * time.Hour}, {"America/Havana", "2026-11-01", 25 * time.Hour}, {"America/St_Johns", "2011-11-06", 25 * time.Hour},
	} {
		day, err := readDate("from", c.day)
		if err != nil {
			t.Fatal(err)
		}
		zone, _ := timetable.LoadZone(c.zone)
		if got := startOf(day+1, zone).Sub(startOf(day, zone)); got != c.length {
			t.Errorf("%s has %s in %s, expected %s", c.day, got, c.zone, c.length)
		}
	}
}

// TestStretches divides ranges so that each quarter of an hour is in one part.
func TestStretches(t *testing.T) {
	begin := time.Date(2026, 1, 30, 22, 15, 0, 0, time.UTC)
	for _, length := range []time.Duration{0, quarter, 90 * quarter, 26 * time.Hour, 50 * time.Hour, 31 * 24 * time.Hour, 62 * 24 * time.Hour, 366 * 24 * time.Hour} {
		covered := time.Duration(0)
		for _, p := range stretches(begin, begin.Add(length)) {
			covered += p.to.Sub(p.from)
			if p.grain == "month" && (p.from.Day() != 1 || p.to.Day() != 1) || p.grain != "quarter" && p.from.Hour()+p.to.Hour()+p.from.Minute() != 0 {
				t.Errorf("%s: %+v", length, p)
			}
		}
		if covered != length {
			t.Errorf("%s: %s are covered", length, covered)
		}
	}
}

// TestUsageAddsUpInEveryZone: days sum to ranges, every grouping to the totals, in
// 40 zones, while some runs are added up and some are not.
func TestUsageAddsUpInEveryZone(t *testing.T) {
	b := newBooks(t)
	for _, begin := range []time.Time{
		time.Date(2011, 12, 27, 0, 0, 0, 0, time.UTC), time.Date(2026, 3, 27, 0, 0, 0, 0, time.UTC),
	} {
		for i := range 70 {
			b.paid(b.ann, b.rooms[i%2], begin.Add(time.Duration(i)*103*time.Minute), fmt.Sprintf("model-%d", i%3), models.Credits(1<<(i%20)))
		}
	}
	for range 2 {
		for _, zone := range zones {
			for _, days := range [][]string{{"2011-12-28", "2011-12-29", "2011-12-30", "2011-12-31"}, {"2026-03-28", "2026-03-29", "2026-03-30"}} {
				whole := query(days[0], days[len(days)-1], zone, ByDay)
				b.compare(t, whole)
				sum := models.Credits(0)
				for _, day := range days {
					r, err := b.s.ForOrganization(b.owner, b.org.ID, query(day, day, zone, ByModel), models.Page{})
					b.NoError(err)
					sum += r.totals.Credits
				}
				r, err := b.s.ForOrganization(b.owner, b.org.ID, whole, models.Page{})
				b.NoError(err)
				if sum != r.totals.Credits || len(r.Rows.Nodes) != len(days) {
					t.Errorf("%s: the days come to %s, the range to %s", zone, sum, r.totals.Credits)
				}
				series, err := b.s.Series(b.owner, r)
				b.NoError(err)
				for i, d := range series.Days {
					parts := models.Credits(0)
					for _, p := range d.Parts {
						parts += p
					}
					if d.Date != r.Rows.Nodes[i].Key || d.Credits != r.Rows.Nodes[i].Credits || parts != d.Credits || d.InFlight != 0 {
						t.Errorf("%s %s: the chart has %+v, the table %+v", zone, d.Date, d, r.Rows.Nodes[i])
					}
				}
				hours, err := b.s.Hours(b.owner, r)
				b.NoError(err)
				want, got := map[string]models.Credits{}, map[string]models.Credits{}
				location, _ := time.LoadLocation(zone)
				for _, one := range b.runs {
					at := one.at.In(location)
					if day := at.Format(time.DateOnly); day >= days[0] && day <= days[len(days)-1] {
						want[at.Format("Mon 15")] += models.Credits(one.hold)
					}
				}
				for _, h := range hours {
					got[fmt.Sprintf("%s %02d", time.Weekday((h.Weekday + 1) % 7).String()[:3], h.Hour)] = h.Credits
				}
				if fmt.Sprint(got) != fmt.Sprint(want) {
					t.Errorf("%s: the hours are %v, expected %v", zone, got, want)
				}
			}
		}
		b.fold()
	}
}

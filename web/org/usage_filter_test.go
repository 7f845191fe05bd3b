//go:build !race

package org

import (
	"errors"
	"net/http"
	"net/url"
	"testing"
	"time"

	"atelier/web/frame"
	"atelier/web/locale"
	"atelier/web/query"
)

var usageNow = time.Date(2026, 11, 20, 23, 30, 0, 0, time.UTC)

func filterOf(t *testing.T, address, own string) *usageFilter {
	t.Helper()
	values, err := url.ParseQuery(address)
	if err != nil {
		t.Fatal(err)
	}
	var zone *time.Location
	if own != "" {
		if zone, err = time.LoadLocation(own); err != nil {
			t.Fatal(err)
		}
	}
	return usageFilterOf(t.Context(), values, zone, usageNow, "workspace")
}

func TestUsageRanges(t *testing.T) {
	for _, c := range []struct{ address, own, from, to, word string }{
		{"", "", "2026-10-22", "2026-11-20", "30"},
		{"", "Asia/Tokyo", "2026-10-23", "2026-11-21", "30"}, // where it is tomorrow already
		{"tz=Asia/Tokyo", "Europe/Berlin", "2026-10-23", "2026-11-21", "30"},
		{"range=7", "", "2026-11-14", "2026-11-20", "7"},
		{"range=90", "", "2026-08-23", "2026-11-20", "90"},
		{"range=month", "", "2026-11-01", "2026-11-20", "month"},
		{"range=last-month", "", "2026-10-01", "2026-10-31", "last-month"},
		{"from=2026-01-01&to=2026-02-01", "", "2026-01-01", "2026-02-01", ""},
		{"range=7&from=2026-01-01&to=2026-02-01", "", "2026-01-01", "2026-02-01", ""},
		{"range=7&from=2026-11-14&to=2026-11-20", "", "2026-11-14", "2026-11-20", "7"}, // the form as it was filled
	} {
		f := filterOf(t, c.address, c.own)
		q := f.Query()
		if frame.Value(q.From) != c.from || frame.Value(q.To) != c.to || f.Range() != c.word {
			t.Errorf("%q in %q: %s to %s, range %q", c.address, c.own, frame.Value(q.From), frame.Value(q.To), f.Range())
		}
	}
	if q := filterOf(t, "to=2026-02-01", "").Query(); q.From != nil || frame.Value(q.To) != "2026-02-01" {
		t.Errorf("one day alone is for the service: %v %v", q.From, q.To)
	}
	leap := filterOf(t, "range=last-month", "")
	leap.Now = time.Date(2028, 3, 31, 12, 0, 0, 0, time.UTC)
	if q := leap.Query(); *q.From != "2028-02-01" || *q.To != "2028-02-29" {
		t.Errorf("a leap February: %s to %s", *q.From, *q.To)
	}
}

func TestUsageFieldsThatCannotBeRead(t *testing.T) {
	f := filterOf(t, "range=tomorrow&tz=Mars/Olympus&group=colour&member=x&workspace=y", "Europe/Berlin")
	for _, name := range []string{"range", "tz", "group", "member", "workspace"} {
		if f.Wrong[name] == "" {
			t.Errorf("nothing is said of %s", name)
		}
	}
	if q := f.Query(); *q.Tz != "Europe/Berlin" || *q.GroupBy != query.UsageGroupWorkspace || *q.From != "2026-10-23" || q.UserId != nil || q.WorkspaceId != nil {
		t.Errorf("asked for %s by %s from %s", *q.Tz, *q.GroupBy, *q.From)
	}
}

// What the service refuses of an address is said beside its field, and the report comes without it.
func TestUsageWithoutWhatIsRefused(t *testing.T) {
	refusal := func(status int, field string) error {
		return &frame.Error{Status: status, Code: "validation_error", Field: field, Message: "Refused."}
	}
	const id = "0193f2c1-77aa-7c02-b9d1-1f0b6e2a8e04"
	for _, c := range []struct {
		name, address, field string
		err                  error
	}{
		{"a class of others", "workspace=" + id, "workspace", refusal(http.StatusNotFound, "")},
		{"no class", "workspace=" + id, "workspace", refusal(http.StatusBadRequest, "query.workspaceId")},
		{"another person", "member=" + id, "member", refusal(http.StatusForbidden, "")},
		{"groups that are not for all", "group=member", "group", refusal(http.StatusBadRequest, "groupBy")},
		{"too long", "from=2020-01-01&to=2026-01-01", "to", refusal(http.StatusBadRequest, "to")},
		{"no day", "from=yesterday", "from", refusal(http.StatusBadRequest, "from")},
		{"a page of another list", "after=x", "after", refusal(http.StatusBadRequest, "cursor")},
	} {
		f, asked := filterOf(t, c.address, ""), 0
		err := f.find(func(q query.UsageQuery, after *string) error {
			if asked++; asked == 1 {
				return c.err
			}
			if q.WorkspaceId != nil || q.UserId != nil || after != nil || *q.From != "2026-10-22" || *q.GroupBy != query.UsageGroupWorkspace {
				t.Errorf("%s: asked again for %+v", c.name, q)
			}
			return nil
		})
		if err != nil || asked != 2 || f.Wrong[c.field] != "Refused." {
			t.Errorf("%s: %v after %d, %v", c.name, err, asked, f.Wrong)
		}
	}
	for name, err := range map[string]error{
		"the organization itself": refusal(http.StatusNotFound, ""), "a failure": errors.New("no connection"), "busy": refusal(http.StatusServiceUnavailable, ""),
	} {
		if got := filterOf(t, "range=7", "").find(func(query.UsageQuery, *string) error { return err }); !errors.Is(got, err) {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestWeeksOfALongRange(t *testing.T) {
	v := usageView{Filter: filterOf(t, "", "")}
	v.Report.Series.Names = []string{"Art", "Film"}
	for i := range 100 {
		day := time.Date(2026, 8, 13, 0, 0, 0, 0, time.UTC).AddDate(0, 0, i) // a Thursday
		v.Report.Series.Days = append(v.Report.Series.Days, query.UsageDay{Date: day.Format(time.DateOnly), Credits: 3, InFlight: 1, Parts: []float64{1, 2}})
	}
	bars := usageBars(t.Context(), v)
	if n := len(bars.Bars); n != 15 || bars.Bars[0].Values[1] != 8 || bars.Bars[1].Values[1] != 14 || bars.Bars[1].Held != 7 {
		t.Errorf("%d weeks: %+v", n, bars.Bars[:2])
	}
	if bars.Bars[1].Label != "the week from 17 Aug 2026" || bars.Head != "Week" {
		t.Errorf("%q", bars.Bars[1].Label)
	}
}

func TestTheRestOfAChartIsCalledOthers(t *testing.T) {
	v := usageView{Filter: filterOf(t, "", "")}
	v.Report.Series.Names = []string{"Ada", "Ben", "Cleo", "Dan", "Others", "Others"} // a person may be called so
	german := locale.With(t.Context(), locale.ByCode("de"))
	series := usageBars(german, v).Series
	if got := series[4]; got.Name != "Others" || got.Rest {
		t.Errorf("a person: %+v", got)
	}
	if got := series[5]; len(series) != 6 || got.Name != "Andere" || !got.Rest {
		t.Errorf("the rest: %+v", got)
	}
}

func TestForecastsInWords(t *testing.T) {
	rate, days := 107.24, 12
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	want := "At the rate of the last 30 days, 107 credits a day, the pool and what the workspaces have left last about 12 days, until around 4 December."
	if got := forecast(t.Context(), poolOutlook, "", &rate, &days, now, nil); got != want {
		t.Errorf("%q", got)
	}
	days = 60
	if got := until(t.Context(), days, now, nil); got != "21 January 2027" {
		t.Errorf("%q", got)
	}
	days, rate = 9000, 0.004
	if got := forecast(t.Context(), rowOutlook, "", &rate, &days, now, nil); got != "At the rate of the last 30 days, 0.004 credits a day, what it has left lasts over 2 years." {
		t.Errorf("%q", got)
	}
	if got := forecast(t.Context(), rowOutlook, "", nil, nil, now, nil); got != "" {
		t.Errorf("%q", got)
	}
}

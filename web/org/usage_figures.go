package org

import (
	"context"
	"regexp"
	"time"

	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"
)

// maxDays is how many days are drawn one by one; more of them are drawn as weeks.
const maxDays = 92

// budgetDays is for how many days the line of the chart has the credits that are left last.
const budgetDays = 30

// usageBars are the days of a report, or its weeks where they are many, divided among its groups.
func usageBars(ctx context.Context, v usageView) ui.BarsProps {
	series := v.Report.Series
	p := ui.BarsProps{ID: "usage-days", Title: "Credits by day", Unit: "credits", Held: "in flight"}
	for i, name := range series.Names {
		p.Series = append(p.Series, ui.Series{Name: v.named(name), Rest: i == 5})
	}
	if len(p.Series) == 0 {
		p.Series = []ui.Series{{Name: "Credits"}}
	}
	weekly := len(series.Days) > maxDays
	if weekly {
		p.Title, p.Head = "Credits by week", "Week"
	}
	if v.Left > 0 && v.All && v.Filter.value("member") == "" && v.Filter.value("workspace") == "" {
		p.Line, p.LineName = v.Left/budgetDays, "The line is "+aDay(ctx, v.Left/budgetDays)+": at that pace the credits that are left last "+ui.Plural(budgetDays, "day", "days")+"."
		if weekly {
			p.Line *= 7
		}
	}
	week := -1
	for _, d := range series.Days {
		day, err := time.Parse(time.DateOnly, d.Date)
		bar := ui.Bar{Label: d.Date, Short: d.Date, Values: usageParts(d, len(p.Series)), Held: d.InFlight}
		if err == nil {
			bar.Label, bar.Short = ui.DayOf(day, nil), day.Format("2 Jan")
		}
		if !weekly {
			p.Bars = append(p.Bars, bar)
			continue
		}
		if n := (int(day.Unix()/86400) + 3) / 7; n != week || len(p.Bars) == 0 { // weeks begin on Monday
			week, bar.Label = n, "the week from "+bar.Label
			p.Bars = append(p.Bars, bar)
			continue
		}
		last := &p.Bars[len(p.Bars)-1]
		for i := range last.Values {
			last.Values[i] += bar.Values[i]
		}
		last.Held += bar.Held
	}
	return p
}

// usageParts are the parts of a day, or the day as a whole where it is not divided.
func usageParts(d query.UsageDay, n int) []float64 {
	out := make([]float64, n)
	if copy(out, d.Parts) == 0 {
		out[0] = d.Credits
	}
	return out
}

// usageHours are the hours of the week of a report.
func usageHours(v usageView) ui.WeekHoursProps {
	p := ui.WeekHoursProps{ID: "usage-hours", Title: "Credits by hour of the week", Unit: "credits"}
	for _, h := range v.Report.Hours {
		p.Hours = append(p.Hours, ui.Hour{Weekday: h.Weekday, Hour: h.Hour, Value: h.Credits})
	}
	return p
}

// before names the range that a report is compared with: "the 30 days before".
func (v usageView) before() string { return "the " + v.length() + " before" }

// reached is how much of what was settled the budget paid.
func reached(t query.UsageTotals) float64 { return t.SettledCredits - t.PlatformAbsorbedCredits }

// flightDetail says what is not settled yet.
func flightDetail(t query.UsageTotals) string {
	if t.InFlightCredits == 0 {
		return "no run is at work now"
	}
	return "held for runs at work now"
}

func absorbedDetail(t query.UsageTotals) string {
	if t.PlatformAbsorbedCredits == 0 {
		return "nothing was absorbed by the platform"
	}
	return frame.Credits(t.PlatformAbsorbedCredits) + " absorbed by the platform"
}

// reconciliation says how the figures belong together.
func (v usageView) reconciliation() []string {
	t, budget := v.Report.Totals, "the budgets"
	if v.Workspace != nil {
		budget = "the budget"
	}
	out := []string{
		frame.Credits(t.SettledCredits) + " settled + " + frame.Credits(t.InFlightCredits) + " in flight = " + frame.InCredits(t.Credits) + ".",
		frame.Credits(t.SettledCredits) + " settled − " + frame.Credits(t.PlatformAbsorbedCredits) + " absorbed by the platform = " +
			frame.InCredits(reached(t)) + " that reached " + budget + ".",
	}
	if t.AppMarkupAbsorbedCredits > 0 {
		out = append(out, frame.InCredits(t.AppMarkupAbsorbedCredits)+" of what approved apps add to the price were covered by nothing.")
	}
	return out
}

// share is which part of the whole a row is.
func (v usageView) share(row query.UsageRow) float64 {
	if v.Report.Totals.Credits <= 0 {
		return 0
	}
	return row.Credits / v.Report.Totals.Credits
}

// rowName is what a group is called; a day as every page writes it.
func (v usageView) rowName(row query.UsageRow) string {
	name := frame.Or(frame.Value(row.Label), frame.Value(row.Key))
	if v.Filter.Group() == "day" {
		if day, err := time.Parse(time.DateOnly, frame.Value(row.Key)); err == nil {
			return day.Format("Mon ") + ui.DayOf(day, nil)
		}
	}
	return v.named(name)
}

// named is a group's name; what is gone has none but its id, which says nothing to people.
func (v usageView) named(name string) string {
	switch {
	case v.Labels[name] != "":
		return v.Labels[name]
	case name != "" && !anID.MatchString(name):
		return name
	case v.Filter.Group() == "member":
		return "Somebody who is gone"
	case v.Filter.Group() == "workspace":
		return frame.SentenceCase(frame.A(v.Words.Workspace)) + " that is gone"
	}
	return "Without a name"
}

var anID = regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)

// rowHref leads from a group to what it is made of.
func (v usageView) rowHref(row query.UsageRow) string {
	key := frame.Value(row.Key)
	switch {
	case key == "":
		return ""
	case v.Filter.Group() == "workspace":
		return v.with("workspace", key, "group", "member")
	case v.Filter.Group() == "member":
		return v.with("member", key, "group", "day")
	case v.Filter.Group() == "day":
		return v.with("from", key, "to", key, "range", "", "group", "runs")
	}
	return ""
}

// runTitle is what ran.
func runTitle(row query.UsageRow) string {
	return frame.Or(frame.Value(row.Title), "A run that was deleted")
}

// runner is who ran it.
func runner(row query.UsageRow) string {
	if row.User == nil {
		return "Somebody who is gone"
	}
	return row.User.DisplayName
}

// stamp is when a run began, in the zone of the report.
func (v usageView) stamp(t time.Time) string {
	zone := v.Filter.Zone()
	if v.Filter.Own == nil && zone == time.UTC {
		return ui.Moment(t, nil)
	}
	return ui.Moment(t, zone)
}

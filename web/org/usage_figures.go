package org

import (
	"context"
	"regexp"
	"time"

	"atelier/web/frame"
	"atelier/web/locale"
	"atelier/web/query"
	"atelier/web/ui"
)

// maxDays is how many days are drawn one by one; more of them are drawn as weeks.
const maxDays = 92

// maxParts is how many groups a chart tells apart: what follows them in a series is the sum of all others.
const maxParts = 5

// budgetDays is for how many days the line of the chart has the credits that are left last.
const budgetDays = 30

// usageBars are the days of a report, or its weeks where they are many, divided among its groups.
func usageBars(ctx context.Context, v usageView) ui.BarsProps {
	series := v.Report.Series
	p := ui.BarsProps{ID: "usage-days", Title: t(ctx, "Credits by day"), Unit: t(ctx, "credits"), One: t(ctx, "credit"), Held: t(ctx, "in flight")}
	for i, name := range series.Names {
		if i == maxParts {
			p.Series = append(p.Series, ui.Series{Name: t(ctx, "Others"), Rest: true})
			break
		}
		p.Series = append(p.Series, ui.Series{Name: v.named(ctx, name)})
	}
	if len(p.Series) == 0 {
		p.Series = []ui.Series{{Name: t(ctx, "Credits")}}
	}
	weekly := len(series.Days) > maxDays
	if weekly {
		p.Title, p.Head = t(ctx, "Credits by week"), t(ctx, "Week")
	}
	if v.Left > 0 && v.All && v.Filter.value("member") == "" && v.Filter.value("workspace") == "" {
		p.Line = v.Left / budgetDays
		p.LineName = tn(ctx, "The line is %[2]s: at that pace the credits that are left last %[1]d day.",
			"The line is %[2]s: at that pace the credits that are left last %[1]d days.", budgetDays, aDay(ctx, p.Line))
		if weekly {
			p.Line *= 7
		}
	}
	week := -1
	for _, d := range series.Days {
		day, err := time.Parse(time.DateOnly, d.Date)
		bar := ui.Bar{Label: d.Date, Short: d.Date, Values: usageParts(d, len(p.Series)), Held: d.InFlight}
		if err == nil {
			bar.Label, bar.Short = plainDay(ctx, day), locale.DayOfYear(ctx, day)
		}
		if !weekly {
			p.Bars = append(p.Bars, bar)
			continue
		}
		if n := (int(day.Unix()/86400) + 3) / 7; n != week || len(p.Bars) == 0 { // weeks begin on Monday
			week, bar.Label = n, t(ctx, "the week from %s", bar.Label)
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
func usageHours(ctx context.Context, v usageView) ui.WeekHoursProps {
	p := ui.WeekHoursProps{ID: "usage-hours", Title: t(ctx, "Credits by hour of the week"), Unit: t(ctx, "credits"), One: t(ctx, "credit")}
	for _, h := range v.Report.Hours {
		p.Hours = append(p.Hours, ui.Hour{Weekday: h.Weekday, Hour: h.Hour, Value: h.Credits})
	}
	return p
}

// before names the range that a report is compared with: "the 30 days before".
func (v usageView) before(ctx context.Context) string {
	n := v.length()
	if n == 1 {
		return t(ctx, "the day before")
	}
	return tn(ctx, "the %d day before", "the %d days before", n)
}

// beforeSentence says what runs cost then.
func (v usageView) beforeSentence(ctx context.Context, before float64) string {
	n := v.length()
	if n == 1 {
		return t(ctx, "In the day before it was %s.", inCredits(ctx, before))
	}
	return tn(ctx, "In the %[1]d day before it was %[2]s.", "In the %[1]d days before it was %[2]s.", n, inCredits(ctx, before))
}

// reached is how much of what was settled the budget paid.
func reached(t query.UsageTotals) float64 { return t.SettledCredits - t.PlatformAbsorbedCredits }

// flightDetail says what is not settled yet.
func flightDetail(ctx context.Context, totals query.UsageTotals) string {
	if totals.InFlightCredits == 0 {
		return t(ctx, "no run is at work now")
	}
	return t(ctx, "held for runs at work now")
}

func absorbedDetail(ctx context.Context, totals query.UsageTotals) string {
	if totals.PlatformAbsorbedCredits == 0 {
		return t(ctx, "nothing was absorbed by the platform")
	}
	return t(ctx, "%s absorbed by the platform", credits(ctx, totals.PlatformAbsorbedCredits))
}

// reconciliation says how the figures belong together.
func (v usageView) reconciliation(ctx context.Context) []string {
	totals := v.Report.Totals
	settled, absorbed := credits(ctx, totals.SettledCredits), credits(ctx, totals.PlatformAbsorbedCredits)
	out := []string{t(ctx, "%s settled + %s in flight = %s.", settled, credits(ctx, totals.InFlightCredits), inCredits(ctx, totals.Credits))}
	if v.Workspace != nil {
		out = append(out, t(ctx, "%s settled − %s absorbed by the platform = %s that reached the budget.", settled, absorbed, inCredits(ctx, reached(totals))))
	} else {
		out = append(out, t(ctx, "%s settled − %s absorbed by the platform = %s that reached the budgets.", settled, absorbed, inCredits(ctx, reached(totals))))
	}
	if totals.AppMarkupAbsorbedCredits > 0 {
		out = append(out, t(ctx, "%s of what approved apps add to the price were covered by nothing.", inCredits(ctx, totals.AppMarkupAbsorbedCredits)))
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
func (v usageView) rowName(ctx context.Context, row query.UsageRow) string {
	name := frame.Or(frame.Value(row.Label), frame.Value(row.Key))
	if v.Filter.Group() == "day" {
		if day, err := time.Parse(time.DateOnly, frame.Value(row.Key)); err == nil {
			return locale.ShortWeekday(ctx, day.Weekday()) + " " + plainDay(ctx, day)
		}
	}
	return v.named(ctx, name)
}

// named is a group's name; what is gone has none but its id, which says nothing to people.
func (v usageView) named(ctx context.Context, name string) string {
	switch {
	case v.Labels[name] != "":
		return v.Labels[name]
	case name != "" && !anID.MatchString(name):
		return name
	case v.Filter.Group() == "member":
		return t(ctx, "Someone who is gone")
	case v.Filter.Group() == "workspace":
		return t(ctx, "{A workspace} that is gone")
	}
	return t(ctx, "Without a name")
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
func runTitle(ctx context.Context, row query.UsageRow) string {
	return frame.Or(frame.Value(row.Title), t(ctx, "A run that was deleted"))
}

// runner is who ran it.
func runner(ctx context.Context, row query.UsageRow) string {
	if row.User == nil {
		return t(ctx, "Someone who is gone")
	}
	return row.User.DisplayName
}

// stamp is when a run began, in the zone of the report.
func (v usageView) stamp(ctx context.Context, at time.Time) string {
	zone := v.Filter.Zone()
	if v.Filter.Own == nil && zone == time.UTC {
		zone = nil
	}
	return locale.Moment(locale.WithZone(ctx, zone), at)
}

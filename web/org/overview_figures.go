package org

import (
	"context"
	"time"

	"atelier/web/locale"
	"atelier/web/query"
	"atelier/web/ui"
)

// spendingBars are the days of the overview's chart.
func spendingBars(ctx context.Context, s query.Spending) ui.BarsProps {
	p := ui.BarsProps{ID: "spending", Title: t(ctx, "Credits by day"), Unit: t(ctx, "credits"), Series: []ui.Series{{Name: t(ctx, "Spent")}}}
	if s.Absorbed > 0 {
		p.Series = append(p.Series, ui.Series{Name: t(ctx, "Absorbed by the platform")})
	}
	for _, d := range s.Days {
		bar := ui.Bar{Label: d.Date, Short: d.Date, Values: []float64{d.Credits, d.Absorbed}[:len(p.Series)]}
		if day, err := time.Parse(time.DateOnly, d.Date); err == nil {
			bar.Label, bar.Short = plainDay(ctx, day), locale.DayOfYear(ctx, day)
		}
		p.Bars = append(p.Bars, bar)
	}
	return p
}

func allocatedDetail(ctx context.Context, o query.OrganizationHead, c query.Credits) string {
	out := tn(ctx, "in %d {workspace}", "in %d {workspaces}", c.Totals.Workspaces)
	if reserved := c.Totals.Reserved; reserved > 0 {
		out = t(ctx, "%s, %s reserved", out, credits(ctx, reserved))
	}
	return out
}

// dayChoices lead to the figures of more or fewer days.
func (v overviewView) dayChoices(ctx context.Context) []ui.NavItem {
	out := make([]ui.NavItem, 0, len(overviewDays))
	for _, days := range overviewDays {
		href := "/orgs/" + v.Org.Id
		if days != usualDays {
			href += "?days=" + ui.Digits(days)
		}
		out = append(out, ui.NavItem{Text: tn(ctx, "%d day", "%d days", days), Href: href, Current: days == v.Days})
	}
	return out
}

// compared sets what was spent against as many days before.
func (v overviewView) compared(ctx context.Context) string {
	s := v.Money.Spending
	if s.Previous == 0 && s.Total == 0 || s.Absorbed > 0 {
		return spentDetail(ctx, s)
	}
	return ui.Comparison(ctx, s.Total, s.Previous, tn(ctx, "the %d day before", "the %d days before", v.Days))
}

func spentDetail(ctx context.Context, s query.Spending) string {
	if s.Absorbed > 0 {
		return t(ctx, "%s more absorbed by the platform", credits(ctx, s.Absorbed))
	}
	for i := len(s.Days) - 1; i >= 0; i-- {
		if day, err := time.Parse(time.DateOnly, s.Days[i].Date); err == nil && s.Days[i].Credits > 0 {
			return t(ctx, "by runs, the last on %s", plainDay(ctx, day))
		}
	}
	return t(ctx, "by runs")
}

// runwayText is how long the credits last; a week of data is the least that means anything.
func runwayText(ctx context.Context, s query.Runway) string {
	switch {
	case s.RunwayDays == nil:
		return "–"
	case *s.RunwayDays > longest:
		return t(ctx, "over 2 years")
	}
	return tn(ctx, "%d day", "%d days", *s.RunwayDays)
}

func runwayDetail(ctx context.Context, s query.Runway, now time.Time, zone *time.Location) string {
	if s.RunwayDays == nil || s.PerDay == nil {
		return t(ctx, "known after a week of runs")
	}
	out := t(ctx, "pool and budgets, at %s", aDay(ctx, *s.PerDay))
	if *s.RunwayDays <= longest {
		out = t(ctx, "until around %s, %s", until(ctx, *s.RunwayDays, now, zone), out)
	}
	return out
}

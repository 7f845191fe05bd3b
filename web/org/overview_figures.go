package org

import (
	"context"
	"time"

	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"
)

// spendingBars are the days of the overview's chart.
func spendingBars(s query.Spending) ui.BarsProps {
	p := ui.BarsProps{ID: "spending", Title: "Credits by day", Unit: "credits", Series: []ui.Series{{Name: "Spent"}}}
	if s.Absorbed > 0 {
		p.Series = append(p.Series, ui.Series{Name: "Absorbed by the platform"})
	}
	for _, d := range s.Days {
		bar := ui.Bar{Label: d.Date, Short: d.Date, Values: []float64{d.Credits, d.Absorbed}[:len(p.Series)]}
		if day, err := time.Parse(time.DateOnly, d.Date); err == nil {
			bar.Label, bar.Short = ui.DayOf(day, nil), day.Format("2 Jan")
		}
		p.Bars = append(p.Bars, bar)
	}
	return p
}

func allocatedDetail(o query.OrganizationHead, c query.Credits) string {
	out := "in " + frame.Count(c.Totals.Workspaces, o.Vocabulary.Workspace, o.Vocabulary.Workspaces)
	if reserved := c.Totals.Reserved; reserved > 0 {
		out += ", " + frame.Credits(reserved) + " reserved"
	}
	return out
}

// dayChoices lead to the figures of more or fewer days.
func (v overviewView) dayChoices() []ui.NavItem {
	out := make([]ui.NavItem, 0, len(overviewDays))
	for _, days := range overviewDays {
		href := "/orgs/" + v.Org.Id
		if days != usualDays {
			href += "?days=" + ui.Digits(days)
		}
		out = append(out, ui.NavItem{Text: ui.Plural(days, "day", "days"), Href: href, Current: days == v.Days})
	}
	return out
}

// compared sets what was spent against as many days before.
func (v overviewView) compared(ctx context.Context) string {
	s := v.Money.Spending
	if s.Previous == 0 && s.Total == 0 || s.Absorbed > 0 {
		return spentDetail(s)
	}
	return ui.Comparison(ctx, s.Total, s.Previous, "the "+ui.Plural(v.Days, "day", "days")+" before")
}

func spentDetail(s query.Spending) string {
	if s.Absorbed > 0 {
		return frame.Credits(s.Absorbed) + " more absorbed by the platform"
	}
	for i := len(s.Days) - 1; i >= 0; i-- {
		if day, err := time.Parse(time.DateOnly, s.Days[i].Date); err == nil && s.Days[i].Credits > 0 {
			return "by runs, the last on " + ui.DayOf(day, nil)
		}
	}
	return "by runs"
}

// runwayText is how long the credits last; a week of data is the least that means anything.
func runwayText(s query.Runway) string {
	switch {
	case s.RunwayDays == nil:
		return "–"
	case *s.RunwayDays > longest:
		return "over 2 years"
	}
	return ui.Plural(*s.RunwayDays, "day", "days")
}

func runwayDetail(s query.Runway, now time.Time, zone *time.Location) string {
	if s.RunwayDays == nil || s.PerDay == nil {
		return "known after a week of runs"
	}
	out := "pool and budgets, at " + aDay(*s.PerDay)
	if *s.RunwayDays <= longest {
		out = "until around " + until(*s.RunwayDays, now, zone) + ", " + out
	}
	return out
}

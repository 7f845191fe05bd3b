package org

import (
	"context"
	"math"
	"time"

	"atelier/web/locale"
	"atelier/web/query"
	"atelier/web/ui"
)

// longest is how far a forecast reaches that still means something, in days.
const longest = 730

// lasts is how long credits last: "about 12 days".
func lasts(ctx context.Context, days int) string {
	switch {
	case days > longest:
		return t(ctx, "over 2 years")
	case days <= 0:
		return t(ctx, "less than a day")
	}
	return tn(ctx, "about %d day", "about %d days", days)
}

// until is the day on which they are used up: "4 December", with the year where it is another one.
func until(ctx context.Context, days int, now time.Time, zone *time.Location) string {
	now = now.In(ui.OrUTC(zone))
	end := now.AddDate(0, 0, days)
	if end.Year() == now.Year() {
		return locale.DayOfYearInFull(ctx, end)
	}
	return locale.DayInFull(ctx, end)
}

// aDay is a rate as people say it: no decimals where they mean nothing.
func aDay(ctx context.Context, perDay float64) string {
	switch {
	case perDay >= 20:
		perDay = math.Round(perDay)
	case perDay >= 1:
		perDay = math.Round(perDay*10) / 10
	}
	return t(ctx, "%s a day", inCredits(ctx, perDay))
}

// outlook is what a forecast says: of credits that last over two years, and of others. The arguments are the rate, a name,
// how long they last and until when.
type outlook struct{ long, until string }

var (
	poolOutlook = outlook{
		mark("At the rate of the last 30 days, %s, the pool and what the {workspaces} have left last over 2 years."),
		mark("At the rate of the last 30 days, %[1]s, the pool and what the {workspaces} have left last %[3]s, until around %[4]s."),
	}
	budgetOutlook = outlook{
		mark("At the rate of the last 30 days, %s, what %s has left lasts over 2 years."),
		mark("At the rate of the last 30 days, %s, what %s has left lasts %s, until around %s."),
	}
	rowOutlook = outlook{
		mark("At the rate of the last 30 days, %s, what it has left lasts over 2 years."),
		mark("At the rate of the last 30 days, %[1]s, what it has left lasts %[3]s, until around %[4]s."),
	}
)

// forecast says when what is left is used up, and at which rate; empty where no rate is known.
func forecast(ctx context.Context, of outlook, name string, perDay *float64, runway *int, now time.Time, zone *time.Location) string {
	switch {
	case perDay == nil || runway == nil:
		return ""
	case *runway > longest:
		return t(ctx, of.long, aDay(ctx, *perDay), name)
	}
	return t(ctx, of.until, aDay(ctx, *perDay), name, lasts(ctx, *runway), until(ctx, *runway, now, zone))
}

// poolForecast is of the pool with all that the workspaces have left.
func poolForecast(ctx context.Context, v creditsView, zone *time.Location) string {
	if s := forecast(ctx, poolOutlook, "", v.Rate.PerDay, v.Rate.RunwayDays, v.Now, zone); s != "" {
		return s
	}
	if v.Rate.Total == 0 {
		return t(ctx, "Nothing was spent in the last 30 days, so we can't estimate how long they will last.")
	}
	return t(ctx, "How long the credits last is known after a week of runs.")
}

// budgetForecast is of one workspace.
func budgetForecast(ctx context.Context, v budgetView, zone *time.Location) string {
	if v.Budget.Trend == nil {
		return ""
	}
	return forecast(ctx, budgetOutlook, v.Name, v.Budget.Trend.PerDay, v.Budget.Trend.RunwayDays, v.Now, zone)
}

// trendLine is what a workspace spent recently as a small line, and in a sentence.
func trendLine(ctx context.Context, a query.AllocationRow, trend query.SpendingTrend, now time.Time, zone *time.Location) ui.SparkProps {
	sum, peak := 0.0, 0
	for i, spent := range trend.Days {
		sum += spent
		if spent > trend.Days[peak] {
			peak = i
		}
	}
	p := ui.SparkProps{ID: "trend-" + a.WorkspaceId, Values: trend.Days, FromZero: true, Sentence: t(ctx, "%s spent nothing in the last 30 days.", a.Name)}
	if sum > 0 {
		day := now.UTC().AddDate(0, 0, peak+1-len(trend.Days))
		p.Sentence = t(ctx, "%s spent %s in the last 30 days, most on %s with %s.", a.Name, inCredits(ctx, sum), plainDay(ctx, day), credits(ctx, trend.Days[peak]))
	}
	if s := forecast(ctx, rowOutlook, "", trend.PerDay, trend.RunwayDays, now, zone); s != "" {
		p.Sentence += " " + s
	}
	return p
}

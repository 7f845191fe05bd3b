package org

import (
	"math"
	"time"

	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"
)

// longest is how far a forecast reaches that still means something, in days.
const longest = 730

// lasts is how long credits last: "about 12 days".
func lasts(days int) string {
	switch {
	case days > longest:
		return "over 2 years"
	case days <= 0:
		return "less than a day"
	}
	return "about " + ui.Plural(days, "day", "days")
}

// until is the day on which they are used up: "4 December", with the year where it is another one.
func until(days int, now time.Time, zone *time.Location) string {
	now = now.In(ui.OrUTC(zone))
	end := now.AddDate(0, 0, days)
	if end.Year() == now.Year() {
		return end.Format("2 January")
	}
	return end.Format("2 January 2006")
}

// aDay is a rate as people say it: no decimals where they mean nothing.
func aDay(perDay float64) string {
	switch {
	case perDay >= 20:
		perDay = math.Round(perDay)
	case perDay >= 1:
		perDay = math.Round(perDay*10) / 10
	}
	return frame.InCredits(perDay) + " a day"
}

// forecast says when what is left is used up, and at which rate; empty where no rate is known.
func forecast(what string, perDay *float64, runway *int, now time.Time, zone *time.Location) string {
	switch {
	case perDay == nil || runway == nil:
		return ""
	case *runway > longest:
		return "At the rate of the last 30 days, " + aDay(*perDay) + ", " + what + " over 2 years."
	}
	return "At the rate of the last 30 days, " + aDay(*perDay) + ", " + what + " " + lasts(*runway) + ", until around " + until(*runway, now, zone) + "."
}

// poolForecast is of the pool with all that the workspaces have left.
func poolForecast(v creditsView, zone *time.Location) string {
	words := frame.Lower(v.Org.Vocabulary.Workspaces)
	if s := forecast("the pool and what the "+words+" have left last", v.Rate.PerDay, v.Rate.RunwayDays, v.Now, zone); s != "" {
		return s
	}
	if v.Rate.Total == 0 {
		return "Nothing was spent in the last 30 days, so we can't estimate how long they will last."
	}
	return "How long the credits last is known after a week of runs."
}

// budgetForecast is of one workspace.
func budgetForecast(v budgetView, zone *time.Location) string {
	if v.Budget.Trend == nil {
		return ""
	}
	return forecast("what "+v.Name+" has left lasts", v.Budget.Trend.PerDay, v.Budget.Trend.RunwayDays, v.Now, zone)
}

// trendLine is what a workspace spent lately as a small line, and in a sentence.
func trendLine(a query.AllocationRow, t query.SpendingTrend, now time.Time, zone *time.Location) ui.SparkProps {
	sum, peak := 0.0, 0
	for i, spent := range t.Days {
		sum += spent
		if spent > t.Days[peak] {
			peak = i
		}
	}
	p := ui.SparkProps{ID: "trend-" + a.WorkspaceId, Values: t.Days, FromZero: true, Sentence: a.Name + " spent nothing in the last 30 days."}
	if sum > 0 {
		day := now.UTC().AddDate(0, 0, peak+1-len(t.Days))
		p.Sentence = a.Name + " spent " + frame.InCredits(sum) + " in the last 30 days, most on " + ui.DayOf(day, nil) + " with " + frame.Credits(t.Days[peak]) + "."
	}
	if s := forecast("what it has left lasts", t.PerDay, t.RunwayDays, now, zone); s != "" {
		p.Sentence += " " + s
	}
	return p
}

package ui

import (
	"context"
	"strconv"
	"time"

	"atelier/web/locale"
)

// Day is one day of a heatmap. Days follow each other without gaps.
type Day struct {
	Date  time.Time
	Value float64
}

// HeatmapProps is a calendar of amounts: a column per week, Monday at the top.
type HeatmapProps struct {
	ID       string
	Title    string
	Unit     string
	Sentence string // replaces the one made from the data
	Days     []Day
}

const (
	heatCell = 15 // one day and the gap beside it
	heatTop  = 16 // room for the names of months
	heatLeft = 30 // room for the names of weekdays
)

type heatBox struct{ x, y, level, title string }

// boxes places each day; level 0 is nothing, 4 is the upper quarter below the peak.
func (p HeatmapProps) boxes(ctx context.Context) []heatBox {
	peak := 0.0
	for _, d := range p.Days {
		peak = max(peak, d.Value)
	}
	out := make([]heatBox, 0, len(p.Days))
	for i, d := range p.Days {
		level := 0
		if d.Value > 0 {
			level = min(4, int(d.Value/peak*4)+1)
		}
		out = append(out, heatBox{
			x:     strconv.Itoa(heatLeft + p.week(i)*heatCell),
			y:     strconv.Itoa(heatTop + weekday(d.Date)*heatCell),
			level: "h" + strconv.Itoa(level),
			title: locale.Day(utc(ctx), d.Date) + ": " + locale.Amount(ctx, d.Value) + " " + p.Unit,
		})
	}
	return out
}

func (p HeatmapProps) week(i int) int { return (weekday(p.Days[0].Date) + i) / 7 }

// weekday counts from Monday, 0.
func weekday(t time.Time) int { return (int(t.Weekday()) + 6) % 7 }

// months are the labels above the first week that begins in each month.
func (p HeatmapProps) months(ctx context.Context) [][2]string {
	var out [][2]string
	last, lastWeek := time.Month(0), -4
	for i, d := range p.Days {
		if w := p.week(i); d.Date.Month() != last && w-lastWeek >= 3 {
			out = append(out, [2]string{strconv.Itoa(heatLeft + w*heatCell), locale.ShortMonth(ctx, d.Date.Month())})
			last, lastWeek = d.Date.Month(), w
		}
	}
	return out
}

func (p HeatmapProps) size() (w, h string) {
	weeks := 1
	if n := len(p.Days); n > 0 {
		weeks = p.week(n-1) + 1
	}
	return strconv.Itoa(heatLeft + weeks*heatCell), strconv.Itoa(heatTop + 7*heatCell)
}

func (p HeatmapProps) sentence(ctx context.Context) string {
	if p.Sentence != "" {
		return p.Sentence
	}
	sum, peak, active := 0.0, 0, 0
	for i, d := range p.Days {
		sum += d.Value
		if d.Value > 0 {
			active++
		}
		if d.Value > p.Days[peak].Value {
			peak = i
		}
	}
	if active == 0 {
		return t(ctx, "%s: nothing yet.", p.Title)
	}
	return tn(ctx, "%[2]s: %[3]s %[4]s on %[1]d day, most on %[5]s with %[6]s.", "%[2]s: %[3]s %[4]s on %[1]d days, most on %[5]s with %[6]s.", active, p.Title, locale.Amount(ctx, sum), p.Unit, locale.Day(utc(ctx), p.Days[peak].Date), locale.Amount(ctx, p.Days[peak].Value))
}

func (p HeatmapProps) rows(ctx context.Context) [][]string {
	out := make([][]string, 0, len(p.Days))
	for _, d := range p.Days {
		out = append(out, []string{locale.Day(utc(ctx), d.Date), locale.Amount(ctx, d.Value)})
	}
	return out
}

// utc is for days that have no zone.
func utc(ctx context.Context) context.Context { return locale.WithZone(ctx, time.UTC) }

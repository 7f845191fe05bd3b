package ui

import (
	"strconv"
	"time"
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
func (p HeatmapProps) boxes() []heatBox {
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
			title: DayOf(d.Date, nil) + ": " + Amount(d.Value) + " " + p.Unit,
		})
	}
	return out
}

func (p HeatmapProps) week(i int) int { return (weekday(p.Days[0].Date) + i) / 7 }

// weekday counts from Monday, 0.
func weekday(t time.Time) int { return (int(t.Weekday()) + 6) % 7 }

// months are the labels above the first week that begins in each month.
func (p HeatmapProps) months() [][2]string {
	var out [][2]string
	last, lastWeek := time.Month(0), -4
	for i, d := range p.Days {
		if w := p.week(i); d.Date.Month() != last && w-lastWeek >= 3 {
			out = append(out, [2]string{strconv.Itoa(heatLeft + w*heatCell), d.Date.Format("Jan")})
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

func (p HeatmapProps) sentence() string {
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
		return p.Title + ": nothing yet."
	}
	return p.Title + ": " + Amount(sum) + " " + p.Unit + " on " + Plural(active, "day", "days") + ", most on " +
		DayOf(p.Days[peak].Date, nil) + " with " + Amount(p.Days[peak].Value) + "."
}

func (p HeatmapProps) rows() [][]string {
	out := make([][]string, 0, len(p.Days))
	for _, d := range p.Days {
		out = append(out, []string{DayOf(d.Date, nil), Amount(d.Value)})
	}
	return out
}

package ui

import (
	"context"
	"fmt"
	"time"

	"atelier/web/locale"
)

// Hour is one hour of the week with an amount.
type Hour struct {
	Weekday int // 0 is Monday
	Hour    int
	Value   float64
}

// WeekHoursProps is a table of the week, a row for each day and a square for each hour; hours without an amount may be
// left out.
type WeekHoursProps struct {
	ID       string // unique on the page
	Title    string
	Unit     string // "credits"
	One      string // "credit"; empty where Unit serves
	Sentence string // replaces the one made from the data
	Hours    []Hour
}

// dayName is the name of a day of the week, from Monday on.
func dayName(ctx context.Context, day int) string {
	return locale.Weekday(ctx, time.Weekday((day+1)%7))
}

// week is the amounts by day and hour.
type week struct {
	cells             [7][24]float64
	sum, peak         float64
	peakDay, peakHour int
}

func (p WeekHoursProps) week() week {
	var w week
	for _, h := range p.Hours {
		if h.Weekday < 0 || h.Weekday > 6 || h.Hour < 0 || h.Hour > 23 || h.Value <= 0 {
			continue
		}
		w.cells[h.Weekday][h.Hour] += h.Value
		w.sum += h.Value
	}
	for day, hours := range w.cells {
		for hour, v := range hours {
			if v > w.peak {
				w.peak, w.peakDay, w.peakHour = v, day, hour
			}
		}
	}
	return w
}

// level is 0 for nothing and 4 for the upper quarter below the peak.
func (w week) level(day, hour int) string {
	v := w.cells[day][hour]
	if v <= 0 {
		return "h0"
	}
	return fmt.Sprintf("h%d", min(4, int(v/w.peak*4)+1))
}

// busiest is the day with the most, and how much that is.
func (w week) busiest() (day int, most float64) {
	for i, hours := range w.cells {
		sum := 0.0
		for _, v := range hours {
			sum += v
		}
		if sum > most {
			day, most = i, sum
		}
	}
	return day, most
}

// first tells whether the keyboard enters the table at a cell: at the peak.
func (w week) first(day, hour int) string {
	if day == w.peakDay && hour == w.peakHour {
		return "0"
	}
	return "-1"
}

// span is an hour in words: "10:00 to 11:00".
func span(ctx context.Context, hour int) string { return t(ctx, "%d:00 to %d:00", hour, hour+1) }

// words are one cell.
func (p WeekHoursProps) words(ctx context.Context, w week, day, hour int) string {
	amount := t(ctx, "nothing")
	if v := w.cells[day][hour]; v > 0 {
		amount = measured(ctx, v, p.One, p.Unit)
	}
	return dayName(ctx, day) + ", " + span(ctx, hour) + ": " + amount
}

// sentence says the whole, the peak and the busiest day.
func (p WeekHoursProps) sentence(ctx context.Context, w week) string {
	switch {
	case p.Sentence != "":
		return p.Sentence
	case w.sum <= 0:
		return t(ctx, "%s: nothing yet.", p.Title)
	}
	day, most := w.busiest()
	return t(ctx, "%s: %s %s in total, most on %s, %s, with %s; %s alone makes %s.", p.Title, locale.Amount(ctx, w.sum), p.Unit, dayName(ctx, w.peakDay),
		span(ctx, w.peakHour), locale.Amount(ctx, w.peak), dayName(ctx, day), locale.Share(ctx, most/w.sum))
}

func (p WeekHoursProps) columns(ctx context.Context) []string {
	out := []string{t(ctx, "Hour")}
	for day := range 7 {
		out = append(out, locale.ShortWeekday(ctx, time.Weekday((day+1)%7)))
	}
	return out
}

func (p WeekHoursProps) rows(ctx context.Context, w week) [][]string {
	out := make([][]string, 0, 24)
	for hour := range 24 {
		row := []string{span(ctx, hour)}
		for day := range 7 {
			row = append(row, locale.Amount(ctx, w.cells[day][hour]))
		}
		out = append(out, row)
	}
	return out
}

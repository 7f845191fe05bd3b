package ui

import (
	"fmt"
	"strings"
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
	Unit     string
	Sentence string // replaces the one made from the data
	Hours    []Hour
}

var weekdays = [7]string{"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"}

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
func span(hour int) string { return fmt.Sprintf("%d:00 to %d:00", hour, hour+1) }

// words are one cell.
func (p WeekHoursProps) words(w week, day, hour int) string {
	amount := "nothing"
	if v := w.cells[day][hour]; v > 0 {
		amount = Amount(v) + " " + p.Unit
	}
	return weekdays[day] + ", " + span(hour) + ": " + amount
}

// sentence says the whole, the peak and the busiest day.
func (p WeekHoursProps) sentence(w week) string {
	switch {
	case p.Sentence != "":
		return p.Sentence
	case w.sum <= 0:
		return p.Title + ": nothing yet."
	}
	var b strings.Builder
	b.WriteString(p.Title + ": " + Amount(w.sum) + " " + p.Unit + " in all, most on " + weekdays[w.peakDay] + "s from " +
		span(w.peakHour) + " with " + Amount(w.peak))
	day, most := w.busiest()
	b.WriteString("; " + weekdays[day] + "s alone make " + ShareText(most/w.sum) + ".")
	return b.String()
}

func (p WeekHoursProps) columns() []string {
	out := []string{"Hour"}
	for _, d := range weekdays {
		out = append(out, d[:3])
	}
	return out
}

func (p WeekHoursProps) rows(w week) [][]string {
	out := make([][]string, 0, 24)
	for hour := range 24 {
		row := []string{span(hour)}
		for day := range weekdays {
			row = append(row, Amount(w.cells[day][hour]))
		}
		out = append(out, row)
	}
	return out
}

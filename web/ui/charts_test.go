//go:build !race

package ui

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"atelier/web/locale"
)

func TestBarsSayWhatIsInFlight(t *testing.T) {
	p := BarsProps{
		ID: "x", Title: "Credits by day", Unit: "credits", Held: "in flight", Series: []Series{{Name: "Art"}, {Name: "Others", Rest: true}},
		Bars: []Bar{{Label: "1 Nov", Values: []float64{10, 2}}, {Label: "2 Nov", Values: []float64{20, 0}, Held: 5}},
	}
	want := "Credits by day, 1 Nov to 2 Nov: 32 credits in total, most on 2 Nov with 20; 5 of that in flight."
	if got := p.sentence(context.Background()); got != want {
		t.Errorf("%q", got)
	}
	if got := strings.Join(p.columns(context.Background()), "|"); got != "Day|Art|Others|All|Of that in flight" {
		t.Errorf("%q", got)
	}
	if got := strings.Join(p.rows(context.Background())[1], "|"); got != "2 Nov|20|0|20|5" {
		t.Errorf("%q", got)
	}
	pieces := p.pieces(1)
	if last := pieces[len(pieces)-1]; last.fill != heldFill {
		t.Errorf("the last piece is filled with %s", last.fill)
	}
	if got := p.pieces(0)[1].fill; got != "url(#fill-rest)" {
		t.Errorf("the rest is filled with %s", got)
	}
	p.Bars[0].Held = 900 // never more than the bar
	for _, piece := range p.pieces(0) {
		if strings.HasPrefix(piece.y, "-") {
			t.Errorf("a piece leaves the chart: %+v", piece)
		}
	}
}

func TestComparison(t *testing.T) {
	for _, c := range []struct {
		now, before float64
		want        string
	}{
		{0, 0, "none in the 30 days before either"}, {5, 0, "none in the 30 days before"}, {0, 5, "none now, 5 in the 30 days before"},
		{112, 100, "12 % more than in the 30 days before"}, {88, 100, "12 % less than in the 30 days before"},
		{100.1, 100, "as much as in the 30 days before"}, {700, 100, "7 times as much as in the 30 days before"},
	} {
		if got := Comparison(context.Background(), c.now, c.before, "the 30 days before"); got != c.want {
			t.Errorf("%v after %v: %q, not %q", c.now, c.before, got, c.want)
		}
	}
	for share, want := range map[float64]string{0: "0 %", 0.001: "under 1 %", 0.336: "34 %", 1: "100 %", 1.2: "100 %"} {
		if got := locale.Share(noReader, share); got != want {
			t.Errorf("%v: %q", share, got)
		}
	}
}

func TestWeekHours(t *testing.T) {
	p := WeekHoursProps{ID: "x", Title: "Credits by hour", Unit: "credits", Hours: []Hour{
		{Weekday: 1, Hour: 10, Value: 30}, {Weekday: 1, Hour: 11, Value: 10}, {Weekday: 4, Hour: 23, Value: 10}, {Weekday: 9, Hour: 1, Value: 500}, {Weekday: 1, Hour: 24, Value: 9},
	}}
	w := p.week()
	if got, want := p.sentence(context.Background(), w), "Credits by hour: 50 credits in total, most on Tuesday, 10:00 to 11:00, with 30; Tuesday alone makes 80 %."; got != want {
		t.Errorf("%q", got)
	}
	if got := p.words(context.Background(), w, 4, 23); got != "Friday, 23:00 to 24:00: 10 credits" {
		t.Errorf("%q", got)
	}
	if w.level(1, 10) != "h4" || w.level(4, 23) != "h2" || w.level(0, 0) != "h0" {
		t.Errorf("levels %s %s %s", w.level(1, 10), w.level(4, 23), w.level(0, 0))
	}
	var b bytes.Buffer
	if err := WeekHours(p).Render(context.Background(), &b); err != nil {
		t.Fatal(err)
	}
	if strings.Count(b.String(), `role="gridcell"`) != 7*24 || strings.Count(b.String(), `tabindex="0"`) != 2 { // one square, and the table of numbers
		t.Errorf("%d squares, %d stops of the keyboard", strings.Count(b.String(), `role="gridcell"`), strings.Count(b.String(), `tabindex="0"`))
	}
	b.Reset()
	if err := WeekHours(WeekHoursProps{ID: "y", Title: "Credits by hour", Unit: "credits"}).Render(context.Background(), &b); err != nil || strings.Contains(b.String(), "<table") {
		t.Errorf("an empty week: %v %s", err, b.String())
	}
}

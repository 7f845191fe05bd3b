package ui

import (
	"context"
	"math"
	"strconv"

	"atelier/web/locale"
)

// Series is one part of every bar. Hold marks what is reserved and may still change; it is drawn hatched. Rest marks
// what is left beside the named ones; it is drawn in grey.
type Series struct {
	Name string
	Hold bool
	Rest bool
}

// Bar is one column: a day, usually. Values stand in the order of the series.
type Bar struct {
	Label  string // "17 November"
	Short  string // for the axis; Label when empty
	Values []float64
	Held   float64 // how much of the whole bar may still change, see BarsProps.Held
	Gap    bool    // the numbers of this day are incomplete
}

// BarsProps is a stacked bar chart of at most five series, and one of the rest.
type BarsProps struct {
	ID       string // unique on the page
	Title    string // "Credits by day"
	Unit     string // "credits"
	One      string // "credit"; empty where Unit serves
	Head     string // of the column of labels; "Day" when empty
	Sentence string // replaces the one made from the data
	Series   []Series
	// Held names what may still change of each bar, whichever parts it is of: "in flight". The top of the bar is hatched.
	Held string
	Bars []Bar
	// Line is drawn across the bars where it is above 0 and not far above them; LineName says what it is.
	Line     float64
	LineName string
}

const (
	barsHeight = 160.0
	barsTop    = 18.0  // room for the label of the highest line
	barsBase   = 136.0 // where the bars stand; the axis text is below
)

// lineAbove is how many times as high as the highest bar a line may be to be drawn: beyond that the bars would be too flat.
const lineAbove = 3

// lineAt is where the line is drawn; "" where it is not.
func (p BarsProps) lineAt() string {
	if p.Line <= 0 || p.Line > p.top() {
		return ""
	}
	return px(barsBase - p.Line*(barsBase-barsTop)/p.top())
}

// barPiece is one drawn part of a bar, in the units of SVG attributes.
type barPiece struct{ x, y, w, h, fill string }

func (b Bar) total() float64 {
	t := 0.0
	for _, v := range b.Values {
		t += max(0, v)
	}
	return t
}

// top is the value of the highest line: 1, 2 or 5 times a power of ten, or a half of those above the peak.
func (p BarsProps) top() float64 {
	peak := 0.0
	for _, b := range p.Bars {
		peak = max(peak, b.total())
	}
	if p.Line <= lineAbove*peak {
		peak = max(peak, p.Line)
	}
	if peak <= 0 {
		return 1
	}
	unit := math.Pow(10, math.Floor(math.Log10(peak)))
	for _, m := range []float64{1, 1.5, 2, 3, 4, 5, 6, 8, 10} {
		if unit*m >= peak {
			return unit * m
		}
	}
	return peak
}

// sentence says the whole, the peak and the trend.
func (p BarsProps) sentence(ctx context.Context) string {
	if p.Sentence != "" {
		return p.Sentence
	}
	if len(p.Bars) == 0 {
		return t(ctx, "%s: nothing yet.", p.Title)
	}
	sum, peak := 0.0, 0
	for i, b := range p.Bars {
		sum += b.total()
		if b.total() > p.Bars[peak].total() {
			peak = i
		}
	}
	first, last := p.Bars[0], p.Bars[len(p.Bars)-1]
	s := t(ctx, "%s, %s to %s: %s %s in total", p.Title, first.Label, last.Label, sum, p.Unit)
	if sum > 0 {
		s += t(ctx, ", most on %s with %s%s", p.Bars[peak].Label, locale.Amount(ctx, p.Bars[peak].total()), p.trend(ctx))
	}
	if held := p.held(); held > 0 {
		s += t(ctx, "; %s of that %s", locale.Amount(ctx, held), p.Held)
	}
	s += "."
	if p.Line > 0 && p.LineName != "" {
		s += " " + p.LineName
	}
	return s
}

// held is how much of all bars may still change.
func (p BarsProps) held() float64 {
	sum := 0.0
	if p.Held != "" {
		for _, b := range p.Bars {
			sum += max(0, b.Held)
		}
	}
	return sum
}

// trend compares the second half with the first.
func (p BarsProps) trend(ctx context.Context) string {
	n := len(p.Bars) / 2
	if n < 3 {
		return ""
	}
	before, after := 0.0, 0.0
	for i := range n {
		before += p.Bars[i].total()
		after += p.Bars[len(p.Bars)-1-i].total()
	}
	switch {
	case after > before*1.15:
		return t(ctx, ", rising")
	case after < before*0.85:
		return t(ctx, ", falling")
	}
	return t(ctx, ", steady")
}

// pieces are the rectangles of one bar from the bottom up, with a hairline between them.
func (p BarsProps) pieces(i int) []barPiece {
	x, w := p.column(i)
	y, scale := barsBase, (barsBase-barsTop)/p.top()
	var out []barPiece
	for s, v := range p.Bars[i].Values {
		if v <= 0 || s >= len(p.Series) {
			continue
		}
		h := max(1.5, v*scale)
		y -= h
		out = append(out, barPiece{x: x, y: px(y), w: w, h: px(max(1, h-1)), fill: p.fill(s)})
	}
	if held := min(p.Bars[i].Held, p.Bars[i].total()); p.Held != "" && held > 0 {
		out = append(out, barPiece{x: x, y: px(y), w: w, h: px(max(1.5, held*scale-1)), fill: heldFill})
	}
	return out
}

// heldFill hatches what lies below it.
const heldFill = "url(#fill-held)"

// column is where bar i stands, as shares of the width.
func (p BarsProps) column(i int) (x, w string) {
	step := 1 / float64(len(p.Bars))
	return percent((float64(i) + 0.1) * step), percent(0.8 * step)
}

func (p BarsProps) fill(series int) string {
	if p.Series[series].Hold {
		return "url(#fill-hold)"
	}
	if p.Series[series].Rest {
		return "url(#fill-rest)"
	}
	return "url(#fill-" + strconv.Itoa(series%5+1) + ")"
}

// axis are the labels below: first, middle, last.
func (p BarsProps) axis() [][3]string {
	n := len(p.Bars)
	if n == 0 {
		return nil
	}
	short := func(i int) string { return or(p.Bars[i].Short, p.Bars[i].Label) }
	out := [][3]string{{"0%", "start", short(0)}}
	if n > 4 {
		out = append(out, [3]string{"50%", "middle", short(n / 2)})
	}
	if n > 1 {
		out = append(out, [3]string{"100%", "end", short(n - 1)})
	}
	return out
}

// lines are the horizontal lines and their numbers.
func (p BarsProps) lines(ctx context.Context) [][2]string {
	top := p.top()
	return [][2]string{
		{px(barsTop), locale.Amount(ctx, top)},
		{px((barsTop + barsBase) / 2), ""}, // a number here would stand on a bar
	}
}

// measured is an amount with its unit.
func measured(ctx context.Context, v float64, one, many string) string {
	if v == 1 && one != "" {
		return locale.Amount(ctx, v) + " " + one
	}
	return locale.Amount(ctx, v) + " " + many
}

// words are one bar for anyone who points at it: the whole, then its parts.
func (p BarsProps) words(ctx context.Context, i int) string {
	b := p.Bars[i]
	s := locale.Labelled(ctx, b.Label, measured(ctx, b.total(), p.One, p.Unit))
	for at, v := range b.Values {
		if v > 0 && at < len(p.Series) && !p.single() {
			s += "\n" + locale.Labelled(ctx, p.Series[at].Name, locale.Amount(ctx, v))
		}
	}
	if p.Held != "" && b.Held > 0 {
		s += t(ctx, "\nOf that %s: %s", p.Held, locale.Amount(ctx, b.Held))
	}
	return s
}

func (p BarsProps) columns(ctx context.Context) []string {
	out := []string{or(p.Head, t(ctx, "Day"))}
	if !p.single() {
		for _, s := range p.Series {
			out = append(out, s.Name)
		}
	}
	out = append(out, locale.C(ctx, "sum", "All"))
	if p.Held != "" {
		out = append(out, t(ctx, "Of that %s", p.Held))
	}
	return out
}

func (p BarsProps) rows(ctx context.Context) [][]string {
	out := make([][]string, 0, len(p.Bars))
	for _, b := range p.Bars {
		label := b.Label
		if b.Gap {
			label += " (incomplete)"
		}
		row := []string{label}
		for i := range p.Series {
			if p.single() {
				break
			}
			v := 0.0
			if i < len(b.Values) {
				v = b.Values[i]
			}
			row = append(row, locale.Amount(ctx, v))
		}
		row = append(row, locale.Amount(ctx, b.total()))
		if p.Held != "" {
			row = append(row, locale.Amount(ctx, b.Held))
		}
		out = append(out, row)
	}
	return out
}

// single tells whether one series is the whole of each bar, which then has one column.
func (p BarsProps) single() bool { return len(p.Series) == 1 }

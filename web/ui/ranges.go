package ui

import (
	"context"
	"time"

	"atelier/web/locale"
)

// Range is one column of times: half took at most Low, nearly all at most High.
type Range struct {
	Label     string // "17 November"
	Short     string // for the axis; Label when empty
	Known     bool   // there is something to show
	Low, High time.Duration
}

// RangesProps is a chart of times by day, two for each.
type RangesProps struct {
	ID     string // unique on the page
	Title  string
	Names  [2]string // what Low and High are
	Ranges []Range
}

// bars lends the geometry of StackedBars: what lies below Low, and from there to High.
func (p RangesProps) bars(ctx context.Context) BarsProps {
	b := BarsProps{ID: p.ID, Title: p.Title, Sentence: p.sentence(ctx), Series: []Series{{Name: p.Names[0]}, {Name: p.Names[1]}}}
	for _, r := range p.Ranges {
		low, high := float64(r.Low.Milliseconds()), float64(r.High.Milliseconds())
		b.Bars = append(b.Bars, Bar{Label: r.Label, Short: r.Short, Values: []float64{low, high - low}})
	}
	return b
}

// words are a column in words, for anyone who points at it.
func (p RangesProps) words(ctx context.Context, i int) string {
	r := p.Ranges[i]
	if !r.Known {
		return t(ctx, "%s: nothing", r.Label)
	}
	return r.Label + ": " + p.Names[0] + " " + locale.Duration(ctx, r.Low) + ", " + p.Names[1] + " " + locale.Duration(ctx, r.High)
}

// sentence says the last day and the slowest.
func (p RangesProps) sentence(ctx context.Context) string {
	last, slowest := -1, -1
	for i, r := range p.Ranges {
		if r.Known {
			last = i
			if slowest < 0 || r.High > p.Ranges[slowest].High {
				slowest = i
			}
		}
	}
	if last < 0 {
		return t(ctx, "%s: nothing yet.", p.Title)
	}
	s := p.words(ctx, last)
	if slowest != last {
		s += t(ctx, ". Slowest was %s", p.words(ctx, slowest))
	}
	return s + "."
}

func (p RangesProps) highest(ctx context.Context) string {
	return locale.Duration(ctx, time.Duration(p.bars(ctx).top())*time.Millisecond)
}

func (p RangesProps) rows(ctx context.Context) [][]string {
	out := make([][]string, 0, len(p.Ranges))
	for _, r := range p.Ranges {
		row := []string{r.Label, "–", "–"}
		if r.Known {
			row[1], row[2] = locale.Duration(ctx, r.Low), locale.Duration(ctx, r.High)
		}
		out = append(out, row)
	}
	return out
}

package ui

import "time"

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
func (p RangesProps) bars() BarsProps {
	b := BarsProps{ID: p.ID, Title: p.Title, Sentence: p.sentence(), Series: []Series{{Name: p.Names[0]}, {Name: p.Names[1]}}}
	for _, r := range p.Ranges {
		low, high := float64(r.Low.Milliseconds()), float64(r.High.Milliseconds())
		b.Bars = append(b.Bars, Bar{Label: r.Label, Short: r.Short, Values: []float64{low, high - low}})
	}
	return b
}

// words are a column in words, for anyone who points at it.
func (p RangesProps) words(i int) string {
	r := p.Ranges[i]
	if !r.Known {
		return r.Label + ": nothing"
	}
	return r.Label + ": " + p.Names[0] + " " + Duration(r.Low) + ", " + p.Names[1] + " " + Duration(r.High)
}

// sentence says the last day and the slowest.
func (p RangesProps) sentence() string {
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
		return p.Title + ": nothing yet."
	}
	s := p.words(last)
	if slowest != last {
		s += ". Slowest was " + p.words(slowest)
	}
	return s + "."
}

func (p RangesProps) top() string {
	return Duration(time.Duration(p.bars().top()) * time.Millisecond)
}

func (p RangesProps) rows() [][]string {
	out := make([][]string, 0, len(p.Ranges))
	for _, r := range p.Ranges {
		row := []string{r.Label, "–", "–"}
		if r.Known {
			row[1], row[2] = Duration(r.Low), Duration(r.High)
		}
		out = append(out, row)
	}
	return out
}

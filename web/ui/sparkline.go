package ui

import "strings"

// SparkProps is a small line without axes; Sentence says what it shows ("98 % of 412 deliveries arrived").
type SparkProps struct {
	ID       string
	Values   []float64
	Sentence string
	FromZero bool // amounts: the lower edge is nothing
}

const sparkWidth, sparkHeight = 96.0, 24.0

// points are the corners of the line, from the smallest value to the largest (a flat line lies in the middle).
func (p SparkProps) points() string {
	if len(p.Values) == 0 {
		return ""
	}
	low, high := p.Values[0], p.Values[0]
	for _, v := range p.Values {
		low, high = min(low, v), max(high, v)
	}
	if p.FromZero {
		low = 0
	}
	var b strings.Builder
	for i, v := range p.Values {
		x, y := sparkWidth/2, sparkHeight/2
		if len(p.Values) > 1 {
			x = 2 + float64(i)*(sparkWidth-4)/float64(len(p.Values)-1)
		}
		if p.FromZero && high <= low {
			y = sparkHeight - 3
		} else if high > low {
			y = sparkHeight - 3 - (v-low)/(high-low)*(sparkHeight-6)
		}
		b.WriteString(px(x) + "," + px(y) + " ")
	}
	return strings.TrimSpace(b.String())
}

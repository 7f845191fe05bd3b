package ui

import (
	"context"
	"strconv"

	"atelier/web/locale"
)

// MeterProps is how much of something is used. Amounts are in one unit, thousandths of a credit for budgets.
type MeterProps struct {
	ID       string // unique on the page
	Label    string // whose: "Art 9b"
	Spent    int64
	Reserved int64  // hatched
	Limit    int64  // 0 or less: there is no limit
	Left     int64  // what a Balance without a limit shows
	Sentence string // replaces the usual one
	Format   func(int64) string
}

func (p MeterProps) format(ctx context.Context, n int64) string {
	if p.Format != nil {
		return p.Format(n)
	}
	return locale.Credits(ctx, n)
}

func (p MeterProps) left() int64 {
	if p.Limit <= 0 {
		return max(0, p.Left)
	}
	return max(0, p.Limit-p.Spent-p.Reserved)
}

// short is the text at the right of the label.
func (p MeterProps) short(ctx context.Context) string {
	switch {
	case p.Limit <= 0:
		return t(ctx, "%s spent, no cap", p.format(ctx, p.Spent))
	case p.Spent+p.Reserved > p.Limit:
		return t(ctx, "%s over %s", p.format(ctx, p.Spent+p.Reserved-p.Limit), p.format(ctx, p.Limit))
	}
	return t(ctx, "%s left of %s", p.format(ctx, p.left()), p.format(ctx, p.Limit))
}

// sentence is what a screen reader says.
func (p MeterProps) sentence(ctx context.Context) string {
	if p.Sentence != "" {
		return p.Sentence
	}
	s := t(ctx, "%s: %s spent", p.Label, p.format(ctx, p.Spent))
	if p.Reserved > 0 {
		s += t(ctx, ", %s reserved", p.format(ctx, p.Reserved))
	}
	if p.Limit > 0 {
		s += ", " + p.short(ctx)
	}
	return s + "."
}

// tone is near above four fifths and over beyond the limit.
func (p MeterProps) tone() string {
	used := p.Spent + p.Reserved
	switch {
	case p.Limit <= 0:
		return ""
	case used >= p.Limit:
		return "over"
	case used*5 >= p.Limit*4:
		return "near"
	}
	return ""
}

// share is n of the limit as an SVG percentage, cut to what is left after before.
func (p MeterProps) share(n, before int64) string {
	if p.Limit <= 0 {
		return "0%"
	}
	n = min(n, p.Limit-min(before, p.Limit))
	return percent(float64(max(0, n)) / float64(p.Limit))
}

// percent writes a share of one for an SVG attribute.
func percent(f float64) string {
	return strconv.FormatFloat(f*100, 'f', 2, 64) + "%"
}

// px writes a length for an SVG attribute.
func px(f float64) string { return strconv.FormatFloat(f, 'f', 1, 64) }

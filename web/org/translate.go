package org

import (
	"context"
	"time"

	"atelier/web/frame"
	"atelier/web/locale"
)

// What is said goes through these, see docs/translation.md.
var (
	t    = locale.T
	tn   = locale.N
	tc   = locale.C
	th   = locale.H
	thn  = locale.HN
	mark = locale.Mark

	inCredits = frame.CreditsIn
)

// credits writes an amount of the schema as the reader's language does.
func credits(ctx context.Context, f float64) string { return locale.Credits(ctx, frame.Thousandths(f)) }

// plainDay is a day that is the same in every zone, such as a bar of a chart.
func plainDay(ctx context.Context, day time.Time) string {
	return locale.Day(locale.WithZone(ctx, nil), day)
}

// you marks the person's own row of a list.
func you(ctx context.Context, id, self string) string {
	if id == self {
		return t(ctx, "you")
	}
	return ""
}

package flow

import (
	"context"

	"atelier/web/frame"
	"atelier/web/locale"
)

// What is said goes through these, see docs/translation.md.
var (
	t     = locale.T
	tn    = locale.N
	tc    = locale.C
	th    = locale.H
	mark  = locale.Mark
	markc = locale.MarkC

	inCredits = frame.CreditsIn
)

// credits writes an amount of the schema as the reader's language does.
func credits(ctx context.Context, f float64) string { return locale.Credits(ctx, frame.Thousandths(f)) }

// oneOrMany is the number by which a sentence about credits is written: of one, or of several.
func oneOrMany(credits float64) int {
	if frame.Thousandths(credits) == 1000 {
		return 1
	}
	return 2
}

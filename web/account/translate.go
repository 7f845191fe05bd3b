package account

import (
	"context"

	"atelier/web/frame"
	"atelier/web/locale"
)

// What is said goes through these, see docs/translation.md.
var (
	t  = locale.T
	tn = locale.N
	th = locale.H
)

// credits writes an amount of the schema as the reader's language does.
func credits(ctx context.Context, f float64) string { return locale.Credits(ctx, frame.Thousandths(f)) }

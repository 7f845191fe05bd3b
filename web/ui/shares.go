package ui

import (
	"context"
	"math"
	"strconv"

	"atelier/web/locale"
)

// Comparison says how an amount compares with the one before: "12 % more than in the 30 days before". Where nothing was
// before there is no percentage, and says so.
func Comparison(ctx context.Context, now, before float64, than string) string {
	switch {
	case before <= 0 && now <= 0:
		return t(ctx, "none in %s either", than)
	case before <= 0:
		return t(ctx, "none in %s", than)
	case now <= 0:
		return t(ctx, "none now, %s in %s", locale.Amount(ctx, before), than)
	}
	change := (now - before) / before
	switch percent := int(math.Round(math.Abs(change) * 100)); {
	case percent == 0:
		return t(ctx, "as much as in %s", than)
	case now >= 3*before:
		return t(ctx, "%s times as much as in %s", locale.Amount(ctx, math.Round(now/before)), than)
	case change > 0:
		return t(ctx, "%s %% more than in %s", strconv.Itoa(percent), than)
	default:
		return t(ctx, "%s %% less than in %s", strconv.Itoa(percent), than)
	}
}

package frame

import (
	"context"
	"math"
	"net/http"
	"strconv"
	"strings"

	"atelier/web/locale"
)

// Amount reads a field of credits.
func Amount(r *http.Request, name string) (float64, error) {
	return ParseAmount(r.Context(), name, Text(r, name))
}

// ParseAmount reads credits as people type them in their language ("1,250.5", "1.250,5", "2,5"), at most three decimals.
func ParseAmount(ctx context.Context, name, typed string) (float64, error) {
	s := locale.Decimal(ctx, typed)
	if s == "" {
		return 0, Invalid(name, mark("Say how many credits."))
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(f) || math.Abs(f) > 1e12 || strings.ContainsAny(s, "eExXpP_") {
		return 0, Invalid(name, mark("Write the credits as a number, such as 1,250.5."))
	}
	if _, decimals, _ := strings.Cut(s, "."); len(decimals) > 3 {
		return 0, Invalid(name, mark("Credits have at most three decimals."))
	}
	return f, nil
}

// Thousandths turns credits, as the schema has them, into the integers that package ui takes.
func Thousandths(credits float64) int64 { return int64(math.Round(credits * 1000)) }

// TypedCredits is an amount as a field has it: ParseAmount reads it back in the same language.
func TypedCredits(ctx context.Context, f float64) string { return locale.Credits(ctx, Thousandths(f)) }

// CreditsIn is an amount with its unit in the reader's language: "1 credit", "2.5 credits".
func CreditsIn(ctx context.Context, f float64) string {
	if Thousandths(f) == 1000 {
		return t(ctx, "1 credit")
	}
	if f < 2 { // which French says in the singular
		return tc(ctx, "less than two", "%s credits", locale.Credits(ctx, Thousandths(f)))
	}
	return t(ctx, "%s credits", locale.Credits(ctx, Thousandths(f)))
}

package web

import (
	"math"
	"net/http"
	"strconv"
	"strings"

	"atelier/web/ui"
)

// amount reads a field of credits.
func amount(r *http.Request, name string) (float64, error) { return parseAmount(name, text(r, name)) }

// parseAmount reads credits as people type them: "1,250.5", at most three decimals.
func parseAmount(name, typed string) (float64, error) {
	s := strings.NewReplacer(",", "", " ", "", "−", "-").Replace(typed)
	if s == "" {
		return 0, invalid(name, "Say how many credits.")
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(f) || math.Abs(f) > 1e12 || strings.ContainsAny(s, "eExXpP_") {
		return 0, invalid(name, "Write the credits as a number, such as 1,250.5.")
	}
	if _, decimals, _ := strings.Cut(s, "."); len(decimals) > 3 {
		return 0, invalid(name, "Credits have at most three decimals.")
	}
	return f, nil
}

// thousandths turns credits, as the schema has them, into the integers that package ui takes.
func thousandths(credits float64) int64 { return int64(math.Round(credits * 1000)) }

// credits writes an amount of the schema.
func credits(f float64) string { return ui.Credits(thousandths(f)) }

// inCredits is an amount with its unit: "1 credit", "2.5 credits".
func inCredits(f float64) string {
	if thousandths(f) == 1000 {
		return "1 credit"
	}
	return credits(f) + " credits"
}

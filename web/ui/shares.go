package ui

import (
	"math"
	"strconv"
)

// ShareText writes a share of one: "34 %", "under 1 %".
func ShareText(share float64) string {
	switch {
	case share <= 0:
		return "0 %"
	case share < 0.01:
		return "under 1 %"
	}
	return strconv.Itoa(int(math.Round(min(1, share)*100))) + " %"
}

// Comparison says how an amount compares with the one before: "12 % more than in the 30 days before". Where nothing was
// before there is no percentage, and says so.
func Comparison(now, before float64, than string) string {
	switch {
	case before <= 0 && now <= 0:
		return "none in " + than + " either"
	case before <= 0:
		return "none in " + than
	case now <= 0:
		return "none now, " + Amount(before) + " in " + than
	}
	change := (now - before) / before
	switch percent := int(math.Round(math.Abs(change) * 100)); {
	case percent == 0:
		return "as much as in " + than
	case now >= 3*before:
		return Amount(math.Round(now/before)) + " times as much as in " + than
	case change > 0:
		return strconv.Itoa(percent) + " % more than in " + than
	default:
		return strconv.Itoa(percent) + " % less than in " + than
	}
}

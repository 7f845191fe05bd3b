//go:build !race

package ui

import (
	"testing"

	"atelier/web/locale"
)

func TestPrice(t *testing.T) {
	for want, c := range map[string]struct {
		minor    int
		currency string
	}{
		"$10.00": {1000, "usd"}, "$0.05": {5, "usd"}, "$1,234,567.89": {123456789, "usd"}, "¥1,500": {1500, "jpy"}, "€0.00": {0, "EUR"},
		"CHF\u00a010.00": {1000, "chf"}, "KWD\u00a01.250": {1250, "kwd"}, "KWD\u00a00.005": {5, "kwd"}, "−£3.20": {-320, "gbp"}, "₩16,000": {16000, "krw"},
	} {
		if got := locale.Price(noReader, c.minor, c.currency); got != want {
			t.Errorf("%d %s: %q, expected %q", c.minor, c.currency, got, want)
		}
	}
}

func TestPricePer(t *testing.T) {
	for want, c := range map[string]struct {
		minor    int
		credits  int64
		currency string
	}{
		"$0.02": {1000, 500_000, "usd"}, "$0.018": {4500, 2_500_000, "usd"}, "$0.016": {16000, 10_000_000, "usd"}, "$1.00": {100, 1_000, "usd"},
		"about $0.0333": {100, 30_000, "usd"}, "¥3": {1500, 500_000, "jpy"}, "¥0.16": {1600, 10_000_000, "jpy"}, "$2,000.00": {1000, 5, "usd"},
		"KWD\u00a00.0025": {1250, 500_000, "kwd"}, "": {100, 0, "usd"},
	} {
		if got := locale.PricePer(noReader, c.minor, c.credits, c.currency); got != want {
			t.Errorf("%+v: %q, expected %q", c, got, want)
		}
	}
}

func TestReference(t *testing.T) {
	if got := Reference("0193f2c1-77aa-7c02-b9d1-1f0b6e2a8e04"); got != "6E2A-8E04" {
		t.Errorf("%q", got)
	}
}

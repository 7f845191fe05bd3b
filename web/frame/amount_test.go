//go:build !race

package frame

import (
	"context"
	"testing"

	"atelier/web/locale"

	"pgregory.net/rapid"
)

func TestParseAmount(t *testing.T) {
	for _, bad := range []string{"", "x", "1e9", "NaN", "Inf", "0x10", "1.2345", "1..2", "9999999999999999"} {
		if f, err := ParseAmount(context.Background(), "amount", bad); err == nil {
			t.Errorf("%q is %v", bad, f)
		}
	}
	for language, all := range map[string]map[string]int64{
		"en": {
			"2,5": 2_500, "0,25": 250, "0,250": 250, "1,250": 1_250_000, "1.250": 1_250, "1,250,000": 1_250_000_000, "1 250,5": 1_250_500,
			"1,250.5": 1_250_500, "1.250,5": 1_250_500, "1.250.000": 1_250_000_000, "-1,250": -1_250_000, "−0.5": -500, "+7": 7_000,
		},
		"de": {"1.250": 1_250_000, "1,250": 1_250, "0.250": 250, "2.5": 2_500, "1.250,5": 1_250_500, "-1.250": -1_250_000, "1250.125": 1_250_125},
		"es": {"1.250": 1_250_000, "1,25": 1_250, "12.500.000,125": 12_500_000_125},
		"fr": {"1 250": 1_250_000, "1\u202f250,5": 1_250_500, "1,250": 1_250, "1.250": 1_250},
	} {
		ctx := locale.With(context.Background(), locale.ByCode(language))
		for typed, want := range all {
			if f, err := ParseAmount(ctx, "amount", typed); err != nil || Thousandths(f) != want {
				t.Errorf("%s: %q is %v, %v", language, typed, f, err)
			}
		}
		for _, bad := range []string{"1,2,3", "1.2.3", "1.250,5,5", "12,34.5", "1234,567.8", ",.", "1,,250"} {
			if f, err := ParseAmount(ctx, "amount", bad); err == nil {
				t.Errorf("%s: %q is %v", language, bad, f)
			}
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64Range(-1e12, 1e12).Draw(t, "thousandths")
		ctx := locale.With(context.Background(), locale.ByCode(rapid.SampledFrom([]string{"en", "de", "es", "fr"}).Draw(t, "language")))
		typed := TypedCredits(ctx, float64(n)/1000)
		if got, err := ParseAmount(ctx, "amount", typed); err != nil || Thousandths(got) != n {
			t.Fatalf("%q is %v, %v", typed, got, err)
		}
	})
}

package frame

import (
	"testing"

	"pgregory.net/rapid"
)

func TestParseAmount(t *testing.T) {
	for _, bad := range []string{"", "x", "1e9", "NaN", "Inf", "0x10", "1.2345", "1..2", "9999999999999999"} {
		if f, err := ParseAmount("amount", bad); err == nil {
			t.Errorf("%q is %v", bad, f)
		}
	}
	for typed, want := range map[string]int64{"2,5": 2_500, "0,25": 250, "1,250": 1_250_000, "1,250,000": 1_250_000_000, "1 250,5": 1_250_500} {
		if f, err := ParseAmount("amount", typed); err != nil || Thousandths(f) != want {
			t.Errorf("%q is %v, %v", typed, f, err)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64Range(-1e12, 1e12).Draw(t, "thousandths")
		typed := Credits(float64(n) / 1000)
		if got, err := ParseAmount("amount", typed); err != nil || Thousandths(got) != n {
			t.Fatalf("%q is %v, %v", typed, got, err)
		}
	})
}

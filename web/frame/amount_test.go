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
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64Range(-1e12, 1e12).Draw(t, "thousandths")
		typed := Credits(float64(n) / 1000)
		if got, err := ParseAmount("amount", typed); err != nil || Thousandths(got) != n {
			t.Fatalf("%q is %v, %v", typed, got, err)
		}
	})
}

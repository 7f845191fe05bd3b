//go:build !race

package scene

import (
	"math"
	"testing"
)

// Colors of pixels are those of sRGB, from a table.
func TestCurveOfSRGB(t *testing.T) {
	curve := curveOfSRGB()
	for i := -1000; i <= 101_000; i++ {
		light := float64(i) / 100_000
		if got, want := curve.of(light), toSRGB(Vec{light, light, light})[0]; math.Abs(got-want) >= 0.0001 {
			t.Fatalf("light of %g is shown as %g, want %g", light, got, want)
		}
	}
	if got := curve.of(math.Inf(1)); math.Abs(got-1) > 1e-9 {
		t.Errorf("infinite light is shown as %g", got)
	}
	if got := curve.of(math.NaN()); !math.IsNaN(got) {
		t.Errorf("what is no number is shown as %g", got)
	}
}

package flow

import (
	"strings"
	"testing"
)

// The fields of an app whose published values are too long for a page are left
// out of it, and a run leaves them as they are.
func TestAFormKeepsWhatItDoesNotShow(t *testing.T) {
	long := strings.Repeat("x", 100_000)
	controls := []*control{
		{Name: "in-a", Kind: controlArea, Value: long, Required: true},
		{Name: "in-b", Kind: controlJSON, Value: map[string]any{"x": long}},
		{Name: "in-c", Kind: controlSelect, Value: "x", Options: []any{"x", long}},
		{Name: "in-d", Kind: controlLine, Value: "short", Required: true},
		{Name: "in-e", Kind: controlToggle, Value: true},
	}
	withhold(controls)
	for i, left := range []bool{true, true, true, false, false} {
		if c := controls[i]; c.Withheld != left || left && c.initial() != "" {
			t.Errorf("%s: withheld is %t", c.Name, c.Withheld)
		}
	}
	sent := map[string][]string{"in-a": {""}, "in-b": {""}, "in-c": {`"x"`}, "in-d": {"short"}, "in-e": {"on"}}
	for _, c := range controls {
		value, changed, err := c.read(sent)
		if err != nil || changed != (c.Name == "in-c") || changed && value != "x" {
			t.Errorf("%s: %v, %t, %v", c.Name, value, changed, err)
		}
	}
}

package nodeform

import (
	"context"
	"strings"
	"testing"
)

// The fields of an app whose published values are too long for a page are left
// out of it, and a run leaves them as they are.
func TestAFormKeepsWhatItDoesNotShow(t *testing.T) {
	long := strings.Repeat("x", 100_000)
	controls := []*Control{
		{Name: "in-a", Kind: ControlArea, Value: long, Required: true},
		{Name: "in-b", Kind: ControlJSON, Value: map[string]any{"x": long}},
		{Name: "in-c", Kind: ControlSelect, Value: "x", Options: []any{"x", long}},
		{Name: "in-d", Kind: ControlLine, Value: "short", Required: true},
		{Name: "in-e", Kind: ControlToggle, Value: true},
	}
	Withhold(controls)
	for i, left := range []bool{true, true, true, false, false} {
		if c := controls[i]; c.Withheld != left || left && c.Initial() != "" {
			t.Errorf("%s: withheld is %t", c.Name, c.Withheld)
		}
	}
	sent := map[string][]string{"in-a": {""}, "in-b": {""}, "in-c": {`"x"`}, "in-d": {"short"}, "in-e": {"on"}}
	for _, c := range controls {
		value, changed, err := c.Read(context.Background(), sent)
		if err != nil || changed != (c.Name == "in-c") || changed && value != "x" {
			t.Errorf("%s: %v, %t, %v", c.Name, value, changed, err)
		}
	}
}

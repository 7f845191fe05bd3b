//go:build !race

package studio

import (
	"testing"

	"atelier/web/ui"
)

// What a stage is set to stays a choice, also where the list does not offer it.
func TestWhatIsSetStaysAChoice(t *testing.T) {
	offered := []ui.Option{{Value: "a", Text: "A"}, {Value: "b", Text: "B"}}
	for set, want := range map[string]int{"": 3, "a": 3, "gone": 4} {
		options := chooseOptions(t.Context(), "None", offered, set)
		if len(options) != want || options[0].Value != "" {
			t.Errorf("with %q set there are %v", set, options)
		}
		if last := options[len(options)-1]; want == 4 && (last.Value != set || last.Text != "The one that is set now") {
			t.Errorf("%q is shown as %v", set, last)
		}
	}
}

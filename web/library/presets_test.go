//go:build !race

package library

import (
	"context"
	"testing"

	"atelier/web/locale"
	"atelier/web/query"
)

// What comes with the program is found by the words that its page shows.
func TestPresetsAreFoundByTheirWords(t *testing.T) {
	german := locale.With(context.Background(), locale.ByCode("de"))
	p := query.PresetRow{Name: "Watercolour", Description: "Soft washes that run into each other on rough white paper.", Tags: []string{"style"}}
	for text, fits := range map[string]bool{"": true, "aquarell": true, "Papier": true, "stil": true, "water": true, "Ölgemälde": false} {
		if presetFits(german, p, text) != fits {
			t.Errorf("%q", text)
		}
	}
	if presetFits(context.Background(), p, "Aquarell") {
		t.Error("found by the words of another language")
	}
}

//go:build !race

package nodes

import (
	"reflect"
	"slices"
	"testing"
)

// TestCardLetters wants every word on a card, or a refusal; only signs without
// a picture are left out, and named.
func TestCardLetters(t *testing.T) {
	s := newShelf()
	plain := seen(t, s, must(t, s, "text-card", map[string]any{"text": "Café Ωмега 50 %"}))
	out := must(t, s, "text-card", map[string]any{"text": "😀 Cafe\u0301 Ωмега 50 %\ufe0f", "caption": ""})
	if missing, _ := out["missing"].([]string); !slices.Equal(missing, []string{"😀"}) {
		t.Errorf("missing %v", out["missing"])
	}
	if got := seen(t, s, out); !reflect.DeepEqual(got, plain) {
		t.Error("the sign that is left out changed the rest")
	}
	for text, says := range map[string]string{
		"مرحبا": "text has letters that a card cannot show: م", "A 日本": "日 本", "😀": "text has nothing that a card can show",
		" \n ": "text has nothing that a card can show",
	} {
		_, err := try(t, s, "text-card", map[string]any{"text": text})
		wantFailure(t, err, says)
	}
	_, err := try(t, s, "text-card", map[string]any{"text": "A", "caption": "日本"})
	wantFailure(t, err, "caption has letters")
}

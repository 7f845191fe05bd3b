//go:build !race

package phrase

import (
	"slices"
	"testing"
)

func TestComposePutsWordsInPlaceOfHandles(t *testing.T) {
	anna := Named{Kind: "character", Handle: "anna", Words: "a girl in a red coat", Negative: "glasses"}
	rex := Named{Kind: "creature", Handle: "rex", Words: "a small brown dog"}
	park := Named{Kind: "location", Handle: "park", Words: "a park in autumn", Negative: "cars"}
	for _, c := range []struct {
		prompt   string
		elements []Named
		want     string
	}{
		{"@Anna walks @rex", []Named{anna, rex}, "a girl in a red coat walks a small brown dog"},
		{"@anna laughs", []Named{park, anna, rex}, "a girl in a red coat laughs, a small brown dog, a park in autumn"},
		{"in (@park), write to anna@anna.org and @nobody", []Named{anna, park}, "in (a park in autumn), write to anna@anna.org and @nobody, a girl in a red coat"},
		{"@anna @anna", []Named{anna}, "a girl in a red coat a girl in a red coat"},
		{"", []Named{anna, park}, "a girl in a red coat, a park in autumn"},
		{"a plain prompt", nil, "a plain prompt"},
	} {
		if got := Compose(c.prompt, c.elements); got != c.want {
			t.Errorf("%q: %q, not %q", c.prompt, got, c.want)
		}
	}
	if got := Avoid("rain", []Named{anna, rex, park}); got != "rain, glasses, cars" {
		t.Errorf("to avoid: %q", got)
	}
	if got := Handles("@Anna and @rex, @anna, me@home.org @a"); !slices.Equal(got, []string{"anna", "rex"}) {
		t.Errorf("handles: %q", got)
	}
}

func TestComposeWordsOfElements(t *testing.T) {
	for _, c := range []struct {
		kind, prompt, description string
		attributes                map[string]string
		want                      string
	}{
		{"character", "the hero", "an old man", nil, "the hero"},
		{"character", "", "an old man with glasses.", map[string]string{"accessory": "glasses", "hairColor": "grey", "hobby": "chess"}, "an old man with glasses, grey hair, hobby: chess"},
		{"character", "", "", map[string]string{"age": "child", "gender": "female", "hairStyle": "long", "hairColor": "red", "outfit": "coat", "outfitColor": "blue"}, "girl, long red hair, blue coat"},
		{"character", "", "", map[string]string{"hairStyle": "braids", "hairColor": "blond"}, "person, blond hair in braids"},
		{"creature", "", "", map[string]string{"species": "dragon", "bodyColor": "green", "wings": "leathery", "horns": "none"}, "green dragon, leathery wings, no horns"},
		{"object", "", "", map[string]string{"shape": "cup", "color": "gold", "size": "large"}, "large gold cup"},
		{"location", "", "a forest", map[string]string{"place": "forest", "timeOfDay": "night"}, "a forest, night"},
		{"location", "", "", nil, "Mill"},
	} {
		if got := Words(c.kind, "Mill", c.prompt, c.description, c.attributes); got != c.want {
			t.Errorf("%s %v: %q, not %q", c.kind, c.attributes, got, c.want)
		}
	}
}

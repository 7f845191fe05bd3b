//go:build !race

package phrase

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

func phraseShown(u Understood) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(u.Attributes)) {
		parts = append(parts, fmt.Sprintf("%s=%s", name, u.Attributes[name]))
	}
	return strings.Join(parts, " ") + " | " + strings.Join(u.NotUnderstood, " ")
}

func TestAttributesOfDescriptions(t *testing.T) {
	for _, c := range []struct{ kind, text, want string }{
		{"character", "an old man with glasses and a red coat", "accessory=glasses age=old gender=male outfit=coat outfitColor=red | "},
		{"character", "A young girl with long, curly red hair and green eyes", "age=child eyeColor=green gender=female hairColor=red hairStyle=long | curly"},
		{"character", "a red-haired woman in a dark blue dress", "age=adult gender=female hairColor=red outfit=dress outfitColor=dark blue | "},
		{"character", "a brave knight, smiling, in silver armour", "age=adult expression=happy outfit=armour outfitColor=silver personality=brave | "},
		{"character", "8-year-old boy, his hair is brown and short", "age=child gender=male hairColor=brown hairStyle=short | "},
		{"character", "a scientist in red", "age=adult outfit=lab-coat outfitColor=red | "},
		{"character", "bald grandfather with a grey beard and a hat", "accessory=hat age=old gender=male hairStyle=bald | beard grey"},
		{"character", "a dark-skinned teenager without glasses, blonde braids", "age=teen hairColor=blond hairStyle=braids skin=dark | "},
		{"character", "a woman with no hair and a white t-shirt", "age=adult gender=female hairStyle=bald outfit=t-shirt outfitColor=white | "},
		{"character", "Her coat is red. She has blue eyes.", "eyeColor=blue gender=female outfit=coat outfitColor=red | "},
		{"creature", "a small black and white cat with a bushy tail", "bodyColor=black secondColor=white size=small species=cat tail=bushy | "},
		{"creature", "friendly green dragon with leathery wings, no horns and yellow spots", "bodyColor=green horns=none pattern=spotted secondColor=yellow species=dragon temperament=friendly wings=leathery | "},
		{"creature", "a fox that is orange, wearing a tutu", "bodyColor=orange species=fox | tutu"},
		{"object", "an old wooden chair, dark green", "color=dark green era=old material=wood shape=chair | "},
		{"object", "a golden goblet with rubies", "color=gold shape=cup | rubies"},
		{"location", "a spooky forest at night in heavy rain", "mood=spooky place=forest setting=outdoor timeOfDay=night weather=rainy | heavy"},
		{"location", "the old library, winter morning", "place=library season=winter setting=indoor timeOfDay=day | old"},
		{"face", "a red nose", " | "},
		{"character", "", " | "},
	} {
		if got := phraseShown(Attributes(c.kind, c.text)); got != c.want {
			t.Errorf("%s %q:\n got %s\nwant %s", c.kind, c.text, got, c.want)
		}
	}
}

func TestAttributesNameColors(t *testing.T) {
	for name, want := range map[string]string{"red": "#c8322b", "Dark Blue": "#224376", "#aabbcc": "#aabbcc", "light gray": "#babcc0"} {
		if got, ok := Color(name); !ok || got != want {
			t.Errorf("%s: %s, not %s", name, got, want)
		}
	}
	for _, name := range []string{"", "dark", "very red", "loud", "dark red blue"} {
		if got, ok := Color(name); ok {
			t.Errorf("%q is the colour %s", name, got)
		}
	}
}

func FuzzAttributes(f *testing.F) {
	f.Add("a red, long and blue, hair with no")
	f.Add("is red and and, , without - 8 year old")
	f.Fuzz(func(t *testing.T, text string) {
		for kind := range books {
			Attributes(kind, text)
		}
	})
}

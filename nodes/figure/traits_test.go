//go:build !race

package figure

import (
	"maps"
	"slices"
	"testing"
)

func TestUnderstand(t *testing.T) {
	for _, c := range []struct {
		kind, name, said, want string
	}{
		{Character, "age", "Elderly", "old"}, {Character, "gender", "a girl", "female"}, {Character, "hairStyle", "pony tail", "ponytail"}, {Character, "hairStyle", "hijab", "headscarf"},
		{Character, "outfit", "T Shirt", "t-shirt"}, {Character, "outfit", "lab coat", "lab-coat"}, {Character, "outfit", "armor", "armour"}, {Character, "accessory", "a hat and glasses, hat", "hat, glasses"},
		{Character, "accessory", "none, scarf", "scarf"}, {Character, "outfitColor", "Dark Blue", "dark blue"}, {Character, "outfitColor", "#ABCDEF", "#abcdef"}, {Character, "skin", "dark brown", "dark brown"},
		{Character, "personality", "likes maps", "likes maps"}, {Creature, "species", "kitten", "cat"}, {Creature, "wings", "yes", "feathered"}, {Creature, "horns", "1", "one"}, {Creature, "pattern", "stripes", "striped"},
		{Object, "shape", "wooden desk", "table"}, {Object, "material", "oak", "wood"}, {Location, "place", "the woods", "forest"}, {Location, "timeOfDay", "evening", "dusk"}, {Location, "weather", "rainy", "rain"},
		{Character, "motto", "never give up", "never give up"},
	} {
		got, strange := Understand(c.kind, map[string]string{c.name: c.said})
		if got[c.name] != c.want || len(strange) > 0 {
			t.Errorf("%s %q: %q, %v; want %q", c.name, c.said, got[c.name], strange, c.want)
		}
	}
	for name, said := range map[string]string{"age": "seventeenth", "hairColor": "smurf", "outfit": "nothing", "skin": "#12", "accessory": "halo"} {
		got, strange := Understand(Character, map[string]string{name: said})
		if got[name] != "" || !slices.Equal(strange, []string{said}) {
			t.Errorf("%s %q: %q, %v", name, said, got[name], strange)
		}
	}
}

func TestCompleteKeepsWhatIsSaid(t *testing.T) {
	for _, kind := range kinds {
		for seed := range int64(60) {
			all, strange := Complete(kind, map[string]string{"motto": "hello"}, seed, nil)
			if len(strange) > 0 || all["motto"] != "hello" {
				t.Fatalf("%s: %v, %v", kind, all, strange)
			}
			again, strange := Complete(kind, all, seed, []string{"#112233"})
			if !maps.Equal(all, again) || len(strange) > 0 {
				t.Fatalf("%s: complete attributes change: %v, %v, %v", kind, all, again, strange)
			}
			for _, trait := range traitsOf(kind) {
				if !trait.free && all[trait.name] == "" {
					t.Errorf("%s %d: no %s", kind, seed, trait.name)
				}
			}
		}
	}
}

// Saying one trait changes no other one.
func TestTraitsAreApart(t *testing.T) {
	for seed := range int64(40) {
		plain, _ := Complete(Character, nil, seed, nil)
		for name, value := range map[string]string{"accessory": "crown", "outfitColor": "lime", "eyeColor": "red", "expression": "angry", "hairStyle": "bun"} {
			with, _ := Complete(Character, map[string]string{name: value}, seed, nil)
			delete(with, name)
			rest := maps.Clone(plain)
			delete(rest, name)
			if !maps.Equal(with, rest) {
				t.Errorf("seed %d: %s changes %v to %v", seed, name, rest, with)
			}
		}
	}
}

// A class of fifty has all sorts of people in it.
func TestFiftyAreVaried(t *testing.T) {
	seen := map[string]map[string]bool{}
	for seed := range int64(50) {
		all, _ := Complete(Character, nil, seed, nil)
		for name, value := range all {
			if seen[name] == nil {
				seen[name] = map[string]bool{}
			}
			seen[name][value] = true
		}
	}
	for name, least := range map[string]int{"age": 4, "gender": 3, "skin": 9, "hairStyle": 7, "hairColor": 7, "outfit": 6, "outfitColor": 10, "accessory": 5} {
		if got := len(seen[name]); got < least {
			t.Errorf("%s has %d kinds among fifty, want %d", name, got, least)
		}
	}
}

func TestAPaletteDresses(t *testing.T) {
	all, _ := Complete(Character, nil, 3, []string{"#20150f", "#cc3344", "#3355cc"})
	if all["outfitColor"] != "#cc3344" && all["outfitColor"] != "#3355cc" || all["hairColor"] != "#20150f" {
		t.Errorf("%v", all)
	}
	beast, _ := Complete(Creature, nil, 3, []string{"#cc3344", "#3355cc"})
	if beast["bodyColor"] != "#cc3344" || beast["secondColor"] != "#3355cc" {
		t.Errorf("%v", beast)
	}
}

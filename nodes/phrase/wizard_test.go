//go:build !race

package phrase

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

func wizardParts(h Help) string {
	var shown []string
	for _, p := range h.Parts {
		shown = append(shown, p.Part+"="+p.Value+"("+p.From+")")
	}
	return strings.Join(shown, "; ")
}

func wizardAsked(h Help) string {
	var shown []string
	for _, q := range h.Questions {
		shown = append(shown, q.Part)
	}
	return strings.Join(shown, " ")
}

func TestWizardReadsAnIdea(t *testing.T) {
	for _, c := range []struct{ target, idea, parts, asked, unknown string }{
		{"generate-image", "A fox in the snow", "subject=fox(idea); setting=snow(idea)", "action style light", ""},
		{"generate-image", "an old man reading in a library, watercolour, no people", "subject=old man(idea); action=reading(idea); setting=library(idea); style=watercolour(idea); avoid=people(idea)", "light mood colours", ""},
		{"generate-image", "Two children fly a zorbel above the city at night", "subject=children(idea); action=fly(idea); setting=city(idea); light=night(idea)", "style mood colours", "zorbel"},
		{"generate-image", "", "", "subject setting action", ""},
		{"generate-video", "a red dragon flying slowly over a castle", "subject=dragon(idea); action=flying(idea); setting=castle(idea); colours=red(idea); pace=slowly(idea)", "style light movement", ""},
		{"generate-character", "an old man with glasses and a beard", "age=old(idea); gender=male(idea); accessory=glasses(idea)", "outfit hairStyle hairColor", "beard"},
		{"generate-creature", "a tiny blue dragon", "species=dragon(idea); bodyColor=blue(idea); size=small(idea)", "secondColor pattern wings", ""},
		{"generate-object", "a golden cup", "shape=cup(idea); color=gold(idea)", "material size era", ""},
		{"generate-location", "a forest in winter", "place=forest(idea); setting=outdoor(idea); season=winter(idea)", "timeOfDay mood weather", ""},
		{"3d-scene", "three trees next to a house", "objects=three trees, a house(idea); relations=next to(idea)", "ground light", ""},
		{"generate-text", "a funny poem about volcanoes for children", "reader=for children(idea); tone=funny(idea); form=poem(idea)", "purpose length", "volcanoes"},
	} {
		h := Wizard(Idea{Text: c.idea, Target: c.target, MaxQuestions: 3})
		if got := wizardParts(h); got != c.parts {
			t.Errorf("%s %q:\n got %s\nwant %s", c.target, c.idea, got, c.parts)
		}
		if got := wizardAsked(h); got != c.asked {
			t.Errorf("%s %q asks %s, not %s", c.target, c.idea, got, c.asked)
		}
		if got := strings.Join(h.NotUnderstood, " "); got != c.unknown {
			t.Errorf("%s %q does not understand %q, not %q", c.target, c.idea, got, c.unknown)
		}
		if h.Prompt != c.idea || h.Complete {
			t.Errorf("%s %q: %+v", c.target, c.idea, h)
		}
	}
}

func TestWizardGoesOnUntilNothingIsOpen(t *testing.T) {
	for _, target := range Targets() {
		idea := Idea{Text: "My own Words stay", Target: target, Answers: map[string][]string{}, MaxQuestions: 2}
		rounds, order := 0, []string{}
		for {
			h := Wizard(idea)
			if again := Wizard(idea); !reflect.DeepEqual(h, again) {
				t.Fatalf("%s: the same idea yields %+v and %+v", target, h, again)
			}
			if !strings.HasPrefix(h.Prompt, idea.Text) {
				t.Fatalf("%s: %q", target, h.Prompt)
			}
			if h.Complete {
				break
			}
			for _, q := range h.Questions {
				if len(q.Options) == 0 || q.Question == "" || slices.Contains(order, q.Part) {
					t.Errorf("%s: %+v", target, q)
				}
				order = append(order, q.Part)
				idea.Answers[q.Part] = q.Options[:1]
				if rounds == 0 {
					idea.Answers[q.Part] = []string{""}
				}
			}
			if rounds++; rounds > 10 {
				t.Fatalf("%s: no end", target)
			}
		}
	}
}

func TestWizardComposes(t *testing.T) {
	h := Wizard(Idea{
		Text: "A fox in the snow.", Target: "generate-image", MaxQuestions: 5,
		Answers: map[string][]string{"avoid": {"text", "people"}, "style": {"ink drawing"}, "action": {"jumping over a brook"}, "light": {""}},
		Known:   []Part{{Part: "mood", Value: "calm", From: "preset"}},
	})
	if h.Prompt != "A fox in the snow. jumping over a brook, ink drawing" || h.NegativePrompt != "text, people" {
		t.Errorf("%q, %q", h.Prompt, h.NegativePrompt)
	}
	if got := wizardAsked(h); got != "colours framing angle" {
		t.Error(got)
	}
	if !reflect.DeepEqual(h.Settings, map[string]any{"prompt": h.Prompt, "negativePrompt": h.NegativePrompt}) {
		t.Errorf("%v", h.Settings)
	}
	h = Wizard(Idea{Text: "an old man", Target: "generate-character", Answers: map[string][]string{"hairColor": {"grey"}, "hairStyle": {"long"}, "personality": {"loves chess"}}, MaxQuestions: 3})
	if h.Prompt != "an old man, long grey hair, loves chess" {
		t.Error(h.Prompt)
	}
	want := map[string]any{"description": h.Prompt, "attributes": map[string]any{"hairColor": "grey", "hairStyle": "long", "personality": "loves chess"}}
	if !reflect.DeepEqual(h.Settings, want) {
		t.Errorf("%v", h.Settings)
	}
}

func TestWizardWarns(t *testing.T) {
	for idea, want := range map[string]string{
		"a city at night in bright sun": `"night" and "bright sun"`, "a square picture of a cat": `"square picture"`, "a red ball": `"red"`, "a quiet lake": "",
	} {
		h := Wizard(Idea{Text: idea, Target: "generate-image", Answers: map[string][]string{"avoid": {"red, loud"}}, Settings: map[string]any{"aspectRatio": "16:9"}, MaxQuestions: 3})
		if got := strings.Join(h.Warnings, "; "); want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%q: %q", idea, got)
		}
	}
	h := Wizard(Idea{Text: "an upright 16:9 picture", Target: "generate-image", MaxQuestions: 1})
	if h.Settings["aspectRatio"] != "16:9" {
		t.Errorf("%v", h.Settings)
	}
	h = Wizard(Idea{Text: "an old man", Target: "generate-character", Answers: map[string][]string{"age": {"child"}}, MaxQuestions: 1})
	if len(h.Warnings) != 1 || !strings.Contains(h.Warnings[0], "old") {
		t.Errorf("%v", h.Warnings)
	}
}

func FuzzWizard(f *testing.F) {
	f.Add("no and without, 16:9 @anna is night", "generate-image")
	f.Fuzz(func(t *testing.T, text, answer string) {
		for _, target := range Targets() {
			Wizard(Idea{Text: text, Target: target, Answers: map[string][]string{Parts(target)[0]: {answer}}, MaxQuestions: 3})
		}
	})
}

// A word that is put together of two is one word however it is written, in every list.
func TestCompoundsAreOneHoweverWritten(t *testing.T) {
	for _, said := range []string{"widescreen", "wide screen", "wide-screen", "Wide Screen format", "widescreen format"} {
		if r := readIdea(Idea{Target: "generate-image", Text: "A fox, " + said}); r.ratio != "16:9" || len(r.unknown) > 0 {
			t.Errorf("%q is %q, and %v is unknown", said, r.ratio, r.unknown)
		}
	}
	for one, others := range map[string][]string{
		"a girl with a ponytail": {"a girl with a pony tail", "a girl with a pony-tail"}, "a school girl": {"a schoolgirl"},
		"an old man with a lab coat": {"an old man with a labcoat"}, "a grand father": {"a grandfather"},
	} {
		want := Attributes("character", one)
		for _, other := range others {
			if got := Attributes("character", other); !reflect.DeepEqual(got.Attributes, want.Attributes) {
				t.Errorf("%q is %v, not %v as %q", other, got.Attributes, want.Attributes, one)
			}
		}
	}
	for _, said := range []string{"a fox at sunset", "a fox at sun set", "a fox at sun-set"} {
		if r := readIdea(Idea{Target: "generate-image", Text: said}); len(r.values["light"]) != 1 || len(r.unknown) > 0 {
			t.Errorf("%q: %v, unknown %v", said, r.values, r.unknown)
		}
	}
	if got := Attributes("location", "a green house"); got.Attributes["place"] == "greenhouse" {
		t.Errorf("a green house is %v", got.Attributes)
	}
}

//go:build !race

package phrase_test

import (
	"reflect"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"

	"atelier/nodes/phrase"
)

const play = `INT. KITCHEN – NIGHT

Anna puts the kettle on. Rain beats on the window.

ANNA (V.O.)
(quietly)
Nobody came today. Nobody at all.

Ben: Did you call?

EXT. GARDEN - DAY

The sun shines. "Look at Dr. Brown's roses," said Anna. "They are blue." Ben laughs and runs to @rex.
"No name stands beside this."
`

func TestBreakDown(t *testing.T) {
	b, err := phrase.BreakDown(play, phrase.BreakdownOptions{SecondsPerShot: 5})
	if err != nil {
		t.Fatal(err)
	}
	type shot struct{ title, place, speaker, action, dialogue string }
	var got []shot
	for _, s := range b.Shots {
		got = append(got, shot{s.Title, s.Place, s.Speaker, s.Action, s.Dialogue})
	}
	kitchen, garden := "INT. KITCHEN – NIGHT", "EXT. GARDEN - DAY"
	want := []shot{
		{kitchen, "KITCHEN", "", "Anna puts the kettle on. Rain beats on the window.", ""},
		{kitchen, "KITCHEN", "ANNA", "(quietly)", "Nobody came today. Nobody at all."},
		{kitchen, "KITCHEN", "Ben", "", "Did you call?"},
		{garden, "GARDEN", "Anna", "The sun shines. said Anna.", "Look at Dr. Brown's roses,"},
		{garden, "GARDEN", "Anna", "", "They are blue."},
		{garden, "GARDEN", "", `Ben laughs and runs to @rex. "No name stands beside this."`, ""},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("shots\n%q\nwant\n%q", got, want)
	}
	names := []phrase.FoundName{
		{Name: "KITCHEN", Kind: "location", Count: 1}, {Name: "ANNA", Kind: "character", Count: 3}, {Name: "Ben", Kind: "character", Count: 2},
		{Name: "GARDEN", Kind: "location", Count: 1}, {Name: "rex", Kind: "element", Count: 1},
	}
	if !reflect.DeepEqual(b.Names, names) {
		t.Errorf("names %v, want %v", b.Names, names)
	}
	if b.Shots[0].Time != "NIGHT" || !b.Shots[0].Mentions("anna") || b.Shots[0].Mentions("ann") {
		t.Error(b.Shots[0])
	}
}

// Forms of speech, and what only looks like it.
func TestBreakDownSpeech(t *testing.T) {
	for script, want := range map[string][3]string{
		`"Go!" shouted Mia.`:                      {"Mia", "Go!", "shouted Mia."},
		`Mia softly said: “Go home. Now.”`:        {"Mia", "Go home. Now.", "Mia softly said:"},
		`"Go!" Mia said.`:                         {"Mia", "Go!", "Mia said."},
		`"Go," said Mia, "or stay."`:              {"Mia", "Go, or stay.", "said Mia,"},
		`"Go!" she said.`:                         {"", "", `"Go!" she said.`},
		"Note: bring water.":                      {"", "", "Note: bring water."},
		"He said: come.":                          {"", "", "He said: come."},
		"MIA\nGo home.":                           {"MIA", "Go home.", ""},
		"MIA (CONT'D)\nGo home.":                  {"MIA", "Go home.", ""},
		"@mia: Go home.":                          {"@mia", "Go home.", ""},
		"Old Man (smiling): Go home.":             {"Old Man", "Go home.", "(smiling)"},
		"FADE OUT":                                {"", "", "FADE OUT"},
		"It costs 3.5 euros at St. Mary's. Cheap": {"", "", "It costs 3.5 euros at St. Mary's. Cheap"},
	} {
		b, err := phrase.BreakDown(script, phrase.BreakdownOptions{})
		if err != nil || len(b.Shots) != 1 {
			t.Errorf("%q: %v %v", script, b.Shots, err)
			continue
		}
		s := b.Shots[0]
		if got := [3]string{s.Speaker, s.Dialogue, s.Action}; got != want {
			t.Errorf("%q: %q, want %q", script, got, want)
		}
	}
}

func TestBreakDownBounds(t *testing.T) {
	if _, err := phrase.BreakDown(strings.Repeat("a ", 30_000), phrase.BreakdownOptions{}); err != phrase.ErrScriptTooLong {
		t.Error(err)
	}
	if b, err := phrase.BreakDown(" \n ", phrase.BreakdownOptions{}); err != nil || len(b.Shots) != 0 {
		t.Error(b, err)
	}
	scenes := strings.Repeat("INT. ROOM\n\nA cat sits.\n\n", 5)
	_, err := phrase.BreakDown(scenes, phrase.BreakdownOptions{MaxShots: 4})
	if many, ok := err.(*phrase.TooManyShots); !ok || many.Needed != 5 || many.Most != 4 {
		t.Error(err)
	}
	long, err := phrase.BreakDown(strings.Repeat("A cat sits on a mat and looks out. ", 200), phrase.BreakdownOptions{MaxShots: 4, SecondsPerShot: 2})
	if err != nil || len(long.Shots) > 4 {
		t.Error(len(long.Shots), err)
	}
	full, err := phrase.BreakDown(strings.Repeat("猫は窓の外を見ます。", 4_999), phrase.BreakdownOptions{})
	if err != nil || len(full.Shots) > phrase.MaxShots {
		t.Error(len(full.Shots), err)
	}
}

func TestKeeps(t *testing.T) {
	b, err := phrase.BreakDown("MIA\nGo home now.\n\nThe door shuts.", phrase.BreakdownOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		keeps bool
		shots []phrase.Shot
	}{
		{true, b.Shots},
		{true, []phrase.Shot{{Dialogue: "Go home"}, {Dialogue: "now.", Action: "The door shuts."}}},
		{false, []phrase.Shot{{Dialogue: "Go home now."}}},
		{false, []phrase.Shot{{Dialogue: "Go home now."}, {Action: "The door shuts. Slowly."}}},
		{false, []phrase.Shot{{Action: "The door shuts."}, {Dialogue: "Go home now."}}},
		{false, []phrase.Shot{{Dialogue: "Go home soon."}, {Action: "The door shuts."}}},
	} {
		if b.Keeps(c.shots) != c.keeps {
			t.Errorf("%v: want %v", c.shots, c.keeps)
		}
	}
}

// bare is a text without blanks.
func bare(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
}

func holdScript(t interface{ Fatalf(string, ...any) }, script string, o phrase.BreakdownOptions) {
	b, err := phrase.BreakDown(script, o)
	if err != nil {
		return
	}
	again, _ := phrase.BreakDown(script, o)
	if !reflect.DeepEqual(b, again) {
		t.Fatalf("not the same twice: %q", script)
	}
	var pieces, seen strings.Builder
	for i, s := range b.Shots {
		headings := 0
		for j, p := range s.Pieces {
			pieces.WriteString(p.Text)
			switch p.Kind {
			case phrase.PieceHeading:
				if headings++; j > 0 && s.Pieces[j-1].Kind != phrase.PieceHeading {
					t.Fatalf("shot %d goes across scenes: %q", i, script)
				}
			case phrase.PieceAction, phrase.PieceDialogue:
				seen.WriteString(p.Text)
			}
		}
		if utf8.RuneCountInString(s.Action) > phrase.MaxAction || utf8.RuneCountInString(s.Dialogue) > phrase.MaxDialogue || utf8.RuneCountInString(s.Title) > 100 {
			t.Fatalf("shot %d is too long: %q", i, script)
		}
	}
	if pieces := bare(pieces.String()); pieces != bare(script) {
		t.Fatalf("%q gives\n%q back", script, pieces)
	}
	if len(b.Shots) > phrase.MaxShots || !b.Keeps(b.Shots) && len(seen.String()) > 0 && !strings.ContainsAny(seen.String(), `"“”„«»`) {
		t.Fatalf("%d shots do not keep %q", len(b.Shots), script)
	}
}

// Whatever the script: its text comes back, within the bounds, the same each time.
func TestBreakDownProperties(t *testing.T) {
	parts := []string{
		"INT. KITCHEN - NIGHT\n", "EXT. SEA – DAY\n\n", "ANNA\n", "BEN (V.O.)\n", "(softly)\n", "Anna: ", "Ben (loud): ", "Hello there. ", "\"Come,\" said Anna. ",
		"“Why?” Ben asked. ", "The dog, which is old, sleeps! ", "Mr. Brown ", "\n", "\n\n", "I. ", "@rex runs… ", "«Oui.» ", "猫は見ます。", "word ", strings.Repeat("long", 150) + " ",
		"\"", ":", "(", "…", "\u2028", "\xff", "x ",
	}
	rapid.Check(t, func(t *rapid.T) {
		script := strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), 0, 60).Draw(t, "script"), "")
		holdScript(t, script, phrase.BreakdownOptions{SecondsPerShot: rapid.Float64Range(2, 15).Draw(t, "seconds"), MaxShots: rapid.IntRange(1, 40).Draw(t, "most")})
	})
}

func FuzzBreakDown(f *testing.F) {
	for _, seed := range []string{play, "A: b", "ANNA\n\nBEN\n\"\"", "INT. \n", "\"a\" said B \"c\" said D.", "«»“”„", "MIA (softly)\n(x)\n", "İ: ı"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, script string) { holdScript(t, script, phrase.BreakdownOptions{}) })
}

//go:build !race

package ui

import (
	"regexp"
	"testing"
)

// Whatever color is chosen, what is written in it and on it can be read in both themes.
func TestAccentsAreReadable(t *testing.T) {
	for _, chosen := range []string{"#000000", "#ffffff", "#ffff00", "#ff0000", "#2f4bd8", "#777777", "#00ff88", "#7a003c"} {
		css, ok := AccentCSS(chosen)
		if !ok {
			t.Fatal(chosen)
		}
		tokens := map[string][2]string{"sunken": {"#efede8", "#101116"}, "sheet": {"#ffffff", "#1b1d24"}, "paper": {"#f7f6f3", "#14151a"}, "ink-2": {"#585a63", "#a9abb5"}}
		for _, m := range regexp.MustCompile(`--([a-z-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);`).FindAllStringSubmatch(css, -1) {
			tokens[m[1]] = [2]string{m[2], m[3]}
		}
		for _, p := range [][2]string{{"accent", "sunken"}, {"accent", "sheet"}, {"accent", "paper"}, {"accent", "accent-soft"}, {"accent-ink", "accent"}, {"accent-ink", "accent-hover"}, {"ink-2", "accent-soft"}} {
			for theme := range 2 {
				fore, _ := parseColor(tokens[p[0]][theme])
				back, _ := parseColor(tokens[p[1]][theme])
				if got := contrast(fore, back); got < 4.5 {
					t.Errorf("%s, theme %d: %s on %s has %.2f", chosen, theme, p[0], p[1], got)
				}
			}
		}
	}
	if _, ok := AccentCSS("red"); ok {
		t.Error("a word is a colour")
	}
}

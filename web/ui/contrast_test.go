//go:build !race

package ui

import (
	"os"
	"regexp"
	"testing"
)

// pairs are foreground, background and the least contrast of WCAG 2.2: 4.5 for text, 3 for what is drawn.
var pairs = []struct {
	fore, back string
	least      float64
}{
	{"ink", "paper", 7}, {"ink", "sheet", 7}, {"ink", "sunken", 7}, {"ink", "hover", 7},
	{"ink-2", "paper", 4.5}, {"ink-2", "sheet", 4.5}, {"ink-2", "sunken", 4.5}, {"ink-2", "hover", 4.5},
	{"ink-3", "paper", 4.5}, {"ink-3", "sheet", 4.5}, {"ink-3", "sunken", 4.5}, {"ink-2", "line", 4.5},
	{"accent", "paper", 4.5}, {"accent", "sheet", 4.5}, {"accent", "sunken", 4.5}, {"accent", "accent-soft", 4.5},
	{"accent-ink", "accent", 4.5}, {"accent-ink", "accent-hover", 4.5},
	{"ink", "accent-soft", 7}, {"ink", "ok-soft", 7}, {"ink", "warn-soft", 7}, {"ink", "bad-soft", 7},
	{"ink-2", "accent-soft", 4.5},
	{"ok", "ok-soft", 4.5}, {"warn", "warn-soft", 4.5}, {"bad", "bad-soft", 4.5}, {"bad", "sheet", 4.5}, {"bad", "paper", 4.5},
	{"ok", "sheet", 4.5}, {"warn", "sheet", 4.5}, {"bad-ink", "bad", 4.5},
	{"edge", "sheet", 3}, {"edge", "paper", 3},
	{"chart-1", "sheet", 3}, {"chart-2", "sheet", 3}, {"chart-3", "sheet", 3}, {"chart-4", "sheet", 3}, {"chart-5", "sheet", 3},
}

func TestTokensAreReadable(t *testing.T) {
	css, err := os.ReadFile("../assets/css/tokens.css")
	if err != nil {
		t.Fatal(err)
	}
	tokens := map[string][2]string{}
	for _, m := range regexp.MustCompile(`--([a-z0-9-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)`).FindAllStringSubmatch(string(css), -1) {
		if _, known := tokens[m[1]]; !known { // the first is the usual one, later ones ask for more contrast
			tokens[m[1]] = [2]string{m[2], m[3]}
		}
	}
	for _, p := range pairs {
		fore, back := tokens[p.fore], tokens[p.back]
		if fore[0] == "" || back[0] == "" {
			t.Errorf("no token %s or %s", p.fore, p.back)
			continue
		}
		for i, theme := range []string{"light", "dark"} {
			a, _ := parseColor(fore[i])
			b, _ := parseColor(back[i])
			if c := contrast(a, b); c < p.least {
				t.Errorf("%s on %s (%s): %.2f, needs %.1f", p.fore, p.back, theme, c, p.least)
			}
		}
	}
}

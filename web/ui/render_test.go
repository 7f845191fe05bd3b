//go:build !race

package ui

import (
	"context"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/a-h/templ"
)

var now = time.Date(2026, 11, 20, 14, 2, 11, 0, time.UTC)

// hostile is what a person may call themselves: markup, a change of direction, an emoji, quotes, no end.
const hostile = `<script>alert(1)</script>"'><img src=x onerror=alert(2)> ` + "\u202Egnp.exe" + ` 🧑‍🎨 javascript:alert(3)`

func hostileWords() Words {
	return Words{Person: hostile, Email: hostile, Place: hostile, Org: hostile, Sentence: hostile, Code: hostile, Bytes: hostile, Now: now}
}

func render(t *testing.T, c templ.Component) string {
	t.Helper()
	var b strings.Builder
	if err := c.Render(templ.WithNonce(context.Background(), "n0nce"), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func pages(w Words) map[string]templ.Component {
	off := ProjectorProps{Name: w.Place, Off: w.Sentence, BackHref: "/"}
	stream := ProjectorProps{Name: w.Place, Code: w.Code, Joined: 3, JoinedURL: "/joined"}
	return map[string]templ.Component{
		"storybook":            Storybook(w, ThemeDark),
		"projector":            StoryProjector(w, ThemeAuto),
		"projector off":        Projector(off),
		"projector stream":     Projector(stream),
		"bare":                 StoryBare(w, ThemeLight),
		"more":                 StoryMore(w, ThemeAuto),
		"confirm page":         ConfirmPage(storyDelete(w)),
		"meter bar":            MeterBar(MeterProps{ID: "m", Label: w.Place, Spent: 1, Limit: 2}),
		"dialog":               Dialog("d", w.Org),
		"stack":                Stack(),
		"unavailable switcher": switcher(storySwitcher(w, SwitcherUnavailable)),
	}
}

var (
	tag        = regexp.MustCompile(`<[a-zA-Z][^<>]*>`)
	quoted     = regexp.MustCompile(`"[^"]*"`)
	styleAttr  = regexp.MustCompile(`(?i)\sstyle(=|\s|>)`)
	handler    = regexp.MustCompile(`(?i)\s(hx-)?on[a-z:]+=`)
	scriptHref = regexp.MustCompile(`(?i)(href|action|src)="\s*javascript:`)
)

// structure is a tag with its values taken out.
func structure(tag string) string { return quoted.ReplaceAllString(tag, `""`) }

func TestHostileTextIsEscaped(t *testing.T) {
	for name, c := range pages(hostileWords()) {
		t.Run(name, func(t *testing.T) {
			html := render(t, c)
			if strings.Contains(html, "<script>") || strings.Contains(html, "<img") {
				t.Error("markup of a text became markup of the page")
			}
			for _, tag := range tag.FindAllString(html, -1) {
				s := structure(tag)
				if styleAttr.MatchString(s) {
					t.Errorf("style attribute: %s", tag)
				}
				if handler.MatchString(s) {
					t.Errorf("inline handler: %s", tag)
				}
				if scriptHref.MatchString(tag) {
					t.Errorf("script as an address: %s", tag)
				}
			}
		})
	}
}

func TestScriptsCarryTheNonce(t *testing.T) {
	html := render(t, Storybook(SampleWords(now), ThemeAuto))
	for _, s := range regexp.MustCompile(`<script[^>]*>`).FindAllString(html, -1) {
		if !strings.Contains(s, `nonce="n0nce"`) || !strings.Contains(s, `src="/assets/`) {
			t.Errorf("script without nonce or address: %s", s)
		}
	}
}

func TestPageHasOneHeadingAndUniqueIDs(t *testing.T) {
	for name, c := range pages(SampleWords(now)) {
		html := render(t, c)
		if n := strings.Count(html, "<h1"); strings.Contains(html, "<html") && n != 1 {
			t.Errorf("%s: %d h1", name, n)
		}
		seen := map[string]bool{}
		for _, m := range regexp.MustCompile(`\sid="([^"]*)"`).FindAllStringSubmatch(html, -1) {
			if seen[m[1]] {
				t.Errorf("%s: id %q twice", name, m[1])
			}
			seen[m[1]] = true
		}
		for _, m := range regexp.MustCompile(`aria-(?:labelledby|describedby)="([^"]*)"`).FindAllStringSubmatch(html, -1) {
			for _, id := range strings.Fields(m[1]) {
				if !seen[id] {
					t.Errorf("%s: nothing has the id %q", name, id)
				}
			}
		}
	}
}

func TestProjectorNeverShowsADisabledCode(t *testing.T) {
	html := render(t, Projector(ProjectorProps{Name: "Art 9b", Off: "The code is switched off.", Code: "K7QM2XPA", JoinURL: "https://a.example/join?code=K7QM2XPA"}))
	if strings.Contains(html, "K7QM") || strings.Contains(html, "<path d=\"M") && strings.Contains(html, "class=\"qr\"") {
		t.Error("a disabled code is on the screen")
	}
}

func TestLive(t *testing.T) {
	ctx := templ.WithNonce(context.Background(), "n0nce")
	a := Live(ctx, "get", "/x", "target", "#y")
	if a["hx-get"] != "/x" || a["hx-target"] != "#y" || a["hx-nonce"] != "n0nce" {
		t.Errorf("got %v", a)
	}
	for _, bad := range [][]string{{"get"}, {"on:click", "alert(1)"}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%v was accepted", bad)
				}
			}()
			Live(ctx, bad...)
		}()
	}
}

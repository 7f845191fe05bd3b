//go:build !race

package tests

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/chromedp/chromedp"
)

// axe is the script with the accessibility rules; scripts/setup test installs it.
var axe = sync.OnceValues(func() (string, error) {
	script, err := os.ReadFile("../node_modules/axe-core/axe.min.js")
	return string(script), err
})

// look examines a page the first time that it is reached: the rules of accessibility in both themes and at
// both ends of the widths, nothing that needs scrolling sideways there and in between. With SCREENSHOTS=1 it also keeps
// pictures for people to look at. Each change of the window or the theme draws the page again, so there are few:
// from the window that the page has down to the narrowest, and back in the dark.
func (v *tab) look(name string) {
	v.t.Helper()
	if _, before := v.seen.LoadOrStore(name, true); before {
		return
	}
	v.obey(name, 1280, allRules)
	v.fits(name)
	v.obey(name, 320, allRules)
	v.media(true)
	v.keepsStill(name)
	v.widen(1280)
	v.obey(name, 1280, colorRules) // colors are those of the mode, at every width
	if os.Getenv("SCREENSHOTS") != "" {
		v.picture(name, true)
		v.calm(false)
		v.picture(name, false)
		v.widen(1280)
	}
	v.media(false)
}

// keepsStill fails where something moves after a change of the theme, though the reader asked for less motion: not even for an
// instant, in which colors would still be those of before.
func (v *tab) keepsStill(name string) {
	v.t.Helper()
	moving, err := ask[int](v, "document.getAnimations().length")
	if err != nil || moving > 0 {
		v.t.Errorf("%s (%s) has %d animations for a reader who asked for less motion: %v", name, v.path(), moving, err)
	}
}

// widths are those of desks, tablets and phones, in pixels. The first is the one that tabs begin with.
var widths = []int64{1280, 1920, 1024, 900, 768, 660, 480, 360, 320}

// rules is the script that looks at a page at one width.
var rules = sync.OnceValues(func() (string, error) {
	script, err := os.ReadFile("testdata/look.js")
	return string(script), err
})

// fits fails where a page is wider than its window, or squeezes, breaks or shrinks what stands on it.
// The page is clipped meanwhile, which moves nothing: what is out of sight need not be drawn at each width.
func (v *tab) fits(name string) {
	v.t.Helper()
	script, err := rules()
	if err != nil {
		v.t.Fatal(err)
	}
	v.do(chromedp.Evaluate[chromedp.Void](`document.documentElement.style.clipPath = "inset(50%)"`))
	v.fitsIn(name, script, widths...)
	v.do(chromedp.Evaluate[chromedp.Void](`document.documentElement.style.clipPath = ""`))
}

// fitsIn is fits at some widths, from the last to the first where the window is as wide as the last: each change costs a layout
// and a picture.
func (v *tab) fitsIn(name, script string, widths ...int64) {
	v.t.Helper()
	now, err := ask[int64](v, "innerWidth")
	if err == nil && now == widths[len(widths)-1] {
		widths = slices.Clone(widths)
		slices.Reverse(widths)
	}
	for _, width := range widths {
		if width != now {
			v.widen(width)
		}
		// Rules of style for the new width hold from the next picture on; on a busy machine Chromium may draw the
		// window of before for a while yet.
		wrong, err := ask[[]string](v, script)
		for again := 0; err == nil && len(wrong) > 0 && again < 4; again++ {
			if again > 0 {
				time.Sleep(500 * time.Millisecond)
			}
			v.settle()
			wrong, err = ask[[]string](v, script)
		}
		if err != nil {
			v.t.Fatalf("%s: %v", name, err)
		}
		for _, what := range wrong {
			v.t.Errorf("%s (%s) at %d px: %s", name, v.path(), width, what)
		}
		now = width
	}
}

// widen changes the width of the view without waiting until the page has been drawn.
func (v *tab) widen(width int64) {
	v.t.Helper()
	v.do(chromedp.EmulateViewport(width, 900))
	v.until("the new width", fmt.Sprintf("innerWidth === %d", width))
}

// picture keeps the page as it is on a laptop and on a phone.
func (v *tab) picture(name string, dark bool) {
	v.t.Helper()
	theme := map[bool]string{false: "light", true: "dark"}[dark]
	for width, device := range map[int64]string{1280: "wide", 360: "phone"} {
		v.size(width, 900)
		v.settle()
		v.shoot(name + "-" + theme + "-" + device)
	}
}

// rulesOfAxe are what axe looks at, as its options have it.
type rulesOfAxe string

const (
	allRules   rulesOfAxe = `{resultTypes: ["violations"], preload: false}`
	colorRules rulesOfAxe = `{resultTypes: ["violations"], preload: false, runOnly: ["color-contrast", "link-in-text-block"]}`
	// wordRules leave out contrast, half of the work: words change no color.
	wordRules rulesOfAxe = `{resultTypes: ["violations"], preload: false, rules: {"color-contrast": {enabled: false}}}`
)

// obey fails for every violation that axe finds.
// Chromium may still show colors of the theme before on a long page; what stays wrong is wrong.
func (v *tab) obey(name string, width int64, wanted rulesOfAxe) {
	v.t.Helper()
	v.bringAxe()
	text, err := chromedp.Run(v.ctx, chromedp.Evaluate[string](`(async () => {
		let found = await axe.run(document, `+string(wanted)+`);
		for (let again = 0; found.violations.length > 0 && again < 3; again++) {
			await new Promise((wake) => setTimeout(wake, 500));
			found = await axe.run(document, `+string(wanted)+`);
		}
		return JSON.stringify({
			Wide: document.scrollingElement.scrollWidth - document.documentElement.clientWidth,
			Violations: found.violations.map((x) => x.id + " (" + x.help + "): " + x.nodes.slice(0, 3).map((n) => n.html + " " + n.any.map((c) => c.message).join(", ")).join(" | ")),
		});
	})()`, chromedp.EvalAwaitPromise))
	var found struct {
		Wide       int
		Violations []string
	}
	if err == nil {
		err = json.Unmarshal([]byte(text), &found)
	}
	if err != nil {
		v.t.Fatalf("%s: the rules of accessibility cannot be looked at: %v", name, err)
	}
	for _, violation := range found.Violations {
		v.t.Errorf("%s (%s) at %d px, in the dark %t: %s", name, v.path(), width, wanted == colorRules, violation)
	}
	if found.Wide > 0 {
		v.t.Errorf("%s (%s) at %d px is %d px too wide", name, v.path(), width, found.Wide)
	}
}

// bringAxe has the page know axe. The script is sent alone, the same text each time: what Chromium compiled for the page before
// does for this one.
func (v *tab) bringAxe() {
	v.t.Helper()
	script, err := axe()
	if err != nil {
		v.t.Fatalf("axe-core is missing, scripts/setup test installs it: %v", err)
	}
	there, err := ask[bool](v, "Boolean(window.axe)")
	if err == nil && !there {
		_, err = chromedp.Run(v.ctx, chromedp.Evaluate[bool](script+";true"))
	}
	if err != nil {
		v.t.Fatalf("%s: axe cannot be brought in: %v", v.path(), err)
	}
}

// shoot keeps a picture of the page; nothing reads it but people.
func (v *tab) shoot(name string) {
	_, _ = ask[bool](v, "(scrollTo(0, 0), true)")
	picture, err := chromedp.Run(v.ctx, chromedp.FullScreenshot(100))
	if err != nil {
		v.t.Logf("no picture of %s: %v", name, err)
		return
	}
	path := filepath.Join("testdata", "screenshots", v.shots, strings.ReplaceAll(name, " ", "-")+".png")
	if err = os.MkdirAll(filepath.Dir(path), 0o755); err == nil {
		err = os.WriteFile(path, picture, 0o644)
	}
	if err != nil {
		v.t.Logf("no picture of %s: %v", name, err)
	}
}

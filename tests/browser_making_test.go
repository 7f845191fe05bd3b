//go:build !race

package tests

import (
	"bytes"
	"image"
	"image/png"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// inSoftware has a browser draw in 3D on a machine without a graphics card.
var inSoftware = []chromedp.ExecAllocatorOption{
	chromedp.Flag("disable-gpu", false), chromedp.Flag("use-gl", "angle"), chromedp.Flag("use-angle", "swiftshader"), chromedp.Flag("enable-unsafe-swiftshader", true),
}

const theCanvas = "document.querySelector('#main canvas.model-canvas')"

// drawn is what the page shows where the model stands, in pixels.
func (v *tab) drawn() image.Image {
	v.t.Helper()
	at, err := ask[struct{ X, Y, W, H float64 }](v, `(() => { const c = `+theCanvas+`; c.scrollIntoView({block: "center", behavior: "instant"});
		const r = c.getBoundingClientRect(); return {X: r.x, Y: r.y, W: r.width, H: r.height}; })()`)
	if err != nil {
		v.t.Fatal(err)
	}
	v.settle()
	shot, err := chromedp.Run(v.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		v.t.Fatal(err)
	}
	whole, err := png.Decode(bytes.NewReader(shot))
	if err != nil {
		v.t.Fatal(err)
	}
	inside := image.Rect(int(at.X)+8, int(at.Y)+8, int(at.X+at.W)-8, int(at.Y+at.H)-8)
	return whole.(interface {
		SubImage(image.Rectangle) image.Image
	}).SubImage(inside)
}

// drawnApart are the parts in a thousand in which two pictures differ, colors how many colors the first has.
func drawnApart(a, b image.Image) (parts, colors int) {
	seen, all := map[[4]uint32]bool{}, 0
	for y := a.Bounds().Min.Y; y < a.Bounds().Max.Y; y++ {
		for x := a.Bounds().Min.X; x < a.Bounds().Max.X; x++ {
			r, g, bl, al := a.At(x, y).RGBA()
			r2, g2, b2, a2 := b.At(x, y).RGBA()
			seen[[4]uint32{r, g, bl, al}] = true
			if all++; r != r2 || g != g2 || bl != b2 || al != a2 {
				parts++
			}
		}
	}
	return 1000 * parts / max(1, all), len(seen)
}

// makesIt sends the form, and waits for the end of the job.
func (v *tab) makesIt() {
	v.t.Helper()
	v.press("Generate")
	v.until("the end", `document.querySelector("#main [aria-label='What next']")`)
}

// TestMakingInTheBrowser has a person make a picture and a model, turn the model, and keep what was made.
func TestMakingInTheBrowser(t *testing.T) {
	t.Parallel()
	p := startService(t)
	s := begin(t, p.URL)
	b := startBrowser(t, "making", inSoftware...)
	class := "/workspaces/" + s.class

	v := b.visitor("Mara", p.URL)
	v.signIn("mara")
	v.open(class + "/make")
	v.sees("Generate image", "Begin here")
	v.until("all tools in groups", `[...document.querySelectorAll("details.make-group .make-card")].some((c) => c.textContent.includes("Script breakdown"))`)
	v.look("make")
	v.click("css", "#main input[name=q]")
	v.keys("qr")
	v.until("the list to follow", `document.querySelectorAll("#main .make-card").length === 1`)
	v.follow("QR code")
	v.look("make form")
	v.fill("Text", "https://atelier.example")
	v.makesIt()
	v.until("the picture", `[...document.querySelectorAll("#main img.result-media")].some((i) => i.complete && i.naturalWidth > 0)`)
	v.look("make result")
	v.follow("Keep as an element")
	v.look("keep picture")
	v.choose("What it is", "Object")
	v.fill("Name", "Sign")
	v.press("Save")
	v.sees("Sign is kept.", "@sign")

	v.open(class + "/make/3d-scene")
	v.fill("Prompt", "a red house, two pines and a blorf")
	v.makesIt()
	v.sees("blorf")
	v.follow("Run again")
	v.sees("The settings of the earlier one are filled in.")
	v.until("the prompt", `document.querySelector('[name="in-prompt"]').value === "a red house, two pines and a blorf"`)
	v.leave(func() { v.click("css", "a.made") })
	model := v.path()
	v.turns()
	v.follow("Make a turntable")
	v.sees("It costs 12 credits.")
	v.choose("Quality", "Draft")
	v.sees("It costs 4 credits.")

	plain := startBrowser(t, "making-plain", chromedp.Flag("disable-3d-apis", true)).visitor("Mara", p.URL)
	plain.signIn("mara")
	plain.open(model)
	plain.click("button", "Turn it in 3D")
	plain.sees("The picture stays")
	plain.until("the picture", `document.querySelector("#main .model-stage img").naturalWidth > 0 && !`+theCanvas)
}

// turns opens the model of a page and turns it by keys and buttons.
func (v *tab) turns() {
	v.t.Helper()
	v.click("button", "Turn it in 3D")
	v.until("the canvas", theCanvas+" && document.activeElement === "+theCanvas)
	v.sees("Arrow keys")
	first := v.drawn()
	if _, colors := drawnApart(first, first); colors < 20 {
		v.t.Errorf("the model has %d colours", colors)
	}
	turned := func(how string, act func()) {
		v.t.Helper()
		before := v.drawn()
		act()
		if parts, _ := drawnApart(before, v.drawn()); parts < 5 {
			v.t.Errorf("%s changes %d parts in a thousand", how, parts)
		}
	}
	for _, key := range []string{kb.ArrowLeft, kb.ArrowUp, "+", "-"} {
		turned("the key "+key, func() { v.keys(key) })
	}
	turned("a button", func() { v.click("button", "Turn right") })
	v.click("button", "As at first")
	if parts, _ := drawnApart(first, v.drawn()); parts > 5 {
		v.t.Errorf("as at first it differs in %d parts in a thousand", parts)
	}
	v.look("model open")
	v.click("button", "Back to the picture")
	v.until("the picture", "!"+theCanvas+` && document.querySelector("#main .model-stage img").checkVisibility()`)
}

// TestMakingWithoutScript makes a picture in a browser that runs none.
func TestMakingWithoutScript(t *testing.T) {
	t.Parallel()
	p := startService(t)
	s := begin(t, p.URL)
	v := startBrowser(t, "making-without-script").withoutScript("Mara", p.URL)
	v.signIn("mara")
	v.open("/workspaces/" + s.class + "/make?q=qr")
	v.follow("QR code")
	v.fill("Text", "a hare")
	v.press("Generate")
	if !strings.Contains(v.path(), "/make/qr-code?job=") {
		t.Errorf("leads to %s", v.path())
	}
	v.until("the picture", `[...document.querySelectorAll("#main img.result-media")].some((i) => i.complete && i.naturalWidth > 0)`)
	v.sees("Completed")
	v.until("no button that does nothing", `![...document.querySelectorAll("[data-model-turn]")].some((b) => b.checkVisibility())`)
}

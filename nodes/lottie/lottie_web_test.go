//go:build !race

package lottie

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"image"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// page shows an animation with lottie-web in a square of 200.
const page = `<!doctype html><meta charset="utf-8"><style>
@font-face { font-family: "Go"; src: url(data:font/ttf;base64,%s) }
@font-face { font-family: "Go Bold"; src: url(data:font/ttf;base64,%s) }
body { margin: 0 } #at { width: 200px; height: 200px }</style><div id="at"></div><script>%s</script><script>
let shown;
async function show(animation) {
  await Promise.all([document.fonts.load('20px Go'), document.fonts.load('20px "Go Bold"')]);
  shown?.destroy();
  shown = lottie.loadAnimation({ container: document.getElementById('at'), renderer: 'svg', loop: false, autoplay: false, animationData: animation });
  if (!shown.isLoaded) await new Promise((done) => shown.addEventListener('DOMLoaded', done));
  return true;
}
async function frame(at) {
  shown.goToAndStop(at, true);
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  return true;
}</script>`

// browse opens the page of lottie-web in Chromium.
func browse(t *testing.T) context.Context {
	t.Helper()
	script, err := os.ReadFile("../../node_modules/lottie-web/build/player/lottie.min.js")
	if err != nil {
		t.Fatal("no lottie-web: scripts/setup test installs it: ", err)
	}
	path := ""
	for _, name := range []string{"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		t.Fatal("no Chromium: scripts/setup test installs it")
	}
	file := filepath.Join(t.TempDir(), "page.html")
	encoded := func(font string) string { return base64.StdEncoding.EncodeToString(files[font]) }
	if err := os.WriteFile(file, fmt.Appendf(nil, page, encoded(""), encoded("bold"), script), 0o600); err != nil {
		t.Fatal(err)
	}
	allocator, stop := chromedp.NewExecAllocator(context.Background(), append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.UserDataDir(t.TempDir()), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.WindowSize(400, 400),
		chromedp.Flag("font-render-hinting", "none"))...) // as in a window
	ctx, cancel := chromedp.NewContext(allocator)
	t.Cleanup(func() { cancel(); stop() })
	if err := chromedp.Do(ctx, chromedp.Navigate("file://"+file)); err != nil {
		t.Fatal(err)
	}
	clear := emulation.SetDefaultBackgroundColorOverrideParams{Color: &cdp.RGBA{A: 0.001}} // 0 is not sent
	if _, err := chromedp.Run(ctx, func(ctx context.Context, target *chromedp.Target) (cdp.Empty, error) {
		_, err := cdp.Call(ctx, target, emulation.SetDefaultBackgroundColorOverride, clear)
		return cdp.Empty{}, err
	}); err != nil {
		t.Fatal(err)
	}
	return ctx
}

// compared are the frames of each animation that are held against lottie-web, and how far they may be from
// it: the mean difference of a channel, of 255, and the share of points that are clearly others. Edges
// are drawn a little differently by each.
var compared = map[string]struct{ mean, others float64 }{
	"shapes": {0.8, 0.002}, "composed": {0.8, 0.002}, "mattes": {1.3, 0.001}, "picture": {0.8, 0.002}, "brought": {0.2, 0.002}, "slots": {0.6, 0.005},
	// Dashes, and lines of text that the browser sets on whole points.
	"repeated": {1.2, 0.02}, "texts": {2, 0.016}, "boxed": {1.2, 0.02},
}

var comparedFrames = []int{0, 10, 20, 29}

// TestLikeLottieWeb holds what is drawn against what players show.
func TestLikeLottieWeb(t *testing.T) {
	ctx := browse(t)
	for name, most := range compared {
		t.Run(name, func(t *testing.T) {
			raw, err := os.ReadFile("testdata/" + name + ".json")
			if err != nil {
				t.Fatal(err)
			}
			frames := drawn(t, string(raw), Film{Width: 200, Height: 200, Frames: 30, Step: 1})
			if _, err := chromedp.Run(ctx, chromedp.Evaluate[bool](fmt.Sprintf("show(%s)", raw), chromedp.EvalAwaitPromise)); err != nil {
				t.Fatal(err)
			}
			for _, frame := range comparedFrames {
				want := shownByWeb(t, ctx, frame)
				got := asImage(frames[frame])
				mean, others, inked := difference(got, want)
				if inked < 400 {
					t.Fatalf("frame %d: lottie-web shows only %d points", frame, inked)
				}
				if mean > most.mean || others > most.others {
					t.Errorf("frame %d: mean difference %.2f, %.2f %% other points%s", frame, mean, 100*others, keep(t, name, frame, got, want))
				}
				t.Logf("frame %d: mean difference %.2f, %.2f %% other points of %d", frame, mean, 100*others, inked)
			}
		})
	}
}

// shownByWeb is a frame of the animation that the page shows, with what is transparent.
func shownByWeb(t *testing.T, ctx context.Context, frame int) image.Image {
	t.Helper()
	if _, err := chromedp.Run(ctx, chromedp.Evaluate[bool](fmt.Sprintf("frame(%d)", frame), chromedp.EvalAwaitPromise)); err != nil {
		t.Fatal(err)
	}
	data, err := chromedp.Run(ctx, chromedp.Screenshot(chromedp.CSS("#at")))
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil || img.Bounds().Size() != image.Pt(200, 200) {
		t.Fatal(err, img.Bounds())
	}
	return img
}

// asImage is a frame as a picture.
func asImage(frame []byte) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, 200, 200))
	for i := 0; i < len(frame); i += 4 {
		img.Pix[i], img.Pix[i+1], img.Pix[i+2], img.Pix[i+3] = frame[i+2], frame[i+1], frame[i], frame[i+3]
	}
	return img
}

// difference compares pictures as they are seen, alpha being a channel like the
// others. inked is how many points of the second show anything.
func difference(got, want image.Image) (mean, others float64, inked int) {
	b := want.Bounds()
	total, points := 0, b.Dx()*b.Dy()
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			r1, g1, b1, a1 := got.At(x, y).RGBA()
			r2, g2, b2, a2 := want.At(x, y).RGBA()
			worst := 0
			for _, pair := range [][2]uint32{{r1, r2}, {g1, g2}, {b1, b2}, {a1, a2}} {
				d := int(pair[0]>>8) - int(pair[1]>>8)
				d = max(d, -d)
				total += d
				worst = max(worst, d)
			}
			if worst > 96 {
				others++
			}
			if a2 > 0 {
				inked++
			}
		}
	}
	return float64(total) / float64(4*points), others / float64(points), inked
}

// keep saves both pictures for the one who looks at a failure, where LOTTIE_KEEP names a folder.
func keep(t *testing.T, name string, frame int, pictures ...image.Image) string {
	dir := os.Getenv("LOTTIE_KEEP")
	if dir == "" {
		return ""
	}
	for i, picture := range pictures {
		var b bytes.Buffer
		if err := png.Encode(&b, picture); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, fmt.Sprintf("%s-%d-%s.png", name, frame, []string{"drawn", "wanted"}[i]))
		if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return "; see " + dir
}

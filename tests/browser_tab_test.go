//go:build !race

package tests

import (
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// browser is a Chromium with a profile of its own; it ends with the test.
type browser struct {
	t   testing.TB
	ctx context.Context
	// shots is the folder of screenshots under testdata/screenshots.
	shots string
	seen  sync.Map // names of pages that were looked at
}

// startBrowser starts Chromium without a window.
func startBrowser(t testing.TB, shots string, flags ...chromedp.ExecAllocatorOption) *browser {
	t.Helper()
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
	// Each page is new to the compilers of V8 that optimize: they would work longer on its scripts and on axe than they save.
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.UserDataDir(t.TempDir()), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true), chromedp.WindowSize(1280, 900),
		chromedp.Flag("js-flags", "--no-opt --no-maglev"))
	allocator, stop := chromedp.NewExecAllocator(context.Background(), append(options, flags...)...)
	ctx, cancel := chromedp.NewContext(allocator)
	t.Cleanup(func() { cancel(); stop() })
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("Chromium does not start: %v", err)
	}
	return &browser{t: t, ctx: ctx, shots: shots}
}

// tab is one person's browser: cookies are its own. What a page complains about is kept, and fails the test.
type tab struct {
	clicks int // on links and buttons
	*browser
	who  string
	base string
	ctx  context.Context
	// scriptOff is true for a person whose browser runs no script.
	scriptOff bool

	mu         sync.Mutex
	complaints []string
	refusals   []int // answers that the test provokes on purpose; Chromium reports them as errors
}

// visitor opens a tab with cookies of its own.
func (b *browser) visitor(who, base string) *tab {
	b.t.Helper()
	ctx, cancel := chromedp.NewContext(b.ctx, chromedp.WithNewBrowserContext())
	v := &tab{browser: b, who: who, base: base, ctx: ctx}
	b.t.Cleanup(cancel)
	b.t.Cleanup(v.reportComplaints)
	if err := chromedp.Listen(ctx, v.hear); err != nil {
		b.t.Fatal(err)
	}
	v.calm(false)
	v.size(1280, 900)
	return v
}

// withoutScript is a visitor whose browser runs none.
func (b *browser) withoutScript(who, base string) *tab {
	b.t.Helper()
	v := b.visitor(who, base)
	v.scriptOff = true
	call(v, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	return v
}

// hear keeps errors and warnings; it runs in the loop of events, so it only notes.
func (v *tab) hear(event any) {
	complaint := ""
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		complaint = "exception: " + e.ExceptionDetails.Text
		if e.ExceptionDetails.Exception != nil {
			complaint += " " + e.ExceptionDetails.Exception.Description
		}
	case *runtime.EventConsoleAPICalled:
		if kind := string(e.Type); kind == "error" || kind == "warning" || kind == "assert" {
			complaint = "console." + kind
			for _, arg := range e.Args {
				complaint += " " + string(arg.Value) + arg.Description
			}
		}
	case *log.EventEntryAdded:
		if level := string(e.Entry.Level); level == "error" || level == "warning" {
			complaint = string(e.Entry.Source) + " " + level + ": " + e.Entry.Text + " " + e.Entry.URL
		}
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	for i, status := range v.refusals {
		if strings.Contains(complaint, fmt.Sprintf("responded with a status of %d", status)) {
			v.refusals = slices.Delete(v.refusals, i, i+1)
			return
		}
	}
	if complaint != "" {
		v.complaints = append(v.complaints, complaint)
	}
}

// willRefuse announces that the next page has this status on purpose.
func (v *tab) willRefuse(status int) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.refusals = append(v.refusals, status)
}

// reportComplaints fails the test when a page complained: no script error, no refusal by the
// content security policy, no file that is missing is allowed anywhere.
func (v *tab) reportComplaints() {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, complaint := range v.complaints {
		v.t.Errorf("%s's console: %s", v.who, complaint)
	}
}

// call sends a command of the protocol.
func call[P, R any](v *tab, command cdp.Command[P, R], params P) R {
	v.t.Helper()
	result, err := chromedp.Call(v.ctx, command, params)
	if err != nil {
		v.t.Fatalf("%s: %v", v.who, err)
	}
	return result
}

func (v *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	v.t.Helper()
	if err := chromedp.Do(v.ctx, actions...); err != nil {
		v.t.Fatalf("%s at %s: %v", v.who, v.path(), err)
	}
}

// ask evaluates an expression in the page; null is the zero value.
func ask[T any](v *tab, expression string) (T, error) {
	var value T
	text, err := chromedp.Run(v.ctx, chromedp.Evaluate[string]("JSON.stringify(("+expression+") ?? null)"))
	if err == nil {
		err = json.Unmarshal([]byte(text), &value)
	}
	return value, err
}

// quote is a Go string as JavaScript has it.
func quote(s string) string {
	out, _ := json.Marshal(s)
	return string(out)
}

// until waits for an expression to be true in the page; pages may change meanwhile.
func (v *tab) until(what, expression string) {
	v.t.Helper()
	deadline := time.Now().Add(patience)
	for {
		ok, err := ask[bool](v, "Boolean("+expression+")")
		if ok {
			return
		}
		if time.Now().After(deadline) {
			text, _ := ask[string](v, "document.body?.innerText")
			v.shoot("failure-" + v.who)
			v.t.Fatalf("%s at %s does not see %s (%v); the page says:\n%s", v.who, v.path(), what, err, text)
		}
		time.Sleep(25 * time.Millisecond)
	}
}

// path is where the tab is.
func (v *tab) path() string {
	path, _ := ask[string](v, "location.pathname + location.search")
	return path
}

// open goes to an address by hand.
func (v *tab) open(path string) {
	v.t.Helper()
	if strings.HasPrefix(path, "/") {
		path = v.base + path
	}
	v.do(chromedp.Navigate(path))
	v.until("a whole page", "document.readyState === 'complete'")
}

// sees waits for a text on the page.
func (v *tab) sees(texts ...string) {
	v.t.Helper()
	for _, text := range texts {
		v.until(quote(text), "document.body.innerText.replace(/\\s+/g, ' ').includes("+quote(text)+")")
	}
}

// size sets the width and height of the view.
func (v *tab) size(width, height int64) {
	v.t.Helper()
	v.do(chromedp.EmulateViewport(width, height))
	v.settle()
}

// calm sets the colors that the system prefers, and that nothing should move.
func (v *tab) calm(dark bool) {
	v.t.Helper()
	v.media(dark)
	v.settle()
}

// media is calm without waiting until the page has been drawn.
func (v *tab) media(dark bool) {
	v.t.Helper()
	scheme := "light"
	if dark {
		scheme = "dark"
	}
	call(v, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
		{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: "reduce"},
	}})
}

// settle waits until the page has been drawn: Chromium keeps colors of the theme before until then.
func (v *tab) settle() {
	v.t.Helper()
	if v.scriptOff {
		return // nothing could wait for the next picture
	}
	if _, err := chromedp.Run(v.ctx, chromedp.Evaluate[bool]("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))", chromedp.EvalAwaitPromise)); err != nil {
		v.t.Fatal(err)
	}
}

// heard is an error unless a complaint contains the part.
func (v *tab) heard(part string) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if !strings.Contains(strings.Join(v.complaints, "\n"), part) {
		return fmt.Errorf("%s's console has no %q in %q", v.who, part, v.complaints)
	}
	return nil
}

// forget drops the complaints so far.
func (v *tab) forget() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.complaints = nil
}

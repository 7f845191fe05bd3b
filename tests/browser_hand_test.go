//go:build !race

package tests

import (
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// finders is what a person looks for on a page: something visible with that name. A dialog that is
// open hides what is behind it.
const finders = `(() => {
  const root = document.querySelector("dialog[open]") ?? document;
  const shown = (el) => el.checkVisibility() && el.getClientRects().length > 0;
  const clean = (s) => (s ?? "").replace(/\s+/g, " ").trim();
  const pick = (list, name) => list.find((el) => clean(name(el)) === NAME) ?? list.find((el) => clean(name(el)).startsWith(NAME));
  const all = (selector) => [...root.querySelectorAll(selector)].filter(shown);
  const called = (el) => el.getAttribute("aria-label") || el.textContent;
  switch (KIND) {
    case "link": return pick(all("a[href]"), called);
    case "button": return pick(all("button, summary, [role=button], a.btn"), called);
    case "field": {
      const label = pick(all("label"), (el) => el.textContent);
      return label && (label.control ?? label.querySelector("input, select, textarea"));
    }
    case "label": return pick(all("label"), (el) => el.textContent);
    default: return root.querySelector(NAME);
  }
})()`

// find is the expression for the element of a kind and name.
func find(kind, name string) string {
	return "((KIND, NAME) => " + finders + ")(" + quote(kind) + ", " + quote(name) + ")"
}

// point scrolls an element into the view, waits until it stands still, and says where its middle is.
func (v *tab) point(kind, name string) (x, y float64) {
	v.t.Helper()
	element := find(kind, name)
	v.until("the "+kind+" "+quote(name), "Boolean("+element+")")
	type place struct{ X, Y float64 }
	var last place
	for {
		at, err := ask[place](v, `(() => { const el = `+element+`; el.scrollIntoView({block: "center", behavior: "instant"});
			const r = el.getBoundingClientRect(); return {X: r.x + Math.min(r.width / 2, 60), Y: r.y + r.height / 2}; })()`)
		if err != nil {
			v.t.Fatalf("%s: the %s %q is gone: %v", v.who, kind, name, err)
		}
		if at == last {
			return at.X, at.Y
		}
		last = at
	}
}

// click presses the mouse on something and stays on the page.
func (v *tab) click(kind, name string) {
	v.t.Helper()
	x, y := v.point(kind, name)
	if kind != "field" { // those that are typed into come by the tab key
		v.clicks++
	}
	v.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, x, y), chromedp.MouseClickXY(x, y))
}

// leave does something that ends on another page, and waits for it.
func (v *tab) leave(act func()) {
	v.t.Helper()
	if _, err := ask[bool](v, "(window.leaving = true)"); err != nil {
		v.t.Fatal(err)
	}
	act()
	v.until("the next page", "!window.leaving && document.readyState === 'complete'")
}

// follow clicks a link and waits for its page.
func (v *tab) follow(link string) { v.t.Helper(); v.leave(func() { v.click("link", link) }) }

// press clicks a button that sends a form, and waits for the answer.
func (v *tab) press(button string) { v.t.Helper(); v.leave(func() { v.click("button", button) }) }

// fill types into the field with that label, in place of what is there.
func (v *tab) fill(label, text string) {
	v.t.Helper()
	v.click("field", label)
	v.until("the focus in "+label, "document.activeElement === "+find("field", label))
	if _, err := ask[bool](v, "(document.activeElement.select?.(), true)"); err != nil {
		v.t.Fatal(err)
	}
	if text == "" {
		text = "\b"
	}
	v.keys(text)
}

// paste puts a long text into a field at once.
func (v *tab) paste(label, text string) {
	v.t.Helper()
	v.fill(label, "")
	call(v, input.InsertText, input.InsertTextParams{Text: text})
}

// choose picks the first option of a select whose text contains that.
func (v *tab) choose(label, option string) {
	v.t.Helper()
	v.until("the field "+label, "Boolean("+find("field", label)+")")
	ok, err := ask[bool](v, `((select) => { const o = [...select.options].find((o) => o.text.includes(`+quote(option)+`));
		if (!o) return false; select.value = o.value; select.dispatchEvent(new Event("input", {bubbles: true}));
		select.dispatchEvent(new Event("change", {bubbles: true})); return true; })(`+find("field", label)+`)`)
	if err != nil || !ok {
		v.t.Fatalf("%s: %s has no option %q (%v)", v.who, label, option, err)
	}
}

// keys types on the keyboard, wherever the focus is.
func (v *tab) keys(text string) {
	v.t.Helper()
	v.do(chromedp.KeyEvent(text))
}

//go:build !race

package tests

import (
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// TestKeyboard uses the console without a mouse.
func TestKeyboard(t *testing.T) {
	p := startService(t, "DEVELOPMENT=true")
	s := begin(t, p.URL)
	v := startBrowser(t, "keyboard").visitor("Mara", p.URL)
	v.open("/login")
	v.focus("the address", `[name="email"]`)
	v.keys("mara@example.com" + kb.Tab + password)
	v.leave(func() { v.keys(kb.Enter) })
	school := "/orgs/" + s.school

	v.skipLink(school)
	v.letters(school)
	v.helpSheet(school)
	v.dialog("/workspaces/" + s.class + "/join-code")
	v.rows(school+"/workspaces", "/workspaces/"+s.class)
	v.search()
	v.shortcutsOff(school)
	v.signOutByKeyboard()
}

// skipLink is the first thing that Tab reaches, and leads to the content.
func (v *tab) skipLink(school string) {
	v.t.Helper()
	v.open(school)
	v.keys(kb.Tab)
	v.until("the skip link", `document.activeElement.matches(".skip") && document.activeElement.getBoundingClientRect().top >= 0`)
	v.keys(kb.Enter)
	v.until("the content in focus", `document.activeElement.id === "main"`)
}

// letters lead to pages after a g.
func (v *tab) letters(school string) {
	v.t.Helper()
	for letter, path := range map[string]string{
		"w": school + "/workspaces", "m": school + "/members", "b": school + "/credits", "a": school + "/audit",
		"s": school + "/settings", "f": "/workflows", "r": "/runs", "o": school,
	} {
		v.open(school + "/credits")
		v.leave(func() { v.keys("g" + letter) })
		if got := v.path(); got != path {
			v.t.Errorf("g %s leads to %s, not to %s", letter, got, path)
		}
	}
}

// helpSheet opens by a question mark; Escape closes it, and the focus is where it was.
func (v *tab) helpSheet(school string) {
	v.t.Helper()
	v.open(school)
	v.focus("a link", `nav a[href$="/credits"]`)
	v.keys("?")
	v.until("the sheet", `document.querySelector("dialog#help[open]")?.contains(document.activeElement)`)
	v.look("help sheet")
	v.keys(kb.Escape)
	v.until("the focus back", `!document.querySelector("dialog[open]") && document.activeElement.matches('nav a[href$="/credits"]')`)
}

// dialog opens by Enter on its button, and returns the focus to it.
func (v *tab) dialog(path string) {
	v.t.Helper()
	v.open(path)
	v.focus("the button", `[data-dialog-open="rotate"]`)
	v.keys(kb.Enter)
	v.until("the dialog", `document.querySelector("dialog#rotate[open]")?.contains(document.activeElement)`)
	v.look("rotate dialog")
	v.keys(kb.Escape)
	v.until("the focus back", `!document.querySelector("dialog[open]") && document.activeElement.matches('[data-dialog-open="rotate"]')`)
}

// rows are walked by j and k, and opened by e.
func (v *tab) rows(path, first string) {
	v.t.Helper()
	v.open(path)
	v.keys("jk")
	v.until("the first row", `document.activeElement.matches("[data-row]")`)
	v.leave(func() { v.keys("e") })
	if v.path() != first {
		v.t.Errorf("e opens %s", v.path())
	}
}

// search is reached by a slash; letters that are typed there are no shortcuts.
func (v *tab) search() {
	v.t.Helper()
	v.open("/storybook")
	v.keys("/")
	v.until("the search field", `document.activeElement.matches("[data-search]")`)
	v.keys("?g")
	v.until("what was typed", `document.activeElement.value.includes("?g") && !document.querySelector("dialog[open]")`)
}

// shortcutsOff stays so on the next page (WCAG 2.1.4).
func (v *tab) shortcutsOff(school string) {
	v.t.Helper()
	v.open(school)
	v.keys("?")
	v.until("the sheet", `document.querySelector("dialog#help[open]")`)
	v.focus("the box", `#help [data-shortcuts]`)
	v.keys(" " + kb.Escape)
	v.open(school)
	v.keys("?" + kb.Tab)
	v.until("the skip link and no sheet", `document.activeElement.matches(".skip") && !document.querySelector("dialog[open]")`)
}

// focus puts the focus somewhere, as many presses of Tab would.
func (v *tab) focus(what, selector string) {
	v.t.Helper()
	v.until(what, `(() => { const el = document.querySelector(`+quote(selector)+`); el?.focus(); return Boolean(el) && document.activeElement === el; })()`)
}

// signOutByKeyboard opens the menu of the person and signs out from it.
func (v *tab) signOutByKeyboard() {
	v.t.Helper()
	v.open("/account")
	v.focus("the menu", "details.user summary")
	v.keys(kb.Enter)
	v.focus("the button", `form[action="/auth/sign-out"] button`)
	v.leave(func() { v.keys(kb.Enter) })
	v.sees("You are signed out.")
}

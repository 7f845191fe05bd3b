//go:build !race

package tests

import "testing"

// TestDocumentationInBrowsers finds a guide by the search, as people type and without any script.
func TestDocumentationInBrowsers(t *testing.T) {
	t.Parallel()
	p := startService(t)
	b := startBrowser(t, "docs")
	v := b.visitor("reader", p.URL)
	v.open("/docs/api")
	v.click("css", ".docs-search input")
	v.keys("join code")
	v.sees("A class with Atelier · Let students join")
	v.look("docs found below")
	v.leave(func() { v.click("css", `.docs-below a[href*="teacher#let-students-join"]`) })
	v.sees("It has eight characters.", "Show to the class")

	v = b.withoutScript("plain reader", p.URL)
	v.open("/docs")
	v.click("css", ".docs-search input")
	v.keys("budget_exceeded")
	v.leave(func() { v.click("css", ".docs-search button") })
	v.sees("what is left of its budget is less than the run may cost")
}

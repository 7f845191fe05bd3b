package web

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"atelier/web/ui"
)

// What operators set for the install is theirs to edit, and everyone's to read.
func TestSettingsOfTheInstall(t *testing.T) {
	f := newFake(t).with("Profile.isOperator", true).with("InstallSettings.accent", "#aa0000").with("InstallSettings.version", 3).
		with("InstallSettings.contact", "help@example.com").with("InstallChange.fields", []any{"terms", "logo"})
	w := get(f, "/operator/settings")
	for _, says := range []string{`name="terms"`, `name="privacy"`, `name="paymentInstructions"`, `value="help@example.com"`, `value="#aa0000"`, `name="version" value="3"`, "changed the terms, the logo"} {
		if !strings.Contains(w.Body.String(), says) {
			t.Errorf("the form does not have %s: %d", says, w.Code)
		}
	}
	checkPage(t, "/operator/settings", w)
	w = post(f, "/operator/settings", "terms", "Be kind.", "accent", "#00aa00", "version", "3")
	if in := f.last(t, "UpdateInstallSettings").Variables["input"].(map[string]any); w.Code != http.StatusSeeOther || in["terms"] != "Be kind." || in["accent"] != "#00aa00" {
		t.Errorf("%d %v", w.Code, in)
	}
	post(f, "/operator/settings", "accent", "#00aa00", "usual", "1")
	if in := f.last(t, "UpdateInstallSettings").Variables["input"].(map[string]any); in["accent"] != "" {
		t.Errorf("the usual colour is %v", in["accent"])
	}
	if w := get(newFake(t).with("Profile.isOperator", false), "/operator/settings"); w.Code != http.StatusNotFound {
		t.Errorf("a person who operates nothing: %d", w.Code)
	}
	f = newFake(t).with("InstallSettings.terms", "# First\nBe kind.\n\nAnd <b>fair</b>.").with("InstallSettings.privacy", "")
	w = get(f, "/terms")
	if body := w.Body.String(); !strings.Contains(body, "<h2>First</h2>") || !strings.Contains(body, "<p>Be kind.</p>") || !strings.Contains(body, "&lt;b&gt;fair") {
		t.Errorf("the terms: %s", body)
	}
	if w := get(f, "/privacy"); w.Code != http.StatusNotFound {
		t.Errorf("a page about privacy that nobody wrote: %d", w.Code)
	}
}

// Pages show the logo, the color and the contact that operators set.
func TestLookOfPages(t *testing.T) {
	var b strings.Builder
	ctx := ui.WithLook(context.Background(), ui.Look{Logo: "/install/logo/k.png", Accent: "#aa0000", Contact: "help@example.com"})
	if err := ui.Bare(ui.BareProps{Title: "x"}).Render(ctx, &b); err != nil {
		t.Fatal(err)
	}
	if page := b.String(); !strings.Contains(page, `src="/install/logo/k.png"`) || !strings.Contains(page, `href="/install/accent.css?color=aa0000"`) {
		t.Errorf("%s", page)
	}
	w := get(newFake(t), "/install/accent.css?color=aa0000")
	if w.Code != http.StatusOK || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/css") || !strings.Contains(w.Body.String(), "--accent:") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	for contact, want := range map[string]string{"help@example.com": "mailto:help@example.com", "https://help.example": "https://help.example", "Room 12": "", "javascript:x": "", "a@b c": ""} {
		if got := ui.ContactHref(contact); got != want {
			t.Errorf("%q leads to %q", contact, got)
		}
	}
}

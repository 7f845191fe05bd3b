//go:build !race

package tests

import (
	"testing"

	"github.com/chromedp/cdproto/network"
)

// speaks has the browser ask for pages in a language.
func (v *tab) speaks(language string) {
	v.t.Helper()
	call(v, network.Enable, network.EnableParams{})
	call(v, network.SetExtraHTTPHeaders, network.SetExtraHTTPHeadersParams{Headers: network.Headers{"Accept-Language": language}})
}

// TestPagesFitInEveryLanguage looks at the pages with much text in German, French and Spanish, whose words are longer: at a
// desk and on a phone, by the rules of accessibility and of widths.
func TestPagesFitInEveryLanguage(t *testing.T) {
	t.Parallel()
	p := startService(t, "DEVELOPMENT=true")
	s := begin(t, p.URL)
	s.publish()
	script, err := rules()
	if err != nil {
		t.Fatal(err)
	}
	school, class := "/orgs/"+s.school, "/workspaces/"+s.class
	pages := []struct{ who, path string }{
		{"", "/login"}, {"", "/sign-up"}, {"", "/join"}, {"", "/app/poster"},
		{"mara", "/spaces"}, {"mara", school}, {"mara", school + "/members"}, {"mara", school + "/invite"}, {"mara", school + "/credits"},
		{"mara", school + "/credits/allocate"}, {"mara", school + "/usage"}, {"mara", school + "/audit"}, {"mara", school + "/settings"},
		{"mara", "/webhooks/new"}, {"mara", class}, {"mara", class + "/members"}, {"mara", class + "/join-code"},
		{"mara", "/workflows/" + s.workflow}, {"mara", "/workflows/" + s.workflow + "/publish"}, {"mara", "/workflows/" + s.workflow + "/sharing"},
		{"mara", "/workflows/" + s.workflow + "/editor"}, {"mara", "/workflows/" + s.workflow + "/triggers"}, {"mara", "/make"},
		{"mara", "/make/generate-image"}, {"mara", "/runs"}, {"mara", "/results"}, {"mara", "/library/characters"}, {"mara", "/library/characters/new"},
		{"mara", "/presets"}, {"mara", "/voices"}, {"mara", "/studio/new"}, {"mara", "/community"}, {"mara", "/account"}, {"mara", "/notifications"}, {"mara", "/tokens/new"}, {"mara", "/developer"},
		{"op", "/operator"}, {"op", "/operator/settings"}, {"op", "/operator/health"},
	}
	b := startBrowser(t, "languages")
	for at, language := range []string{"de", "fr", "es"} {
		people := map[string]*tab{}
		for _, who := range []string{"", "mara", "op"} {
			v := b.visitor(who+" "+language, p.URL)
			if who != "" {
				v.signIn(who)
			}
			v.speaks(language)
			people[who] = v
		}
		for i, page := range pages {
			if language != "de" && i%2 != at-1 {
				continue // German has the longest words, so it is looked at everywhere; the others share the pages
			}
			v := people[page.who]
			v.open(page.path)
			name := language + " " + page.path
			if got, err := ask[string](v, "document.documentElement.lang"); err != nil || got != language {
				t.Errorf("%s is in %q, %v", name, got, err)
			}
			v.fitsIn(name, script, 1280, 360)
			v.obey(name, 360, false)
		}
		people["mara"].findsItsTab(school+"/settings/runs", class+"/edit", "/developer/apps")
	}
}

// findsItsTab opens pages on a phone, where a row of tabs runs over the edge: the tab of the page is in sight.
func (v *tab) findsItsTab(paths ...string) {
	v.t.Helper()
	v.size(360, 800)
	for _, path := range paths {
		v.open(path)
		v.until("the current tab", `document.querySelector(".tabs [aria-current]") && [...document.querySelectorAll(".tabs")].every((nav) => {
			const at = nav.querySelector("[aria-current]")?.getBoundingClientRect(), row = nav.getBoundingClientRect();
			return !at || at.left >= row.left - 1 && at.right <= row.right + 1; })`)
	}
	v.size(1280, 900)
}

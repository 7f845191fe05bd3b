//go:build !race

package tests

import (
	"slices"
	"testing"

	"github.com/chromedp/cdproto/network"
)

// speaks has the browser ask for pages in a language.
func (v *tab) speaks(language string) {
	v.t.Helper()
	call(v, network.Enable, network.EnableParams{})
	call(v, network.SetExtraHTTPHeaders, network.SetExtraHTTPHeadersParams{Headers: network.Headers{"Accept-Language": language}})
}

// TestPagesFitInEveryLanguage opens pages once in German, French and Spanish, whose words are longer, and looks at the ends of
// the widths. The rules of accessibility are looked at in German, where words are longest: elsewhere only words differ.
// Contrast is left out, for words change no color.
func TestPagesFitInEveryLanguage(t *testing.T) {
	t.Parallel()
	p := startService(t, "DEVELOPMENT=true")
	s := begin(t, p.URL)
	s.publish()
	script, err := rules()
	if err != nil {
		t.Fatal(err)
	}
	school, class, workflow := "/orgs/"+s.school, "/workspaces/"+s.class, "/workflows/"+s.workflow
	paths := map[string][]string{
		"": {"/", "/login", "/login?next=/join/K7QM-2XPD", "/sign-up?next=/join/K7QM-2XPD", "/join", "/app/poster", "/forgot-password", "/accessibility"},
		"mara": {
			"/spaces", "/more", "/notifications", "/account", "/account/notifications", "/account/security", "/account/agents",
			school, school + "/members", school + "/invite", school + "/invitations", school + "/workspaces", school + "/credits", school + "/credits/allocate",
			school + "/credits/buy", school + "/usage", school + "/audit", school + "/settings", school + "/settings/words", school + "/settings/runs", school + "/danger",
			class, class + "/members", class + "/join-code", class + "/budget", class + "/usage", class + "/edit",
			workflow, workflow + "/publish", workflow + "/sharing", workflow + "/editor", workflow + "/triggers", workflow + "/nodes", "/workflows/new",
			"/make", "/make/generate-image", "/runs", "/results", "/jobs", "/library/characters", "/library/characters/new", "/presets", "/voices", "/prompt-helper",
			"/studio", "/studio/new", "/studio/pipelines", "/community", "/community/post", "/webhooks/new", "/tokens/new", "/developer", "/developer/apps",
		},
		"op": {"/operator", "/operator/orgs", "/operator/people", "/operator/settings", "/operator/sign-in", "/operator/health"},
	}
	narrow, wide := slices.Min(widths), slices.Max(widths)
	b := startBrowser(t, "languages")
	for _, language := range []string{"de", "fr", "es"} {
		for who, pages := range paths {
			v := b.visitor(who+" "+language, p.URL)
			if who != "" {
				v.signIn(who)
			}
			v.speaks(language)
			for _, path := range pages {
				v.open(path)
				name := language + " " + path
				if got, err := ask[string](v, "document.documentElement.lang"); err != nil || got != language {
					t.Errorf("%s is in %q, %v", name, got, err)
				}
				now, err := ask[int64](v, "innerWidth")
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				if language == "de" && now == narrow {
					v.obey(name, narrow, wordRules)
				}
				v.fitsIn(name, script, wide, narrow) // or from narrow to wide, after one that ended there
				if language == "de" && now != narrow {
					v.obey(name, narrow, wordRules)
				}
			}
			if who == "mara" {
				v.findsItsTab(school+"/settings/runs", class+"/edit", "/developer/apps")
			}
		}
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

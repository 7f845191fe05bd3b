package web

import (
	"encoding/json"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// Every word that a script asks for comes with the page, in the language of its reader, and none that it does not ask for.
func TestScriptsSpeakTheLanguageOfTheReader(t *testing.T) {
	for _, c := range []struct{ file, path, on, asks, english, german string }{
		{"app.js", "/account", "id", `\bsays\.(\w+)`, "One moment…", "Einen Moment …"},
		{"passkeys.js", "/account/security", "data-passkey", `said\(place, "(\w+)"\)|Error: "(\w+)"`,
			"The browser could not use a passkey. Try once more.", "Der Browser konnte keinen Passkey verwenden. Versuchen Sie es noch einmal."},
	} {
		script, err := os.ReadFile("assets/js/" + c.file)
		if err != nil {
			t.Fatal(err)
		}
		asked := map[string]bool{}
		for _, found := range regexp.MustCompile(c.asks).FindAllStringSubmatch(string(script), -1) {
			asked[strings.Join(found[1:], "")] = true
		}
		for language, want := range map[string]string{"en": c.english, "de": c.german} {
			f := newFake(t)
			console, router := testConsole(f)
			console.Config.Passkeys = true
			f.once.Do(func() { f.router = router })
			words := wordsOn(t, read(f, c.path, language, "").Body.String(), c.on)
			if !slices.Contains(slices.Collect(maps.Values(words)), want) {
				t.Errorf("%s in %s does not say %q: %v", c.file, language, want, words)
			}
			for name := range asked {
				if words[name] == "" {
					t.Errorf("%s asks for %q, which the page does not bring", c.file, name)
				}
			}
			for name := range words {
				if !asked[name] {
					t.Errorf("%s does not ask for %q, which the page brings", c.file, name)
				}
			}
		}
	}
}

// wordsOn are the words that the first element with the attribute holds for a script.
func wordsOn(t *testing.T, page, attribute string) (words map[string]string) {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	for n := range root.Descendants() {
		at := map[string]string{}
		for _, a := range n.Attr {
			at[a.Key] = a.Val
		}
		if _, ok := at[attribute]; !ok || at["data-words"] == "" {
			continue
		}
		if err := json.Unmarshal([]byte(at["data-words"]), &words); err != nil {
			t.Fatal(err)
		}
		return words
	}
	return nil
}

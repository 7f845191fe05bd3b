//go:build !race

package flow

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"atelier/web/locale"
)

// TestEditorWords holds the script of the editor and the words that its page brings together.
func TestEditorWords(t *testing.T) {
	files, err := filepath.Glob("../editor/*.js")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	var script strings.Builder
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		script.Write(b)
	}
	words := editorWords(context.Background())
	for _, found := range regexp.MustCompile(`\b(?:word|words|count|parts|said)\("(\w+)"`).FindAllStringSubmatch(script.String(), -1) {
		if words[found[1]] == nil {
			t.Errorf("the script says %q, which the page does not bring", found[1])
		}
	}
	for name := range words {
		if !regexp.MustCompile(`"` + name + `"|\b` + name + `: (\{|\[)`).MatchString(script.String()) {
			t.Errorf("the page brings %q, which the script never says", name)
		}
	}
	german := editorWords(locale.With(context.Background(), locale.ByCode("de")))
	for name, text := range words {
		if one, ok := text.(string); ok && strings.Count(one, "{") != strings.Count(german[name].(string), "{") {
			t.Errorf("%s loses a place: %q, %q", name, one, german[name])
		}
	}
	if german["feeds"] != "{1} speist {2}" {
		t.Errorf("in German %q", german["feeds"])
	}
}

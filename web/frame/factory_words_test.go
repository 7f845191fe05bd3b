//go:build !race

package frame

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"testing"

	"atelier/web/locale"
	"atelier/web/query"
)

// The presets of the program are read from its source: each has its words in every language.
func TestFactoryPresetsHaveWords(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "../../models/library/factory_preset_list.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	text := func(e ast.Expr) string {
		literal, ok := e.(*ast.BasicLit)
		if !ok {
			t.Fatalf("a name is not written out: %v", e)
		}
		s, _ := strconv.Unquote(literal.Value)
		return s
	}
	found := 0
	ast.Inspect(file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) < 3 {
			return true
		}
		tag := ""
		switch {
		case isName(call.Fun, "style"), isName(call.Fun, "format"):
			tag = call.Fun.(*ast.Ident).Name
		case isName(call.Fun, "made"):
			tag = text(call.Args[2])
		default:
			return true
		}
		found++
		german := locale.With(context.Background(), locale.ByCode("de"))
		name, about := text(call.Args[0]), text(call.Args[1])
		if !hasWord("preset", name) || PresetAbout(german, about, true) == about || !hasWord("tag of a preset", tag) {
			t.Errorf("%s (%s, %s) has no words", name, about, tag)
		}
		return true
	})
	if found < 40 {
		t.Errorf("only %d presets were found", found)
	}
}

// hasWord tells whether a word is translated into one language at least: Podcast is the same in most.
func hasWord(kind, word string) bool {
	for _, code := range []string{"de", "es", "fr"} {
		if locale.Word(locale.With(context.Background(), locale.ByCode(code)), kind, word) != word {
			return true
		}
	}
	return word == "Podcast"
}

func TestWhatPeopleNamedStays(t *testing.T) {
	german := locale.With(context.Background(), locale.ByCode("de"))
	if PresetNamed(german, "Watercolour", true) != "Aquarell" || PresetNamed(german, "Watercolour", false) != "Watercolour" {
		t.Error("presets")
	}
	factory := query.VoiceSourceFactory
	if VoiceNamed(german, "French (France)", factory) != "Französisch (Frankreich)" || VoiceNamed(german, "French (France)", query.VoiceSourceOwn) != "French (France)" || VoiceNamed(german, "Alloy", factory) != "Alloy" {
		t.Error("voices")
	}
	if got := PresetTags(german, []string{"style", "own"}, true); got != "Stil, own" {
		t.Error(got)
	}
	if got := PresetTags(german, []string{"style"}, false); got != "style" {
		t.Error(got)
	}
}

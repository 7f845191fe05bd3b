package frame

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

func TestFailuresAreSaid(t *testing.T) {
	label := func(name string) string { return map[string]string{"text": "Your words"}[name] }
	for said, want := range map[string]string{
		"text is required":                          "“Your words” is required.",
		"text has nothing that a card can show":     "“Your words” has nothing that a card can show.",
		"text must be at most 20 characters long":   "“Your words” must be at most 20 characters long.",
		"The text is too long for a card":           "The text is too long for a card.",
		"At most 2000 characters fit.":              "At most 2000 characters fit.",
		"The image is too large":                    "The picture is too large.",
		"The video is longer than 30 minutes":       "The video is longer than 30 minutes.",
		"The image could not be opened: it is gone": "The picture could not be opened: it is gone.",
		"Replicate is busy or cannot be reached":    "Replicate is busy or cannot be reached.",
		"text says: $1 {Subject}":                   "text says: $1 {Subject}",
		"A sentence of tomorrow":                    "A sentence of tomorrow",
	} {
		if got := FailureIn(context.Background(), said, label); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestWhatOnlyFailsAgain(t *testing.T) {
	for hint, want := range map[string]bool{
		InputHint: true, "At most 2000 characters fit.": true, "Use a smaller file.": true, "Shorten it, or use several cards.": true,
		"": false, "Run it again later.": false, "Use a smaller input, or run it again later.": false,
		"Nothing was charged. Run it again, or choose another model.": false,
	} {
		if FailsAgain(hint) != want {
			t.Errorf("%q", hint)
		}
	}
}

// The sentences with which nodes fail are read from their source: most of them are known here.
func TestMostFailuresAreKnown(t *testing.T) {
	known, unknown := 0, []string{}
	err := filepath.WalkDir("../../nodes", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || !makesFailure(call.Fun) || len(call.Args) == 0 {
				return true
			}
			literal, ok := call.Args[0].(*ast.BasicLit)
			if !ok {
				return true
			}
			text, _ := strconv.Unquote(literal.Value)
			said, found := saidBy(context.Background(), failureSayings, verbs.ReplaceAllString(strings.ReplaceAll(text, "The %s ", "The file "), "7"))
			if strings.Contains(said, "{Kind}") || strings.Contains(said, "$") {
				t.Errorf("%s: %q is shown as %q", path, text, said)
			}
			if found {
				known++
			} else {
				unknown = append(unknown, text)
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if known < 120 {
		t.Errorf("only %d sentences are known; not %q", known, unknown)
	}
	t.Logf("%d sentences are known, %d are not: %q", known, len(unknown), unknown)
}

func makesFailure(f ast.Expr) bool {
	switch f := f.(type) {
	case *ast.Ident:
		return f.Name == "Failf"
	case *ast.SelectorExpr:
		return f.Sel.Name == "Failf" || f.Sel.Name == "WithHint"
	}
	return false
}

func TestWhatIsAskedForTooOften(t *testing.T) {
	e := &Error{Status: 429, Said: "Too many requests. At most 3 in a day; try again in 32611 seconds."}
	if !e.tooOften() || (&Error{Status: 429, Said: "An organization sends at most 3 invitations a day (UTC). Nothing was sent"}).tooOften() {
		t.Error("which refusals are those of a limit")
	}
	other := &Error{Status: 429, Message: "Nothing was sent."}
	if aboveForm(context.Background(), e).Message != "That was too often." || aboveForm(context.Background(), other) != other || aboveForm(context.Background(), nil) != nil {
		t.Error("what stands above a form")
	}
}

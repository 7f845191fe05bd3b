//go:build !race

package frame

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
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
		"It is 3.0 seconds long":                    "It is 3 seconds long.",

		"The request was not sent: its address must start with https://": "The address must start with https://.",
		"The video could not be opened: its server answered 404":         "The video could not be opened: its server answered with status 404.",
	} {
		if got := FailureIn(context.Background(), said, label); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestRunsThatDidNotStartAreSaid(t *testing.T) {
	label := func(name string) string { return name }
	for said, want := range map[string]string{
		"The image is too large": "The picture is too large.", "The workspace's budget does not cover this run": "This workspace has too few credits left for this run. Ask an admin for more.",
		"A sentence of tomorrow": "A sentence of tomorrow",
	} {
		if got := WhyIn(context.Background(), said, label); got != want {
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

// standsFor are sentences that come of a format whose verbs stand for more than a name or a number.
var standsFor = map[string][]string{
	"%s": {
		"The expression yields a value of type int, not true or false", "The query failed: cannot iterate over: null", "The pattern took longer than 2 seconds",
		"The JSON is nested deeper than 7 levels", "Change the query, or what is connected to the node.", "Use a simpler pattern, or a shorter text.",
		"Change the expression, or what is connected to the node; has(values.name) asks whether a value is there.",
		"The receiver must answer with a 2xx status; redirects are not followed: use the address that it leads to.",
		"The receiver refuses the request. Check the credential and the address.", "The receiver must answer with a 2xx status. Check the address.",
		"The receiver must answer with a 2xx status. Try again later, or look into its logs.", "The receiver must answer with a 2xx status. Check what is sent to it.",
		"MP4, MOV, WebM, MKV, AVI and Ogg work.",
	},
	"The model %s":                     {"The model has too many parts"}, // the others are read from scene
	"The image %s":                     {"The image has 7 × 7 pixels; at most 64 megapixels and 16,384 pixels a side work"},
	"It holds sound alone. %s":         {"It holds sound alone. MP4, MOV, WebM, MKV, AVI and Ogg work."},
	"It may be damaged or cut off. %s": {"It may be damaged or cut off. JPEG, PNG, GIF, WebP, BMP, HEIC, AVIF and TIFF work."},
	"Give the address of the video file itself (%s), not of a page or a playlist.": {"Give the address of the video file itself (MP4, MOV and Ogg), not of a page or a playlist."},
	"There is no %s to work on":           {"There is no image to work on", "There is no file to work on"},
	"Use a smaller file. %s.":             {"Use a smaller file. A file may have at most 500 MiB."},
	"%s must be a colour such as #3366ff": {"background must be a colour such as #3366ff"},
	"The node did not finish within %s":   {"The node did not finish within a minute", "The node did not finish within 7 minutes"},
	"The %s could not be opened: %s": {
		"The image could not be opened: its server took too long", "The file could not be opened: its server broke off before the end",
		"The file could not be opened: its server has no valid certificate", "The file could not be opened: its server answered 404",
		"The file could not be opened: its address leads on to others too often", "The file could not be opened: its address could not be reached, or is not public",
		"The file could not be opened: its address must start with https://",
	},
	"Node %s failed: %s":           {}, // the page says which node, and goes on with the rest
	"The request was not sent: %s": {"The request was not sent: its address must start with https://"},
}

// saidOf are sentences as a format makes them.
func saidOf(format string) []string {
	if all, special := standsFor[format]; special {
		return all
	}
	format = strings.ReplaceAll(format, "The %s ", "The file ")
	format = lastVerb.ReplaceAllString(format, "$1: 7") // what a provider said, behind a colon
	format = strings.ReplaceAll(format, "%q", `"7"`)
	return []string{verbs.ReplaceAllString(format, "7")}
}

var lastVerb = regexp.MustCompile(`([\w)])%s$`)

// The sentences with which nodes fail are read from their source: all of them are known here.
func TestAllFailuresAreKnown(t *testing.T) {
	known := 0
	for _, folder := range []string{"../../nodes", "../../models"} {
		err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(n ast.Node) bool {
				for _, format := range failuresIn(n) {
					for _, text := range saidOf(format) {
						said, found := failureIn(context.Background(), text, func(string) string { return "Setting" })
						if known++; !found {
							t.Errorf("%s: %q is not known", path, text)
						}
						if strings.Contains(said, "{") || strings.Contains(said, "$") {
							t.Errorf("%s: %q is shown as %q", path, text, said)
						}
					}
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if known < 250 {
		t.Errorf("only %d sentences were found", known)
	}
}

// failuresIn are the texts of a failure and of its hint, as far as they are written out where it is made.
func failuresIn(n ast.Node) (formats []string) {
	add := func(e ast.Expr, prefix string) {
		if call, ok := e.(*ast.CallExpr); ok && len(call.Args) > 0 && isSelector(call.Fun, "Sprintf") {
			e = call.Args[0]
		}
		if literal, ok := e.(*ast.BasicLit); ok && literal.Kind == token.STRING {
			text, _ := strconv.Unquote(literal.Value)
			formats = append(formats, prefix+text)
		}
	}
	switch n := n.(type) {
	case *ast.CallExpr:
		switch {
		case len(n.Args) == 0:
		case isName(n.Fun, "Failf") || isSelector(n.Fun, "Failf") || isSelector(n.Fun, "WithHint") || isName(n.Fun, "errTooLarge"):
			add(n.Args[0], "")
		case isName(n.Fun, "unreadable"):
			add(n.Args[0], "The model ")
		}
	case *ast.CompositeLit:
		if !isName(n.Type, "Failure") && !isSelector(n.Type, "Failure") {
			return nil
		}
		for _, part := range n.Elts {
			if pair, ok := part.(*ast.KeyValueExpr); ok && (isName(pair.Key, "Message") || isName(pair.Key, "Hint")) {
				add(pair.Value, "")
			}
		}
	}
	return formats
}

func isSelector(e ast.Expr, name string) bool {
	s, ok := e.(*ast.SelectorExpr)
	return ok && s.Sel.Name == name
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

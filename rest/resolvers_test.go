package rest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// besideSchema is a row of the table in docs/architecture.md.
var besideSchema = regexp.MustCompile("(?m)^\\| `(\\w+)` \\| ((?:`[\\w.]+`(?:, )?)+) \\| .+ \\|$")

// A route calls resolvers; where one asks an area itself, docs/architecture.md
// says why. The chain, which finds out who acts, is no route.
func TestResolversAreAsked(t *testing.T) {
	text, err := os.ReadFile("../docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	said := map[string][]string{}
	for _, row := range besideSchema.FindAllStringSubmatch(string(text), -1) {
		said[row[1]] = strings.Split(strings.ReplaceAll(row[2], "`", ""), ", ")
	}
	found := askedBeside(t)
	for function, asked := range found {
		if !slices.Equal(said[function], asked) {
			t.Errorf("%s asks areas for %q; docs/architecture.md says %q", function, asked, said[function])
		}
	}
	for function := range said {
		if found[function] == nil {
			t.Errorf("docs/architecture.md says that %s asks an area itself: it does not", function)
		}
	}
}

// TestParentsAreFound: a resolver of a field gets the object that another
// resolver found, and none that a route made up of an id.
func TestParentsAreFound(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	calls := 0
	for _, name := range files {
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || !ofField(call) {
				return true
			}
			calls++
			if made, ok := call.Args[1].(*ast.UnaryExpr); ok {
				if _, ok := made.X.(*ast.CompositeLit); ok {
					t.Errorf("%s: a field's resolver is called with an object that no resolver found; call a field of Query", set.Position(call.Pos()))
				}
			}
			return true
		})
	}
	if calls < 10 {
		t.Errorf("only %d calls of fields' resolvers were found", calls)
	}
}

// ofField tells of a call like a.Resolver.Workflow().EstimatedCredits(ctx, w).
func ofField(call *ast.CallExpr) bool {
	field, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || len(call.Args) < 2 {
		return false
	}
	of, ok := field.X.(*ast.CallExpr)
	if !ok {
		return false
	}
	object, ok := of.Fun.(*ast.SelectorExpr)
	if !ok || slices.Contains([]string{"Query", "Mutation", "Subscription"}, object.Sel.Name) {
		return false
	}
	resolver, ok := object.X.(*ast.SelectorExpr)
	return ok && resolver.Sel.Name == "Resolver"
}

// askedBeside is what each function asks of an area.
func askedBeside(t *testing.T) map[string][]string {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string][]string{}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") || strings.HasPrefix(name, "chain") || name == "identity.go" {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, declaration := range file.Decls {
			function, ok := declaration.(*ast.FuncDecl)
			if !ok {
				continue
			}
			ast.Inspect(function, func(n ast.Node) bool {
				asked, ok := ofArea(n)
				if !ok {
					asked, ok = isArea(n)
				}
				if ok && !slices.Contains(found[function.Name.Name], asked) {
					found[function.Name.Name] = append(found[function.Name.Name], asked)
					slices.Sort(found[function.Name.Name])
				}
				return !ok // the area within what is asked of it is not asked besides
			})
		}
	}
	return found
}

var areas = []string{"Accounts", "OAuth", "Orgs", "Credits", "Events", "Spaces", "Media", "Flows", "Runs", "Triggers", "Library", "Studio", "Usage"}

// ofArea is X of resolver.Flows.X, and Noun.X of resolver.Flows.Noun().X.
func ofArea(n ast.Node) (string, bool) {
	asked, ok := n.(*ast.SelectorExpr)
	if !ok {
		return "", false
	}
	if call, ok := asked.X.(*ast.CallExpr); ok && len(call.Args) == 0 {
		noun, ok := ofArea(call.Fun)
		return noun + "." + asked.Sel.Name, ok
	}
	_, ok = isArea(asked.X)
	return asked.Sel.Name, ok
}

// isArea is Flows of resolver.Flows, which may be handed on as a whole.
func isArea(n ast.Node) (string, bool) {
	area, ok := n.(*ast.SelectorExpr)
	if !ok || !slices.Contains(areas, area.Sel.Name) {
		return "", false
	}
	if of, ok := area.X.(*ast.SelectorExpr); ok {
		return area.Sel.Name, of.Sel.Name == "Resolver"
	}
	of, ok := area.X.(*ast.Ident)
	return area.Sel.Name, ok && of.Name == "r"
}

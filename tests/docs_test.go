//go:build !race

package tests

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"atelier/config"
	"atelier/models"
	"atelier/models/dbtest"
	"atelier/nodes"
	"atelier/nodes/kit"
	"atelier/nodes/lottie"
)

// writeDocs writes the tables of docs/ again: go test -run TestDocs ./tests -args -write-docs
var writeDocs = flag.Bool("write-docs", false, "write the generated tables of docs/ anew")

// TestDocsTables compares the tables that stand between markers in docs/ with
// what the code says.
func TestDocsTables(t *testing.T) {
	for name, table := range map[string]struct {
		page string
		make func(*testing.T) string
	}{
		"variables": {"../docs/configuration.md", variablesTable},
		"nodes":     {"../docs/nodes.md", nodesTable},
		"errors":    {"../docs/api.md", errorsTable},
		"scopes":    {"../docs/api.md", scopesTable},
		"schema":    {"../docs/schema.md", schemaSections},
		"hooks":     {"../docs/architecture.md", hooksTable},
	} {
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile(table.page)
			if err != nil {
				t.Fatal(err)
			}
			begin, end := "<!-- "+name+": generated -->\n", "<!-- end -->"
			before, rest, found := strings.Cut(string(text), begin)
			has, after, closed := strings.Cut(rest, end)
			if !found || !closed {
				t.Fatalf("%s has no place for the table of %s", table.page, name)
			}
			want := "\n" + table.make(t) + "\n"
			if has == want {
				return
			}
			if !*writeDocs {
				t.Fatalf("the table of %s in %s is out of date: go test -run TestDocs ./tests -args -write-docs", name, table.page)
			}
			if err := os.WriteFile(table.page, []byte(before+begin+want+end+after), 0o644); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// TestDocsClientCodes compares the codes of the Go client with those of the service.
func TestDocsClientCodes(t *testing.T) {
	const page = "../clients/go/code.go"
	var b strings.Builder
	b.WriteString("// Code generated from the service's list of codes (go test -run TestDocs ./tests -args -write-docs); DO NOT EDIT.\n\n" +
		"package atelier\n\n// The codes of the service, as docs/api.md lists them by their status.\nconst (\n")
	for _, code := range errorCodes(t) {
		b.WriteString("Code")
		for _, word := range strings.Split(code, "_") {
			if slices.Contains([]string{"url", "jti", "sso"}, word) {
				word = strings.ToUpper(word)
			}
			b.WriteString(strings.ToUpper(word[:1]) + word[1:])
		}
		fmt.Fprintf(&b, " Code = %q\n", code)
	}
	want, err := format.Source([]byte(b.String() + ")\n"))
	if err != nil {
		t.Fatal(err)
	}
	has, err := os.ReadFile(page)
	switch {
	case err != nil && !*writeDocs:
		t.Fatal(err)
	case bytes.Equal(has, want):
	case !*writeDocs:
		t.Fatalf("%s is out of date: go test -run TestDocs ./tests -args -write-docs", page)
	default:
		if err := os.WriteFile(page, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// hooksTable lists what follows what, as the program is wired.
func hooksTable(t *testing.T) string {
	h := newTestServerOn(t, nil, dbtest.NewURL(t))
	var b strings.Builder
	b.WriteString("| When | What follows, in this order |\n| --- | --- |\n")
	for _, area := range []interface{ HookPoints() []models.HookPoint }{h.Accounts, h.OAuth, h.Orgs, h.Spaces, h.Flows, h.Runs, h.Library} {
		for _, point := range area.HookPoints() {
			if len(point.Hooks) == 0 {
				t.Errorf("nothing follows when %s", point.Event)
			}
			fmt.Fprintf(&b, "| %s | %s |\n", point.Event, strings.Join(point.Hooks, "<br>"))
		}
	}
	return b.String()
}

func variablesTable(*testing.T) string {
	var b strings.Builder
	for _, group := range config.Groups() {
		fmt.Fprintf(&b, "### %s\n\n| Variable | Default | Meaning |\n| --- | --- | --- |\n", group.Title)
		for _, v := range group.Variables {
			preset := "unset"
			if v.Preset != "" {
				preset = "`" + v.Preset + "`"
			}
			fmt.Fprintf(&b, "| `%s` | %s | %s |\n", v.Name, preset, v.Help)
		}
		b.WriteString("\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func nodesTable(t *testing.T) string {
	var b strings.Builder
	b.WriteString("| Type | What it does | Yields | Credits | Provider | Debian packages |\n| --- | --- | --- | --- | --- | --- |\n")
	for _, n := range nodes.Known() {
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s | %s |\n", n.Type, n.Description, n.OutputType, n.Cost,
			cmp.Or(strings.Join(append(slices.Clone(n.Providers), n.Remotes()...), ", "), "–"), cmp.Or(strings.Join(packagesOf(t, n), ", "), "–"))
	}
	return b.String()
}

// packagesOf reads the node's own source file for the programs that it starts.
func packagesOf(t *testing.T, n *kit.Node) []string {
	name := strings.ReplaceAll(n.Type, "-", "_") + ".go"
	if strings.HasPrefix(n.Type, "upload-") {
		name = "upload.go"
	}
	source, err := os.ReadFile(filepath.Join("..", "nodes", name))
	if os.IsNotExist(err) && n.Control {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	var packages []string
	if regexp.MustCompile(`\b(OnWorkbench|EncodeAudio|EncodeVideo|Ffmpeg|Fetch|film|filmInto)\(`).Match(source) {
		packages = append(packages, "ffmpeg")
	}
	if bytes.Contains(source, []byte("lottie.MaxSide")) {
		packages = append(packages, lottie.Package)
	}
	for _, found := range regexp.MustCompile(`Package: "([^"]+)"`).FindAllSubmatch(source, -1) {
		packages = append(packages, string(found[1]))
	}
	return packages
}

func errorsTable(t *testing.T) string {
	type line struct {
		status int
		code   string
	}
	var lines []line
	for _, code := range errorCodes(t) {
		lines = append(lines, line{models.Err(models.Code(code), "").HTTPStatus(), code})
	}
	slices.SortFunc(lines, func(a, b line) int { return cmp.Or(a.status-b.status, cmp.Compare(a.code, b.code)) })
	byStatus := map[int][]string{}
	var statuses []int
	for _, l := range lines {
		if byStatus[l.status] == nil {
			statuses = append(statuses, l.status)
		}
		byStatus[l.status] = append(byStatus[l.status], "`"+l.code+"`")
	}
	var b strings.Builder
	b.WriteString("| Status | Codes |\n| --- | --- |\n")
	for _, status := range statuses {
		fmt.Fprintf(&b, "| %d | %s |\n", status, strings.Join(byStatus[status], ", "))
	}
	return b.String()
}

// scopesTable says which routes a connected app may use, as TestScopesGolden found out.
func scopesTable(t *testing.T) string {
	golden, err := os.ReadFile("testdata/scopes.golden")
	if err != nil {
		t.Fatal(err)
	}
	methods, paths := map[string][]string{}, map[string][]string{} // by what is needed, and by that and the path
	for line := range strings.Lines(string(golden)) {
		words := strings.Fields(line)
		if len(words) < 3 || !strings.HasPrefix(words[1], "/") {
			continue
		}
		needs, path := strings.Join(words[2:], " "), words[1]
		if methods[needs+path] == nil {
			paths[needs] = append(paths[needs], path)
		}
		methods[needs+path] = append(methods[needs+path], words[0])
	}
	var b strings.Builder
	b.WriteString("| Needs | Routes |\n| --- | --- |\n")
	for _, row := range [][2]string{
		{"workflows:execute", "`workflows:execute`"}, {"jobs:read", "`jobs:read`"}, {"workspaces:read", "`workspaces:read`"}, {"workspaces:write", "`workspaces:write`"},
		{"every app", "nothing"}, {"forbidden", "a session or a personal token: `403 forbidden`"}, {"in_app_only", "a session: `403 in_app_only`"},
	} {
		var routes []string
		for _, path := range paths[row[0]] {
			slices.Sort(methods[row[0]+path])
			routes = append(routes, "`"+strings.Join(methods[row[0]+path], " ")+" "+path+"`")
		}
		fmt.Fprintf(&b, "| %s | %s |\n", row[1], strings.Join(routes, ", "))
	}
	return b.String()
}

// errorCodes are the values of the constants of type Code.
func errorCodes(t *testing.T) (codes []string) {
	file, err := parser.ParseFile(token.NewFileSet(), "../models/error.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || len(spec.Values) != 1 {
			return true
		}
		if kind, ok := spec.Type.(*ast.Ident); ok && kind.Name == "Code" {
			if literal, ok := spec.Values[0].(*ast.BasicLit); ok {
				code, _ := strconv.Unquote(literal.Value)
				codes = append(codes, code)
			}
		}
		return true
	})
	if len(codes) < 50 {
		t.Fatalf("only %d error codes found", len(codes))
	}
	return codes
}

// TestDocsErrorCodes compares the parts of docs/errors.md, of which the pages of the codes are made, with the codes and
// their statuses.
func TestDocsErrorCodes(t *testing.T) {
	text, err := os.ReadFile("../docs/errors.md")
	if err != nil {
		t.Fatal(err)
	}
	written := map[string]string{}
	for _, found := range regexp.MustCompile(`(?m)^## ([a-z_]+)\n\nStatus ([0-9]{3})\. [^\n]+\n\n\*\*What to do:\*\* `).FindAllSubmatch(text, -1) {
		written[string(found[1])] = string(found[2])
	}
	codes := errorCodes(t)
	for _, code := range codes {
		if status := strconv.Itoa(models.Err(models.Code(code), "").HTTPStatus()); written[code] != status {
			t.Errorf("docs/errors.md says of %s (%s): status %q", code, status, written[code])
		}
	}
	if len(written) != len(codes) {
		t.Errorf("docs/errors.md has %d codes, the service %d", len(written), len(codes))
	}
}

// TestDocsLinks checks that every relative link of the pages leads to a file.
func TestDocsLinks(t *testing.T) {
	pages, _ := filepath.Glob("../docs/*.md")
	guides, _ := filepath.Glob("../docs/guides/*.md")
	decisions, _ := filepath.Glob("../docs/decisions/*.md")
	link := regexp.MustCompile(`\]\(([^)#]+)(#[^)]*)?\)`)
	for _, page := range slices.Concat(pages, guides, decisions, []string{"../README.md"}) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range link.FindAllSubmatch(text, -1) {
			target := string(found[1])
			if strings.Contains(target, "://") || strings.HasPrefix(target, "/docs/") { // what the site makes, where its own tests look
				continue
			}
			if _, err := os.Stat(filepath.Join(filepath.Dir(page), target)); err != nil {
				t.Errorf("%s links to %s, which does not exist", page, target)
			}
		}
	}
}

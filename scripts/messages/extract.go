package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// message is a sentence of the code; plural is empty where it has none.
type message struct {
	context, text, plural string
	files                 []string // in which it is, without generated ones
}

type key struct{ context, text string }

func (m message) key() key { return key{m.context, m.text} }

// area is the file of a message: that of the one folder in which it is, else the shared one.
func (m message) area() string {
	area := ""
	for _, f := range m.files {
		switch of := areaOf(f); {
		case area == "":
			area = of
		case area != of:
			return "shared"
		}
	}
	return area
}

func areaOf(file string) string {
	parts := strings.Split(filepath.ToSlash(file), "/")
	switch {
	case parts[0] == "nodes":
		return "nodes"
	case parts[0] != "web":
		return "mail"
	case len(parts) < 3 || parts[1] == "locale":
		return "shared"
	}
	return parts[1]
}

// shapes are the calls that hold messages: at which argument the context, the message and the plural are, -1 for none.
var shapes = map[string]struct{ context, text, plural int }{
	"T": {-1, 1, -1}, "H": {-1, 1, -1}, "N": {-1, 1, 2}, "HN": {-1, 1, 2}, "C": {1, 2, -1}, "CN": {1, 2, 3}, "Mark": {-1, 0, -1}, "MarkC": {0, 1, -1},
}

// short are the names that packages give these functions.
var short = map[string]string{"t": "T", "th": "H", "tn": "N", "thn": "HN", "tc": "C", "tcn": "CN", "mark": "Mark", "markc": "MarkC"}

// extract reads all messages below the folders, in the order of files and lines.
func extract(folders ...string) ([]message, error) {
	var out []message
	at := map[key]int{}
	add := func(file string, m message) error {
		file = strings.TrimSuffix(file, "_templ.go")
		if !strings.HasSuffix(file, ".go") {
			file += ".templ"
		}
		i, known := at[m.key()]
		if !known {
			i = len(out)
			at[m.key()] = i
			out = append(out, m)
		}
		if m.plural != "" && out[i].plural != "" && m.plural != out[i].plural {
			return fmt.Errorf("%s: %q has two plurals: %q and %q", file, m.text, m.plural, out[i].plural)
		}
		if m.plural != "" {
			out[i].plural = m.plural
		}
		if !slices.Contains(out[i].files, file) {
			out[i].files = append(out[i].files, file)
		}
		return nil
	}
	for _, folder := range folders {
		err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.HasPrefix(path, "web/query/") {
				return err
			}
			return inFile(path, func(m message) error { return add(path, m) })
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

func inFile(path string, found func(message) error) error {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	own := file.Name.Name == "locale"
	var failed error
	ast.Inspect(file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || failed != nil {
			return failed == nil
		}
		name := called(call, own)
		if name == "sayings" { // pairs of what the service says and what people read
			for i := 1; i < len(call.Args); i += 2 {
				if text, ok := constant(call.Args[i]); ok {
					failed = found(message{text: text})
				}
			}
			return true
		}
		shape, ok := shapes[name]
		if !ok {
			return true
		}
		var m message
		text, ok := argument(call, shape.text)
		if !ok || text == "" {
			return true
		}
		m.text = text
		if shape.context >= 0 {
			m.context, _ = argument(call, shape.context)
		}
		if shape.plural >= 0 {
			m.plural, _ = argument(call, shape.plural)
		}
		if failed = found(m); failed != nil {
			failed = fmt.Errorf("%s: %w", set.Position(call.Pos()), failed)
		}
		return failed == nil
	})
	return failed
}

// called is the function of package locale that is called, "" for another.
func called(call *ast.CallExpr, own bool) string {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		if f.Name == "sayings" || own && shapes[f.Name].text > 0 {
			return f.Name
		}
		return short[f.Name]
	case *ast.SelectorExpr:
		if of, ok := f.X.(*ast.Ident); ok && of.Name == "locale" {
			return f.Sel.Name
		}
	}
	return ""
}

func argument(call *ast.CallExpr, at int) (string, bool) {
	if at >= len(call.Args) {
		return "", false
	}
	return constant(call.Args[at])
}

// constant is a string literal, or several that are added.
func constant(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind != token.STRING {
			return "", false
		}
		s, err := strconv.Unquote(e.Value)
		return s, err == nil
	case *ast.ParenExpr:
		return constant(e.X)
	case *ast.BinaryExpr:
		left, ok := constant(e.X)
		if !ok || e.Op != token.ADD {
			return "", false
		}
		right, ok := constant(e.Y)
		return left + right, ok
	}
	return "", false
}

package config

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// unconnected are the settings that nothing in the program asks for by their
// name, with why.
var unconnected = map[string]string{
	"OIDCProvider.ClientID":     "converted as a whole",
	"OIDCProvider.ClientSecret": "converted as a whole",
	"OIDCProvider.Scopes":       "converted as a whole",
}

// TestEverySettingIsUsed holds every field of the Config, and of the values of
// its own that it holds, against the code of the program: a setting that is read
// and asked for nowhere only seems to be one.
func TestEverySettingIsUsed(t *testing.T) {
	used := usedNames(t)
	for _, field := range settings(reflect.TypeFor[Config]()) {
		_, name, _ := strings.Cut(field, ".")
		_, later := unconnected[field]
		if !used[name] && !later {
			t.Errorf("%s is read from the environment and used nowhere: connect or delete it", field)
		}
		if used[name] && later {
			t.Errorf("%s is used and need not be named here", field)
		}
		delete(unconnected, field)
	}
	for field := range unconnected {
		t.Errorf("%s is named here, and no setting", field)
	}
}

// settings are the fields of a struct, with those of the structs of this
// package behind them, unless these are for later as a whole.
func settings(kind reflect.Type) (fields []string) {
	for field := range kind.Fields() {
		if !field.IsExported() {
			continue
		}
		name := kind.Name() + "." + field.Name
		fields = append(fields, name)
		inner := field.Type
		for inner.Kind() == reflect.Slice || inner.Kind() == reflect.Pointer {
			inner = inner.Elem()
		}
		if _, later := unconnected[name]; !later && inner.Kind() == reflect.Struct && inner.PkgPath() == kind.PkgPath() {
			fields = append(fields, settings(inner)...)
		}
	}
	return fields
}

// usedNames are the fields that the program selects by name, directly or by a
// method of the Config.
func usedNames(t *testing.T) map[string]bool {
	used := map[string]bool{}
	program := append(parsed(t, "../main.go"), parsed(t, "../server/*.go")...)
	for _, file := range program {
		note(used, file)
	}
	for _, file := range parsed(t, "*.go") {
		for _, declared := range file.Decls {
			if f, ok := declared.(*ast.FuncDecl); ok && f.Recv != nil && f.Name.IsExported() && used[f.Name.Name] {
				note(used, f.Body)
			}
		}
	}
	return used
}

// note adds the names that a piece of code selects, other than to set them.
func note(names map[string]bool, code ast.Node) {
	ast.Inspect(code, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			names[n.Sel.Name] = true
		case *ast.AssignStmt:
			for _, value := range n.Rhs {
				note(names, value)
			}
			return false
		}
		return true
	})
}

// parsed are the files of a pattern, without tests.
func parsed(t *testing.T, pattern string) (files []*ast.File) {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	if err != nil || len(paths) == 0 {
		t.Fatalf("%s: %v", pattern, err)
	}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	return files
}

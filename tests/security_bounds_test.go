//go:build !race

package tests

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestBoundsTable holds the bounds that docs/security.md names against the
// code: each row names the constants behind it, and says the value of each.
func TestBoundsTable(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../docs/security.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	names := regexp.MustCompile("`([a-z_/.0-9]+)\\.([A-Za-z0-9_]+)(?:\\.([A-Za-z]+))?`")
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(line, "|")
		if len(cells) != 6 || strings.HasPrefix(cells[1], " ---") || strings.TrimSpace(cells[4]) == "In the code" {
			continue
		}
		rows++
		found := names.FindAllStringSubmatch(cells[4], -1)
		if len(found) == 0 {
			t.Errorf("the row of %q names no constant", strings.TrimSpace(cells[1]))
		}
		for _, name := range found {
			value, err := boundInCode(name[1], name[2], name[3])
			if err != nil {
				t.Errorf("%s: %v", name[0], err)
				continue
			}
			if !says(cells[2], value) {
				t.Errorf("the row of %q says %q, and %s is %s", strings.TrimSpace(cells[1]), strings.TrimSpace(cells[2]), name[0], value)
			}
		}
	}
	if rows < 20 {
		t.Errorf("docs/security.md lists %d bounds", rows)
	}
}

// boundInCode is the value of a constant, of a variable that is set to one, or
// of a field of the literal that a variable is set to. The package is named by
// its folder.
func boundInCode(folder, name, field string) (constant.Value, error) {
	files, err := filepath.Glob(filepath.Join("..", folder, "*.go"))
	if err != nil {
		return nil, err
	}
	for _, path := range files {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		if value := valueOfName(file, name); value != nil {
			if field != "" {
				value = fieldOf(value, field)
			}
			return evaluate(value)
		}
	}
	return nil, fmt.Errorf("is not in %s", folder)
}

// valueOfName is what a file's constant or variable is set to.
func valueOfName(file *ast.File, name string) (value ast.Expr) {
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		for i, ident := range spec.Names {
			if ident.Name == name && i < len(spec.Values) {
				value = spec.Values[i]
			}
		}
		return true
	})
	return value
}

// fieldOf is a field of a struct literal.
func fieldOf(value ast.Expr, field string) ast.Expr {
	literal, ok := value.(*ast.CompositeLit)
	if !ok {
		return nil
	}
	for _, element := range literal.Elts {
		if pair, ok := element.(*ast.KeyValueExpr); ok && types.ExprString(pair.Key) == field {
			return pair.Value
		}
	}
	return nil
}

var durations = strings.NewReplacer("time.Hour", "3600000000000", "time.Minute", "60000000000", "time.Second", "1000000000", "time.Millisecond", "1000000")

func evaluate(value ast.Expr) (constant.Value, error) {
	if value == nil {
		return nil, fmt.Errorf("has no value")
	}
	written := durations.Replace(types.ExprString(value))
	result, err := types.Eval(token.NewFileSet(), nil, token.NoPos, written)
	if err != nil || result.Value == nil {
		return nil, fmt.Errorf("%s is no constant: %v", written, err)
	}
	return result.Value, nil
}

// says tells whether a cell names a value, as a number, a size or a time.
func says(cell string, value constant.Value) bool {
	n, exact := constant.Int64Val(constant.ToInt(value))
	if !exact {
		return strings.Contains(cell, value.String())
	}
	forms := []string{strconv.FormatInt(n, 10), grouped(n)}
	for shift, unit := range map[int]string{10: " KiB", 20: " MiB", 30: " GiB"} {
		if n > 0 && n%(1<<shift) == 0 {
			forms = append(forms, strconv.FormatInt(n>>shift, 10)+unit, grouped(n>>shift)+unit)
		}
	}
	for unit, names := range map[time.Duration][]string{
		time.Hour: {"hour", "hours"}, time.Minute: {"minute", "minutes"}, time.Second: {"s", "second", "seconds"}, time.Millisecond: {"ms"}, 24 * time.Hour: {"day", "days"},
	} {
		for _, name := range names {
			if n > 0 && n%int64(unit) == 0 {
				forms = append(forms, fmt.Sprintf("%d %s", n/int64(unit), name))
			}
		}
	}
	for _, form := range forms {
		if regexp.MustCompile(`(^|[^0-9,.])` + regexp.QuoteMeta(form) + `($|[^0-9A-Za-z,]|,[^0-9])`).MatchString(cell) {
			return true
		}
	}
	return false
}

// grouped writes a number as people do: 20,000.
func grouped(n int64) string {
	digits := strconv.FormatInt(n, 10)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

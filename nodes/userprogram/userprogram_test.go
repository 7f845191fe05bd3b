package userprogram

import (
	"regexp/syntax"
	"strings"
	"testing"
	"time"
)

// checked is how long a program may take to be checked, on a machine that has
// much else to do: a check happens in a request.
const checked = 20 * time.Second

func within(t *testing.T, what string, check func(string) error, program string) {
	started := time.Now()
	_ = check(program)
	if took := time.Since(started); took > checked {
		t.Fatalf("%s %q took %v to be checked", what, program, took)
	}
}

// FuzzPattern: a pattern is refused or compiled, soon, and a small search on it
// ends at once without more instructions than were counted.
func FuzzPattern(f *testing.F) {
	for _, pattern := range []string{
		"[0-9]+", `(\d+)-(\d+)`, strings.Repeat("(?:a?){1000}", 10) + "b", "(((a{10}){10}){10})", "a*b|a", strings.Repeat("(", 900) + strings.Repeat(")", 900),
		"(?i)[" + strings.Repeat(`\x{100}-\x{10ffff}`, 25) + "]", strings.Repeat(`\pL|`, 60), "(?i)(?s:.*)", `[[:alpha:]]{3,}`, "(?", `\Q--\E`, `[^\x00-\x{10FFFF}]`,
	} {
		f.Add(pattern, "aab 12-3 Ähm", "$1")
	}
	f.Fuzz(func(t *testing.T, pattern, text, replacement string) {
		if len(pattern) > maxProgram {
			t.Skip()
		}
		within(t, "pattern", CheckPattern, pattern)
		_, counted, err := compilePattern(pattern, false)
		if err != nil {
			return
		}
		tree, _ := syntax.Parse(pattern, syntax.Perl)
		prog, err := syntax.Compile(tree.Simplify())
		if err != nil || len(prog.Inst) > 3*counted+10 {
			t.Fatalf("%q has %d instructions, %d were counted", pattern, len(prog.Inst), counted)
		}
		for _, mode := range []string{"test", "extract", "replace"} {
			s := Search{Text: text, Pattern: pattern, Mode: mode, Replacement: replacement}
			if s.steps(counted) > stepsAtOnce || len(text)*len(replacement) > 1<<16 {
				continue
			}
			if _, err := s.run(); err != nil {
				t.Fatalf("%q on %q: %v", pattern, text, err)
			}
		}
	})
}

// FuzzCondition: an expression is refused or compiled, soon, and ends on small data.
func FuzzCondition(f *testing.F) {
	for _, expression := range []string{
		"size(input) > 20", "values.a < 10.0 || input == 'x'", "input.matches('(a?){1000}b')", strings.Repeat("[1].map(x, true, ", 25) + "true" + strings.Repeat(")", 25),
		strings.Repeat("[1,2,3,4,5,6,7,8,9].all(x, ", 9) + "true" + strings.Repeat(")", 9), strings.Repeat("(", 200), "{'a': [1, 2].exists(x, x > 1)}.a", "has(values.b)", "'\\u{",
		strings.Repeat("true?", 40), "timestamp(input) < timestamp('2026-01-01T00:00:00Z')",
	} {
		f.Add(expression, "a text")
	}
	f.Fuzz(func(t *testing.T, expression, input string) {
		within(t, "condition", CheckCondition, expression)
		if strings.Contains(expression, "matches") || len(input) > 1000 {
			return
		}
		_, _ = Condition{Expression: expression, Input: input, Values: map[string]any{"a": 1.0}}.run()
	})
}

// FuzzQuery: a query is refused or compiled, soon.
func FuzzQuery(f *testing.F) {
	for _, query := range []string{".", ".items[].name", "def f: f; f", strings.Repeat("[", 1000) + strings.Repeat("]", 1000), strings.Repeat("def f: ", 300) + "1" + strings.Repeat(";f", 300), "reduce range(9) as $i (0; [.])", ".. | .a?", "import \"a\" as b;", "$ENV", "@base64 \"\\(.)\""} {
		f.Add(query)
	}
	f.Fuzz(func(t *testing.T, query string) { within(t, "query", CheckQuery, query) })
}

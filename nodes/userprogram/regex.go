package userprogram

import (
	"context"
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode"
)

const (
	// maxInstructions bounds the machine that a pattern becomes; each character
	// of a text may cost a step of every instruction.
	maxInstructions = 10_000
	// maxClasses bounds the named classes (\p{Greek}), each of which is hundreds
	// of ranges that parsing joins with the others.
	maxClasses = 50
	// maxFolded bounds the ranges ([ä-ž]) of a pattern that ignores case: parsing
	// visits all letters in each.
	maxFolded = 20
	// stepsAtOnce is what is done in the process itself, some tens of milliseconds.
	stepsAtOnce  = 2_000_000
	maxMatches   = 10_000   // that are listed
	maxExpansion = 32 << 20 // bytes that one replacement may become, at worst
)

// Search is a regular expression (RE2) and what is done with it.
type Search struct {
	Text, Pattern string
	IgnoreCase    bool
	// Mode is replace, extract or test.
	Mode        string
	Replacement string
}

// Found is what a search found: Matched of a test, Items of extract, Text and
// Count of replace.
type Found struct {
	Matched bool
	Items   []string
	Text    string
	Count   int
}

// CheckPattern tells whether a pattern compiles, within bounds.
func CheckPattern(pattern string) error {
	_, _, err := compilePattern(pattern, false)
	return err
}

// compilePattern also tells how many instructions the pattern becomes. They are
// counted before anything is built: a short pattern may stand for millions.
func compilePattern(pattern string, ignoreCase bool) (re *regexp.Regexp, instructions int, err error) {
	if len(pattern) > 4*maxProgram { // in bytes; the form counts characters
		return nil, 0, wrong("it is longer than %d characters", maxProgram)
	}
	if strings.Count(pattern, `\p`)+strings.Count(pattern, `\P`) > maxClasses {
		return nil, 0, wrong("it names more than %d classes of characters", maxClasses)
	}
	if ignoreCase {
		pattern = "(?i)" + pattern
	}
	if strings.Count(pattern, "-") > maxFolded && strings.Contains(pattern, "(?") && beyondASCII(pattern) {
		return nil, 0, wrong("it has more than %d ranges of letters beyond ASCII, and groups or flags", maxFolded)
	}
	tree, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return nil, 0, wrong("%s", strings.TrimPrefix(err.Error(), "error parsing regexp: "))
	}
	if instructions = count(tree); instructions > maxInstructions {
		return nil, 0, wrong("it is too large: its repetitions, written out, have more than %d parts", maxInstructions)
	}
	re, err = regexp.Compile(pattern)
	return re, instructions, err
}

// beyondASCII tells whether a pattern may name such characters.
func beyondASCII(pattern string) bool {
	return strings.Contains(pattern, `\x`) || strings.ContainsFunc(pattern, func(r rune) bool { return r > unicode.MaxASCII })
}

// count is how many instructions an expression becomes, at least; no more than
// one above the bound is counted.
func count(re *syntax.Regexp) int {
	n := 1
	switch re.Op {
	case syntax.OpLiteral:
		n = len(re.Rune)
	case syntax.OpRepeat:
		times := max(re.Min, re.Max, 1)
		n = times * (count(re.Sub[0]) + 1)
	default:
		for _, sub := range re.Sub {
			if n += count(sub) + 1; n > maxInstructions {
				break
			}
		}
	}
	return min(n, maxInstructions+1)
}

// Run does the search. What the author can mend is an *Error.
func (s Search) Run(ctx context.Context) (found Found, err error) {
	_, instructions, err := compilePattern(s.Pattern, s.IgnoreCase)
	if err != nil {
		return found, wrong("The pattern is no regular expression: %s", err)
	}
	if s.steps(instructions) <= stepsAtOnce {
		return s.run()
	}
	return found, inChild(ctx, "regex", "pattern", s, &found)
}

// steps is how many steps the search takes at worst: a match may look at the
// whole text, and one may begin at every character.
func (s Search) steps(instructions int) float64 {
	length := float64(len(s.Text) + 1)
	if s.Mode == "test" {
		return length * float64(instructions)
	}
	return length * length * float64(instructions)
}

func (s Search) run() (Found, error) {
	re, _, err := compilePattern(s.Pattern, s.IgnoreCase)
	if err != nil {
		return Found{}, wrong("The pattern is no regular expression: %s", err)
	}
	switch s.Mode {
	case "test":
		return Found{Matched: re.MatchString(s.Text)}, nil
	case "extract":
		return s.extract(re), nil
	}
	return s.replace(re)
}

// extract lists each match, or its first group when the pattern has groups.
func (s Search) extract(re *regexp.Regexp) Found {
	found := Found{Items: []string{}}
	for _, m := range re.FindAllStringSubmatch(s.Text, maxMatches) {
		found.Items = append(found.Items, m[min(1, len(m)-1)])
	}
	return found
}

// replace is regexp's own, which it leaves as soon as the text outgrows its bound.
func (s Search) replace(re *regexp.Regexp) (Found, error) {
	var b []byte
	rest, count := 0, 0
	for _, m := range re.FindAllStringSubmatchIndex(s.Text, -1) {
		if len(s.Replacement)/2*(m[1]-m[0]) > maxExpansion {
			return Found{}, wrong("The replacement makes the text too long")
		}
		b = append(b, s.Text[rest:m[0]]...)
		b = re.ExpandString(b, s.Replacement, s.Text, m)
		rest, count = m[1], count+1
		if len(b) > maxText {
			return Found{}, wrong("The replacement makes the text longer than 1 MiB")
		}
	}
	return Found{Text: string(append(b, s.Text[rest:]...)), Count: count}, nil
}

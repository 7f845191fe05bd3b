package nodes

import (
	"context"
	"regexp"
	"strings"

	"atelier/models"
)

var regexTextNode = &Node{
	Type: "regex-text", Label: "Find and replace", Category: "text", OutputType: "text",
	Description:  "Replaces, extracts or tests what a regular expression (RE2) matches.",
	Capabilities: []string{"text", "regex"},
	InputSchema: object(
		area("text", "Text", "The text to look through.").required(),
		line("pattern", "Pattern", "A regular expression in RE2 syntax.").required(),
		choice("mode", "Do", "replace puts the replacement there, extract lists what matches, test tells whether anything does.", "replace", "extract", "test"),
		line("replacement", "Replacement", "$1 or ${name} stands for a group.").or(""),
		toggle("ignoreCase", "Ignore case", "Takes capital and small letters for the same.", false),
	),
	MainInput: "text", MainOutput: "text", Inline: true, Pool: Cheap,
	Check: func(prefix string, input map[string]any) error {
		pattern, _ := input["pattern"].(string)
		if _, err := regexp.Compile(pattern); err != nil {
			return models.Invalid(prefix+"pattern", "is no regular expression: %s", patternTrouble(err))
		}
		return nil
	},
	Run: regexText,
}

const (
	maxMatches   = 10_000   // that extract lists
	maxExpansion = 32 << 20 // bytes that one replacement may become, at worst
)

// patternTrouble is what is wrong with a pattern, in words.
func patternTrouble(err error) string {
	return strings.TrimPrefix(err.Error(), "error parsing regexp: ")
}

func regexText(_ context.Context, in *Call) (Output, error) {
	pattern := in.text("pattern")
	if in.flag("ignoreCase") {
		pattern = "(?i)" + pattern
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		return nil, failf("The pattern is no regular expression: %s", patternTrouble(err))
	}
	text := in.text("text")
	switch in.text("mode") {
	case "test":
		return Output{"data": re.MatchString(text), "matched": re.MatchString(text)}, nil
	case "extract":
		return extract(re, text), nil
	}
	return replaceAll(re, text, in.text("replacement"))
}

// extract lists each match, or its first group when the pattern has groups.
func extract(re *regexp.Regexp, text string) Output {
	matches := []any{}
	for _, m := range re.FindAllStringSubmatch(text, maxMatches) {
		matches = append(matches, m[min(1, len(m)-1)])
	}
	out := Output{"items": matches, "data": matches, "count": len(matches), "text": ""}
	if len(matches) > 0 {
		out["text"] = matches[0]
	}
	return out
}

// replaceAll is regexp's own, which it leaves as soon as the text outgrows its bound.
func replaceAll(re *regexp.Regexp, text, replacement string) (Output, error) {
	var b []byte
	rest, count := 0, 0
	for _, m := range re.FindAllStringSubmatchIndex(text, -1) {
		if len(replacement)/2*(m[1]-m[0]) > maxExpansion {
			return nil, failf("The replacement makes the text too long")
		}
		b = append(b, text[rest:m[0]]...)
		b = re.ExpandString(b, replacement, text, m)
		rest, count = m[1], count+1
		if len(b) > maxText {
			break
		}
	}
	out, err := textOutput(string(append(b, text[rest:]...)))
	if err == nil {
		out["count"] = count
	}
	return out, err
}

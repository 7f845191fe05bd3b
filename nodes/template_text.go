package nodes

import (
	"context"
	"strings"
	"unicode"

	"atelier/nodes/kit"
)

var templateTextNode = &kit.Node{
	Type: "template-text", Label: "Template", Category: "text", OutputType: "text",
	Templates:    true,
	Description:  "Fills values into a text: {{name}} is replaced by the value called name.",
	Capabilities: []string{"text", "template"},
	InputSchema: kit.Object(
		kit.Area("template", "Template", "Text with placeholders such as {{name}}.").Required(),
		kit.NamedField("values", "Values", "What stands for the placeholders; connect an edge to values.name to feed one.", kit.Schema{}),
	),
	MainInput: "template", MainOutput: "text", Inline: true, Pool: kit.Cheap,
	Run: templateText,
}

// templateText replaces every placeholder once; values are not looked through
// again. A placeholder without a value becomes empty and is listed under missing.
func templateText(_ context.Context, in *kit.Call) (kit.Output, error) {
	text, missing := fillTemplate(in.Text("template"), in.Object("values"))
	out, err := textOutput(text)
	if err == nil && len(missing) > 0 {
		out["missing"] = missing
	}
	return out, err
}

// fillTemplate leaves off once the text outgrows its bound.
func fillTemplate(template string, values map[string]any) (text string, missing []string) {
	var b strings.Builder
	gone := map[string]bool{}
	for b.Len() <= kit.MaxText {
		before, name, rest, found := cutPlaceholder(template)
		b.WriteString(before)
		if !found {
			break
		}
		template = rest
		value, ok := values[name]
		if !ok {
			value, ok = kit.Lookup(values, name)
		}
		if !ok && !gone[name] {
			gone[name] = true
			missing = append(missing, name)
		}
		b.WriteString(kit.PlainText(value))
	}
	return b.String(), missing
}

// cutPlaceholder cuts a text at its first {{name}} or {{ a.b }}.
func cutPlaceholder(text string) (before, name, rest string, found bool) {
	for from := 0; ; {
		open := strings.Index(text[from:], "{{")
		if open < 0 {
			return text, "", "", false
		}
		open += from
		inner := strings.TrimLeft(text[open+2:], blanks)
		end := strings.IndexFunc(inner, func(r rune) bool { return !inName(r) })
		if end > 0 && !strings.ContainsRune(".-", rune(inner[0])) {
			if rest, closed := strings.CutPrefix(strings.TrimLeft(inner[end:], blanks), "}}"); closed {
				return text[:open], inner[:end], rest, true
			}
		}
		from = open + 1
	}
}

const blanks = " \t\n\f\r"

func inName(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsNumber(r) || strings.ContainsRune("_.-", r)
}

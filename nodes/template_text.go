package nodes

import (
	"context"
	"regexp"
	"slices"
	"strings"
)

var templateTextNode = &Node{
	Type: "template-text", Label: "Template", Category: "text", OutputType: "text",
	Description:  "Fills values into a text: {{name}} is replaced by the value called name.",
	Capabilities: []string{"text", "template"},
	InputSchema: object(
		area("template", "Template", "Text with placeholders such as {{name}}.").required(),
		named("values", "Values", "What stands for the placeholders; connect an edge to values.name to feed one.", Schema{}),
	),
	MainInput: "template", MainOutput: "text", Inline: true, Pool: Cheap,
	Run: templateText,
}

// placeholder is {{name}} or {{ a.b }}.
var placeholder = regexp.MustCompile(`\{\{\s*([\pL\pN_][\pL\pN_.\-]*)\s*\}\}`)

// templateText replaces every placeholder once; values are not looked through
// again. A placeholder without a value becomes empty and is listed under missing.
func templateText(_ context.Context, in *Call) (Output, error) {
	text, missing := fillTemplate(in.text("template"), in.object("values"))
	out, err := textOutput(text)
	if err == nil && len(missing) > 0 {
		out["missing"] = missing
	}
	return out, err
}

func fillTemplate(template string, values map[string]any) (text string, missing []string) {
	var b strings.Builder
	rest := 0
	for _, m := range placeholder.FindAllStringSubmatchIndex(template, -1) {
		b.WriteString(template[rest:m[0]])
		rest = m[1]
		name := template[m[2]:m[3]]
		value, ok := values[name]
		if !ok {
			value, ok = lookup(values, name)
		}
		if !ok && !slices.Contains(missing, name) {
			missing = append(missing, name)
		}
		b.WriteString(plainText(value))
		if b.Len() > maxText {
			break
		}
	}
	b.WriteString(template[rest:])
	return b.String(), missing
}

package nodeform

import (
	"context"
	"strings"

	"atelier/web/frame"
)

// Cloned copies an object and the objects in it.
func Cloned(data map[string]any) map[string]any {
	out := make(map[string]any, len(data))
	for name, v := range data {
		if inner, ok := v.(map[string]any); ok && inner != nil {
			v = Cloned(inner)
		}
		out[name] = v
	}
	return out
}

// SetAt sets a field, or unsets it when the value is empty; a dot leads into an object.
func SetAt(data map[string]any, field string, value any) {
	head, rest, dotted := strings.Cut(field, ".")
	switch {
	case dotted:
		inner, ok := data[head].(map[string]any)
		if !ok {
			inner = map[string]any{}
		}
		SetAt(inner, rest, value)
		if data[head] = inner; len(inner) == 0 {
			delete(data, head)
		}
	case value == nil || value == "":
		delete(data, field)
	default:
		data[field] = value
	}
}

// inWords is what a field of a node and its value are called: by the field's title and the word of its choice, where the
// type has them.
func inWords(ctx context.Context, described []SchemaField, name string, value any) (label, text string) {
	for _, f := range described {
		if f.Name == name {
			return frame.Or(f.Title, NameInWords(name)), valueInWords(ctx, value, f.Words)
		}
	}
	return NameInWords(name), valueInWords(ctx, value, nil)
}

// valueInWords is a value as text; one of a choice is called by its word.
func valueInWords(ctx context.Context, value any, words map[string]string) string {
	switch value {
	case true:
		return t(ctx, "Yes")
	case false:
		return t(ctx, "No")
	}
	text := frame.ValueText(value)
	return frame.Or(words[text], text)
}

// Text is the value of a control as people read it.
func (c Control) Text(ctx context.Context) string { return valueInWords(ctx, c.Value, c.words) }

// Setting is what a field of a node type and its value are called.
func (k Kinds) Setting(ctx context.Context, nodeType, name string, value any) (label, text string) {
	return inWords(ctx, k.Fields(nodeType), name, value)
}

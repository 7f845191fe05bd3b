package library

import (
	"context"
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"atelier/web/frame"
)

// attributePrefix begins the names of the fields of attributes.
const attributePrefix = "attr-"

// shownAttribute is one that an element has, as its page shows it.
type shownAttribute struct {
	Label, Value string
	Fill         string // a color for a swatch, empty for none
}

// attributesOf are those of an element: first the known ones in their order, then the rest.
func attributesOf(ctx context.Context, k Kind, values map[string]any) []shownAttribute {
	var out []shownAttribute
	for _, f := range k.fields {
		if text := attributeText(values[f.Key]); text != "" {
			one := shownAttribute{Label: frame.AttributeLabel(ctx, f.Key), Value: f.shown(ctx, text)}
			if f.Color || f.Key == "skin" {
				one.Fill = fillOf(text)
			}
			out = append(out, one)
		}
	}
	for _, key := range frame.SortedKeys(values) {
		if _, known := k.field(key); !known {
			out = append(out, shownAttribute{Label: key, Value: attributeText(values[key])})
		}
	}
	return out
}

func attributeText(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	}
	return fmt.Sprint(v)
}

var (
	hexColor   = regexp.MustCompile(`^#[0-9a-fA-F]{6}$`)
	namedColor = regexp.MustCompile(`^[a-z]+( [a-z]+)?$`)
	// painted are names that browsers do not know, or mean otherwise.
	painted = map[string]string{
		"blonde": "#e6c875", "pale": "#f6dfd0", "light": "#f0cfb4", "olive": "#c9a27a", "tan": "#b98b62", "dark": "#5b3a26", "dark blue": "#224376",
		"porcelain": "#fbe3d4", "fair": "#f7d3bb", "peach": "#ebb48e", "golden": "#bd8350", "dark brown": "#7a4a2f", "deep": "#6b4230", "ebony": "#583626",
	}
)

// fillOf is a color as an attribute of a drawing, empty for words that name none.
func fillOf(color string) string {
	color = strings.ToLower(strings.TrimSpace(color))
	if hex, ok := painted[color]; ok {
		return hex
	}
	if hexColor.MatchString(color) {
		return color
	}
	if namedColor.MatchString(color) {
		return strings.ReplaceAll(color, " ", "")
	}
	return ""
}

// otherAttributes are those that no field is for, one a line: "key: value".
func otherAttributes(k Kind, values map[string]any) string {
	var lines []string
	for _, key := range frame.SortedKeys(values) {
		if _, known := k.field(key); !known {
			lines = append(lines, key+": "+attributeText(values[key]))
		}
	}
	return strings.Join(lines, "\n")
}

// readAttributes are the attributes of a form; a field that is empty says nothing.
func readAttributes(ctx context.Context, k Kind, form url.Values) (map[string]any, error) {
	out := map[string]any{}
	for _, f := range k.fields {
		if text := strings.TrimSpace(form.Get(attributePrefix + f.Key)); text != "" {
			out[f.Key] = text
		}
	}
	for _, line := range frame.Lines(form.Get("attributes")) {
		key, value, found := strings.Cut(line, ":")
		if key, value = strings.TrimSpace(key), strings.TrimSpace(value); !found || key == "" || value == "" {
			return nil, frame.Invalid("attributes", t(ctx, "Write one a line, such as “scar: left cheek”."))
		}
		out[key] = value
	}
	return out, nil
}

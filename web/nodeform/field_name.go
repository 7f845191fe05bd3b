package nodeform

import "strings"

// NameInWords turns a field's name into words: "aspectRatio" becomes "Aspect ratio", "values.name" becomes "Name".
func NameInWords(name string) string {
	name = name[strings.LastIndex(name, ".")+1:]
	var b strings.Builder
	for i, c := range name {
		switch {
		case c == '_' || c == '-':
			b.WriteByte(' ')
		case i > 0 && c >= 'A' && c <= 'Z':
			b.WriteString(" " + strings.ToLower(string(c)))
		case i == 0:
			b.WriteString(strings.ToUpper(string(c)))
		default:
			b.WriteRune(c)
		}
	}
	return b.String()
}

// ValueAt reads a field; a dot leads into an object.
func ValueAt(data map[string]any, field string) any {
	if v, ok := data[field]; ok {
		return v
	}
	head, rest, dotted := strings.Cut(field, ".")
	inner, ok := data[head].(map[string]any)
	if !dotted || !ok {
		return nil
	}
	return ValueAt(inner, rest)
}

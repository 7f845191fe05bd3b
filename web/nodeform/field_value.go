package nodeform

import "strings"

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

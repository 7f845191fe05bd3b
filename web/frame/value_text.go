package frame

import (
	"bytes"
	"encoding/json"
	"strings"

	"atelier/jsontext"
	"atelier/web/ui"
)

// ShownJSON is a value as people read it, a line for each entry; of a long one as much as a page shows, and a byte more,
// so that it can tell. It takes time in proportion to what it writes.
func ShownJSON(v any) string {
	t := valueWriter{left: ui.MaxShown + 1}
	t.write(v, 0)
	return t.out.String()
}

// ShownRaw is shownJSON for JSON that was not read yet; what cannot be read is shown as it is.
func ShownRaw(raw json.RawMessage) string {
	var v any
	if jsontext.ReadExact(raw, &v) != nil {
		return string(raw)
	}
	return ShownJSON(v)
}

// ValueText is a value in a list: texts as they are, the rest as JSON.
func ValueText(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	return ShownJSON(v)
}

// Brief is the beginning of a text that stands where there is room for a name.
func Brief(s string) string { return ui.Short(s, 60) }

// valueWriter writes as json.Encoder does with an indent of two blanks, until it has written enough.
type valueWriter struct {
	out  strings.Builder
	left int
}

// full tells whether enough was written.
func (t *valueWriter) full() bool { return t.left == 0 }

func (t *valueWriter) text(s string) {
	if len(s) > t.left {
		s, t.left = s[:t.left], 0
		t.out.WriteString(strings.ToValidUTF8(s, ""))
		return
	}
	t.out.WriteString(s)
	t.left -= len(s)
}

func (t *valueWriter) line(depth int) { t.text("\n" + strings.Repeat("  ", depth)) }

func (t *valueWriter) write(v any, depth int) {
	switch v := v.(type) {
	case map[string]any:
		t.object(v, depth)
	case []any:
		t.list(v, depth)
	case string:
		t.quoted(v)
	default:
		t.text(JSONOf(v))
	}
}

func (t *valueWriter) object(v map[string]any, depth int) {
	switch {
	case v == nil:
		t.text("null")
		return
	case len(v) == 0:
		t.text("{}")
		return
	case depth > jsontext.MaxDepth+8:
		t.text("{…}")
		return
	}
	t.text("{")
	for i, key := range SortedKeys(v) {
		if t.full() {
			return
		}
		if i > 0 {
			t.text(",")
		}
		t.line(depth + 1)
		t.quoted(key)
		t.text(": ")
		t.write(v[key], depth+1)
	}
	t.line(depth)
	t.text("}")
}

func (t *valueWriter) list(v []any, depth int) {
	switch {
	case v == nil:
		t.text("null")
		return
	case len(v) == 0:
		t.text("[]")
		return
	case depth > jsontext.MaxDepth+8:
		t.text("[…]")
		return
	}
	t.text("[")
	for i, item := range v {
		if t.full() {
			return
		}
		if i > 0 {
			t.text(",")
		}
		t.line(depth + 1)
		t.write(item, depth+1)
	}
	t.line(depth)
	t.text("]")
}

// quoted writes a text in quotes; of one that is longer than what is left it reads no more than that.
func (t *valueWriter) quoted(s string) {
	if len(s) > t.left {
		s = s[:t.left]
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(s) // a text is always JSON
	t.text(strings.TrimSuffix(b.String(), "\n"))
}

// MaxOfValue is how much of a value stands where there is room for a line.
const MaxOfValue = 500 // characters

package jsontext

import (
	"encoding/json"
	"math"
	"strconv"
	"unicode/utf8"
)

// Size is how large a value is: its bytes as encoding/json writes it, and how many
// values are in it, itself included.
type Size struct{ Bytes, Values int }

// Add is both sizes together.
func (s Size) Add(other Size) Size { return Size{s.Bytes + other.Bytes, s.Values + other.Values} }

// Beyond tells whether one of the two is larger than a bound.
func (s Size) Beyond(most Size) bool { return s.Bytes > most.Bytes || s.Values > most.Values }

// SizeOf measures a decoded value without writing it, and looks no further once it is
// beyond the bound: what is shared within it counts as often as it would be written.
// Other types than those of decoded JSON count as encoding/json writes them.
func SizeOf(value any, most Size) Size {
	m := measure{most: most}
	m.add(value, 0)
	return m.size
}

type measure struct{ size, most Size }

func (m *measure) add(value any, depth int) {
	m.size.Values++
	if m.size.Beyond(m.most) || depth > 2*MaxDepth {
		return
	}
	switch v := value.(type) {
	case nil:
		m.size.Bytes += len("null")
	case string:
		m.size.Bytes += textSize(v)
	case bool:
		m.size.Bytes += len("false")
	case float64:
		m.size.Bytes += numberSize(v)
	case json.Number:
		m.size.Bytes += len(v)
	case map[string]any:
		m.size.Bytes += 2
		for name, inner := range v {
			m.size.Bytes += textSize(name) + 2
			if m.add(inner, depth+1); m.size.Beyond(m.most) {
				return
			}
		}
	case []any:
		m.size.Bytes += 2
		for _, inner := range v {
			m.size.Bytes++
			if m.add(inner, depth+1); m.size.Beyond(m.most) {
				return
			}
		}
	case []string:
		m.size.Bytes += 2
		m.size.Values += len(v)
		for _, inner := range v {
			m.size.Bytes += textSize(inner) + 1
		}
	default:
		b, err := json.Marshal(v)
		if err == nil {
			m.size.Bytes += len(b)
		}
	}
}

func numberSize(v float64) int {
	format := byte('f')
	if size := math.Abs(v); size != 0 && (size < 1e-6 || size >= 1e21) {
		format = 'e'
	}
	return len(strconv.AppendFloat(make([]byte, 0, 32), v, format, -1, 64))
}

// textSize is how long a text is between its quotation marks, with them.
func textSize(text string) int {
	size := len(text) + 2
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c >= utf8.RuneSelf:
			if c == 0xE2 && i+2 < len(text) && text[i+1] == 0x80 && text[i+2]&^1 == 0xA8 {
				size += 3 // U+2028 and U+2029 are escaped
			}
		case c == '"', c == '\\', c == '\n', c == '\r', c == '\t', c == '\b', c == '\f':
			size++
		case c < ' ', c == '<', c == '>', c == '&':
			size += 5
		}
	}
	return size
}

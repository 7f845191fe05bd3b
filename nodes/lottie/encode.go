package lottie

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"math"
	"slices"
)

// encode writes a document as the library reads it: in one go, so that what a
// thing is comes before the rest of it. It stops soon after MaxDocument.
func encode(b *bytes.Buffer, v any) error {
	if b.Len() > MaxDocument {
		return ErrUnreadable
	}
	switch v := v.(type) {
	case []any:
		b.WriteByte('[')
		for i, item := range v {
			if i > 0 {
				b.WriteByte(',')
			}
			if err := encode(b, item); err != nil {
				return err
			}
		}
		b.WriteByte(']')
	case map[string]any:
		b.WriteByte('{')
		for i, key := range slices.SortedFunc(maps.Keys(v), kindFirst) {
			if i > 0 {
				b.WriteByte(',')
			}
			name, _ := json.Marshal(key)
			b.Write(name)
			b.WriteByte(':')
			if err := encode(b, v[key]); err != nil {
				return err
			}
		}
		b.WriteByte('}')
	default:
		raw, err := json.Marshal(v)
		if err != nil {
			return ErrUnreadable
		}
		b.Write(raw)
	}
	return nil
}

// kindFirst orders keys: the kind, and whether a layer lies in space, which decides
// how its transformation is read, before the others.
func kindFirst(a, b string) int {
	rank := func(key string) int { return slices.Index([]string{"ddd", "ty"}, key) }
	return cmp.Or(rank(b)-rank(a), cmp.Compare(a, b))
}

// whole rounds what the library reads as whole numbers alone.
func whole(fields map[string]any, keys ...string) {
	for _, key := range keys {
		if v, ok := fields[key].(float64); ok {
			fields[key] = math.Round(bounded(v, 1<<30))
		}
	}
}

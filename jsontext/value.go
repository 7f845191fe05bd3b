package jsontext

import (
	"encoding/json"
	"math"
)

// Depth is how many objects and lists of a decoded value lie within each
// other: 0 for a text or a number. It looks no further than one beyond
// MaxDepth, whatever it is given.
func Depth(value any) int { return depthWithin(value, MaxDepth+1) }

func depthWithin(value any, most int) int {
	if most == 0 {
		return 0
	}
	deepest := -1
	switch v := value.(type) {
	case map[string]any:
		deepest = 0
		for _, inner := range v {
			deepest = max(deepest, depthWithin(inner, most-1))
		}
	case []any:
		deepest = 0
		for _, inner := range v {
			deepest = max(deepest, depthWithin(inner, most-1))
		}
	}
	return deepest + 1
}

// Plain is a copy of a decoded value in the types of encoding/json: numbers are
// float64 as everywhere where JSON is read, so that what is kept can be read
// again. Whole numbers of Go stay what they are. What nests too deep is
// ErrTooDeep, a number that is none in JSON ErrNumber.
func Plain(value any) (any, error) { return plain(value, 0) }

func plain(value any, depth int) (any, error) {
	switch v := value.(type) {
	case map[string]any:
		if depth == MaxDepth {
			return nil, ErrTooDeep
		}
		if v == nil {
			return v, nil
		}
		copied := make(map[string]any, len(v))
		for key, inner := range v {
			made, err := plain(inner, depth+1)
			if err != nil {
				return nil, err
			}
			copied[key] = made
		}
		return copied, nil
	case []any:
		if depth == MaxDepth {
			return nil, ErrTooDeep
		}
		if v == nil {
			return v, nil
		}
		copied := make([]any, len(v))
		for i, inner := range v {
			made, err := plain(inner, depth+1)
			if err != nil {
				return nil, err
			}
			copied[i] = made
		}
		return copied, nil
	case json.Number:
		f, ok := number(v)
		if !ok {
			return nil, ErrNumber
		}
		return f, nil
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, ErrNumber
		}
	}
	return value, nil
}

// number is a JSON number as a float64; one beyond its range is none.
func number(n json.Number) (float64, bool) {
	f, err := n.Float64()
	return f, err == nil && !math.IsNaN(f) && !math.IsInf(f, 0)
}

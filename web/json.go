package web

import (
	"encoding/json"
	"maps"
	"slices"
)

// jsonOf is a value as compact JSON.
func jsonOf(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return string(b)
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

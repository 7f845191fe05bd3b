package nodegraph

import (
	"encoding/json"
	"reflect"
)

// normal is a value as JSON reads it back, so that 1, 1.0 and json.Number
// compare alike.
func normal(value any) any {
	b, err := json.Marshal(value)
	if err != nil {
		return value
	}
	var back any
	if err := json.Unmarshal(b, &back); err != nil {
		return value
	}
	return back
}

// SameJSON tells whether two values are the same JSON value.
func SameJSON(a, b any) bool {
	// What no one changed is the same at a glance.
	return reflect.DeepEqual(a, b) || reflect.DeepEqual(normal(a), normal(b))
}

func isNumber(value any) bool { _, ok := plainNumber(value); return ok }

func plainNumber(value any) (float64, bool) {
	n, ok := normal(value).(float64)
	return n, ok
}

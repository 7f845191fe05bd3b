//go:build !race

package nodegraph

import (
	"strings"
	"syscall"
	"testing"
	"time"

	"atelier/models"
)

// wantError checks a refusal's code and a part of its message.
func wantError(t *testing.T, err error, code models.Code, part string) {
	t.Helper()
	refusal, known := models.AsError(err)
	if err == nil || !known || refusal.Code != code || !strings.Contains(refusal.Message, part) {
		t.Fatalf("got %v, want %s with %q", err, code, part)
	}
}

func node(id, kind string, data map[string]any) *Node {
	return &Node{ID: id, Type: kind, Data: data}
}

func group(id string) *Node { return node(id, "group", nil) }

func within(n *Node, group string) *Node {
	n.ParentID = &group
	return n
}

func mapped(n *Node, field, source string) *Node {
	n.Data["fieldMappings"] = map[string]any{field: map[string]any{"nodeId": source, "output": "text"}}
	return n
}

func text(id, value string) *Node {
	return &Node{ID: id, Type: "text", Data: map[string]any{"text": value}}
}

func combine(id string) *Node {
	return &Node{ID: id, Type: "combine-text", Data: map[string]any{"separator": "+"}}
}

func edge(source, target string) *Edge {
	return &Edge{ID: source + ">" + target, Source: source, Target: target}
}

func handle(e *Edge, source, target string) *Edge {
	if source != "" {
		e.SourceHandle = &source
	}
	if target != "" {
		e.TargetHandle = &target
	}
	return e
}

// plan is a motion plan with one slot of each kind.
func plan3() map[string]any {
	return map[string]any{
		"animation": map[string]any{"w": 100.0, "h": 100.0, "fr": 30.0, "ip": 0.0, "op": 60.0, "layers": []any{}},
		"slots": map[string]any{
			"headline": map[string]any{"type": "text", "value": "Hello"},
			"accent":   map[string]any{"type": "color", "value": []any{1.0, 0.0, 0.0, 1.0}},
			"size":     map[string]any{"type": "number", "value": 10.0},
		},
		"slotValues": map[string]any{},
	}
}

func override(id, field string, value any) map[string]any {
	return map[string]any{id: map[string]any{field: value}}
}

// longPaths are names beyond the bounds: parts, characters, and as many parts
// as once filled the stack of the one who encoded the data.
var longPaths = map[string]string{
	"eleven parts":         "values" + strings.Repeat(".a", 10),
	"201 characters":       "values." + strings.Repeat("ü", 194),
	"a million parts":      "values" + strings.Repeat(".a", 1_200_000),
	"two million in a key": strings.Repeat("a", 2_000_000),
	"a long slot":          "slot:" + strings.Repeat("a", 200),
}

// nested are lists within each other, an object at their heart.
func nested(depth int) any {
	value := any(map[string]any{})
	for range depth - 1 {
		value = map[string]any{"a": value}
	}
	return value
}

// processorTime is what this process has used: it does not grow while others have the machine.
func processorTime(t *testing.T) time.Duration {
	t.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		t.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

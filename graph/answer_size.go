package graph

import (
	"encoding/json"

	"atelier/models/flow"
	"atelier/models/nodegraph"
	"atelier/models/run"
)

// sizeOf is about how many bytes of JSON a value is by itself; objects whose
// fields are counted one by one are nothing.
func sizeOf(value any) int {
	switch v := value.(type) {
	case string:
		return sizeOfText(v)
	case *string:
		if v == nil {
			return 4
		}
		return sizeOfText(*v)
	case json.RawMessage:
		return len(v)
	case map[string]any:
		return sizeOfMap(v)
	case []any:
		return sizeOfAll(v)
	case []string:
		return sizeOfAll(v)
	case []json.RawMessage:
		return sizeOfAll(v)
	case []map[string]any:
		return sizeOfAll(v)
	case *flow.Version:
		if v != nil {
			return sizeOfGraph(v.Nodes)
		}
	case *flow.App:
		if v != nil {
			return sizeOfGraph(v.Latest.Nodes)
		}
	case *run.Execution:
		if v != nil {
			return sizeOfGraph(v.Nodes)
		}
	case []*run.NodeState:
		return sizeOfStates(v)
	}
	return 8
}

func sizeOfAll[T any](list []T) (size int) {
	for _, value := range list {
		size += sizeOf(value) + 1
	}
	return size
}

func sizeOfMap(object map[string]any) (size int) {
	for key, value := range object {
		size += sizeOfText(key) + sizeOf(value) + 2
	}
	return size
}

func sizeOfGraph(nodes nodegraph.Nodes) (size int) {
	for _, node := range nodes {
		size += sizeOfMap(node.Data)
	}
	return size
}

func sizeOfStates(states []*run.NodeState) (size int) {
	for _, state := range states {
		size += sizeOfMap(state.Output)
	}
	return size
}

// sizeOfText counts what JSON escapes at its length there.
func sizeOfText(text string) int {
	size := len(text) + 2
	for i := range len(text) {
		switch c := text[i]; {
		case c == '"' || c == '\\' || c == '\n' || c == '\r' || c == '\t':
			size++
		case c < ' ' || c == '<' || c == '>' || c == '&':
			size += 5
		}
	}
	return size
}

package nodegraph

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"atelier/nodes"
	"atelier/nodes/kit"
)

// namesLibrary tells whether a field, or a part of it, names things of the library. Such a field is
// fed by nothing: what it names is looked up when a run is accepted.
func namesLibrary(kind *kit.Node, field string) bool {
	if kind.Type == ComponentType {
		return namesLibraryInside(field)
	}
	name := head(field)
	name, _, _ = strings.Cut(name, "[")
	return kind.LibraryKind(name) != ""
}

// libraryFields are the names of all fields, of any type, that name things of the library.
var libraryFields = func() map[string]bool {
	names := map[string]bool{}
	for _, kind := range nodes.Known() {
		for _, p := range kind.InputSchema.Properties {
			if kind.LibraryKind(p.Name) != "" {
				names[p.Name] = true
			}
		}
	}
	return names
}()

// namesLibraryInside tells whether a path into a component's inputs ends in a field that names things of the library.
func namesLibraryInside(path string) bool {
	rest, inside := strings.CutPrefix(path, "inputs.")
	if !inside {
		return false
	}
	last := rest[strings.LastIndexByte(rest, '.')+1:]
	last, _, _ = strings.Cut(last, "[")
	return libraryFields[last]
}

// KeepsNames refuses nodes of a component into which the outer workflow fed other things of the library
// than its author set: they are looked up when the run is accepted.
func KeepsNames(before, after Nodes) error {
	for i, node := range after {
		kind, ok := nodes.Find(node.Type)
		if !ok {
			continue
		}
		for _, p := range kind.InputSchema.Properties {
			if kind.LibraryKind(p.Name) != "" && !reflect.DeepEqual(normal(before[i].Data[p.Name]), normal(node.Data[p.Name])) {
				return &kit.Failure{
					Message: fmt.Sprintf("What is fed into the component would change %s of node %s of its workflow", p.Name, node.ID),
					Hint:    "What a node uses of the library is set in the inner workflow.",
				}
			}
		}
	}
	return nil
}

// Handles finds the @handles that the texts of nodes may come to hold: their own, and of a text
// that is fed those that stand anywhere in the nodes before it.
type Handles struct {
	plan *Plan
	own  map[string][]string
}

// HandlesIn looks at the nodes of a plan.
func HandlesIn(plan *Plan) *Handles { return &Handles{plan, map[string][]string{}} }

// maxHandles bounds the handles that are looked up for one node.
const maxHandles = 20

// Of are the handles for one node, without the @, at most 20.
func (h *Handles) Of(node *Node) []string {
	kind, ok := nodes.Find(node.Type)
	if !ok || !kind.ShowsElements() {
		return nil
	}
	var found []string
	for _, text := range kind.TextsWithHandles(node.Data) {
		found = append(found, kit.Handles(text)...)
	}
	if slices.ContainsFunc(h.plan.Feeds[node.ID], func(f Feed) bool { return kind.HandleField(f.Field) }) {
		for _, id := range h.ancestors(node.ID) {
			found = append(found, h.within(id)...)
		}
	}
	return firstOf(found, maxHandles)
}

// ancestors are all nodes before a node, at however many steps, the nearest first.
func (h *Handles) ancestors(id string) []string {
	seen := map[string]bool{id: true}
	var found []string
	for open := []string{id}; len(open) > 0; open = open[1:] {
		for _, before := range h.plan.Before(open[0]) {
			if !seen[before] {
				seen[before] = true
				found, open = append(found, before), append(open, before)
			}
		}
	}
	return found
}

// within are the handles in any text of a node.
func (h *Handles) within(id string) []string {
	found, known := h.own[id]
	if !known {
		found = HandlesInData(h.plan.Nodes[id].Data)
		h.own[id] = found
	}
	return found
}

// HandlesInData are the handles in any text of a value, at most 20.
func HandlesInData(value any) (found []string) {
	switch value := value.(type) {
	case string:
		if strings.Contains(value, "@") {
			found = kit.Handles(value)
		}
	case []any:
		for _, item := range value {
			found = append(found, HandlesInData(item)...)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(value)) {
			found = append(found, HandlesInData(value[name])...)
		}
	case Data:
		return HandlesInData(map[string]any(value))
	}
	return firstOf(found, maxHandles)
}

func firstOf(words []string, most int) (kept []string) {
	for _, word := range words {
		if len(kept) < most && !slices.Contains(kept, word) {
			kept = append(kept, word)
		}
	}
	return kept
}

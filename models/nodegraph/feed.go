package nodegraph

import (
	"maps"
	"slices"

	"atelier/models"
	"atelier/nodes"
	"atelier/nodes/kit"
)

// Feed is one value that flows: an output of Source into Field of Target. It
// comes from an edge or from a field mapping. Field is empty when the target
// is a group.
type Feed struct {
	Source, Output string // Output is empty for the source's main output
	Target, Field  string
}

// Touches tells whether the feed sets a field of its target, or what lies above or below it.
func (f Feed) Touches(field string) bool { return touches([]string{field}, f.Field) }

// Feeds lists every flow of a graph: edges in their order, then field mappings.
func Feeds(all Nodes, edges Edges) []Feed {
	byID := make(map[string]*Node, len(all))
	for _, n := range all {
		byID[n.ID] = n
	}
	feeds := make([]Feed, 0, len(edges))
	for _, e := range edges {
		feed := Feed{Source: e.Source, Target: e.Target}
		if e.SourceHandle != nil {
			feed.Output = *e.SourceHandle
		}
		if target := byID[e.Target]; target != nil && target.Type != groupType {
			feed.Field = targetField(e, target)
		}
		feeds = append(feeds, feed)
	}
	for _, n := range all {
		mappings, _ := readMappings(n)
		for _, m := range mappings {
			feeds = append(feeds, Feed{Source: m.NodeID, Output: m.Output, Target: n.ID, Field: m.Field})
		}
	}
	return feeds
}

// targetField is the input that an edge feeds: its targetHandle, else the main input.
func targetField(e *Edge, target *Node) string {
	if e.TargetHandle != nil && *e.TargetHandle != "" {
		return *e.TargetHandle
	}
	if kind, ok := nodes.Find(target.Type); ok {
		return kind.MainInput
	}
	return ""
}

// mapping is an entry of data.fieldMappings: an output that feeds a field
// without a drawn edge.
type mapping struct {
	Field, NodeID, Output string
}

// checkPaths bounds the names of the field and of the output.
func (m mapping) checkPaths(at string) error {
	if err := checkPath(at, m.Field); err != nil || m.Output == "" {
		return err
	}
	return checkPath(at+".output", m.Output)
}

// readMappings reads data.fieldMappings, { <field>: { nodeId, output } }, in
// the order of the field names.
func readMappings(n *Node) ([]mapping, error) {
	raw, ok := n.Data["fieldMappings"]
	if !ok || raw == nil {
		return nil, nil
	}
	prefix := "nodes." + n.ID + ".data.fieldMappings"
	entries, ok := raw.(map[string]any)
	if !ok {
		return nil, models.Invalid(prefix, "must be an object")
	}
	var mappings []mapping
	for _, field := range slices.Sorted(maps.Keys(entries)) {
		if entries[field] == nil {
			continue
		}
		entry, _ := entries[field].(map[string]any)
		nodeID, ok := entry["nodeId"].(string)
		if !ok {
			return nil, models.Invalid(prefix+"."+field+".nodeId", "must be the id of a node")
		}
		output, isText := entry["output"].(string)
		if entry["output"] != nil && !isText {
			return nil, models.Invalid(prefix+"."+field+".output", "must be the name of an output")
		}
		mappings = append(mappings, mapping{Field: field, NodeID: nodeID, Output: output})
	}
	return mappings, nil
}

// inputs tells which fields of nodes can be fed or set; it reads the parameters of each
// node once.
type inputs struct {
	kinds      *nodes.Catalogue
	parameters map[*Node]map[string]bool
}

func inputsOf(kinds *nodes.Catalogue) *inputs {
	return &inputs{kinds, map[*Node]map[string]bool{}}
}

// has tells whether a field can be fed or set: a property of the node type (a dotted
// path into an object), a slot of a motion node, or one of the node's own parameters.
func (in *inputs) has(n *Node, field string) bool {
	if name, ok := slotName(field); ok {
		_, known := slotOf(n, name)
		return known
	}
	kind, ok := in.kinds.Find(n.Type)
	return ok && (hasProperty(kind.InputSchema, field) || in.isParameter(n, field))
}

func (in *inputs) isParameter(n *Node, field string) bool {
	names, known := in.parameters[n]
	if !known {
		names = map[string]bool{}
		for _, name := range parameterNames(n) {
			names[name] = true
		}
		in.parameters[n] = names
	}
	return names[field]
}

// hasProperty follows a path through a schema: what it says nothing about may
// hold anything, and so may an object without properties.
func hasProperty(schema kit.Schema, name string) bool {
	path, err := parsePath(name)
	if err != nil {
		return false
	}
	for i, part := range path {
		p, ok := schema.Properties.Find(part)
		switch {
		case !ok:
			return schema.Additional != nil && part != ""
		case i == len(path)-1 || p.Schema.Type == "":
			return true
		case p.Schema.Type != "object":
			return false
		case len(p.Schema.Properties) == 0:
			return true
		}
		schema = p.Schema
	}
	return false
}

// parameterNames are the parameters that a trigger or an outbound node declares.
func parameterNames(n *Node) []string {
	list, _ := n.Data["parameters"].([]any)
	var names []string
	for _, item := range list {
		entry, _ := item.(map[string]any)
		if name, ok := entry["name"].(string); ok {
			names = append(names, name)
		}
	}
	return names
}

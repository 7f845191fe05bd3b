// Package graphtest writes the small graphs of tests.
package graphtest

import "atelier/models/nodegraph"

// Node is a node of a type with its settings.
func Node(id, nodeType string, data map[string]any) *nodegraph.Node {
	return &nodegraph.Node{ID: id, Type: nodeType, Data: data}
}

// Text is a node that puts out a text.
func Text(id, value string) *nodegraph.Node {
	return Node(id, "text", map[string]any{"text": value})
}

// Combine is a node that joins the texts which reach it.
func Combine(id string) *nodegraph.Node {
	return Node(id, "combine-text", map[string]any{"separator": "+"})
}

// Edge leads from one node to another.
func Edge(source, target string) *nodegraph.Edge {
	return &nodegraph.Edge{ID: source + ">" + target, Source: source, Target: target}
}

// Handle names the ends of an edge; an empty name leaves an end as it is.
func Handle(e *nodegraph.Edge, source, target string) *nodegraph.Edge {
	if source != "" {
		e.SourceHandle = &source
	}
	if target != "" {
		e.TargetHandle = &target
	}
	return e
}

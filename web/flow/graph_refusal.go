package flow

import (
	"errors"
	"strings"

	"atelier/web/frame"
	"atelier/web/nodeform"
	"atelier/web/query"
)

// graphRefusal makes a refusal of a node or an edge one of the field "graph"; its message names node and field.
func graphRefusal(err error) error {
	var e *frame.Error
	if !errors.As(err, &e) || !strings.HasPrefix(e.Field, "nodes") && !strings.HasPrefix(e.Field, "edges") {
		return err
	}
	out := *e
	out.Field, out.Message = "graph", frame.About(graphPlace(e.Field), e.Message)
	return &out
}

// graphPlace says "Node sky, width" for "nodes.sky.data.width".
func graphPlace(field string) string {
	parts := strings.SplitN(field, ".", 3)
	if len(parts) < 3 {
		return field
	}
	return map[string]string{"nodes": "Node ", "edges": "Connection "}[parts[0]] + parts[1] + ", " + strings.TrimPrefix(parts[2], "data.")
}

// warningText says what a run would fail at: "Reference picture of Generate image got a text, it takes a picture".
func warningText(p query.GraphProblem, nodes []query.FlowNode, k nodeform.Kinds) string {
	if p.NodeId == nil {
		return sentence(p.Message)
	}
	kind := ""
	for _, n := range nodes {
		if n.Id == *p.NodeId {
			kind = n.Type
		}
	}
	field := strings.TrimPrefix(p.Field, "nodes."+*p.NodeId+".data.")
	name := frame.Or(nodeform.NodeNames(nodes, k)[*p.NodeId], *p.NodeId)
	return frame.Brief(k.FieldLabel(kind, field)) + " of " + name + " " + p.Message
}

// problemText names node and field as the forms do: "Resize image, Width: must be at most 4096."
func problemText(p query.GraphProblem, nodes []query.FlowNode, k nodeform.Kinds) string {
	text := sentence(strings.TrimPrefix(p.Message, p.Field+" "))
	if p.NodeId == nil {
		return text
	}
	name, kind := nodeform.NodeNames(nodes, k)[*p.NodeId], ""
	for _, n := range nodes {
		if n.Id == *p.NodeId {
			kind = n.Type
		}
	}
	if name == "" {
		name = *p.NodeId
	}
	if field, ok := strings.CutPrefix(p.Field, "nodes."+*p.NodeId+".data."); ok {
		name += ", " + frame.Brief(k.FieldLabel(kind, field))
	}
	return name + ": " + text
}

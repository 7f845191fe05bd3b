package flow

import (
	"context"
	"errors"
	"regexp"
	"strings"

	"atelier/web/frame"
	"atelier/web/locale"
	"atelier/web/nodeform"
	"atelier/web/query"
)

// graphRefusal makes a refusal of a node or an edge one of the field "graph"; its message names node and field.
func graphRefusal(ctx context.Context, err error) error {
	var e *frame.Error
	if !errors.As(err, &e) || !strings.HasPrefix(e.Field, "nodes") && !strings.HasPrefix(e.Field, "edges") {
		return err
	}
	out := *e
	out.Field, out.Message = "graph", frame.AboutField(ctx, graphPlace(ctx, e.Field), e)
	return &out
}

// graphPlace says "Node sky, width" for "nodes.sky.data.width".
func graphPlace(ctx context.Context, field string) string {
	parts := strings.SplitN(field, ".", 3)
	if len(parts) < 3 {
		return field
	}
	inner := strings.TrimPrefix(parts[2], "data.")
	if parts[0] == "edges" {
		return t(ctx, "Connection %s, %s", parts[1], inner)
	}
	return t(ctx, "Node %s, %s", parts[1], inner)
}

// warningText says what a run would fail at: "Reference picture of Generate image got a text, it takes a picture".
func warningText(ctx context.Context, p query.GraphProblem, nodes []query.FlowNode, k nodeform.Kinds) string {
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
	label := frame.Brief(k.FieldLabel(kind, field))
	if p.Message == emptyField {
		return t(ctx, "%s of %s is empty: fill it in, or connect something to it", label, name)
	}
	if found := gotOther.FindStringSubmatch(p.Message); found != nil {
		return t(ctx, "%s of %s got %s, it takes %s", label, name, fileWord(ctx, found[1]), fileWord(ctx, found[2]))
	}
	place := tc(ctx, "field and node", "%s of %s", label, name)
	if said, known := frame.PredicateIn(ctx, p.Message, place); known {
		return said
	}
	return place + " " + p.Message
}

// What the service warns of.
const emptyField = "is empty: fill it in, or connect something to it"

var gotOther = regexp.MustCompile(`^got (a \w+), it takes (a \w+)$`)

// fileWord is a kind of value in the reader's language, as the object of a sentence.
func fileWord(ctx context.Context, said string) string {
	switch said {
	case "a picture":
		return tc(ctx, "object", "a picture")
	case "a video":
		return tc(ctx, "object", "a video")
	case "a sound":
		return tc(ctx, "object", "a sound")
	case "a text":
		return tc(ctx, "object", "a text")
	}
	return said
}

// problemText names node and field as the forms do: "Resize image, Width must be at most 4096."
func problemText(ctx context.Context, p query.GraphProblem, nodes []query.FlowNode, k nodeform.Kinds) string {
	rest := strings.TrimPrefix(p.Message, p.Field+" ")
	if p.NodeId == nil {
		if said, known := frame.PredicateIn(ctx, rest, t(ctx, "The workflow")); known {
			return said
		}
		return sentence(rest)
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
	if said, known := frame.PredicateIn(ctx, rest, name); known {
		return said
	}
	return locale.Labelled(ctx, name, sentence(rest))
}

package flow

import (
	"context"
	"net/url"
	"regexp"
	"slices"

	"atelier/web/frame"
	"atelier/web/nodeform"
	"atelier/web/query"
)

// addNode adds a node of a kind to the end, fed by another one where that was chosen.
func addNode(ctx context.Context, g *graphText, flow query.WorkflowHead, k nodeform.Kinds, values url.Values) (said, to string, err error) {
	kind, known := k[values.Get("type")]
	if !known {
		return "", "", frame.Invalid("type", t(ctx, "Choose what the node does."))
	}
	id := freeID(kind.Type, func(id string) bool { _, err := g.at(id); return err == nil })
	node := query.WorkflowNodeInput{Id: id, Type: kind.Type, Position: g.beside(), Data: &map[string]any{}}
	g.Nodes = append(g.Nodes, node)
	if source := values.Get("source"); source != "" {
		if _, err := g.at(source); err != nil {
			return "", "", err
		}
		g.connect(source, id, "", "")
	}
	return t(ctx, "%s is added.", kind.Label), nodeHref(flow.Id, id), nil
}

// beside is a place to the right of everything; none while nothing has a place.
func (g graphText) beside() *query.PositionInput {
	var right *query.PositionInput
	for _, n := range g.Nodes {
		if n.Position != nil && (right == nil || n.Position.X > right.X) {
			right = n.Position
		}
	}
	if right == nil {
		return nil
	}
	return &query.PositionInput{X: right.X + 260, Y: right.Y}
}

// connect adds an edge; without a field it feeds the main input.
func (g *graphText) connect(source, target, field, output string) {
	edge := query.WorkflowEdgeInput{Source: source, Target: target}
	edge.Id = freeID("e", func(id string) bool {
		return slices.ContainsFunc(g.Edges, func(e query.WorkflowEdgeInput) bool { return e.Id == id })
	})
	if field != "" {
		edge.TargetHandle = &field
	}
	if output != "" {
		edge.SourceHandle = &output
	}
	g.Edges = append(g.Edges, edge)
}

// connectNode lets another node feed a field; what fed it before, unless it is a list, does no more.
func connectNode(ctx context.Context, g *graphText, flow query.WorkflowHead, k nodeform.Kinds, values url.Values) (said, to string, err error) {
	id, source, field := values.Get("node"), values.Get("source"), values.Get("field")
	i, err := g.at(id)
	if err != nil {
		return "", "", err
	}
	if _, err := g.at(source); err != nil {
		return "", "", frame.Invalid("source", t(ctx, "Choose what feeds it."))
	}
	kind := k[g.Nodes[i].Type]
	if described, _ := k.Field(kind.Type, frame.Or(field, kind.MainInput)); described.Type != "array" {
		g.unfeed(i, frame.Or(field, kind.MainInput), kind.MainInput)
	}
	if field == kind.MainInput {
		field = ""
	}
	g.connect(source, id, field, values.Get("output"))
	return t(ctx, "It is connected."), nodeHref(flow.Id, id), nil
}

// unfeed takes away what feeds a field of a node, drawn or mapped.
func (g *graphText) unfeed(node int, field, main string) {
	g.Edges = slices.DeleteFunc(g.Edges, func(e query.WorkflowEdgeInput) bool {
		return e.Target == g.Nodes[node].Id && frame.Or(frame.Value(e.TargetHandle), main) == field
	})
	g.unmap(node, field)
}

func (g *graphText) unmap(node int, field string) {
	data := g.Nodes[node].Data
	if data == nil {
		return
	}
	mappings, _ := (*data)["fieldMappings"].(map[string]any)
	if delete(mappings, field); mappings != nil && len(mappings) == 0 {
		delete(*data, "fieldMappings")
	}
}

// disconnectNode takes one connection away, by the id of its edge or, when it is mapped, by its field.
func disconnectNode(ctx context.Context, g *graphText, flow query.WorkflowHead, _ nodeform.Kinds, values url.Values) (said, to string, err error) {
	id := values.Get("node")
	i, err := g.at(id)
	if err != nil {
		return "", "", err
	}
	before := len(g.Edges)
	g.Edges = slices.DeleteFunc(g.Edges, func(e query.WorkflowEdgeInput) bool { return e.Target == id && e.Id == values.Get("edge") })
	if len(g.Edges) == before {
		g.unmap(i, values.Get("field"))
	}
	return t(ctx, "It is disconnected."), nodeHref(flow.Id, id), nil
}

// moveNode changes places with the node before or behind it in the workflow's order.
func moveNode(ctx context.Context, g *graphText, flow query.WorkflowHead, _ nodeform.Kinds, values url.Values) (said, to string, err error) {
	i, err := g.at(values.Get("node"))
	if err != nil {
		return "", "", err
	}
	j := i + 1
	if values.Get("by") == "up" {
		j = i - 1
	}
	if j >= 0 && j < len(g.Nodes) {
		g.Nodes[i], g.Nodes[j] = g.Nodes[j], g.Nodes[i]
	}
	return t(ctx, "It is moved."), "/workflows/" + flow.Id + "/nodes", nil
}

// removeNode takes a node away, with what it feeds and what feeds it. Nodes of a group that goes stay.
func removeNode(ctx context.Context, g *graphText, flow query.WorkflowHead, _ nodeform.Kinds, values url.Values) (said, to string, err error) {
	id := values.Get("node")
	i, err := g.at(id)
	if err != nil {
		return "", "", err
	}
	g.Nodes = slices.Delete(g.Nodes, i, i+1)
	g.Edges = slices.DeleteFunc(g.Edges, func(e query.WorkflowEdgeInput) bool { return e.Source == id || e.Target == id })
	for n := range g.Nodes {
		if frame.Value(g.Nodes[n].ParentId) == id {
			g.Nodes[n].ParentId = nil
		}
		g.unmapSource(n, id)
	}
	return t(ctx, "The node is removed. The page of versions brings it back."), "/workflows/" + flow.Id + "/nodes", nil
}

func (g *graphText) unmapSource(node int, source string) {
	if g.Nodes[node].Data == nil {
		return
	}
	mappings, _ := (*g.Nodes[node].Data)["fieldMappings"].(map[string]any)
	for field, m := range mappings {
		if one, _ := m.(map[string]any); one["nodeId"] == source {
			g.unmap(node, field)
		}
	}
}

// setFields saves the fields of a node as its form has them: what is emptied is unset, what is not in the form stays.
func setFields(ctx context.Context, g *graphText, flow query.WorkflowHead, k nodeform.Kinds, values url.Values) (said, to string, err error) {
	id := values.Get("node")
	i, err := g.at(id)
	if err != nil {
		return "", "", err
	}
	if g.Nodes[i].Data == nil {
		g.Nodes[i].Data = &map[string]any{}
	}
	data := *g.Nodes[i].Data
	saved := flow.Nodes[slices.IndexFunc(flow.Nodes, func(n query.FlowNode) bool { return n.Id == id })]
	for _, c := range viewNode(ctx, flow, saved, k).Controls {
		value, changed, err := c.Read(ctx, values)
		if err != nil {
			return "", "", err
		}
		if changed {
			nodeform.SetAt(data, c.Field, value)
		}
	}
	setOrDelete(data, "label", values.Get("label"))
	delete(data, "holdForReview")
	if values.Get("holdForReview") != "" {
		data["holdForReview"] = true
	}
	return t(ctx, "The node is saved."), nodeHref(flow.Id, id), nil
}

func setOrDelete(data map[string]any, name, text string) {
	if delete(data, name); text != "" {
		data[name] = text
	}
}

var placeholder = regexp.MustCompile(`\{\{\s*([A-Za-z0-9_-]{1,100})\s*\}\}`)

// placeholdersOf are the names that the texts of a node ask for as {{name}}, when its kind has named values.
func placeholdersOf(n query.FlowNode, k nodeform.Kinds) []string {
	if _, ok := k.Field(n.Type, "values"); !ok {
		return nil
	}
	var names []string
	for _, key := range frame.SortedKeys(n.Data) {
		words, _ := n.Data[key].(string)
		for _, found := range placeholder.FindAllStringSubmatch(words, -1) {
			if !slices.Contains(names, found[1]) {
				names = append(names, found[1])
			}
		}
	}
	return names
}

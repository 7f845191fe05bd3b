package flow

import (
	"reflect"

	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"
)

// differences are what the two versions do not share: name, description, and node by node.
func differences(now query.WorkflowHead, mine query.UpdateWorkflowInput) []ui.Change {
	var out []ui.Change
	add := func(name, theirs, yours string) {
		if theirs != yours {
			out = append(out, ui.Change{Name: name, Before: theirs, After: yours})
		}
	}
	add("Name", now.Name, frame.Value(mine.Name))
	add("Description", now.Description, frame.Value(mine.Description))
	theirs, yours := map[string]string{}, map[string]string{}
	var order []string
	for _, n := range now.Nodes {
		theirs[n.Id] = nodeJSON(n.Type, n.Data)
		order = append(order, n.Id)
	}
	for _, n := range mine.Nodes {
		var data map[string]any
		if n.Data != nil {
			data = *n.Data
		}
		if yours[n.Id] = nodeJSON(n.Type, data); theirs[n.Id] == "" {
			order = append(order, n.Id)
		}
	}
	for _, id := range order {
		add("Node "+id, theirs[id], yours[id])
	}
	if edges := edgeInputs(now.Edges); !reflect.DeepEqual(edges, append([]query.WorkflowEdgeInput{}, mine.Edges...)) {
		add("Connections", frame.PlainJSON(edges), frame.PlainJSON(mine.Edges))
	}
	return out
}

func nodeJSON(nodeType string, data map[string]any) string {
	if data == nil {
		data = map[string]any{}
	}
	return nodeType + " " + frame.PlainJSON(data)
}

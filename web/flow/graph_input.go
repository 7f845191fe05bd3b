package flow

import "atelier/web/query"

func edgeInputs(edges []query.FlowEdge) []query.WorkflowEdgeInput {
	out := []query.WorkflowEdgeInput{}
	for _, e := range edges {
		out = append(out, query.WorkflowEdgeInput(e))
	}
	return out
}

func nodeInputs(nodes []query.FlowNode) []query.WorkflowNodeInput {
	out := []query.WorkflowNodeInput{}
	for _, n := range nodes {
		in := query.WorkflowNodeInput{Id: n.Id, Type: n.Type, ParentId: n.ParentId, Data: &n.Data}
		if n.Position != nil {
			in.Position = &query.PositionInput{X: n.Position.X, Y: n.Position.Y}
		}
		out = append(out, in)
	}
	return out
}

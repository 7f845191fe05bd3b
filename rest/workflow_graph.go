package rest

import "atelier/models/nodegraph"

// nodeView is a node as clients send and see it.
type nodeView struct {
	ID       string         `json:"id"`
	Type     string         `json:"type"`
	ParentID *string        `json:"parentId,omitempty"`
	Position *positionView  `json:"position,omitempty"`
	Data     map[string]any `json:"data,omitempty"`
}

type positionView struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
}

// edgeView is an edge as clients send and see it.
type edgeView struct {
	ID           string  `json:"id"`
	Source       string  `json:"source"`
	Target       string  `json:"target"`
	SourceHandle *string `json:"sourceHandle,omitempty"`
	TargetHandle *string `json:"targetHandle,omitempty"`
}

// shownNode is a node in an answer: its data is always there.
type shownNode struct {
	ID       string         `json:"id"`
	Type     string         `json:"type"`
	ParentID *string        `json:"parentId,omitempty"`
	Position *positionView  `json:"position,omitempty"`
	Data     map[string]any `json:"data"`
}

func viewNode(n *nodegraph.Node) shownNode {
	view := shownNode{ID: n.ID, Type: n.Type, ParentID: n.ParentID, Data: n.Data}
	if n.Position != nil {
		view.Position = &positionView{X: n.Position.X, Y: n.Position.Y}
	}
	if view.Data == nil {
		view.Data = map[string]any{}
	}
	return view
}

func viewEdge(e *nodegraph.Edge) edgeView {
	return edgeView{ID: e.ID, Source: e.Source, Target: e.Target, SourceHandle: e.SourceHandle, TargetHandle: e.TargetHandle}
}

func readNode(n nodeView) *nodegraph.Node {
	node := &nodegraph.Node{ID: n.ID, Type: n.Type, ParentID: n.ParentID, Data: n.Data}
	if n.Position != nil {
		node.Position = &nodegraph.Position{X: n.Position.X, Y: n.Position.Y}
	}
	return node
}

func readEdge(e edgeView) *nodegraph.Edge {
	return &nodegraph.Edge{ID: e.ID, Source: e.Source, Target: e.Target, SourceHandle: e.SourceHandle, TargetHandle: e.TargetHandle}
}

package ui

import (
	"context"
	"strconv"
	"unicode/utf8"

	"atelier/web/locale"
)

// GraphNode is a box of a workflow graph. State is a word of the engine: "waiting", "running", "completed",
// "failed", "skipped" or empty outside a run. Type is what it does, or was told. Detail stands in its place: "922 ms · 2 cr". X and Y are used
// when any node has them.
type GraphNode struct {
	ID     string
	Label  string
	Type   string
	State  string
	Detail string
	X, Y   float64
}

// room is how many characters the second line has beside the state.
func (n GraphNode) room(state string) int {
	if n.State == "" {
		return 27
	}
	return min(16, 25-utf8.RuneCountInString(state))
}

// GraphEdge leads from a node to another, by id.
type GraphEdge struct{ From, To string }

// GraphProps is the picture of a workflow.
type GraphProps struct {
	ID    string
	Title string
	Nodes []GraphNode
	Edges []GraphEdge
}

const (
	nodeWidth, nodeHeight = 204.0, 60.0 // type and state stand beside each other
	nodeGapX, nodeGapY    = 40.0, 24.0
	graphPad              = 12.0
	backDrop              = 36.0 // how far an edge that leads back hangs below its boxes
)

// layout returns a position per node, and the size of the drawing.
func (p GraphProps) layout() (at map[string][2]float64, w, h float64) {
	at = map[string][2]float64{}
	if p.placed() {
		p.given(at)
	} else {
		p.layers(at)
	}
	for _, xy := range at {
		w, h = max(w, xy[0]+nodeWidth), max(h, xy[1]+nodeHeight)
	}
	for _, e := range p.Edges {
		if at[e.To][0] <= at[e.From][0] {
			return at, w + graphPad, h + graphPad + backDrop
		}
	}
	return at, w + graphPad, h + graphPad
}

func (p GraphProps) placed() bool {
	for _, n := range p.Nodes {
		if n.X != 0 || n.Y != 0 {
			return true
		}
	}
	return false
}

// given moves the editor's own positions to the upper left corner.
func (p GraphProps) given(at map[string][2]float64) {
	left, top := p.Nodes[0].X, p.Nodes[0].Y
	for _, n := range p.Nodes {
		left, top = min(left, n.X), min(top, n.Y)
	}
	for _, n := range p.Nodes {
		at[n.ID] = [2]float64{n.X - left + graphPad, n.Y - top + graphPad}
	}
}

// layers puts each node one column behind its last predecessor; edges that close a circle do not count.
func (p GraphProps) layers(at map[string][2]float64) {
	forward := p.forward()
	depth := map[string]int{}
	for range p.Nodes {
		for _, e := range forward {
			depth[e.To] = max(depth[e.To], depth[e.From]+1)
		}
	}
	filled := map[int]int{}
	for _, n := range p.Nodes {
		d := depth[n.ID]
		at[n.ID] = [2]float64{
			graphPad + float64(d)*(nodeWidth+nodeGapX),
			graphPad + float64(filled[d])*(nodeHeight+nodeGapY),
		}
		filled[d]++
	}
}

// forward are the edges without those that lead back to a node on the way to their own start.
func (p GraphProps) forward() []GraphEdge {
	next := map[string][]string{}
	for _, e := range p.Edges {
		next[e.From] = append(next[e.From], e.To)
	}
	const onWay, done = 1, 2
	state, back := map[string]int{}, map[GraphEdge]bool{}
	var walk func(id string)
	walk = func(id string) {
		state[id] = onWay
		for _, to := range next[id] {
			switch state[to] {
			case 0:
				walk(to)
			case onWay:
				back[GraphEdge{id, to}] = true
			}
		}
		state[id] = done
	}
	for _, n := range p.Nodes {
		if state[n.ID] == 0 {
			walk(n.ID)
		}
	}
	var out []GraphEdge
	for _, e := range p.Edges {
		if !back[e] {
			out = append(out, e)
		}
	}
	return out
}

// curve is an edge from the right side of one box to the left side of the other, or from below to below, down to
// floor, when it leads back.
func curve(from, to [2]float64, floor float64) string {
	if to[0] <= from[0] {
		low := floor + (floor-max(from[1], to[1])-nodeHeight)/3
		x1, x2 := px(from[0]+nodeWidth/2), px(to[0]+nodeWidth/2)
		return "M" + x1 + " " + px(from[1]+nodeHeight) + "C" + x1 + " " + px(low) + " " + x2 + " " + px(low) + " " + x2 + " " + px(to[1]+nodeHeight)
	}
	x1, y1 := from[0]+nodeWidth, from[1]+nodeHeight/2
	x2, y2 := to[0], to[1]+nodeHeight/2
	bend := max(28, (x2-x1)/2)
	return "M" + px(x1) + " " + px(y1) + "C" + px(x1+bend) + " " + px(y1) + " " + px(x2-bend) + " " + px(y2) + " " + px(x2) + " " + px(y2)
}

// end is where an edge arrives.
func end(from, to [2]float64) (x, y float64) {
	if to[0] <= from[0] {
		return to[0] + nodeWidth/2, to[1] + nodeHeight
	}
	return to[0], to[1] + nodeHeight/2
}

// stateClass is the class of a state, "plain" for words that are not known here.
func stateClass(state string) string {
	switch state {
	case "completed":
		return "ok"
	case "failed", "timed-out":
		return "bad"
	case "running", "queued":
		return "info"
	case "waiting", "paused", "pending":
		return "warn"
	case "skipped", "cancelled":
		return "skip"
	}
	return "plain"
}

// stateWord is a state of a node in a word.
func stateWord(ctx context.Context, state string) string {
	switch state {
	case "waiting":
		return tc(ctx, "node", "waiting")
	case "pending":
		return tc(ctx, "node", "pending")
	case "running":
		return tc(ctx, "node", "running")
	case "completed":
		return tc(ctx, "node", "completed")
	case "failed":
		return tc(ctx, "node", "failed")
	case "skipped":
		return tc(ctx, "node", "skipped")
	case "cancelled":
		return tc(ctx, "node", "cancelled")
	}
	return state
}

// countOf is how many nodes are in a state.
func countOf(ctx context.Context, state string, n int) string {
	switch state {
	case "waiting":
		return tn(ctx, "%d waiting", "%d waiting", n)
	case "pending":
		return tn(ctx, "%d pending", "%d pending", n)
	case "running":
		return tn(ctx, "%d running", "%d running", n)
	case "completed":
		return tn(ctx, "%d completed", "%d completed", n)
	case "failed":
		return tn(ctx, "%d failed", "%d failed", n)
	case "skipped":
		return tn(ctx, "%d skipped", "%d skipped", n)
	case "cancelled":
		return tn(ctx, "%d cancelled", "%d cancelled", n)
	}
	return strconv.Itoa(n) + " " + state
}

func (p GraphProps) sentence(ctx context.Context) string {
	s := locale.Labelled(ctx, p.Title, tn(ctx, "%d node", "%d nodes", len(p.Nodes))) + ", " + tn(ctx, "%d connection", "%d connections", len(p.Edges))
	count := map[string]int{}
	var order []string
	for _, n := range p.Nodes {
		if n.State != "" {
			if count[n.State] == 0 {
				order = append(order, n.State)
			}
			count[n.State]++
		}
	}
	for i, state := range order {
		sep := ", "
		if i == 0 {
			sep = "; "
		}
		s += sep + countOf(ctx, state, count[state])
	}
	return s + "."
}

func (p GraphProps) rows(ctx context.Context) [][]string {
	next, label := map[string]string{}, map[string]string{}
	for _, n := range p.Nodes {
		label[n.ID] = n.Label
	}
	for _, e := range p.Edges {
		if next[e.From] != "" {
			next[e.From] += ", "
		}
		next[e.From] += label[e.To]
	}
	out := make([][]string, 0, len(p.Nodes))
	for _, n := range p.Nodes {
		state := stateWord(ctx, n.State)
		if n.Detail != "" {
			state += ", " + n.Detail
		}
		out = append(out, []string{n.Label, n.Type, state, next[n.ID]})
	}
	return out
}

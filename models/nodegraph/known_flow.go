package nodegraph

import (
	"atelier/models"
	"atelier/nodes"
)

// knownFlow adds up what is known to feed nodes before anything runs: the texts that
// authors wrote, and what passes them on. What is made by other nodes counts as nothing;
// a run adds that up as well (see Plan.Input).
type knownFlow struct {
	plan *Plan
	text map[string]int // by node id; see textOf
}

// textType and combineType are the nodes whose result is known from what they are given.
const (
	textType    = "text"
	combineType = "combine-text"
)

// checkKnownFlow refuses a graph in which more would feed a node, or all nodes together,
// than a run allows.
func checkKnownFlow(all Nodes, edges Edges) error {
	plan := NewPlan(all, edges)
	f := &knownFlow{plan, map[string]int{}}
	total := 0
	for _, id := range plan.Order {
		fed := f.fedTo(id)
		if fed > MaxFed {
			return models.Invalid("nodes."+id, "would be fed more than %d MiB: the texts that feed it count as often as they do", MaxFed>>20)
		}
		if total += fed; total > MaxFedInRun {
			return models.Invalid("nodes."+id, "would be too much: the texts that feed the nodes of a run have at most %d MiB together", MaxFedInRun>>20)
		}
	}
	return nil
}

// fedTo is how many bytes of known texts feed a node, each counted as often as it does.
func (f *knownFlow) fedTo(id string) (sum int) {
	for _, feed := range f.plan.Feeds[id] {
		if source := f.plan.Nodes[feed.Source]; feed.Output == "" || feed.Output == mainOutputOf(source) {
			if sum += f.textOf(feed.Source); sum > MaxFedInRun {
				return sum
			}
		}
	}
	return sum
}

func mainOutputOf(n *Node) string {
	kind, ok := nodes.Find(n.Type)
	if !ok {
		return ""
	}
	return kind.MainOutput
}

// textOf is how long the text is that a node yields as far as it is known, in bytes as JSON.
// The graph has no circles.
func (f *knownFlow) textOf(id string) int {
	if size, known := f.text[id]; known {
		return size
	}
	n, size := f.plan.Nodes[id], 0
	switch n.Type {
	case textType:
		if len(f.plan.Feeds[id]) == 0 {
			if text, _ := n.Data["text"].(string); text != "" {
				size = models.SizeOfJSON(text, maxFed).Bytes
			}
		} else if f.plan.Feeds[id][0].Field == "text" && len(f.plan.Feeds[id]) == 1 {
			size = f.fedTo(id)
		}
	case combineType:
		size = f.fedTo(id)
	}
	f.text[id] = size
	return size
}

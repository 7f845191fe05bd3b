package nodegraph

import (
	"math/bits"

	"atelier/models"
)

// Plan is what the engine needs to know of a graph: which nodes do work, what
// feeds them, and who waits for whom. Groups do no work of their own; what
// feeds a group is waited for by all in it, and what a group feeds waits for
// all in it.
type Plan struct {
	// Nodes are those that do work, by their ids, Order their ids as the graph lists them.
	Nodes map[string]*Node
	Order []string
	place map[string]int // in Order
	// Feeds are the values that flow into a node, in the order of the edges.
	Feeds map[string][]Feed
	// sources and targets are the neighbours of the node at each place. Two large
	// groups that feed each other have tens of thousands of pairs.
	sources, targets []placeSet
}

// NewPlan makes the plan of a graph, which need not be sound: what leads nowhere
// is left out.
func NewPlan(all Nodes, edges Edges) *Plan {
	p := &Plan{Nodes: map[string]*Node{}, place: map[string]int{}, Feeds: map[string][]Feed{}}
	for _, n := range all {
		if n.Type == groupType {
			continue
		}
		p.Nodes[n.ID], p.place[n.ID] = n, len(p.Order)
		p.Order = append(p.Order, n.ID)
	}
	p.sources, p.targets = make([]placeSet, len(p.Order)), make([]placeSet, len(p.Order))
	for i := range p.Order {
		p.sources[i], p.targets[i] = newPlaceSet(len(p.Order)), newPlaceSet(len(p.Order))
	}
	workers := p.workers(all)
	joined := map[[2]string]bool{}
	for _, f := range Feeds(all, edges) {
		if p.Nodes[f.Source] != nil && p.Nodes[f.Target] != nil && f.Field != "" {
			p.Feeds[f.Target] = append(p.Feeds[f.Target], f)
		}
		if ends := [2]string{f.Source, f.Target}; !joined[ends] {
			joined[ends] = true
			p.join(workers[f.Source], workers[f.Target])
		}
	}
	return p
}

// workers are the nodes that an edge's end stands for: the node itself, or all in a group.
func (p *Plan) workers(all Nodes) map[string]placeSet {
	parents := make(map[string]string, len(all))
	for _, n := range all {
		if n.ParentID != nil {
			parents[n.ID] = *n.ParentID
		}
	}
	workers := make(map[string]placeSet, len(all))
	for i, id := range p.Order {
		for depth := 0; depth <= len(all); depth++ { // parents that go round in circles are refused elsewhere
			if workers[id] == nil {
				workers[id] = newPlaceSet(len(p.Order))
			}
			workers[id].add(i)
			parent, ok := parents[id]
			if !ok {
				break
			}
			id = parent
		}
	}
	return workers
}

// join has each target wait for each source but itself.
func (p *Plan) join(sources, targets placeSet) {
	for target := range targets.all {
		p.sources[target].addAll(sources)
		p.sources[target].remove(target)
	}
	for source := range sources.all {
		p.targets[source].addAll(targets)
		p.targets[source].remove(source)
	}
}

// Before are the nodes that a node waits for, each named once, in the order of the nodes.
func (p *Plan) Before(id string) []string { return p.at(p.sources, id) }

// After are the nodes that wait for a node, in the same way.
func (p *Plan) After(id string) []string { return p.at(p.targets, id) }

func (p *Plan) at(sets []placeSet, id string) []string {
	place, ok := p.place[id]
	if !ok {
		return nil
	}
	return p.names(sets[place])
}

func (p *Plan) names(places placeSet) []string {
	var ids []string
	for place := range places.all {
		ids = append(ids, p.Order[place])
	}
	return ids
}

// WaitsFor is how many nodes a node waits for.
func (p *Plan) WaitsFor(id string) int { return p.sources[p.place[id]].count() }

// Name is how a node is called in messages: its label, else its type, with its id.
func (p *Plan) Name(id string) string {
	node := p.Nodes[id]
	if node == nil {
		return id
	}
	if label, ok := node.Data["label"].(string); ok && label != "" {
		return models.Shortened(label, maxNodeID) + " (" + id + ")"
	}
	return id + " (" + node.Type + ")"
}

// Downstream are all nodes that wait for the node, at however many steps.
func (p *Plan) Downstream(id string) []string {
	start, ok := p.place[id]
	if !ok {
		return nil
	}
	found := newPlaceSet(len(p.Order))
	for open := []int{start}; len(open) > 0; {
		place := open[len(open)-1]
		open = open[:len(open)-1]
		for next := range p.targets[place].all {
			if !found.has(next) {
				found.add(next)
				open = append(open, next)
			}
		}
	}
	return p.names(found)
}

// Around are a node, those before it, and what a transaction that does the
// node comes to behind it; see Reach.
func (p *Plan) Around(id string, most int) []string {
	all := append([]string{id}, p.Before(id)...)
	if node := p.Nodes[id]; node != nil && RunsInline(node.Type) {
		all = append(all, p.Reach(id, most)...)
	}
	return all
}

// Reach are the nodes that a transaction which ends the node may come to: those
// behind it, and behind those that are done inline and wait for nothing else. It
// looks no further once there are most.
func (p *Plan) Reach(id string, most int) []string {
	var found []string
	seen := map[string]bool{id: true}
	for open := []string{id}; len(open) > 0 && len(found) < most; open = open[1:] {
		for _, next := range p.After(open[0]) {
			if seen[next] {
				continue
			}
			seen[next] = true
			found = append(found, next)
			if p.WaitsFor(next) == 1 && RunsInline(p.Nodes[next].Type) {
				open = append(open, next)
			}
		}
	}
	return found
}

// Steps are the nodes in an order in which each comes after all that it waits for.
func (p *Plan) Steps() []string {
	waits := make([]int, len(p.Order))
	var ready []int
	for place := range p.Order {
		if waits[place] = p.sources[place].count(); waits[place] == 0 {
			ready = append(ready, place)
		}
	}
	var done []string
	for len(ready) > 0 {
		place := ready[0]
		ready = ready[1:]
		done = append(done, p.Order[place])
		for next := range p.targets[place].all {
			if waits[next]--; waits[next] == 0 {
				ready = append(ready, next)
			}
		}
	}
	return done
}

// placeSet is a set of places, a bit for each.
type placeSet []uint64

func newPlaceSet(places int) placeSet { return make(placeSet, (places+63)/64) }

func (s placeSet) add(place int)      { s[place/64] |= 1 << (place % 64) }
func (s placeSet) remove(place int)   { s[place/64] &^= 1 << (place % 64) }
func (s placeSet) has(place int) bool { return s[place/64]&(1<<(place%64)) != 0 }

func (s placeSet) addAll(other placeSet) {
	for i, word := range other {
		s[i] |= word
	}
}

func (s placeSet) count() (n int) {
	for _, word := range s {
		n += bits.OnesCount64(word)
	}
	return n
}

// all yields the places in their order.
func (s placeSet) all(yield func(int) bool) {
	for i, word := range s {
		for ; word != 0; word &= word - 1 {
			if !yield(64*i + bits.TrailingZeros64(word)) {
				return
			}
		}
	}
}

package flow

import (
	"atelier/models"
	"math/bits"
)

// plan is what the engine needs to know of a graph: which nodes do work, what
// feeds them, and who waits for whom. Groups do no work of their own; what
// feeds a group is waited for by all in it, and what a group feeds waits for
// all in it.
type plan struct {
	nodes map[string]*Node
	order []string
	place map[string]int // in order
	// feeds are the values that flow into a node, in the order of the edges.
	feeds map[string][]Feed
	// sources and targets are the neighbours of the node at each place. Two large
	// groups that feed each other have tens of thousands of pairs.
	sources, targets []placeSet
}

func newPlan(all Nodes, edges Edges) *plan {
	p := &plan{nodes: map[string]*Node{}, place: map[string]int{}, feeds: map[string][]Feed{}}
	for _, n := range all {
		if n.Type == groupType {
			continue
		}
		p.nodes[n.ID], p.place[n.ID] = n, len(p.order)
		p.order = append(p.order, n.ID)
	}
	p.sources, p.targets = make([]placeSet, len(p.order)), make([]placeSet, len(p.order))
	for i := range p.order {
		p.sources[i], p.targets[i] = newPlaceSet(len(p.order)), newPlaceSet(len(p.order))
	}
	workers := p.workers(all)
	joined := map[[2]string]bool{}
	for _, f := range Feeds(all, edges) {
		if p.nodes[f.Source] != nil && p.nodes[f.Target] != nil && f.Field != "" {
			p.feeds[f.Target] = append(p.feeds[f.Target], f)
		}
		if ends := [2]string{f.Source, f.Target}; !joined[ends] {
			joined[ends] = true
			p.join(workers[f.Source], workers[f.Target])
		}
	}
	return p
}

// workers are the nodes that an edge's end stands for: the node itself, or all in a group.
func (p *plan) workers(all Nodes) map[string]placeSet {
	parents := make(map[string]string, len(all))
	for _, n := range all {
		if n.ParentID != nil {
			parents[n.ID] = *n.ParentID
		}
	}
	workers := make(map[string]placeSet, len(all))
	for i, id := range p.order {
		for depth := 0; depth <= len(all); depth++ { // parents that go round in circles are refused elsewhere
			if workers[id] == nil {
				workers[id] = newPlaceSet(len(p.order))
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
func (p *plan) join(sources, targets placeSet) {
	for target := range targets.all {
		p.sources[target].addAll(sources)
		p.sources[target].remove(target)
	}
	for source := range sources.all {
		p.targets[source].addAll(targets)
		p.targets[source].remove(source)
	}
}

// before and after are the neighbours of a node, each named once, in the order of the nodes.
func (p *plan) before(id string) []string { return p.at(p.sources, id) }
func (p *plan) after(id string) []string  { return p.at(p.targets, id) }

func (p *plan) at(sets []placeSet, id string) []string {
	place, ok := p.place[id]
	if !ok {
		return nil
	}
	return p.names(sets[place])
}

func (p *plan) names(places placeSet) []string {
	var ids []string
	for place := range places.all {
		ids = append(ids, p.order[place])
	}
	return ids
}

// waitsFor is how many nodes a node waits for.
func (p *plan) waitsFor(id string) int { return p.sources[p.place[id]].count() }

// name is how a node is called in messages: its label, else its type, with its id.
func (p *plan) name(id string) string {
	node := p.nodes[id]
	if node == nil {
		return id
	}
	if label, ok := node.Data["label"].(string); ok && label != "" {
		return models.Shortened(label, maxNodeID) + " (" + id + ")"
	}
	return id + " (" + node.Type + ")"
}

// downstream are all nodes that wait for the node, at however many steps.
func (p *plan) downstream(id string) []string {
	start, ok := p.place[id]
	if !ok {
		return nil
	}
	found := newPlaceSet(len(p.order))
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

// around are a node, those before it, and what a transaction that does the
// node comes to behind it; see reach.
func (p *plan) around(id string, most int) []string {
	all := append([]string{id}, p.before(id)...)
	if node := p.nodes[id]; node != nil && runsInline(node.Type) {
		all = append(all, p.reach(id, most)...)
	}
	return all
}

// reach are the nodes that a transaction which ends the node may come to: those
// behind it, and behind those that are done inline and wait for nothing else. It
// looks no further once there are most.
func (p *plan) reach(id string, most int) []string {
	var found []string
	seen := map[string]bool{id: true}
	for open := []string{id}; len(open) > 0 && len(found) < most; open = open[1:] {
		for _, next := range p.after(open[0]) {
			if seen[next] {
				continue
			}
			seen[next] = true
			found = append(found, next)
			if p.waitsFor(next) == 1 && runsInline(p.nodes[next].Type) {
				open = append(open, next)
			}
		}
	}
	return found
}

// steps are the nodes in an order in which each comes after all that it waits for.
func (p *plan) steps() []string {
	waits := make([]int, len(p.order))
	var ready []int
	for place := range p.order {
		if waits[place] = p.sources[place].count(); waits[place] == 0 {
			ready = append(ready, place)
		}
	}
	var done []string
	for len(ready) > 0 {
		place := ready[0]
		ready = ready[1:]
		done = append(done, p.order[place])
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

package flow

import (
	"slices"
)

// plan is what the engine needs to know of a graph: which nodes do work, what
// feeds them, and who waits for whom. Groups do no work of their own; what
// feeds a group is waited for by all in it, and what a group feeds waits for
// all in it.
type plan struct {
	nodes map[string]*Node
	order []string
	// feeds are the values that flow into a node, in the order of the edges.
	feeds map[string][]Feed
	// before and after are the neighbours of a node, each named once.
	before, after map[string][]string
}

func newPlan(all Nodes, edges Edges) *plan {
	p := &plan{nodes: map[string]*Node{}, feeds: map[string][]Feed{}, before: map[string][]string{}, after: map[string][]string{}}
	members := map[string][]string{}
	for _, n := range all {
		if n.Type == groupType {
			continue
		}
		p.nodes[n.ID] = n
		p.order = append(p.order, n.ID)
	}
	for _, n := range all {
		if n.ParentID != nil {
			members[*n.ParentID] = append(members[*n.ParentID], n.ID)
		}
	}
	for _, f := range Feeds(all, edges) {
		if p.nodes[f.Source] != nil && p.nodes[f.Target] != nil && f.Field != "" {
			p.feeds[f.Target] = append(p.feeds[f.Target], f)
		}
		for _, source := range p.workers(f.Source, members) {
			for _, target := range p.workers(f.Target, members) {
				p.link(source, target)
			}
		}
	}
	return p
}

// workers are the nodes that an edge's end stands for: the node itself, or all in a group.
func (p *plan) workers(id string, members map[string][]string) []string {
	if p.nodes[id] != nil {
		return []string{id}
	}
	var all []string
	for _, member := range members[id] {
		all = append(all, p.workers(member, members)...)
	}
	return all
}

func (p *plan) link(source, target string) {
	if source == target || slices.Contains(p.before[target], source) {
		return
	}
	p.before[target] = append(p.before[target], source)
	p.after[source] = append(p.after[source], target)
}

// downstream are all nodes that wait for the node, at however many steps.
func (p *plan) downstream(id string) []string {
	var found []string
	seen := map[string]bool{}
	open := slices.Clone(p.after[id])
	for len(open) > 0 {
		next := open[len(open)-1]
		open = open[:len(open)-1]
		if seen[next] {
			continue
		}
		seen[next] = true
		found = append(found, next)
		open = append(open, p.after[next]...)
	}
	slices.Sort(found)
	return found
}

// around are a node, those before it, and what a transaction that does the
// node comes to behind it.
func (p *plan) around(id string) []string {
	all := append([]string{id}, p.before[id]...)
	if node := p.nodes[id]; node != nil && RunsInline(node.Type) {
		all = append(all, p.reach(id)...)
	}
	return all
}

// reach are the nodes that a transaction which ends the node may come to: those
// behind it, and behind those that are done inline and wait for nothing else.
func (p *plan) reach(id string) []string {
	var found []string
	seen := map[string]bool{id: true}
	for open := []string{id}; len(open) > 0 && len(found) < mostInline; open = open[1:] {
		for _, next := range p.after[open[0]] {
			if seen[next] {
				continue
			}
			seen[next] = true
			found = append(found, next)
			if len(p.before[next]) == 1 && RunsInline(p.nodes[next].Type) {
				open = append(open, next)
			}
		}
	}
	return found
}

// steps are the nodes in an order in which each comes after all that it waits for.
func (p *plan) steps() []string {
	waits := map[string]int{}
	var ready, done []string
	for _, id := range p.order {
		if waits[id] = len(p.before[id]); waits[id] == 0 {
			ready = append(ready, id)
		}
	}
	for len(ready) > 0 {
		id := ready[0]
		ready = ready[1:]
		done = append(done, id)
		for _, next := range p.after[id] {
			if waits[next]--; waits[next] == 0 {
				ready = append(ready, next)
			}
		}
	}
	return done
}

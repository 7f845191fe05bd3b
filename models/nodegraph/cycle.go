package nodegraph

import "atelier/models"

// checkAcyclic refuses a graph in which something feeds itself, be it by
// edges, field mappings, or a group. What feeds a group feeds everything in
// it, and what a group feeds waits for everything in it; so each node is a
// way in and a way out, joined by itself, and a group's ways lead through its
// members.
func checkAcyclic(all Nodes, edges Edges) error {
	index := make(map[string]int, len(all))
	for i, n := range all {
		index[n.ID] = i
	}
	in := func(id string) int { return 2 * index[id] }
	out := func(id string) int { return 2*index[id] + 1 }
	next := make([][]int, 2*len(all))
	link := func(from, to int) { next[from] = append(next[from], to) }
	for _, n := range all {
		link(in(n.ID), out(n.ID))
		if n.ParentID != nil {
			link(in(*n.ParentID), in(n.ID))
			link(out(n.ID), out(*n.ParentID))
		}
	}
	for _, d := range Feeds(all, edges) {
		link(out(d.Source), in(d.Target))
	}
	if at := findCycle(next); at >= 0 {
		id := all[at/2].ID
		return models.Invalid("nodes."+id, "is part of a circle: it would wait for its own result")
	}
	return nil
}

// findCycle is a vertex on a cycle, or -1.
func findCycle(next [][]int) int {
	waits := make([]int, len(next))
	for _, targets := range next {
		for _, t := range targets {
			waits[t]++
		}
	}
	ready := []int{}
	for v, n := range waits {
		if n == 0 {
			ready = append(ready, v)
		}
	}
	for len(ready) > 0 {
		v := ready[len(ready)-1]
		ready = ready[:len(ready)-1]
		for _, t := range next[v] {
			if waits[t]--; waits[t] == 0 {
				ready = append(ready, t)
			}
		}
	}
	// What is left lies on a cycle or behind one: walk back until a vertex repeats.
	return walkBack(next, waits)
}

func walkBack(next [][]int, waits []int) int {
	before := make([]int, len(next))
	start := -1
	for v, targets := range next {
		if waits[v] == 0 {
			continue
		}
		for _, t := range targets {
			before[t] = v
			start = t
		}
	}
	if start < 0 {
		return -1
	}
	seen := make([]bool, len(next))
	v := start
	for !seen[v] {
		seen[v] = true
		v = before[v]
	}
	return v
}

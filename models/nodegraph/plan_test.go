//go:build !race

package nodegraph

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// neighbours joins every member with every member, edge by edge.
func neighbours(all Nodes, edges Edges) (before map[string][]string) {
	before = map[string][]string{}
	byID := map[string]*Node{}
	for _, n := range all {
		byID[n.ID] = n
	}
	var workers func(id string) []string
	workers = func(id string) (found []string) {
		if byID[id].Type != groupType {
			return []string{id}
		}
		for _, n := range all {
			if n.ParentID != nil && *n.ParentID == id {
				found = append(found, workers(n.ID)...)
			}
		}
		return found
	}
	for _, f := range Feeds(all, edges) {
		for _, source := range workers(f.Source) {
			for _, target := range workers(f.Target) {
				if source != target && !slices.Contains(before[target], source) {
					before[target] = append(before[target], source)
				}
			}
		}
	}
	for _, ids := range before {
		slices.Sort(ids)
	}
	return before
}

// randomGroups is a graph with groups in groups, mappings and repeated edges.
func randomGroups(r *rapid.T) (Nodes, Edges) {
	var all Nodes
	var edges Edges
	for i := range rapid.IntRange(1, 12).Draw(r, "nodes") {
		n := combine(fmt.Sprintf("n%02d", i))
		if rapid.IntRange(0, 2).Draw(r, "kind") == 0 {
			n = group(n.ID)
		}
		if i > 0 {
			if other := all[rapid.IntRange(0, i-1).Draw(r, "parent")]; other.Type == groupType {
				n.ParentID = &other.ID
			} else if n.Type != groupType && rapid.Bool().Draw(r, "maps") {
				mapped(n, "separator", other.ID)
			}
		}
		all = append(all, n)
	}
	for i := range rapid.IntRange(0, 20).Draw(r, "edges") {
		e := edge(rapid.SampledFrom(all).Draw(r, "source").ID, rapid.SampledFrom(all).Draw(r, "target").ID)
		e.ID = fmt.Sprint(i)
		edges = append(edges, e)
	}
	return all, edges
}

// checkPlan compares the plan of a graph with brute force.
func checkPlan(r *rapid.T) {
	all, edges := randomGroups(r)
	p, before := NewPlan(all, edges), neighbours(all, edges)
	for _, id := range p.Order {
		if got := p.Before(id); !slices.Equal(got, before[id]) {
			r.Fatalf("%s waits for %v, want %v", id, got, before[id])
		}
		if p.WaitsFor(id) != len(before[id]) {
			r.Fatalf("%s waits for %d", id, p.WaitsFor(id))
		}
		for _, next := range p.After(id) {
			if !slices.Contains(before[next], id) {
				r.Fatalf("%s is not before %s", id, next)
			}
		}
		behind := p.Downstream(id)
		for _, other := range p.Order {
			if slices.Contains(behind, other) != reaches(before, id, other) {
				r.Fatalf("behind %s are %v, and %s?", id, behind, other)
			}
		}
	}
	if checkAcyclic(all, edges) == nil && len(p.Steps()) != len(p.Order) {
		r.Fatalf("the steps are %v of %v", p.Steps(), p.Order)
	}
}

// reaches tells whether there is a way from one node to another.
func reaches(before map[string][]string, from, to string) bool {
	seen, open := map[string]bool{}, []string{to}
	for len(open) > 0 {
		for _, source := range before[open[0]] {
			if source == from {
				return true
			}
			if !seen[source] {
				seen[source] = true
				open = append(open, source)
			}
		}
		open = open[1:]
	}
	return false
}

func TestPlanIsBruteForce(t *testing.T) { rapid.Check(t, checkPlan) }

func FuzzPlan(f *testing.F) { f.Fuzz(rapid.MakeFuzz(checkPlan)) }

// twoGroups is a graph of two groups of half the nodes each, with many edges
// from the one to the other.
func twoGroups(edgeCount int) (Nodes, Edges) {
	all := Nodes{group("g"), group("h")}
	var edges Edges
	for i := range maxNodes/2 - 1 {
		all = append(all, within(combine(fmt.Sprintf("g%d", i)), "g"), within(combine(fmt.Sprintf("h%d", i)), "h"))
	}
	for i := range edgeCount {
		e := edge("g", "h")
		e.ID = fmt.Sprint(i)
		edges = append(edges, e)
	}
	return all, edges
}

// Groups are joined once however many edges lie between them, and a graph of
// groups in groups costs no more than its nodes and edges.
func TestPlansOfLargeGroups(t *testing.T) {
	all, edges := twoGroups(maxEdges)
	nested, between := nestedGroups()
	for name, graph := range map[string]struct {
		nodes Nodes
		edges Edges
		waits int
	}{"two groups": {all, edges, maxNodes/2 - 1}, "groups in groups": {nested, between, 50}} {
		if err := Validate(nil, graph.nodes, graph.edges); err != nil {
			t.Fatal(name, err)
		}
		started := processorTime(t)
		p := NewPlan(graph.nodes, graph.edges)
		if took := processorTime(t) - started; took > 5*time.Second {
			t.Errorf("%s: the plan took %v", name, took)
		}
		if last := p.Order[len(p.Order)-1]; p.WaitsFor(last) != graph.waits {
			t.Errorf("%s: %s waits for %d nodes, want %d", name, last, p.WaitsFor(last), graph.waits)
		}
	}
}

// nestedGroups are two towers of groups with the workers at the bottom, and
// edges between each storey and each.
func nestedGroups() (all Nodes, edges Edges) {
	for _, side := range []string{"a", "b"} {
		for i := range 70 {
			g := group(fmt.Sprint(side, i))
			if i > 0 {
				within(g, fmt.Sprint(side, i-1))
			}
			all = append(all, g)
		}
		for i := range 50 {
			all = append(all, within(combine(fmt.Sprint(side, "w", i)), side+"69"))
		}
	}
	for i := range maxEdges {
		e := edge(fmt.Sprint("a", i%70), fmt.Sprint("b", i/70%70))
		e.ID = fmt.Sprint(i)
		edges = append(edges, e)
	}
	return all, edges
}

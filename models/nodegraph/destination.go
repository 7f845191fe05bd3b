package nodegraph

import (
	"slices"

	"atelier/models"
	"atelier/nodes"
)

// guarded are the data keys that steer the engine itself: no override may
// rewire a node or lift its review.
var guarded = []string{"fieldMappings", "holdForReview"}

// destinations are the fields of a node that say where it sends or fetches and
// with what, and which workflow a component runs.
func destinations(n *Node) []string {
	if n.Type == "component" {
		return []string{"workflowId"}
	}
	if kind, ok := nodes.Find(n.Type); ok {
		return kind.Destinations
	}
	return nil
}

// hiddenFields are the fields that a public snapshot leaves out: destinations,
// and what a component sets in another workflow, for that may be one.
func hiddenFields(n *Node) []string {
	hidden := slices.Clone(destinations(n))
	if n.Type == "component" {
		hidden = append(hidden, "inputs")
	}
	return hidden
}

// isLocked tells whether no run may change a field, whatever feeds the node and
// wherever it leads: it is hidden or guarded (contract 1, "Published app
// endpoints", rule 2).
func isLocked(n *Node, field string) bool {
	return touches(guarded, field) || touches(hiddenFields(n), field)
}

// locks say which fields of a graph no run may change.
type locks struct {
	// sources are the nodes of which nothing may change; see lockedSources.
	sources map[string]bool
	// feeds are those into each node.
	feeds map[string][]Feed
	// wrote are the written fields of the nodes that were asked for.
	wrote map[*Node][]string
}

func locksOf(all Nodes, edges Edges) *locks {
	l := &locks{sources: lockedSources(all, edges), feeds: map[string][]Feed{}, wrote: map[*Node][]string{}}
	for _, f := range Feeds(all, edges) {
		l.feeds[f.Target] = append(l.feeds[f.Target], f)
	}
	return l
}

// field tells whether no run may change a field of a node, as its author saved it.
func (l *locks) field(n *Node, field string) bool {
	return l.sources[n.ID] || isLocked(n, field) || touches(l.written(n), field)
}

// written are the fields that would be sent instead of what the author wrote.
func (l *locks) written(n *Node) []string {
	kind, ok := nodes.Find(n.Type)
	if !ok || kind.Written == nil {
		return nil
	}
	fields, known := l.wrote[n]
	if !known {
		fields = kind.Written(n.Data, func(field string) bool {
			return slices.ContainsFunc(l.feeds[n.ID], func(f Feed) bool { return f.Touches(field) })
		})
		l.wrote[n] = fields
	}
	return fields
}

// touches tells whether a field is one of the fields, or lies above or below one.
func touches(fields []string, field string) bool {
	return slices.ContainsFunc(fields, func(f string) bool {
		return field == f || isBelow(field, f) || isBelow(f, field)
	})
}

// isBelow tells whether path lies inside the object at above.
func isBelow(path, above string) bool {
	return len(path) > len(above) && path[:len(above)] == above && path[len(above)] == '.'
}

// errLocked refuses an override of a destination.
func errLocked(nodeID, field string) error {
	e := models.Err(models.CodeLockedField, "%s of node %q is set by its author and cannot be changed by a run", field, nodeID)
	e.Field = nodeID + "." + field
	return e
}

// lockedSources are the nodes whose result ends up in a locked field, at
// however many steps: to change them would be to change the destination.
func lockedSources(all Nodes, edges Edges) map[string]bool {
	byID := make(map[string]*Node, len(all))
	members := map[string][]string{}
	for _, n := range all {
		byID[n.ID] = n
		if n.ParentID != nil {
			members[*n.ParentID] = append(members[*n.ParentID], n.ID)
		}
	}
	sources := map[string][]string{}
	var open []string
	for _, f := range Feeds(all, edges) {
		sources[f.Target] = append(sources[f.Target], f.Source)
		if target := byID[f.Target]; target != nil && f.Field != "" && touches(destinations(target), f.Field) {
			open = append(open, f.Source)
		}
	}
	locked := map[string]bool{}
	for len(open) > 0 {
		id := open[len(open)-1]
		open = open[:len(open)-1]
		if locked[id] {
			continue
		}
		locked[id] = true
		open = append(open, sources[id]...)
		open = append(open, members[id]...)
	}
	return locked
}

// WithoutDestinations is the graph as everyone may see it: without anything
// that an outbound node sends with (open points, "Apps and runs").
func WithoutDestinations(all Nodes) Nodes {
	public := make(Nodes, len(all))
	for i, n := range all {
		shown := *n
		shown.Data = withoutHidden(n, n.Data)
		if mappings, ok := shown.Data["fieldMappings"].(map[string]any); ok {
			shown.Data["fieldMappings"] = withoutHidden(n, mappings)
		}
		public[i] = &shown
	}
	return public
}

func withoutHidden(n *Node, fields map[string]any) map[string]any {
	hidden := hiddenFields(n)
	shown := make(map[string]any, len(fields))
	for name, value := range fields {
		if !touches(hidden, name) {
			shown[name] = value
		}
	}
	return shown
}

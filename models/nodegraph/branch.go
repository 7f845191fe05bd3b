package nodegraph

// WebhookTriggerType and ScheduleTriggerType are the nodes that start runs by
// themselves.
const (
	WebhookTriggerType  = "webhook-trigger"
	ScheduleTriggerType = "schedule-trigger"
)

// Branch is the part of a graph that a trigger node starts: all that waits for
// the node, however many steps behind it, and all that those need (contract 2,
// "Trigger endpoints" 3). A node that feeds nothing starts the whole graph, and
// so does one that is not there. Feeds are those of a plan: edges, mappings, and
// those of the groups around a node.
func Branch(all Nodes, edges Edges, trigger string) (Nodes, Edges) {
	plan := NewPlan(all, edges)
	wired := plan.Downstream(trigger)
	if len(wired) == 0 {
		return all, edges
	}
	kept := map[string]bool{trigger: true}
	open := []string{trigger}
	for _, id := range wired {
		kept[id] = true
		open = append(open, id)
	}
	for len(open) > 0 {
		last := open[len(open)-1]
		open = open[:len(open)-1]
		for _, before := range plan.Before(last) {
			if !kept[before] {
				kept[before] = true
				open = append(open, before)
			}
		}
	}
	keepGroups(all, kept)
	return part(all, edges, kept)
}

// keepGroups adds the groups around the nodes that are kept.
func keepGroups(all Nodes, kept map[string]bool) {
	parents := make(map[string]string, len(all))
	for _, n := range all {
		if n.ParentID != nil {
			parents[n.ID] = *n.ParentID
		}
	}
	for _, n := range all {
		if !kept[n.ID] || n.Type == groupType {
			continue
		}
		for id, inside := parents[n.ID]; inside && !kept[id]; id, inside = parents[id] {
			kept[id] = true
		}
	}
}

// part is what is left of a graph when only some nodes are kept.
func part(all Nodes, edges Edges, kept map[string]bool) (Nodes, Edges) {
	some, between := Nodes{}, Edges{}
	for _, n := range all {
		if kept[n.ID] {
			some = append(some, n)
		}
	}
	for _, e := range edges {
		if kept[e.Source] && kept[e.Target] {
			between = append(between, e)
		}
	}
	return some, between
}

// OfType are the nodes of a type, in the order of the graph.
func (n Nodes) OfType(nodeType string) (found Nodes) {
	for _, node := range n {
		if node.Type == nodeType {
			found = append(found, node)
		}
	}
	return found
}

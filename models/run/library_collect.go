package run

import (
	"slices"

	"gorm.io/gorm"

	"atelier/models"
	"atelier/models/flow"
	"atelier/models/nodegraph"
	"atelier/models/space"
	"atelier/nodes"
	"atelier/nodes/kit"
)

// Authored is what the author of a graph saved, where a run may bring values of its own.
type Authored struct {
	Nodes nodegraph.Nodes
	// inputs may allow values; these are the author's too.
	inputs []nodegraph.Input
	// version is read instead of nodes when it is needed, of a run that is retried.
	workflowID *models.ID
	version    int
}

// referenceCollector collects what the nodes of a new run name of the library.
type referenceCollector struct {
	kinds          *nodes.Catalogue
	author, runner space.Principal
	saved          *Authored
	// at begins the names of fields, except for the node: empty for a single node.
	single bool
	// askedFor is the type of a single node as it was asked for.
	askedFor string
	all      []Reference
}

// collectReferences lists what the nodes of a new run name of the library, those inside components too.
func (s *Service) collectReferences(q *gorm.DB, run *preparedRun) ([]Reference, error) {
	w := &referenceCollector{
		kinds: s.Flows.Catalogue, askedFor: run.askedFor, saved: run.Saved, single: run.single(),
		author: space.Principal{UserID: run.author(), WorkspaceID: run.HomeID},
		runner: space.Principal{UserID: run.Payer.UserID, WorkspaceID: run.Payer.WorkspaceID},
	}
	open := func(id string) bool { return !run.finishedEarlier(id) }
	w.graph("", run.Nodes, run.Edges, open)
	if len(w.all) > 0 {
		if err := w.attributeToRunner(q); err != nil {
			return nil, err
		}
	}
	w.saved = nil // behind components everything is their authors'
	for _, node := range run.Nodes {
		if c := run.packed[node.ID]; c != nil {
			w.component(node.ID, c)
		}
	}
	return w.all, nil
}

func (w *referenceCollector) component(path string, c *component) {
	w.author, w.runner = space.Principal{UserID: c.OwnerID, WorkspaceID: c.WorkspaceID}, space.Principal{UserID: c.OwnerID, WorkspaceID: c.WorkspaceID}
	w.graph(path+componentBoundary, c.Nodes, c.Edges, func(id string) bool { _, done := c.Outputs[id]; return !done })
	for _, node := range c.Nodes {
		if part := c.Parts[node.ID]; part != nil {
			w.component(path+componentBoundary+node.ID, part)
		}
	}
}

// graph adds the nodes of one graph. Everything is the author's as yet; see attributeToRunner.
func (w *referenceCollector) graph(prefix string, all nodegraph.Nodes, edges nodegraph.Edges, open func(id string) bool) {
	var handles *nodegraph.Handles
	for _, node := range all {
		kind, ok := w.kinds.Find(node.Type)
		if !ok || !open(node.ID) {
			continue
		}
		one := Reference{Path: prefix + node.ID, Type: node.Type, AskedType: w.asked(node.Type), Provider: kind.ProviderOf(node.Data), Data: node.Data}
		if !w.single {
			one.At = "nodes." + one.Path + ".data."
		}
		for _, named := range kind.NamedIn(node.Data) {
			one.IDs = append(one.IDs, ReferenceID{named, w.author})
		}
		if kind.ShowsElements() {
			if handles == nil {
				handles = nodegraph.HandlesIn(nodegraph.NewPlan(all, edges))
			}
			for _, handle := range handles.Of(node) {
				one.Handles = append(one.Handles, ReferenceHandle{handle, w.author})
			}
		}
		if len(one.IDs) > 0 || len(one.Handles) > 0 {
			w.all = append(w.all, one)
		}
	}
}

// asked is the type whose presets a node takes.
func (w *referenceCollector) asked(nodeType string) string {
	if w.single && w.askedFor != "" {
		return w.askedFor
	}
	return nodeType
}

// attributeToRunner marks what the run itself brings: it is found by what the runner may see, not the author.
func (w *referenceCollector) attributeToRunner(q *gorm.DB) error {
	if w.saved == nil { // a single node: all of it is the runner's
		w.saved = &Authored{}
	}
	if w.saved.workflowID != nil {
		saved, err := flow.NodesOfVersion(q, *w.saved.workflowID, w.saved.version)
		if err != nil {
			return err
		}
		w.saved.Nodes = saved
	}
	var handles []string
	for _, node := range w.saved.Nodes {
		handles = append(handles, nodegraph.HandlesInData(node.Data)...)
	}
	for i := range w.all {
		one := &w.all[i]
		for n := range one.IDs {
			if !w.saved.names(w.kinds, one.Path, one.IDs[n].Named) {
				one.IDs[n].By = w.runner
			}
		}
		for n := range one.Handles {
			if !slices.Contains(handles, one.Handles[n].Handle) {
				one.Handles[n].By = w.runner
			}
		}
	}
	return nil
}

// names tells whether the author named a thing in a field, or allows it there.
func (a *Authored) names(kinds *nodes.Catalogue, nodeID string, named kit.Named) bool {
	node := a.Nodes.Find(nodeID)
	if node == nil {
		return false
	}
	kind, ok := kinds.Find(node.Type)
	if !ok {
		return false
	}
	in := func(data map[string]any) bool {
		return slices.ContainsFunc(kind.NamedIn(data), func(n kit.Named) bool { return n.Name == named.Name && n.ID == named.ID })
	}
	if in(node.Data) {
		return true
	}
	for _, input := range a.inputs {
		if input.NodeID != nodeID || input.Field != named.Name {
			continue
		}
		if slices.ContainsFunc(input.AllowedValues, func(value any) bool { return in(map[string]any{named.Name: value}) }) {
			return true
		}
	}
	return false
}

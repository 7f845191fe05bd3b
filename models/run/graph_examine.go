package run

import (
	"encoding/json"
	"slices"

	"gorm.io/gorm"

	"atelier/models"
	"atelier/models/credit"
	"atelier/models/nodegraph"
	"atelier/models/space"
)

// Graph is a graph that another area put together, to be run as one execution.
type Graph struct {
	Nodes nodegraph.Nodes
	Edges nodegraph.Edges
	// Saved is what the author set of the nodes, by their ids: what that names of the library is
	// found by the author's reach, and so are the workflows that components run. Everything else
	// is found by the runner's.
	Saved          nodegraph.Nodes
	Author, Runner space.Principal
}

// Examined is a graph with all that it uses, as that is now.
type Examined struct {
	s        *Service
	run      *preparedRun
	found    map[string]*LookedUp
	refusals map[string]error
}

// ExamineGraph prepares a graph as a run of it would be: a few statements for any number of
// nodes. What may not be used is told for each node; see Refusal.
func (s *Service) ExamineGraph(q *gorm.DB, g Graph) (*Examined, error) {
	x := &Examined{s: s, refusals: map[string]error{}}
	p := &preparation{
		s: s, q: q, actor: models.ActorFrom(q.Statement.Context), refuse: x.refuse,
		find: func(named []Reference) (JobRefs, error) { return x.lookUp(q, named) },
	}
	var err error
	x.run, err = p.prepare(Request{
		Payer: credit.Payer{UserID: g.Runner.UserID, WorkspaceID: g.Runner.WorkspaceID}, Purpose: ForRender,
		Nodes: g.Nodes, Edges: g.Edges, AuthorID: g.Author.UserID, HomeID: g.Author.WorkspaceID, Saved: &Authored{Nodes: g.Saved},
	})
	if err != nil {
		return nil, err
	}
	for _, node := range x.run.nodes {
		if err := x.refuse(node.ID, x.judge(node)); err != nil {
			return nil, err
		}
	}
	return x, nil
}

// refuse notes the first refusal of a node; any other error is returned.
func (x *Examined) refuse(nodeID string, err error) error {
	if _, refusal := models.AsError(err); err == nil || !refusal {
		return err
	}
	if x.refusals[nodeID] == nil {
		x.refusals[nodeID] = err
	}
	return nil
}

// lookUp finds what the nodes name of the library, and notes what may not be used.
func (x *Examined) lookUp(q *gorm.DB, named []Reference) (JobRefs, error) {
	var err error
	if x.found, err = x.s.hooks.library.LookUp(q, named); err != nil {
		return nil, err
	}
	refs := JobRefs{}
	for path, found := range x.found {
		refs[path] = found.Refs
	}
	for _, one := range named { // in their order, so that the first of a node is the first
		if err := x.refuse(jobOfPath(one.Path), x.found[one.Path].Refusal); err != nil {
			return nil, err
		}
	}
	return refs, nil
}

// judge refuses what no workflow could hold either.
func (x *Examined) judge(node *nodegraph.Node) error {
	at := "nodes." + node.ID + ".data."
	kind, ok := x.s.Flows.Catalogue.Find(node.Type)
	switch {
	case !ok || !kind.Offered():
		return models.Invalid("nodes."+node.ID+".type", "%s cannot run on this install", node.Type)
	case node.Type == nodegraph.ComponentType:
		return nodegraph.CheckNames(at, node.Type, node.Data)
	}
	if err := kind.ValidateData(at, node.Data); err != nil {
		return err
	}
	return nodegraph.CheckNames(at, node.Type, node.Data)
}

// Refusal is why a node could not be run; nil when it can.
func (x *Examined) Refusal(nodeID string) error { return x.refusals[nodeID] }

// Credits is what a node costs at most: what a run holds for it.
func (x *Examined) Credits(nodeID string) models.Credits {
	node := x.run.nodes.Find(nodeID)
	if node == nil {
		return 0
	}
	return sumOf(x.s.jobParts(&x.run.Request, node, x.inside(nodeID)))
}

func (x *Examined) inside(nodeID string) []credit.Part {
	if c := x.run.packed[nodeID]; c != nil {
		return c.remainingParts(x.s.Flows.Catalogue)
	}
	return nil
}

// Facts is what decides what a node makes, apart from what feeds it, as it is now: JSON that
// changes with any of it, the same no matter who asks.
func (x *Examined) Facts(node *nodegraph.Node) ([]byte, error) {
	facts := struct {
		Type   string
		Data   map[string]any
		Uses   []string
		Inside *componentFacts
	}{Type: node.Type, Data: node.Data, Inside: factsOf(x.run.packed[node.ID])}
	for path := range x.run.found.ofJob(node.ID) {
		facts.Uses = append(facts.Uses, x.found[path].Facts...)
	}
	slices.Sort(facts.Uses)
	return json.Marshal(facts)
}

// componentFacts are the graphs that a component runs.
type componentFacts struct {
	Nodes nodegraph.Nodes
	Edges nodegraph.Edges
	Parts map[string]*componentFacts
}

func factsOf(c *component) *componentFacts {
	if c == nil {
		return nil
	}
	facts := &componentFacts{Edges: c.Edges, Parts: map[string]*componentFacts{}}
	for _, node := range c.Nodes {
		bare := *node
		bare.Position = nil
		facts.Nodes = append(facts.Nodes, &bare)
	}
	for id, part := range c.Parts {
		facts.Parts[id] = factsOf(part)
	}
	return facts
}

// Things are the elements, presets, voices and workflows that the graph uses.
func (x *Examined) Things() (ids []models.ID) {
	for _, found := range x.found {
		ids = append(ids, found.Things...)
	}
	for _, c := range x.run.packed {
		ids = append(ids, c.workflows()...)
	}
	return ids
}

func (c *component) workflows() []models.ID {
	ids := []models.ID{c.WorkflowID}
	for _, part := range c.Parts {
		ids = append(ids, part.workflows()...)
	}
	return ids
}

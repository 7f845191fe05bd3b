package flow

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
	start    Start
	found    map[string]*LookedUp
	refusals map[string]error
}

// ExamineGraph finds what a graph uses: a few statements for any number of nodes. What may not
// be used is told for each node; see Refusal.
func (s *Service) ExamineGraph(q *gorm.DB, g Graph) (*Examined, error) {
	x := &Examined{s: s, refusals: map[string]error{}, start: Start{
		Payer: credit.Payer{UserID: g.Runner.UserID, WorkspaceID: g.Runner.WorkspaceID}, Purpose: ForRender,
		Nodes: g.Nodes, Edges: g.Edges, AuthorID: g.Author.UserID, HomeID: g.Author.WorkspaceID, saved: &authored{nodes: g.Saved},
		packed: map[string]*component{}, found: JobRefs{}, Refs: JobRefs{},
	}}
	if err := x.pack(q); err != nil {
		return nil, err
	}
	if err := x.lookUp(q); err != nil {
		return nil, err
	}
	return x, x.layAll()
}

// pack packs the components.
func (x *Examined) pack(q *gorm.DB) error {
	p := x.s.newPacker(q, models.ActorFrom(q.Statement.Context), &x.start)
	for _, node := range x.start.Nodes {
		if node.Type != nodegraph.ComponentType {
			continue
		}
		packed, _, err := p.component(node)
		if err := x.refuse(node.ID, err); err != nil {
			return err
		}
		if packed != nil {
			x.start.packed[node.ID] = packed
		}
	}
	return nil
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

// lookUp asks the library for what the nodes name.
func (x *Examined) lookUp(q *gorm.DB) error {
	if x.s.hooks.library == nil {
		return nil
	}
	wanted, err := x.s.collectReferences(q, &x.start)
	if err != nil || len(wanted) == 0 {
		return err
	}
	if x.found, err = x.s.hooks.library.LookUp(q, wanted); err != nil {
		return err
	}
	for path, found := range x.found {
		x.start.found[path], x.start.Refs[path] = found.Refs, found.Refs
	}
	for _, w := range wanted { // in their order, so that the first of a node is the first
		if err := x.refuse(jobOfPath(w.Path), x.found[w.Path].Refusal); err != nil {
			return err
		}
	}
	return nil
}

// layAll puts under each node what decides its price, and judges its settings.
func (x *Examined) layAll() error {
	laid := slices.Clone(x.start.Nodes)
	for i, node := range laid {
		one, err := x.s.applyPresets(nodegraph.Nodes{node}, "", x.start.Refs, false, true)
		if err == nil {
			laid[i] = one[0]
			err = x.judge(one[0])
		}
		if err := x.refuse(node.ID, err); err != nil {
			return err
		}
	}
	x.start.Nodes = laid
	for id, c := range x.start.packed {
		if err := x.refuse(id, x.s.applyPresetsInside(c, id+componentBoundary, x.start.Refs)); err != nil {
			return err
		}
	}
	return nil
}

// judge refuses what no workflow could hold either.
func (x *Examined) judge(node *nodegraph.Node) error {
	at := "nodes." + node.ID + ".data."
	kind, ok := x.s.Catalogue.Find(node.Type)
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
	node := x.start.Nodes.Find(nodeID)
	if node == nil {
		return 0
	}
	return sumOf(x.s.jobParts(x.start, node, x.inside(nodeID)))
}

func (x *Examined) inside(nodeID string) []credit.Part {
	if c := x.start.packed[nodeID]; c != nil {
		return c.remainingParts(x.s.Catalogue)
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
	}{Type: node.Type, Data: node.Data, Inside: factsOf(x.start.packed[node.ID])}
	for path := range x.start.found.ofJob(node.ID) {
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
	for _, c := range x.start.packed {
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

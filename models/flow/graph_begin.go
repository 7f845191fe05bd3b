package flow

import (
	"atelier/models"
	"atelier/models/nodegraph"
	"atelier/models/space"
)

// GraphBegin is how an examined graph begins.
type GraphBegin struct {
	// ID is the execution's.
	ID      models.ID
	Purpose Purpose
	// Home is the space that pays; nil is the selected one.
	Home *space.Viewer
	// Nodes and Edges are what is run: the nodes that were examined, and others that name
	// nothing of the library, in place of some.
	Nodes nodegraph.Nodes
	Edges nodegraph.Edges
	// Subject is what it is about, for lists.
	Subject string
}

// StartGraph begins an execution of an examined graph in the caller's transaction; AdmitRun
// comes before. What a node of it may not use is a refusal of it: see Refusal, which the
// caller has asked. Refusals beside: a space that is closed to runs; the money.
func (s *Service) StartGraph(tx *models.Tx, x *Examined, b GraphBegin) (*Execution, error) {
	payer, err := s.payerFor(tx, b.Home)
	if err != nil {
		return nil, err
	}
	start := Start{
		ID: b.ID, Payer: payer, Purpose: b.Purpose, Trigger: "api", Source: clientOr(tx.Actor, "api"), Edges: b.Edges, Subject: &b.Subject,
		AuthorID: x.start.AuthorID, HomeID: x.start.HomeID, Refs: JobRefs{}, found: JobRefs{}, packed: map[string]*component{},
	}
	if tx.Actor.Kind == models.BySession {
		start.Trigger, start.Source, start.Personal = "editor", clientOr(tx.Actor, "web"), true
	}
	for _, node := range b.Nodes {
		examined := x.start.Nodes.Find(node.ID)
		if examined == nil || examined.Type != node.Type {
			start.Nodes = append(start.Nodes, node)
			continue
		}
		start.Nodes = append(start.Nodes, examined)
		for path, refs := range x.start.found.ofJob(node.ID) {
			start.Refs[path], start.found[path] = refs, refs
		}
		if c := x.start.packed[node.ID]; c != nil {
			start.packed[node.ID] = c
		}
	}
	return s.startPrepared(tx, start)
}

// CheckPaid refuses what the payer of a space could not pay now. It holds the amount, so the
// caller takes the transaction back.
func (s *Service) CheckPaid(tx *models.Tx, amount models.Credits, home *space.Viewer) error {
	payer, err := s.payerFor(tx, home)
	if err != nil {
		return err
	}
	return s.Credits.Reserve(tx, payer, tx.NewID(), amount)
}

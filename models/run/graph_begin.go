package run

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
func (s *Service) StartGraph(tx *models.Tx, x *Examined, b GraphBegin) (exec *Execution, err error) {
	payer, err := s.PayerFor(tx, b.Home)
	if err != nil {
		return nil, err
	}
	run := &preparedRun{
		Request: Request{
			ID: b.ID, Payer: payer, Purpose: b.Purpose, Trigger: "api", Source: clientOr(tx.Actor, "api"), Nodes: b.Nodes, Edges: b.Edges,
			Subject: &b.Subject, AuthorID: x.run.AuthorID, HomeID: x.run.HomeID,
		},
		refs: JobRefs{}, found: JobRefs{}, packed: map[string]*component{},
	}
	if tx.Actor.Kind == models.BySession {
		run.Trigger, run.Source, run.Personal = "editor", clientOr(tx.Actor, "web"), true
	}
	for _, node := range b.Nodes {
		examined := x.run.nodes.Find(node.ID)
		if examined == nil || examined.Type != node.Type {
			run.nodes = append(run.nodes, node)
			continue
		}
		run.nodes = append(run.nodes, examined)
		for path, refs := range x.run.found.ofJob(node.ID) {
			run.refs[path], run.found[path] = refs, refs
		}
		if c := x.run.packed[node.ID]; c != nil {
			run.packed[node.ID] = c
		}
	}
	tx, span := traceAccept(tx, &run.Request)
	defer func() { endAccept(span, exec, err) }()
	return s.acceptPrepared(tx, run)
}

// CheckPaid refuses what the payer of a space could not pay now. It holds the amount, so the
// caller takes the transaction back.
func (s *Service) CheckPaid(tx *models.Tx, amount models.Credits, home *space.Viewer) error {
	payer, err := s.PayerFor(tx, home)
	if err != nil {
		return err
	}
	return s.Credits.Reserve(tx, payer, tx.NewID(), amount)
}

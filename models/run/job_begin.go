package run

import (
	"context"

	"atelier/models"
	"atelier/models/nodegraph"
	"atelier/models/space"
	"atelier/nodes/kit"
)

// NodeBegin is a single node that another area begins.
type NodeBegin struct {
	Type     string
	Settings map[string]any
	// Home is the space that pays; nil is the selected one.
	Home *space.Viewer
	// Purpose says who is told when the job ends; see OnJobEnded.
	Purpose Purpose
	// Refs are what the node may use of the library; nil finds what its settings name.
	Refs *kit.Refs
}

// AdmitRun waits until a run may begin; it is called before the transaction that begins
// one. It refuses actors who may not run anything.
func (s *Service) AdmitRun(ctx context.Context) error {
	if err := s.Pace.Admit(ctx); err != nil {
		return err
	}
	return space.RequireWorkflows(models.ActorFrom(ctx))
}

// Begin begins a single node in the caller's transaction, internal types too. The
// settings are checked as those of POST /v1/<type> are: validation_error; numbers out of
// range are moved into it. Refusals beside: a space that is closed to runs; the money.
func (s Nodes) Begin(tx *models.Tx, b NodeBegin) (*NodeRun, error) {
	run, node, err := s.run.singleNode(tx.Actor.UserID, b.Type, b.Settings, true)
	if err != nil {
		return nil, err
	}
	start := s.run.singleRequest(tx.Actor, node)
	start.Purpose, start.askedFor = b.Purpose, b.Type
	if b.Refs != nil {
		start.Refs = JobRefs{singleNode: b.Refs}
	}
	if start.Payer, err = s.run.PayerFor(tx, b.Home); err != nil {
		return nil, err
	}
	run.Job, err = s.run.startNode(tx, start, nodegraph.RunsInline(node.Type))
	run.Inline = err == nil && run.Awaited && run.Job.Rests()
	return run, err
}

// singleNode is a node that runs by itself on settings that are checked. Where they are not complete, for nothing runs
// yet, what is missing is not refused.
func (s *Service) singleNode(userID models.ID, nodeType string, settings map[string]any, complete bool) (*NodeRun, *nodegraph.Node, error) {
	kind, known := s.Flows.Catalogue.Find(nodeType)
	if !known || kind.Control || !kind.Offered() {
		return nil, nil, models.NotFound("Node type")
	}
	run := &NodeRun{Awaited: kind.Inline}
	adjusted, adjustments, warnings := kind.Clamp(settings)
	run.Warnings = warnings
	for _, a := range adjustments {
		run.Adjustments = append(run.Adjustments, map[string]any{"field": a.Field, "from": a.From, "to": a.To, "reason": a.Reason})
	}
	judge := kind.Validate
	if kit.NamesPreset(adjusted) || !complete {
		judge = kind.ValidateData // what is missing may come from the preset; see applier
	}
	if err := judge("", adjusted); err != nil {
		return nil, nil, err
	}
	nodeType, adjusted = s.Flows.Catalogue.InPlaceOf(nodeType, adjusted)
	node := &nodegraph.Node{ID: singleNode, Type: nodeType, Data: adjusted}
	if !kind.Internal {
		if err := nodegraph.ValidateUnsaved(s.Flows.Catalogue, nodegraph.Nodes{node}, nil); err != nil {
			return nil, nil, err
		}
	}
	node, err := s.Flows.SealNode(userID, "", node, new(int))
	return run, node, err
}

// singleRequest is what a single node begins with, except for who pays.
func (s *Service) singleRequest(actor models.Actor, node *nodegraph.Node) Request {
	request := Request{
		Trigger: "api", Source: clientOr(actor, "api"), Nodes: nodegraph.Nodes{node},
		Inputs: nodegraph.WorkflowInputs(s.Flows.Catalogue, nodegraph.Nodes{node}, nil),
	}
	if actor.Kind == models.BySession {
		request.Trigger, request.Source, request.Personal = "editor", clientOr(actor, "web"), true
	}
	return request
}

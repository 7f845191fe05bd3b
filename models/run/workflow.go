package run

import (
	"context"

	"atelier/models"
	"atelier/models/flow"
	"atelier/models/nodegraph"
)

// RunWorkflow starts a run of a saved workflow: it needs edit access and, in a
// workspace, an active membership (contract 3, "Sharing one workflow"). The
// space that the workflow lives in pays. Refusals, in this order: not_found and
// member_suspended; insufficient_role; validation_error and locked_field for
// inputs and overrides; a space that is closed to runs; the money.
func (s *Service) RunWorkflow(ctx context.Context, id models.ID, in Input) (*Execution, error) {
	if err := s.Pace.Admit(ctx); err != nil {
		return nil, err
	}
	actor := models.ActorFrom(ctx)
	if err := flow.RequireWorkflow(actor, id); err != nil {
		return nil, err
	}
	ask := func(tx *models.Tx) (*Request, error) {
		w, home, err := s.Flows.WorkflowToRun(tx, id)
		if err != nil {
			return nil, err
		}
		named := nodegraph.WorkflowInputs(s.Flows.Catalogue, w.Nodes, w.Edges)
		all, err := nodegraph.ApplyInputs(s.Flows.Catalogue, w.Nodes, w.Edges, named, in.Inputs, in.InputOverrides)
		if err != nil {
			return nil, err
		}
		payer, err := s.PayerFor(tx, home)
		if err != nil {
			return nil, err
		}
		request := &Request{
			Payer: payer, WorkflowID: &w.ID, WorkflowVersion: &w.Version, AuthorID: w.OwnerID, HomeID: w.WorkspaceID,
			Trigger: "api", Source: clientOr(actor, "api"), Nodes: all, Edges: w.Edges,
			Inputs: named, Saved: &Authored{Nodes: w.Nodes},
		}
		if actor.Kind == models.BySession {
			request.Trigger, request.Source, request.Personal = "editor", clientOr(actor, "web"), true
		}
		return request, nil
	}
	return s.Accept(ctx, &Start{Ask: ask, Alone: func(tx *models.Tx) (*Execution, error) {
		request, err := ask(tx)
		if err != nil {
			return nil, err
		}
		return s.AcceptRun(tx, *request)
	}})
}

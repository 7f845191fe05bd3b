package flow

import (
	"context"

	"atelier/models"
	"atelier/models/org"
)

// RunWorkflow starts a run of a saved workflow: it needs edit access and, in a
// workspace, an active membership (contract 3, "Sharing one workflow"). The
// selected space pays.
func (s *Service) RunWorkflow(ctx context.Context, id models.ID, in RunInput) (*Execution, error) {
	actor := models.ActorFrom(ctx)
	if err := requireWorkflow(actor, id); err != nil {
		return nil, err
	}
	var execution *Execution
	err := s.DB.Write(ctx, func(tx *models.Tx) error {
		w, err := s.readWorkflow(tx.Context(), id)
		if err != nil {
			return err
		}
		if w.WorkspaceID != nil { // held before it is read whether it is open
			if err := org.HoldWorkspace(tx, *w.WorkspaceID); err != nil {
				return err
			}
		}
		w, space, err := s.reachFound(tx.Context(), w)
		if err != nil {
			return err
		}
		if err := space.mayEdit(w, true); err != nil {
			return err
		}
		all, err := ApplyInputs(w.Nodes, w.Edges, WorkflowInputs(w.Nodes, w.Edges), in.Inputs, in.InputOverrides)
		if err != nil {
			return err
		}
		payer, err := s.selectedPayer(tx)
		if err != nil {
			return err
		}
		start := Start{
			Payer: payer, WorkflowID: &w.ID, WorkflowVersion: &w.Version, AuthorID: w.OwnerID,
			Trigger: "api", Source: clientOr(actor, "api"), Nodes: all, Edges: w.Edges,
		}
		if actor.Kind == models.BySession {
			start.Trigger, start.Source = "editor", clientOr(actor, "web")
		}
		execution, err = s.startExecution(tx, start)
		return err
	})
	return execution, err
}

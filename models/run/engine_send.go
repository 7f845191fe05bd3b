package run

import (
	"context"

	"atelier/models"
	"atelier/models/flow"
	"atelier/nodes/kit"
)

// ownerOfGraph is whose graph is at work: the component's, else the workflow's; a
// single node is its caller's.
func (s *Service) ownerOfGraph(ctx context.Context, w *work) (models.ID, error) {
	if w.owner != nil {
		return *w.owner, nil
	}
	if w.exec.WorkflowID == nil {
		return w.exec.AccountID, nil
	}
	owner, err := flow.OwnerOf(s.DB.Read(ctx), *w.exec.WorkflowID)
	if err == nil {
		w.owner = &owner
	}
	return owner, err
}

// credentialFor is the credential that the node at work names.
func (s *Service) credentialFor(ctx context.Context, w *work, named string) (*kit.Credential, error) {
	owner, err := s.ownerOfGraph(ctx, w)
	if err != nil {
		return nil, err
	}
	n := flow.SendingNode{Node: w.node, Feeds: w.plan.Feeds[w.node.ID], Owner: owner, WorkflowID: w.exec.WorkflowID}
	n.Personal = w.exec.Personal && w.exec.AppID == nil && w.exec.AccountID == owner
	if w.home != nil {
		n.WorkflowID = w.home
	}
	return s.Flows.Credentials().Open(ctx, n, named)
}

// headerFor opens a sealed header of the node at work for the host that it asks.
func (s *Service) headerFor(ctx context.Context, w *work, sealed, host string) (value string, ok bool, err error) {
	owner, err := s.ownerOfGraph(ctx, w)
	if err != nil {
		return "", false, err
	}
	value, ok = flow.OpenHeader(s.Flows.Vault, owner, sealed, host)
	return value, ok, nil
}

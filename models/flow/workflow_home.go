package flow

import (
	"atelier/models"
	"atelier/models/org"
	"atelier/models/space"
)

// WorkflowToRun is a workflow that the caller may run, with its space, which
// pays. A workspace is held before it is read whether it is open.
func (s *Service) WorkflowToRun(tx *models.Tx, id models.ID) (*Workflow, *space.Viewer, error) {
	w, err := s.readWorkflow(tx.Context(), id, true)
	if err != nil {
		return nil, nil, err
	}
	return s.HomeToRun(tx, w)
}

// HomeToRun is the space of a workflow that was read, for a run: a workspace is
// held before it is read whether it is open.
func (s *Service) HomeToRun(tx *models.Tx, w *Workflow) (*Workflow, *space.Viewer, error) {
	if w.WorkspaceID != nil {
		if err := org.HoldWorkspace(tx, *w.WorkspaceID); err != nil {
			return nil, nil, err
		}
	}
	w, home, err := s.reachFound(tx.Context(), w)
	if err != nil {
		return nil, nil, err
	}
	return w, home, CheckEdits(home, w)
}

// CheckRunAt is HomeToRun where the space of a workflow that was read is known: it refuses who may
// not run it there.
func CheckRunAt(home *space.Viewer, w *Workflow) error {
	if err := fill(home, w); err != nil {
		return err
	}
	return CheckEdits(home, w)
}

package flow

import (
	"atelier/models"
	"atelier/models/credit"
	"atelier/models/org"
	"atelier/models/space"
)

// PayerFor is who pays for what the caller starts (open points, "Who pays").
// A workflow that is run by its id, and a retry of such a run, is paid by home,
// the space that it lives in; everything else, for which home is nil, by the
// selected space. Of that space everything is asked: a space that is closed to
// creates is closed to runs.
func (s *Service) PayerFor(tx *models.Tx, home *space.Viewer) (credit.Payer, error) {
	viewer := home
	if viewer == nil {
		var err error
		if viewer, err = s.Spaces.ForCreate(tx); err != nil {
			return credit.Payer{}, err
		}
	}
	payer := credit.Payer{UserID: viewer.UserID}
	if w := viewer.Workspace; w != nil {
		payer.WorkspaceID, payer.OrganizationID, payer.Standing = &w.ID, &w.OrganizationID, w
	}
	return payer, viewer.CheckOpen(true)
}

// workflowToRun is a workflow that the caller may run, with its space, which
// pays. A workspace is held before it is read whether it is open.
func (s *Service) workflowToRun(tx *models.Tx, id models.ID) (*Workflow, *space.Viewer, error) {
	w, err := s.readWorkflow(tx.Context(), id)
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

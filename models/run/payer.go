package run

import (
	"atelier/models"
	"atelier/models/credit"
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

package credit

import (
	"slices"

	"atelier/models"
	"atelier/models/notice"
	"atelier/models/org"
)

// unbounded are requests of people whom no cap bounds: the workspace's own
// budget answers them.
const unbounded = `NOT EXISTS (SELECT FROM member_budgets b
	WHERE b.workspace_id = credit_requests.workspace_id AND b.user_id = credit_requests.requester_id AND b.cap IS NOT NULL)`

// tellReceived answers the open requests that credits given to a workspace
// answer, and tells its admins.
func (s *Service) tellReceived(tx *models.Tx, w *org.Workspace, given models.Credits) error {
	asked, err := s.answerRequests(tx, w, "given", given, "workspace_id = ? AND "+unbounded, w.ID)
	if err != nil {
		return err
	}
	to, err := org.ListedAdmins(tx, w, maxAsked)
	if err != nil {
		return err
	}
	to = slices.DeleteFunc(to, func(id models.ID) bool { return id == tx.Actor.UserID || slices.Contains(asked, id) })
	return s.Orgs.Notices.Tell(tx, notice.News{
		Kind: notice.CreditsReceived, Needs: notice.Teacher, OrganizationID: &w.OrganizationID, WorkspaceID: &w.ID,
		Facts: notice.Facts{Workspace: w.Name, Person: tx.Actor.DisplayName, Amount: &given}, Key: tx.NewID().String(),
	}, to...)
}

// tellRaised answers the open requests of a member whose limit was raised.
func (s *Service) tellRaised(tx *models.Tx, w *org.Workspace, userID models.ID) error {
	_, err := s.answerRequests(tx, w, "given", 0, "workspace_id = ? AND requester_id = ?", w.ID, userID)
	return err
}

// tellGranted tells owner and admins of an organization that credits came into its pool.
func (s *Service) tellGranted(tx *models.Tx, g *Grant) error {
	name, to, err := org.Leaders(tx, *g.OrganizationID, maxAsked)
	if err != nil {
		return err
	}
	to = slices.DeleteFunc(to, func(id models.ID) bool { return id == tx.Actor.UserID })
	return s.Orgs.Notices.Tell(tx, notice.News{
		Kind: notice.CreditsReceived, Needs: notice.Admin, OrganizationID: g.OrganizationID,
		Facts: notice.Facts{Organization: name, Person: tx.Actor.DisplayName, Amount: &g.Amount}, Key: g.ID.String(),
	}, to...)
}

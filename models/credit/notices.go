package credit

import (
	"slices"
	"time"

	"atelier/models"
	"atelier/models/notice"
	"atelier/models/org"
)

// nearEnd is the condition that of a filled budget, or of a limit, a tenth is left
// or less than what was just charged: another one of the same is not covered.
func nearEnd(left, charged, filled string) string {
	return "((" + left + ") * 10 <= " + filled + " OR " + filled + " > 0 AND " + left + " < " + charged + ")"
}

// ebb is what a charge left of a budget and of the member's limit in it; low is
// set by the charge that brought it near its end.
type ebb struct {
	budgetLow, limitLow       *bool
	filled, left, cap, capped *models.Credits
}

func (e *ebb) budget() []any { return []any{&e.budgetLow, &e.filled, &e.left} }
func (e *ebb) limit() []any  { return []any{&e.limitLow, &e.cap, &e.capped} }

// tellLow tells those who run a workspace that its budget is near its end, and
// the member that the own limit is: once until it is filled again.
func (s *Service) tellLow(tx *models.Tx, payer Payer, after ebb) error {
	budget, limit := after.budgetLow != nil && *after.budgetLow, after.limitLow != nil && *after.limitLow
	if !budget && !limit {
		return nil
	}
	w, err := s.Orgs.StandingIn(tx.DB, payer.UserID, *payer.WorkspaceID)
	if err != nil {
		return err
	}
	news := notice.News{
		Kind: notice.BudgetLow, Needs: notice.Teacher, OrganizationID: &w.OrganizationID, WorkspaceID: &w.ID,
		Facts: notice.Facts{Workspace: w.Name, Amount: after.filled, Left: after.left}, Key: w.ID.String() + ":" + amountKey(after.filled) + ":" + tx.Now.UTC().Format(time.RFC3339Nano),
	}
	if budget {
		to, err := org.OwnerAndAdmins(tx, w, models.ID{}, maxAsked)
		if err != nil {
			return err
		}
		if err := s.Orgs.Notices.Tell(tx, news, to...); err != nil {
			return err
		}
	}
	if !limit || !capsBind(w) {
		return nil
	}
	news.Kind, news.Needs, news.Facts.Amount, news.Facts.Left = notice.LimitLow, notice.Member, after.cap, after.capped
	return s.Orgs.Notices.Tell(tx, news, payer.UserID)
}

func amountKey(c *models.Credits) string {
	if c == nil {
		return ""
	}
	return c.String()
}

// noteFilled begins a new filling of a workspace's budget.
func noteFilled(tx *models.Tx, workspaceID models.ID) error {
	return tx.Exec(`UPDATE workspace_budgets SET filled = allocated - reserved - spent, low_at = NULL WHERE workspace_id = ?`, workspaceID).Error
}

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

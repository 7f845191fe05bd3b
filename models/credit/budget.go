package credit

import (
	"context"
	"errors"

	"atelier/models"
	"atelier/models/account"
	"atelier/models/org"

	"gorm.io/gorm"
)

// FindWorkspaceBudget is the budget as the caller sees it: members see the
// headroom and their own share, admins everything and a row for each person
// who is listed or has spent (open points, "Workspace budget").
func (s *Service) FindWorkspaceBudget(ctx context.Context, workspaceID models.ID) (*BudgetView, error) {
	w, err := s.Orgs.Workspaces().Find(ctx, workspaceID)
	if err != nil {
		return nil, err
	}
	budget, err := models.First[WorkspaceBudget](
		s.DB.Read(ctx).Where("workspace_id = ? AND organization_id = ?", w.ID, w.OrganizationID), models.NotFound("Workspace"))
	if err != nil {
		return nil, err
	}
	own, err := s.ownShare(ctx, w, models.ActorFrom(ctx).UserID)
	if err != nil {
		return nil, err
	}
	view := &BudgetView{WorkspaceID: w.ID, Headroom: budget.Allocated - budget.Reserved - budget.Spent, Own: *own}
	if w.Authorize(org.ReadWorkspaceBudget) != nil {
		return view, nil
	}
	level := Level(budget.Spent, budget.Allocated)
	view.Allocated, view.Reserved, view.Spent, view.Level, view.DefaultCap = &budget.Allocated, &budget.Reserved, &budget.Spent, &level, budget.DefaultCap
	view.Members, err = s.memberShares(ctx, w)
	return view, err
}

// ownShare is one person's share; a cap that does not bind is none.
func (s *Service) ownShare(ctx context.Context, w *org.Workspace, userID models.ID) (*OwnBudget, error) {
	share, err := models.First[MemberBudget](
		s.DB.Read(ctx).Where("workspace_id = ? AND user_id = ?", w.ID, userID), gorm.ErrRecordNotFound)
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return &OwnBudget{}, nil
	}
	if err != nil {
		return nil, err
	}
	own := &OwnBudget{Reserved: share.Reserved, Spent: share.Spent}
	if capsBind(w) {
		own.Cap = share.Cap
	}
	return own, nil
}

// memberShares is everyone who is listed or has spent; owner and admins of the
// organization are admins unlisted, and who left has no role.
func (s *Service) memberShares(ctx context.Context, w *org.Workspace) ([]*MemberShare, error) {
	shares := []*MemberShare{}
	err := s.DB.Read(ctx).Raw(`
		SELECT u.id AS user_id, u.display_name, u.avatar_url, coalesce(b.reserved, 0) AS reserved, coalesce(b.spent, 0) AS spent,
			CASE WHEN ? AND coalesce(om.role, 'member') = 'member' THEN b.cap END AS cap,
			coalesce(`+isPlain+`, false) AS plain,
			CASE WHEN wm.role IS NOT NULL THEN wm.role WHEN om.role IN ('owner', 'admin') THEN 'admin' END AS role
		FROM (`+org.ListedIn+`
			UNION SELECT user_id FROM member_budgets WHERE workspace_id = ? AND reserved + spent > 0) listed
		`+account.Join("listed.user_id")+`
		LEFT JOIN member_budgets b ON b.workspace_id = ? AND b.user_id = u.id
		`+org.JoinRoles("?", "?", "u.id")+`
		ORDER BY u.display_name, u.id`,
		w.Rules().MemberCapsEnabled, w.ID, w.ID, w.ID, w.ID, w.OrganizationID).Scan(&shares).Error
	return shares, err
}

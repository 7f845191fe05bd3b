package credit

import (
	"context"
	"errors"

	"atelier/models"
	"atelier/models/org"

	"gorm.io/gorm"
)

// FindWorkspaceBudget is the budget as the caller sees it: members see the
// headroom and their own share, admins everything, and with MemberShares what
// each person has of it (open points, "Workspace budget").
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
	view.workspace = w
	return view, nil
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

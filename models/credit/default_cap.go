package credit

import (
	"context"

	"atelier/models"
	"atelier/models/org"

	"gorm.io/gorm"
)

// SetDefaultCap sets the cap that people get who become plain members of a
// workspace, or with null none (workspace admins); those who are there keep what
// they have. It refuses what a single cap is refused for.
func (s *Service) SetDefaultCap(ctx context.Context, workspaceID models.ID, limit *models.Credits) (*BudgetView, error) {
	if limit != nil && (*limit < 0 || *limit > models.MaxCredits) {
		return nil, models.Invalid("creditCap", "must be 0 or more, or null for none")
	}
	return s.changeCaps(ctx, workspaceID, func(tx *models.Tx, w *org.Workspace) error {
		budget, err := budgetOf(tx, w)
		if err != nil {
			return err
		}
		if limit != nil && !w.Rules().MemberCapsEnabled {
			return errCapsOff
		}
		if sameCap(budget.DefaultCap, limit) {
			return nil
		}
		err = tx.Exec(`UPDATE workspace_budgets SET default_cap = ? WHERE workspace_id = ? AND organization_id = ?`, limit, w.ID, w.OrganizationID).Error
		if err != nil {
			return err
		}
		return tx.Audit(w.OrganizationID, "workspace.default_cap_changed", models.Target{Type: "workspace", ID: w.ID, WorkspaceID: &w.ID},
			models.Fields{"defaultCap": {From: budget.DefaultCap, To: limit}})
	})
}

// maxCapped is how many people get the default cap at once.
const maxCapped = 200

// ApplyDefaultCap gives the default cap to plain members who have none, at most
// 200 at once, those with the longest membership first (workspace admins).
// validation_error where there is no default, and where caps are off.
func (s *Service) ApplyDefaultCap(ctx context.Context, workspaceID models.ID) (*BudgetView, error) {
	return s.changeCaps(ctx, workspaceID, func(tx *models.Tx, w *org.Workspace) error {
		budget, err := budgetOf(tx, w)
		switch {
		case err != nil:
			return err
		case budget.DefaultCap == nil:
			return models.Err(models.CodeValidation, "There is no default cap to give: set one first")
		case !w.Rules().MemberCapsEnabled:
			return errCapsOff
		}
		var uncapped []models.ID
		err = tx.Raw(`
			SELECT listed.user_id FROM (`+org.ListedWithRoles+`) listed
			LEFT JOIN member_budgets b ON b.workspace_id = ? AND b.user_id = listed.user_id
			WHERE b.cap IS NULL AND `+isPlain+` ORDER BY listed.user_id LIMIT ?`,
			w.ID, w.ID, maxCapped).Scan(&uncapped).Error
		if err != nil || len(uncapped) == 0 {
			return err
		}
		_, err = s.SetMemberCaps(tx.Context(), w.ID, uncapped, budget.DefaultCap)
		return err
	})
}

// isPlain is the condition that a person of org.ListedWithRoles is a plain member of
// the workspace and of its organization: whom a cap can bind.
const isPlain = "listed.role = 'member' AND listed.organization_role = 'member'"

// changeCaps changes what bounds the members of a workspace (workspace admins).
func (s *Service) changeCaps(ctx context.Context, workspaceID models.ID, change func(*models.Tx, *org.Workspace) error) (*BudgetView, error) {
	actor := models.ActorFrom(ctx)
	if err := actor.RequireUser(models.ScopeWorkspacesWrite); err != nil {
		return nil, err
	}
	err := s.DB.Write(ctx, func(tx *models.Tx) error {
		w, err := s.Orgs.WorkspaceMembers().LockWorkspace(tx, workspaceID)
		if err != nil {
			return err
		}
		tx.Notify("workspace:" + w.ID.String())
		return change(tx, w)
	})
	if err != nil {
		return nil, err
	}
	return s.FindWorkspaceBudget(ctx, workspaceID)
}

func budgetOf(tx *models.Tx, w *org.Workspace) (*WorkspaceBudget, error) {
	return models.First[WorkspaceBudget](tx.Where("workspace_id = ? AND organization_id = ?", w.ID, w.OrganizationID), models.NotFound("Workspace"))
}

// beginWithCap gives the default cap to a person who has become a plain member of
// a workspace, unless caps do not bind them or they have one: who comes back
// keeps the old one.
func (s *Service) beginWithCap(tx *models.Tx, m org.NewMember) error {
	budget, err := models.First[WorkspaceBudget](tx.Where("workspace_id = ? AND default_cap IS NOT NULL", m.WorkspaceID), gorm.ErrRecordNotFound)
	if err == gorm.ErrRecordNotFound {
		return nil
	}
	if err != nil {
		return err
	}
	w, err := s.Orgs.Workspaces().FindFor(tx.Context(), m.UserID, m.WorkspaceID)
	if err != nil || !capsBind(w) {
		return err
	}
	given, err := tx.Run(`
		INSERT INTO member_budgets AS b (workspace_id, user_id, cap) VALUES ($1, $2, $3)
		ON CONFLICT (workspace_id, user_id) DO UPDATE SET cap = EXCLUDED.cap WHERE b.cap IS NULL`, m.WorkspaceID, m.UserID, budget.DefaultCap)
	if err == nil && given > 0 {
		m.Changes["creditCap"] = models.Change{To: budget.DefaultCap}
	}
	return err
}

func sameCap(a, b *models.Credits) bool {
	return a == nil && b == nil || a != nil && b != nil && *a == *b
}

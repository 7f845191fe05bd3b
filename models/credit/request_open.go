package credit

import (
	"context"
	"time"

	"atelier/models"
	"atelier/models/account"
	"atelier/models/org"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// Request is what somebody asked for and nobody has answered. A person has one
// in a workspace; asking again replaces it.
type Request struct {
	ID             models.ID `gorm:"primaryKey"`
	OrganizationID models.ID
	WorkspaceID    models.ID
	UserID         models.ID
	// Amount is nil for whatever is given.
	Amount    *models.Credits
	Reason    string
	CreatedAt time.Time

	// Cap is the requester's, which bounds them; nil where the workspace's
	// budget alone does.
	Cap *models.Credits `gorm:"->"`
}

func (Request) TableName() string { return "credit_requests" }

// mostRequests is how many open requests are shown.
const mostRequests = 50

// storeRequest keeps a request until somebody answers it.
func storeRequest(tx *models.Tx, w *org.Workspace, in RequestInput) error {
	r := Request{
		ID: tx.NewID(), OrganizationID: w.OrganizationID, WorkspaceID: w.ID, UserID: tx.Actor.UserID,
		Amount: in.Amount, Reason: in.Reason, CreatedAt: tx.Now,
	}
	tx.Notify("workspace:" + w.ID.String())
	return tx.Clauses(clause.OnConflict{
		Columns:   []clause.Column{{Name: "workspace_id"}, {Name: "user_id"}},
		DoUpdates: clause.AssignmentColumns([]string{"id", "amount", "reason", "created_at"}),
	}).Create(&r).Error
}

// dropRequests forgets requests that were answered.
func dropRequests(tx *models.Tx, workspaceID models.ID, userIDs ...models.ID) error {
	return tx.Where("workspace_id = ? AND user_id IN ?", workspaceID, userIDs).Delete(&Request{}).Error
}

// dropRequestsForBudget forgets those of a workspace that its own budget answers:
// they are of people whom no cap bounds.
func dropRequestsForBudget(tx *models.Tx, workspaceID models.ID) error {
	return tx.Where("workspace_id = ?", workspaceID).
		Where("NOT EXISTS (SELECT FROM member_budgets b WHERE b.workspace_id = credit_requests.workspace_id AND b.user_id = credit_requests.user_id AND b.cap IS NOT NULL)").
		Delete(&Request{}).Error
}

// ListRequests are the open requests of a workspace, the oldest first, at most
// 50: everybody's for its admins, one's own for others. Who asked and may not
// act there any more is left out.
func (s *Service) ListRequests(ctx context.Context, workspaceID models.ID) ([]*Request, error) {
	w, err := s.Orgs.ShowWorkspace(ctx, workspaceID)
	if err != nil {
		return nil, err
	}
	q := s.openRequests(ctx).Where("r.workspace_id = ? AND r.organization_id = ?", w.ID, w.OrganizationID)
	if w.Authorize(org.ReadWorkspaceBudget) != nil {
		q = q.Where("r.user_id = ?", models.ActorFrom(ctx).UserID)
	}
	found := []*Request{}
	if err := q.Scan(&found).Error; err != nil {
		return nil, err
	}
	if !w.Rules().MemberCapsEnabled {
		for _, r := range found {
			r.Cap = nil
		}
	}
	return found, nil
}

// ListOrganizationRequests are the open requests of all workspaces of an
// organization that are not archived (owner and admins), like ListRequests.
func (s *Service) ListOrganizationRequests(ctx context.Context, organizationID models.ID) ([]*Request, error) {
	o, err := s.Orgs.FindOrganization(ctx, organizationID)
	if err == nil {
		err = o.Authorize(org.ReadCredits)
	}
	if err != nil {
		return nil, err
	}
	found := []*Request{}
	return found, s.openRequests(ctx).Where("r.organization_id = ?", o.ID).Scan(&found).Error
}

// openRequests is a query of requests whose requesters are active where they asked.
func (s *Service) openRequests(ctx context.Context) *gorm.DB {
	return s.DB.Read(ctx).Table("credit_requests r").
		Select("r.*, CASE WHEN om.role = 'member' THEN b.cap END AS cap").
		Joins(org.JoinWorkspaces("r.workspace_id") + " AND w.organization_id = r.organization_id AND w.archived_at IS NULL").
		Joins(account.JoinUndeleted("r.user_id")).
		Joins(org.JoinRoles("r.workspace_id", "r.organization_id", "r.user_id")).
		Joins("LEFT JOIN member_budgets b ON b.workspace_id = r.workspace_id AND b.user_id = r.user_id").
		Where("om.status = 'active' AND (wm.status = 'active' OR wm.user_id IS NULL AND om.role IN ('owner', 'admin'))").
		Order("r.id").Limit(mostRequests)
}

// GrantRequest raises the cap of whoever asked by an amount, which answers the
// request (workspace admins). validation_error for a bad amount and for a
// person whom no cap bounds: their workspace needs the credits.
func (s *Service) GrantRequest(ctx context.Context, id models.ID, amount models.Credits) error {
	if amount <= 0 || amount > models.MaxCredits {
		return models.Invalid("amount", "must be more than 0")
	}
	return s.answerRequest(ctx, id, func(tx *models.Tx, _ *org.Workspace, r *Request) error {
		w, err := s.Orgs.StandingIn(tx.DB, r.UserID, r.WorkspaceID)
		if err != nil {
			return err
		}
		share, err := s.ownShare(tx.Context(), w, r.UserID)
		if err != nil {
			return err
		}
		if share.Cap == nil {
			return models.Invalid("amount", "cannot be given to one person: no cap bounds them, the workspace's own budget does")
		}
		raised := *share.Cap + amount
		_, err = s.UpdateWorkspaceMember(tx.Context(), r.WorkspaceID, r.UserID, UpdateWorkspaceMemberInput{CreditCap: models.Some(raised)})
		return err
	})
}

// CloseRequest ends a request without giving anything: whoever asked takes it
// back, an admin of the workspace declines it, or answered it in another way.
func (s *Service) CloseRequest(ctx context.Context, id models.ID) error {
	return s.answerRequest(ctx, id, func(tx *models.Tx, w *org.Workspace, r *Request) error {
		closed, err := models.Affected(tx.Where("id = ?", r.ID).Delete(&Request{}))
		if err != nil {
			return err
		}
		if closed == 0 {
			return models.NotFound("Request")
		}
		return tx.Audit(w.OrganizationID, "budget.request_closed",
			models.Target{Type: "user", ID: r.UserID, WorkspaceID: &w.ID}, models.Fields{"amount": {From: r.Amount}})
	})
}

// answerRequest finds a request that the actor may answer; not_found for what
// the actor may not see.
func (s *Service) answerRequest(ctx context.Context, id models.ID, answer func(*models.Tx, *org.Workspace, *Request) error) error {
	actor := models.ActorFrom(ctx)
	if err := actor.RequireUser(); err != nil {
		return err
	}
	if err := actor.RequireScope(models.ScopeWorkspacesWrite); err != nil {
		return err
	}
	return s.DB.Write(ctx, func(tx *models.Tx) error {
		missing := models.NotFound("Request")
		r, err := models.First[Request](tx.Where("id = ?", id), missing)
		if err != nil {
			return err
		}
		w, err := s.Orgs.StandingIn(tx.DB, actor.UserID, r.WorkspaceID)
		if err != nil || w.OrganizationID != r.OrganizationID || models.HasCode(w.Authorize(org.ReadWorkspace), models.CodeNotFound) {
			return missing
		}
		if r.UserID != actor.UserID {
			if w.Authorize(org.ReadWorkspaceBudget) != nil {
				return missing
			}
			if err := w.Authorize(org.ManageWorkspaceMembers); err != nil {
				return err
			}
		} else if err := w.Authorize(org.WorkInWorkspace); err != nil {
			return err
		}
		tx.Notify("workspace:" + w.ID.String())
		return answer(tx, w, r)
	})
}

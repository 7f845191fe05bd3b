package credit

import (
	"context"

	"atelier/models"
	"atelier/models/account"
	"atelier/models/org"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// maxRequests is how many open requests are shown.
const maxRequests = 50

// ListRequests are the open requests of a workspace, the oldest first, at most
// 50: everyone's for its admins, one's own for others. Who asked and may not
// act there any more is left out.
func (s *Service) ListRequests(ctx context.Context, workspaceID models.ID) ([]*Request, error) {
	w, err := s.Orgs.Workspaces().Find(ctx, workspaceID)
	if err != nil {
		return nil, err
	}
	q := s.oldestRequests(ctx).Where("r.workspace_id = ? AND r.organization_id = ?", w.ID, w.OrganizationID)
	if w.Authorize(org.ReadWorkspaceBudget) != nil {
		q = q.Where("r.requester_id = ?", models.ActorFrom(ctx).UserID)
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
	return found, s.oldestRequests(ctx).Where("r.organization_id = ?", o.ID).Scan(&found).Error
}

// oldestRequests are as many open requests as one list holds, with the caps that bind those who asked.
func (s *Service) oldestRequests(ctx context.Context) *gorm.DB {
	return s.openRequests(ctx).Select("r.*, CASE WHEN om.role = 'member' THEN b.cap END AS cap").
		Joins("LEFT JOIN member_budgets b ON b.workspace_id = r.workspace_id AND b.user_id = r.requester_id").
		Order("r.id").Limit(maxRequests)
}

// openRequests is a query of requests whose requesters are active where they asked.
func (s *Service) openRequests(ctx context.Context) *gorm.DB {
	return s.DB.Read(ctx).Table("credit_requests r").
		Joins(org.JoinWorkspaces("r.workspace_id") + " AND w.organization_id = r.organization_id AND w.archived_at IS NULL").
		Joins(account.JoinUndeleted("r.requester_id")).
		Joins(org.JoinRoles("r.workspace_id", "r.organization_id", "r.requester_id")).
		Where("r.answered_at IS NULL").
		Where("om.status = 'active' AND (wm.status = 'active' OR wm.user_id IS NULL AND om.role IN ('owner', 'admin'))")
}

// GrantRequest raises the cap of the one who asked by an amount, which answers the
// request (workspace admins). validation_error for a bad amount and for a
// person whom no cap bounds: their workspace needs the credits.
func (s *Service) GrantRequest(ctx context.Context, id models.ID, amount models.Credits) error {
	if amount <= 0 || amount > models.MaxCredits {
		return models.Invalid("amount", "must be more than 0")
	}
	return s.answerRequest(ctx, id, func(tx *models.Tx, _ *org.Workspace, r *Request) error {
		w, err := s.Orgs.Workspaces().FindFor(tx.Context(), r.RequesterID, r.WorkspaceID)
		if err != nil {
			return err
		}
		share, err := s.ownShare(tx.Context(), w, r.RequesterID)
		if err != nil {
			return err
		}
		if share.Cap == nil {
			return models.Invalid("amount", "cannot be given to one person: no cap bounds them, the workspace's own budget does")
		}
		raised := *share.Cap + amount
		_, err = s.UpdateWorkspaceMember(tx.Context(), r.WorkspaceID, r.RequesterID, UpdateWorkspaceMemberInput{CreditCap: models.Some(raised)})
		return err
	})
}

// CloseRequest ends a request without giving anything: the one who asked takes it
// back, an admin of the workspace declines it, or answered it in another way.
func (s *Service) CloseRequest(ctx context.Context, id models.ID) error {
	return s.answerRequest(ctx, id, func(tx *models.Tx, w *org.Workspace, r *Request) error {
		answer := "declined"
		if r.RequesterID == tx.Actor.UserID {
			answer = "withdrawn"
		}
		if err := s.answer(tx, w, r, answer, nil); err != nil {
			return err
		}
		return tx.Audit(w.OrganizationID, "budget.request_closed",
			models.Target{Type: "user", ID: r.RequesterID, WorkspaceID: &w.ID}, models.Fields{"amount": {From: r.Amount}})
	})
}

// answerRequest finds a request that the actor may answer; not_found for what
// the actor may not see.
func (s *Service) answerRequest(ctx context.Context, id models.ID, answer func(*models.Tx, *org.Workspace, *Request) error) error {
	actor := models.ActorFrom(ctx)
	if err := actor.RequireUser(models.ScopeWorkspacesWrite); err != nil {
		return err
	}
	return s.DB.Write(ctx, func(tx *models.Tx) error {
		missing := models.NotFound("Request")
		r, err := models.First[Request](tx.Clauses(clause.Locking{Strength: "UPDATE"}).Where("id = ? AND answered_at IS NULL", id), missing)
		if err != nil {
			return err
		}
		w, err := s.Orgs.Workspaces().FindFor(tx.Context(), actor.UserID, r.WorkspaceID)
		if err != nil || w.OrganizationID != r.OrganizationID || models.HasCode(w.Authorize(org.ReadWorkspace), models.CodeNotFound) {
			return missing
		}
		if r.RequesterID != actor.UserID {
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

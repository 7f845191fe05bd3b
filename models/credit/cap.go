package credit

import (
	"context"

	"atelier/models"
	"atelier/models/org"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// UpdateWorkspaceMemberInput changes a member's role, standing or cap; a
// CreditCap of null is no cap.
type UpdateWorkspaceMemberInput struct {
	Role      models.Opt[org.WorkspaceRole]
	Status    models.Opt[org.MemberStatus]
	CreditCap models.Opt[models.Credits]
}

// UpdateWorkspaceMember changes a listed member's role, standing and cap in
// one transaction (workspace admins). A cap is a validation_error where caps
// are off, on an organization admin, and below zero; null is always allowed,
// and so is one below what was spent (open points, "Money").
func (s *Service) UpdateWorkspaceMember(ctx context.Context, workspaceID, userID models.ID, in UpdateWorkspaceMemberInput) (row *org.ListedMember, err error) {
	limit, sent := in.CreditCap.ValueOK()
	if limit != nil && (*limit < 0 || *limit > models.MaxCredits) {
		return nil, models.Invalid("creditCap", "must be 0 or more, or null for none")
	}
	err = s.DB.Write(ctx, func(tx *models.Tx) error {
		row, err = s.Orgs.WorkspaceMembers().Update(tx.Context(), workspaceID, userID, org.UpdateWorkspaceMemberInput{Role: in.Role, Status: in.Status, Listed: sent})
		if err != nil || !sent {
			return err
		}
		return s.setCap(tx, row, limit)
	})
	return row, err
}

// SetMemberCaps gives several listed members of a workspace the same cap, or
// with null none, all or no one (workspace admins); at most 200. Refusals are
// those of UpdateWorkspaceMember.
func (s *Service) SetMemberCaps(ctx context.Context, workspaceID models.ID, userIDs []models.ID, limit *models.Credits) ([]*org.ListedMember, error) {
	if len(userIDs) == 0 || len(userIDs) > 200 {
		return nil, models.Invalid("userIds", "must name 1 to 200 people")
	}
	in := UpdateWorkspaceMemberInput{CreditCap: models.Null[models.Credits]()}
	if limit != nil {
		in.CreditCap = models.Some(*limit)
	}
	rows := make([]*org.ListedMember, 0, len(userIDs))
	err := s.DB.Write(ctx, func(tx *models.Tx) error {
		rows = rows[:0]
		for _, id := range userIDs {
			row, err := s.UpdateWorkspaceMember(tx.Context(), workspaceID, id, in)
			if err != nil {
				return err
			}
			rows = append(rows, row)
		}
		return nil
	})
	return rows, err
}

// setCap stores the cap of a member whose row the actor may change.
func (s *Service) setCap(tx *models.Tx, row *org.ListedMember, limit *models.Credits) error {
	w, err := s.Orgs.Workspaces().FindFor(tx.Context(), row.UserID, row.WorkspaceID)
	if err != nil {
		return err
	}
	if limit != nil && !w.Rules().MemberCapsEnabled {
		return errCapsOff
	}
	if limit != nil && !capsBind(w) {
		return models.Invalid("creditCap", "cannot be set on an organization admin")
	}
	before := row.CreditCap
	if sameCap(before, limit) {
		return nil
	}
	row.CreditCap = limit
	share := MemberBudget{WorkspaceID: w.ID, UserID: row.UserID, Cap: limit}
	err = tx.Clauses(clause.OnConflict{
		Columns:   []clause.Column{{Name: "workspace_id"}, {Name: "user_id"}},
		DoUpdates: clause.Assignments(map[string]any{"cap": limit}),
	}).Create(&share).Error
	if err == nil && (limit == nil || before != nil && *limit > *before) {
		err = s.tellRaised(tx, w, row.UserID)
	}
	if err == nil && limit != nil {
		err = s.tellLowered(tx, w, row.UserID, before, *limit)
	}
	if err != nil {
		return err
	}
	return tx.Audit(w.OrganizationID, "member.cap_changed",
		models.Target{Type: "user", ID: row.UserID, WorkspaceID: &w.ID}, models.Fields{"creditCap": {From: before, To: limit}})
}

// tellLowered tells a member how much of their own limit is used that was lowered, or
// set, if that is further than before; the row that counts is held.
func (s *Service) tellLowered(tx *models.Tx, w *org.Workspace, userID models.ID, before *models.Credits, limit models.Credits) error {
	share, err := models.First[MemberBudget](tx.Where("workspace_id = ? AND user_id = ?", w.ID, userID), gorm.ErrRecordNotFound)
	if err != nil {
		return err
	}
	level := 0
	if before != nil {
		level = reached(limitLevels, share.Spent, *before)
	}
	if level = higher(level, reached(limitLevels, share.Spent, limit)); level == 0 {
		return nil
	}
	return s.tellLimit(tx, w, userID, level, share.Spent, limit)
}

var errCapsOff = models.Invalid("creditCap", "cannot be set: the settings switch caps off")

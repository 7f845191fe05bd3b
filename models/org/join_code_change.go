package org

import (
	"context"
	"errors"
	"time"

	"atelier/models"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// Find is the workspace's code, nil when there is none (workspace admins).
func (s JoinCodes) Find(ctx context.Context, workspaceID models.ID) (*JoinCode, error) {
	actor, err := reader(ctx)
	if err != nil {
		return nil, err
	}
	w, err := s.org.authorizeIn(ctx, actor, workspaceID, ReadJoinCode)
	if err != nil {
		return nil, err
	}
	return findJoinCode(s.org.DB.Read(ctx), w.ID, s.org.DB.Clock.Now())
}

// findJoinCode reads a code as it is at a moment: one whose closing time has
// come is a disabled one.
func findJoinCode(db *gorm.DB, workspaceID models.ID, now time.Time) (*JoinCode, error) {
	code, err := models.First[JoinCode](db.Where("workspace_id = ?", workspaceID), gorm.ErrRecordNotFound)
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return nil, nil
	}
	if err == nil && code.ClosesAt != nil && !code.ClosesAt.After(now) {
		code.Enabled, code.ClosesAt = false, nil
	}
	return code, err
}

// JoinedToday is how many people joined the workspace with a code since
// midnight UTC and are still there. The code was authorized when it was read.
func (s JoinCodes) JoinedToday(ctx context.Context, workspaceID models.ID) (int, error) {
	var n int64
	err := s.org.DB.Read(ctx).Table("workspace_members").
		Where("workspace_id = ? AND joined_by_code AND added_at >= ?", workspaceID, s.org.DB.Clock.Now().Truncate(24*time.Hour)).
		Count(&n).Error
	return int(n), err
}

// Change rotates, enables or disables the code (workspace admins; open
// points, "Join codes"). Rotating kills the old code and keeps whether it is
// enabled; enabling without a code makes one, disabling without one is a
// validation_error.
func (s JoinCodes) Change(ctx context.Context, workspaceID models.ID, action JoinCodeAction) (code *JoinCode, err error) {
	if _, err := writer(ctx); err != nil {
		return nil, err
	}
	if action != RotateCode && action != EnableCode && action != DisableCode {
		return nil, models.Invalid("action", "must be rotate, enable or disable")
	}
	return s.org.changeJoinCode(ctx, workspaceID, action, nil)
}

// EnableUntil enables the code until a moment within a week, after
// which it is as good as disabled (workspace admins). A code that is enabled
// gets the new closing time; Change enables it without one again.
func (s JoinCodes) EnableUntil(ctx context.Context, workspaceID models.ID, closesAt time.Time) (*JoinCode, error) {
	if _, err := writer(ctx); err != nil {
		return nil, err
	}
	if left := closesAt.Sub(s.org.DB.Clock.Now()); left <= 0 || left > 7*24*time.Hour {
		return nil, models.Invalid("closesAt", "must lie within the next seven days")
	}
	return s.org.changeJoinCode(ctx, workspaceID, EnableCode, &closesAt)
}

func (s *Service) changeJoinCode(ctx context.Context, workspaceID models.ID, action JoinCodeAction, closesAt *time.Time) (code *JoinCode, err error) {
	err = s.DB.Write(ctx, func(tx *models.Tx) error {
		w, err := s.lockWorkspace(tx, workspaceID)
		if err != nil {
			return err
		}
		if err := w.Authorize(ManageJoinCode); err != nil {
			return err
		}
		if err := w.CheckNotArchived(false); err != nil {
			return err
		}
		before, err := findJoinCode(tx.DB, w.ID, tx.Now)
		if err != nil {
			return err
		}
		if code, err = nextJoinCode(tx, w.ID, before, action, closesAt); err != nil || code == before {
			return err
		}
		return storeJoinCode(tx, w, before, code, action)
	})
	return code, err
}

// nextJoinCode is the code after the action: the same pointer when nothing changes.
func nextJoinCode(tx *models.Tx, workspaceID models.ID, before *JoinCode, action JoinCodeAction, closesAt *time.Time) (*JoinCode, error) {
	switch {
	case before == nil && action == DisableCode:
		return nil, models.Invalid("action", "disable needs a join code, and there is none")
	case before == nil || action == RotateCode:
		fresh, err := freeJoinCode(tx)
		after := &JoinCode{
			WorkspaceID: workspaceID, Code: fresh, Enabled: before == nil || before.Enabled, ClosesAt: closesAt,
			RotatedAt: tx.Now, RotatedBy: tx.Actor.UserID,
		}
		if before != nil {
			after.ClosesAt = before.ClosesAt
		}
		return after, err
	case before.Enabled == (action == EnableCode) && sameTime(before.ClosesAt, closesAt):
		return before, nil
	}
	after := *before
	after.Enabled, after.ClosesAt = action == EnableCode, closesAt
	return &after, nil
}

func sameTime(a, b *time.Time) bool { return a == b || a != nil && b != nil && a.Equal(*b) }

// freeJoinCode draws a code that no workspace has; the unique index decides
// the one race in 78 billion.
func freeJoinCode(tx *models.Tx) (string, error) {
	for {
		var taken int64
		code := newJoinCode()
		err := tx.Table("join_codes").Where("code = ?", code).Count(&taken).Error
		if err != nil || taken == 0 {
			return code, err
		}
	}
}

func storeJoinCode(tx *models.Tx, w *Workspace, before, after *JoinCode, action JoinCodeAction) error {
	err := tx.Clauses(clause.OnConflict{
		Columns:   []clause.Column{{Name: "workspace_id"}},
		DoUpdates: clause.AssignmentColumns([]string{"code", "enabled", "closes_at", "rotated_at", "rotated_by"}),
	}).Create(after).Error
	if err != nil {
		return err
	}
	changes := models.Fields{"enabled": {To: after.Enabled}}
	if before != nil {
		changes["enabled"] = models.Change{From: before.Enabled, To: after.Enabled}
	} else {
		before = &JoinCode{}
	}
	if !sameTime(before.ClosesAt, after.ClosesAt) {
		changes["closesAt"] = models.Change{From: before.ClosesAt, To: after.ClosesAt}
	}
	verbs := map[JoinCodeAction]string{RotateCode: "rotated", EnableCode: "enabled", DisableCode: "disabled"}
	tx.Notify("workspace:" + w.ID.String())
	return tx.Audit(w.OrganizationID, "join_code."+verbs[action],
		models.Target{Type: "join_code", ID: w.ID, WorkspaceID: &w.ID}, changes)
}

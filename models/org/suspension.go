package org

import (
	"context"
	"time"

	"atelier/models"
	"atelier/models/account"

	"gorm.io/gorm"
)

// maxKeptSuspensions is how many are listed, the latest first.
const maxKeptSuspensions = 200

// KeptSuspension is the suspension of a person whose row went by leaving or
// removal. Until an admin lifts it, it stands in the row's place: anyone who joins
// or accepts an invitation is refused (member_suspended), the one who is listed
// again is suspended.
type KeptSuspension struct {
	UserID         models.ID
	OrganizationID models.ID
	// WorkspaceID is nil for a suspension in the organization.
	WorkspaceID *models.ID
	// Role and JoinedAt are those of the row that went.
	Role     string
	JoinedAt time.Time
	KeptAt   time.Time
}

func (KeptSuspension) TableName() string { return "kept_suspensions" }

// keepSuspensions keeps the suspensions of a membership that is about to go,
// those in workspaces included.
func keepSuspensions(tx *models.Tx, m *OrganizationMember) error {
	return tx.Exec(`
		INSERT INTO kept_suspensions (user_id, organization_id, workspace_id, role, joined_at, kept_at)
		SELECT user_id, organization_id, NULL, role, joined_at, ?::timestamptz FROM organization_members
		WHERE organization_id = ? AND user_id = ? AND status = 'suspended'
		UNION ALL
		SELECT user_id, organization_id, workspace_id, role, added_at, ?::timestamptz FROM workspace_members
		WHERE organization_id = ? AND user_id = ? AND status = 'suspended'`,
		tx.Now, m.OrganizationID, m.UserID, tx.Now, m.OrganizationID, m.UserID).Error
}

// keepSuspension keeps that of a row in a workspace that is about to go.
func keepSuspension(tx *models.Tx, w *Workspace, m *ListedMember) error {
	if *m.Status != MemberSuspended {
		return nil
	}
	return tx.Create(&KeptSuspension{
		UserID: m.UserID, OrganizationID: w.OrganizationID, WorkspaceID: &w.ID, Role: string(m.Role), JoinedAt: m.AddedAt, KeptAt: tx.Now,
	}).Error
}

// keptSuspension is a person's kept suspension in an organization or, with a
// workspace, in that one.
func keptSuspension(db *gorm.DB, organizationID models.ID, workspaceID *models.ID, userID models.ID) *gorm.DB {
	return db.Model(&KeptSuspension{}).Where("user_id = ? AND organization_id = ? AND workspace_id IS NOT DISTINCT FROM ?", userID, organizationID, workspaceID)
}

// refuseKept is member_suspended for a person whose suspension is kept. It is
// asked once the locks are held, before every row that lets a person in.
func refuseKept(tx *models.Tx, organizationID models.ID, workspaceID *models.ID, userID models.ID) error {
	var n int64
	if err := keptSuspension(tx.DB, organizationID, workspaceID, userID).Count(&n).Error; err != nil || n == 0 {
		return err
	}
	return ErrMemberSuspended
}

// endKept ends a kept suspension; false when there is none.
func endKept(tx *models.Tx, organizationID models.ID, workspaceID *models.ID, userID models.ID) (bool, error) {
	n, err := models.Affected(keptSuspension(tx.DB, organizationID, workspaceID, userID).Delete(&KeptSuspension{}))
	return n > 0, err
}

// liftKept lifts the suspension of a person who left or was removed, which
// makes them no member again: notFound unless there is one.
func liftKept(tx *models.Tx, organizationID models.ID, workspaceID *models.ID, userID models.ID, notFound error) (*KeptSuspension, error) {
	kept, err := models.First[KeptSuspension](keptSuspension(tx.DB, organizationID, workspaceID, userID), notFound)
	if err != nil {
		return nil, err
	}
	if _, err := endKept(tx, organizationID, workspaceID, userID); err != nil {
		return nil, err
	}
	action := "member."
	if workspaceID != nil {
		action = "workspace_member."
	}
	tx.Notify(models.RightsTopic(userID))
	target := models.Target{Type: "user", ID: userID, WorkspaceID: workspaceID}
	return kept, tx.Audit(organizationID, action+statusVerbs[MemberActive], target, models.Fields{"status": {From: MemberSuspended, To: MemberActive}})
}

// SuspendedFormer are people who are no members of an organization any
// more and whose suspension stands, the latest first, at most 200 (owner and
// admins).
func (s Members) SuspendedFormer(ctx context.Context, organizationID models.ID) ([]models.ID, error) {
	if _, err := s.org.readable(ctx, organizationID, ReadMembers); err != nil {
		return nil, err
	}
	return keptIn(s.org.DB.Read(ctx), organizationID, nil)
}

// SuspendedFormer are those of a workspace, who are not listed in it any
// more (workspace admins).
func (s WorkspaceMembers) SuspendedFormer(ctx context.Context, workspaceID models.ID) ([]models.ID, error) {
	w, err := s.org.withMembers(ctx, workspaceID)
	if err != nil {
		return nil, err
	}
	return keptIn(s.org.DB.Read(ctx), w.OrganizationID, &w.ID)
}

func keptIn(db *gorm.DB, organizationID models.ID, workspaceID *models.ID) ([]models.ID, error) {
	found := []models.ID{}
	err := db.Table("kept_suspensions").Joins(account.JoinUndeleted("kept_suspensions.user_id")).
		Where("organization_id = ? AND workspace_id IS NOT DISTINCT FROM ?", organizationID, workspaceID).
		Order("kept_at DESC, user_id DESC").Limit(maxKeptSuspensions).Pluck("user_id", &found).Error
	return found, err
}

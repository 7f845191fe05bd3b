package org

import (
	"context"

	"atelier/models"
	"atelier/models/account"
)

// Candidates are active members of the organization who are not listed in the
// workspace, found by a part of their name or by their whole address, at most
// 20 (workspace admins). Addresses are not shown to them.
func (s WorkspaceMembers) Candidates(ctx context.Context, workspaceID models.ID, search string) ([]models.ID, error) {
	w, err := s.org.withMembers(ctx, workspaceID)
	if err != nil {
		return nil, err
	}
	sought, err := models.ListSearch(&search)
	if err != nil {
		return nil, err
	}
	found := []models.ID{}
	err = s.org.DB.Read(ctx).Table("organization_members om").
		Joins(account.Join("om.user_id")).
		Where("om.organization_id = ? AND om.status = ?", w.OrganizationID, MemberActive).
		Where("(? = '' OR "+models.Found("u.search")+" OR u.email = ?)", sought, sought, models.TypedEmail(sought)).
		Where("NOT EXISTS (SELECT FROM workspace_members wm WHERE wm.workspace_id = ? AND wm.user_id = om.user_id)", w.ID).
		Order("u.display_name, u.id").Limit(20).Pluck("u.id", &found).Error
	return found, err
}

// Search are active members listed in the workspace by
// their name (models.Found), but some, at most 20 (its members).
func (s WorkspaceMembers) Search(ctx context.Context, workspaceID models.ID, search string, except []models.ID) ([]models.ID, error) {
	w, err := s.org.Workspaces().Find(ctx, workspaceID)
	if err != nil {
		return nil, err
	}
	sought, err := models.ListSearch(&search)
	if err != nil {
		return nil, err
	}
	found := []models.ID{}
	err = s.org.DB.Read(ctx).Table("workspace_members wm").
		Joins("JOIN organization_members om ON om.organization_id = wm.organization_id AND om.user_id = wm.user_id").
		Joins(account.JoinUndeleted("wm.user_id")).
		Where("wm.workspace_id = ? AND wm.status = ? AND om.status = ?", w.ID, MemberActive, MemberActive).
		Where("(? = '' OR "+models.Found("u.search")+") AND u.id NOT IN ?", sought, sought, except).
		Order("u.display_name, u.id").Limit(20).Pluck("u.id", &found).Error
	return found, err
}

// UnlistedAdmins are owner and admins of the organization who are admins of
// the workspace without being listed (workspace admins).
func (s WorkspaceMembers) UnlistedAdmins(ctx context.Context, workspaceID models.ID) ([]models.ID, error) {
	w, err := s.org.withMembers(ctx, workspaceID)
	if err != nil {
		return nil, err
	}
	found := []models.ID{}
	err = s.org.DB.Read(ctx).Table("organization_members om").
		Where("om.organization_id = ? AND om.status = 'active' AND om.role IN ('owner', 'admin')", w.OrganizationID). // the values make the plan
		Where("NOT EXISTS (SELECT FROM workspace_members wm WHERE wm.workspace_id = ? AND wm.user_id = om.user_id)", w.ID).
		Where("NOT EXISTS (SELECT FROM kept_suspensions k WHERE k.workspace_id = ? AND k.user_id = om.user_id)", w.ID).
		Order("om.joined_at, om.user_id").Limit(200).Pluck("om.user_id", &found).Error
	return found, err
}

// CountSuspended is how many of those who are listed in a workspace are
// suspended, there or in the organization; nil except for its admins.
func (s WorkspaceMembers) CountSuspended(ctx context.Context, workspaceID models.ID) (*int, error) {
	w, err := s.org.withMembers(ctx, workspaceID)
	if models.HasCode(err, models.CodeInsufficientRole) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var n int64
	err = s.org.DB.Read(ctx).Table("workspace_members wm").
		Joins("JOIN organization_members om ON om.organization_id = wm.organization_id AND om.user_id = wm.user_id").
		Where("wm.workspace_id = ? AND (wm.status = ? OR om.status = ?)", w.ID, MemberSuspended, MemberSuspended).Count(&n).Error
	count := int(n)
	return &count, err
}

// OwnerAndAdmins are the active owner of a workspace's organization and the
// active admins who are listed in it, but one, the owner first.
func OwnerAndAdmins(tx *models.Tx, w *Workspace, but models.ID, most int) ([]models.ID, error) {
	var found []models.ID
	err := tx.Table("organization_members om").
		Joins(account.JoinUndeleted("om.user_id")).
		Joins("LEFT JOIN workspace_members wm ON wm.workspace_id = ? AND wm.user_id = om.user_id", w.ID).
		Where("om.organization_id = ? AND om.status = ? AND om.user_id <> ?", w.OrganizationID, MemberActive, but).
		Where("(om.role = ? OR wm.role = ? AND wm.status = ?)", Owner, WorkspaceRoleAdmin, MemberActive).
		Order("om.role = 'owner' DESC, om.user_id").Limit(most).Pluck("om.user_id", &found).Error
	return found, err
}

// Find is one listed member of a workspace (workspace admins).
func (s WorkspaceMembers) Find(ctx context.Context, workspaceID, userID models.ID) (*ListedMember, error) {
	w, err := s.org.withMembers(ctx, workspaceID)
	if err != nil {
		return nil, err
	}
	return s.org.findListedMember(s.org.DB.Read(ctx), w, userID)
}

// withMembers is a workspace of which the caller may read all that is known of
// its members.
func (s *Service) withMembers(ctx context.Context, id models.ID) (*Workspace, error) {
	actor, err := reader(ctx)
	if err != nil {
		return nil, err
	}
	return s.authorizeIn(ctx, actor, id, ReadWorkspaceMembers)
}

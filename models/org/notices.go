package org

import (
	"atelier/models"
	"atelier/models/account"
	"atelier/models/notice"
)

// tellStatus tells the owner what became of the organization.
func (s *Service) tellStatus(tx *models.Tx, o *Organization, status, reason string) error {
	var owner []models.ID
	err := tx.Model(&OrganizationMember{}).Where("organization_id = ? AND role = ?", o.ID, Owner).Pluck("user_id", &owner).Error
	if err != nil {
		return err
	}
	return s.Notices.Tell(tx, notice.News{
		Kind: notice.OrganizationStatus, Needs: notice.Owner, OrganizationID: &o.ID, SubjectID: &o.ID,
		Facts: notice.Facts{Organization: o.Name, Status: status, Reason: reason}, Key: o.ID.String() + ":" + tx.NewID().String(),
	}, owner...)
}

// tellAccepted tells the one who invited the actor; several acceptances that are not
// read yet are one.
func (s *Service) tellAccepted(tx *models.Tx, o *Organization, i *Invitation) error {
	news := notice.News{
		Kind: notice.InvitationAccepted, Needs: notice.Admin, OrganizationID: &o.ID, WorkspaceID: i.WorkspaceID,
		Facts: notice.Facts{Organization: o.Name, Person: tx.Actor.DisplayName}, Key: o.ID.String(), Bundles: true,
	}
	if i.WorkspaceID != nil {
		news.Needs, news.Key = notice.Teacher, i.WorkspaceID.String()
		if err := tx.Model(&Workspace{}).Where("id = ?", *i.WorkspaceID).Pluck("name", &news.Facts.Workspace).Error; err != nil {
			return err
		}
	}
	return s.Notices.Tell(tx, news, i.InvitedBy)
}

// WorkspaceName is what a workspace is called.
func WorkspaceName(tx *models.Tx, id models.ID) (name string, err error) {
	err = tx.Model(&Workspace{}).Where("id = ?", id).Pluck("name", &name).Error
	return name, err
}

// ListedAdmins are the active admins who are listed in a workspace.
func ListedAdmins(tx *models.Tx, w *Workspace, most int) ([]models.ID, error) {
	var found []models.ID
	err := tx.Table("workspace_members wm").Joins(account.JoinUndeleted("wm.user_id")).
		Where("wm.workspace_id = ? AND wm.role = ? AND wm.status = ?", w.ID, WorkspaceRoleAdmin, MemberActive).
		Order("wm.user_id").Limit(most).Pluck("wm.user_id", &found).Error
	return found, err
}

// Leaders are the name of an organization, and its active owner and admins.
func Leaders(tx *models.Tx, organizationID models.ID, most int) (name string, found []models.ID, err error) {
	if err := tx.Model(&Organization{}).Where("id = ?", organizationID).Pluck("name", &name).Error; err != nil {
		return "", nil, err
	}
	err = tx.Table("organization_members om").Joins(account.JoinUndeleted("om.user_id")).
		Where("om.organization_id = ? AND om.status = ? AND om.role IN ?", organizationID, MemberActive, []Role{Owner, Admin}).
		Order("om.role = 'owner' DESC, om.user_id").Limit(most).Pluck("om.user_id", &found).Error
	return name, found, err
}

// maxStewards is how many people are told of a workspace's money.
const maxStewards = 100

// Stewards are those who are told of a workspace's money: who run it, and who lead its organization while they are plain members here.
func Stewards(tx *models.Tx, w *Workspace) (run, lead []models.ID, err error) {
	var rows []struct {
		UserID models.ID
		Runs   bool
	}
	err = tx.Table("organization_members om").Joins(account.JoinUndeleted("om.user_id")).
		Select("om.user_id, coalesce(wm.role = ? AND wm.status = ?, true) AS runs", WorkspaceRoleAdmin, MemberActive).
		Joins("LEFT JOIN workspace_members wm ON wm.workspace_id = ? AND wm.user_id = om.user_id", w.ID).
		Where("om.organization_id = ? AND om.status = ?", w.OrganizationID, MemberActive).
		Where("(om.role IN ? OR wm.role = ? AND wm.status = ?)", []Role{Owner, Admin}, WorkspaceRoleAdmin, MemberActive).
		Order("om.role = 'owner' DESC, om.user_id").Limit(maxStewards).Scan(&rows).Error
	for _, row := range rows {
		if row.Runs {
			run = append(run, row.UserID)
		} else {
			lead = append(lead, row.UserID)
		}
	}
	return run, lead, err
}

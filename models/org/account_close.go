package org

import (
	"context"
	"strings"

	"atelier/models"
	"atelier/models/account"

	"gorm.io/gorm"
)

// leaveAll takes an account that is deleted out of its organizations; the owner
// of one is owner_cannot_leave.
func leaveAll(tx *models.Tx, user *account.User) error {
	var ids []models.ID
	err := tx.Model(&OrganizationMember{}).Joins(Join("organization_members.organization_id")).
		Where("user_id = ?", user.ID).Order("organization_id").Pluck("organization_id", &ids).Error
	if err != nil {
		return err
	}
	for _, id := range ids { // in one order, for others lock several too
		if _, err := tx.Run(`SELECT FROM organizations WHERE id = $1 FOR UPDATE`, id); err != nil {
			return err
		}
	}
	owned, err := ownedBy(tx.DB, user.ID)
	if err != nil {
		return err
	}
	if len(owned) > 0 {
		names := make([]string, len(owned))
		for i, o := range owned {
			names[i] = o.Name
		}
		return models.Err(models.CodeOwnerCannotLeave, "The owner of %s cannot leave: hand it over, or delete it first", strings.Join(names, ", "))
	}
	var rows []*OrganizationMember
	err = tx.Where("user_id = ? AND organization_id IN ?", user.ID, ids).Order("organization_id").Find(&rows).Error
	if err != nil {
		return err
	}
	action := "member.left"
	if tx.Actor.UserID != user.ID {
		action = "member.removed"
	}
	for _, m := range rows {
		if err := deleteMember(tx, m, action); err != nil {
			return err
		}
	}
	if err := forgetInvited(tx, user); err != nil {
		return err
	}
	if err := tx.Where("user_id = ?", user.ID).Delete(&AgentWorkspace{}).Error; err != nil {
		return err
	}
	return tx.Where("user_id = ?", user.ID).Delete(&KeptSuspension{}).Error // the one who comes again is another person
}

// forgetInvited takes the name of a person who is gone off the invitations to their
// address, and off what was sent. The invitations stay, for they are the
// organization's: an open one asks the one who has the address, a person who comes
// again by it included.
func forgetInvited(tx *models.Tx, user *account.User) error {
	const named = "email = ? AND name <> ''"
	if err := tx.Model(&Invitation{}).Where(named, user.Email).UpdateColumn("name", "").Error; err != nil {
		return err
	}
	return tx.Exec(`UPDATE invitation_sends SET name = '' WHERE `+named, user.Email).Error
}

// ownedBy are the organizations whose owner an account is.
func ownedBy(db *gorm.DB, userID models.ID) (owned []account.OwnedOrganization, err error) {
	err = db.Model(&OrganizationMember{}).Select("o.id, o.name").Joins(Join("organization_members.organization_id")).
		Where("user_id = ? AND role = ?", userID, Owner).Order("o.id").Scan(&owned).Error
	return owned, err
}

func (s *Service) countMemberships(ctx context.Context, userID models.ID, c *account.Closing) error {
	owned, err := ownedBy(s.DB.Read(ctx), userID)
	if err != nil {
		return err
	}
	var others int64
	err = s.DB.Read(ctx).Model(&OrganizationMember{}).Joins(Join("organization_members.organization_id")).
		Where("user_id = ? AND role <> ?", userID, Owner).Count(&others).Error
	c.Owned, c.Organizations = append(c.Owned, owned...), int(others)
	return err
}

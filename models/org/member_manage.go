package org

import (
	"cmp"
	"context"

	"atelier/models"
	"atelier/models/account"

	"gorm.io/gorm"
)

// UpdateMemberInput changes a member's role (admin or member) or standing.
type UpdateMemberInput struct {
	Role   models.Opt[Role]
	Status models.Opt[MemberStatus]
}

// Update changes a member's role or standing (owner and admins; contract
// 3, "Org members"). Anything about the owner's row is a validation_error. The
// status active alone also lifts the suspension of a person who is no member
// any more; the answer is then the membership that they had.
func (s Members) Update(ctx context.Context, organizationID, userID models.ID, in UpdateMemberInput) (m *OrganizationMember, err error) {
	wanted, err := readMemberChange(in.Role, in.Status)
	if err != nil {
		return nil, err
	}
	absent := notThere
	if wanted.onlyReinstates() {
		absent = func(tx *models.Tx) error {
			m, err = reinstateFormer(tx, organizationID, userID)
			return err
		}
	}
	err = s.org.changeMember(ctx, organizationID, userID, absent, func(tx *models.Tx, row *OrganizationMember) error {
		m = row
		before := *m
		m.Role, m.Status = cmp.Or(wanted.role, m.Role), cmp.Or(wanted.status, m.Status)
		return s.org.storeMember(tx, &before, m)
	})
	return m, err
}

func (s *Service) storeMember(tx *models.Tx, before, after *OrganizationMember) error {
	after.UpdatedAt = tx.Now
	err := tx.Model(&OrganizationMember{}).Where("organization_id = ? AND user_id = ?", after.OrganizationID, after.UserID).
		Select("role", "status", "updated_at").Updates(after).Error
	if err != nil {
		return err
	}
	if err := wakeMember(tx, after); err != nil {
		return err
	}
	target := models.Target{Type: "user", ID: after.UserID}
	if before.Role != after.Role {
		if err := s.becamePlain(tx, after); err != nil {
			return err
		}
		if err := tx.Audit(after.OrganizationID, "member.role_changed", target, models.Fields{"role": {From: before.Role, To: after.Role}}); err != nil {
			return err
		}
	}
	if before.Status == after.Status {
		return nil
	}
	return tx.Audit(after.OrganizationID, "member."+statusVerbs[after.Status], target, models.Fields{"status": {From: before.Status, To: after.Status}})
}

// becamePlain runs the hooks of new members for the one who is an admin of the
// organization no more, in each workspace that lists them as a plain member.
func (s *Service) becamePlain(tx *models.Tx, m *OrganizationMember) error {
	if m.Role != Member {
		return nil
	}
	var listed []models.ID
	err := tx.Model(&WorkspaceMember{}).Where("organization_id = ? AND user_id = ? AND role = ?", m.OrganizationID, m.UserID, WorkspaceRoleMember).
		Order("workspace_id").Pluck("workspace_id", &listed).Error
	for _, id := range listed {
		changes := models.Fields{}
		if err == nil {
			err = s.becameMember(tx, NewMember{id, m.UserID, changes})
		}
		if err == nil && len(changes) > 0 {
			err = tx.Audit(m.OrganizationID, "member.cap_changed", models.Target{Type: "user", ID: m.UserID, WorkspaceID: &id}, changes)
		}
	}
	return err
}

var statusVerbs = map[MemberStatus]string{MemberActive: "reinstated", MemberSuspended: "suspended"}

// Remove takes a member out of the organization and all its workspaces
// (owner and admins). The owner cannot be removed: validation_error.
func (s Members) Remove(ctx context.Context, organizationID, userID models.ID) error {
	return s.org.changeMember(ctx, organizationID, userID, notThere, func(tx *models.Tx, m *OrganizationMember) error {
		return deleteMember(tx, m, "member.removed")
	})
}

// errNoMember is the refusal of a person who is no member.
var errNoMember = models.NotFound("Member")

// notThere refuses a change of a person who is no member.
func notThere(*models.Tx) error { return errNoMember }

// reinstateFormer lifts the kept suspension of a person who is no member and
// returns what they were.
func reinstateFormer(tx *models.Tx, organizationID, userID models.ID) (*OrganizationMember, error) {
	kept, err := liftKept(tx, organizationID, nil, userID, errNoMember)
	if err != nil {
		return nil, err
	}
	m := &OrganizationMember{OrganizationID: organizationID, UserID: userID, Role: Role(kept.Role), Status: MemberActive, JoinedAt: kept.JoinedAt, UpdatedAt: tx.Now}
	m.Email, err = account.FindAddress(tx.DB, userID)
	return m, err
}

// changeMember locks the organization and the row of a member who is not its owner;
// absent answers for the one who is no member. Every change of roles locks the
// organization first, so that transfers, suspensions and leaving happen one
// after another.
func (s *Service) changeMember(ctx context.Context, organizationID, userID models.ID, absent func(*models.Tx) error, change func(*models.Tx, *OrganizationMember) error) error {
	if _, err := writer(ctx); err != nil {
		return err
	}
	return s.DB.Write(ctx, func(tx *models.Tx) error {
		if _, err := lockOrganization(tx, organizationID, forUpdate, ManageMembers); err != nil {
			return err
		}
		m, err := s.findMember(tx.DB, organizationID, userID)
		if models.HasCode(err, models.CodeNotFound) {
			return absent(tx)
		}
		if err != nil {
			return err
		}
		if m.Role == Owner {
			return models.Invalid("userId", "names the owner, whose membership cannot change")
		}
		return change(tx, m)
	})
}

func (s *Service) findMember(db *gorm.DB, organizationID, userID models.ID) (*OrganizationMember, error) {
	return models.First[OrganizationMember](s.organizationMembers(db, organizationID).Where("organization_members.user_id = ?", userID), errNoMember)
}

// deleteMember removes a membership; those in workspaces go with it, while
// suspensions stay.
func deleteMember(tx *models.Tx, m *OrganizationMember, action string) error {
	if err := wakeMember(tx, m); err != nil {
		return err
	}
	if err := keepSuspensions(tx, m); err != nil {
		return err
	}
	err := tx.Where("organization_id = ? AND user_id = ?", m.OrganizationID, m.UserID).Delete(&OrganizationMember{}).Error
	if err != nil {
		return err
	}
	return tx.Audit(m.OrganizationID, action, models.Target{Type: "user", ID: m.UserID}, models.Fields{"role": {From: m.Role}})
}

// wakeMember wakes what is open for a member, and who watches a workspace in
// which the member is listed.
func wakeMember(tx *models.Tx, m *OrganizationMember) error {
	tx.Notify(models.RightsTopic(m.UserID))
	var ids []models.ID
	err := tx.Model(&WorkspaceMember{}).Where("organization_id = ? AND user_id = ?", m.OrganizationID, m.UserID).Pluck("workspace_id", &ids).Error
	for _, id := range ids {
		tx.Notify("workspace:" + id.String())
	}
	return err
}

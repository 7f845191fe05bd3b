package org

import (
	"context"

	"atelier/models"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// AddWorkspaceMemberInput lists a person in a workspace.
type AddWorkspaceMemberInput struct {
	UserID models.ID
	Role   WorkspaceRole
}

// UpdateWorkspaceMemberInput changes a member's role or standing. Listed asks
// for a person who is listed: who is not is not reinstated either.
type UpdateWorkspaceMemberInput struct {
	Role   models.Opt[WorkspaceRole]
	Status models.Opt[MemberStatus]
	Listed bool
}

// Add lists an active member of the organization in a workspace
// (workspace admins): not_org_member for anyone else, already_a_member for
// a person listed (contract 3, "Workspaces and their members"). Who was taken
// out of it while suspended comes back suspended.
func (s WorkspaceMembers) Add(ctx context.Context, workspaceID models.ID, in AddWorkspaceMemberInput) (row *ListedMember, err error) {
	if _, err := writer(ctx); err != nil {
		return nil, err
	}
	if in.Role != WorkspaceRoleAdmin && in.Role != WorkspaceRoleMember {
		return nil, models.Invalid("role", "must be admin or member")
	}
	err = s.org.DB.Write(ctx, func(tx *models.Tx) error {
		w, err := s.LockWorkspace(tx, workspaceID)
		if err != nil {
			return err
		}
		if err := activeMember(tx, w.OrganizationID, in.UserID); err != nil {
			return err
		}
		m := &WorkspaceMember{
			WorkspaceID: w.ID, UserID: in.UserID, OrganizationID: w.OrganizationID, Role: in.Role,
			Status: MemberActive, AddedAt: tx.Now, UpdatedAt: tx.Now,
		}
		changes := models.Fields{"role": {To: in.Role}}
		if kept, err := endKept(tx, w.OrganizationID, &w.ID, in.UserID); err != nil {
			return err
		} else if kept {
			m.Status, changes["status"] = MemberSuspended, models.Change{To: MemberSuspended}
		}
		added, err := models.Affected(tx.Clauses(clause.OnConflict{DoNothing: true}).Create(m))
		if err != nil {
			return err
		}
		if added == 0 {
			return models.Err(models.CodeAlreadyAMember, "Already a member of the workspace")
		}
		if in.Role == WorkspaceRoleMember {
			if err := s.org.becameMember(tx, NewMember{w.ID, in.UserID, changes}); err != nil {
				return err
			}
		}
		tx.Notify("workspace:" + w.ID.String())
		if row, err = s.org.findListedMember(tx.DB, w, in.UserID); err != nil {
			return err
		}
		return tx.Audit(w.OrganizationID, "workspace_member.added", w.memberTarget(in.UserID), changes)
	})
	return row, err
}

// activeMember refuses who is no active member of the organization, and holds
// the membership until the transaction ends.
func activeMember(tx *models.Tx, organizationID, userID models.ID) error {
	refusal := models.Err(models.CodeNotOrgMember, "This person is not an active member of the organization")
	_, err := models.First[OrganizationMember](tx.Clauses(clause.Locking{Strength: forShare}).
		Where("organization_id = ? AND user_id = ? AND status = ?", organizationID, userID, MemberActive), refusal)
	return err
}

// Update changes the role or standing of a listed member
// (workspace admins). The organization's owner cannot be suspended:
// validation_error. The status active alone also lifts the suspension of
// a person who is not listed any more; the answer is then the row that they had.
func (s WorkspaceMembers) Update(ctx context.Context, workspaceID, userID models.ID, in UpdateWorkspaceMemberInput) (row *ListedMember, err error) {
	wanted, err := readMemberChange(in.Role, in.Status)
	if err != nil {
		return nil, err
	}
	absent := notListed
	if wanted.onlyReinstates() && !in.Listed {
		absent = func(tx *models.Tx, w *Workspace) error {
			row, err = reinstateUnlisted(tx, w, userID)
			return err
		}
	}
	err = s.org.changeListedMember(ctx, workspaceID, userID, absent, func(tx *models.Tx, w *Workspace, before *ListedMember) error {
		after := *before
		row = &after
		changes := models.Fields{}
		if wanted.role != "" && wanted.role != before.Role {
			after.Role, changes["role"] = wanted.role, models.Change{From: before.Role, To: wanted.role}
		}
		if wanted.status != "" && wanted.status != *before.Status {
			after.Status, changes["status"] = &wanted.status, models.Change{From: *before.Status, To: wanted.status}
		}
		return s.org.storeListedMember(tx, w, &after, changes)
	})
	return row, err
}

func (s *Service) storeListedMember(tx *models.Tx, w *Workspace, m *ListedMember, changes models.Fields) error {
	if len(changes) == 0 {
		return nil
	}
	_, stands := changes["status"]
	if stands && *m.Status == MemberSuspended {
		owner, err := s.findMember(tx.DB, w.OrganizationID, m.UserID)
		if err != nil {
			return err
		}
		if owner.Role == Owner {
			return models.Invalid("status", "cannot be suspended for the organization's owner")
		}
	}
	err := tx.Model(&WorkspaceMember{}).Where("workspace_id = ? AND organization_id = ? AND user_id = ?", w.ID, w.OrganizationID, m.UserID).
		UpdateColumns(map[string]any{"role": m.Role, "status": *m.Status, "updated_at": tx.Now}).Error
	if err != nil {
		return err
	}
	if change, ok := changes["role"]; ok && change.To == WorkspaceRoleMember {
		if err := s.becameMember(tx, NewMember{w.ID, m.UserID, changes}); err != nil {
			return err
		}
	}
	action := "workspace_member.role_changed"
	if stands {
		action = "workspace_member." + statusVerbs[*m.Status]
	}
	return tx.Audit(w.OrganizationID, action, w.memberTarget(m.UserID), changes)
}

// Remove takes a listed member out of a workspace alone
// (workspace admins); a suspension stays.
func (s WorkspaceMembers) Remove(ctx context.Context, workspaceID, userID models.ID) error {
	return s.org.changeListedMember(ctx, workspaceID, userID, notListed, func(tx *models.Tx, w *Workspace, m *ListedMember) error {
		if err := keepSuspension(tx, w, m); err != nil {
			return err
		}
		err := tx.Where("workspace_id = ? AND organization_id = ? AND user_id = ?", w.ID, w.OrganizationID, userID).Delete(&WorkspaceMember{}).Error
		if err != nil {
			return err
		}
		return tx.Audit(w.OrganizationID, "workspace_member.removed", w.memberTarget(userID), models.Fields{"role": {From: m.Role}})
	})
}

// notListed refuses a change of a person who is not listed.
func notListed(*models.Tx, *Workspace) error { return errNoMember }

// reinstateUnlisted lifts the kept suspension of a person who is not listed and
// returns what they were.
func reinstateUnlisted(tx *models.Tx, w *Workspace, userID models.ID) (*ListedMember, error) {
	kept, err := liftKept(tx, w.OrganizationID, &w.ID, userID, errNoMember)
	if err != nil {
		return nil, err
	}
	status := MemberActive
	return &ListedMember{WorkspaceID: w.ID, UserID: userID, Role: WorkspaceRole(kept.Role), AddedAt: kept.JoinedAt, Status: &status}, nil
}

// changeListedMember locks a workspace whose members the actor may manage and reads
// the row of a listed one; absent answers when there is none.
func (s *Service) changeListedMember(ctx context.Context, workspaceID, userID models.ID, absent func(*models.Tx, *Workspace) error, change func(*models.Tx, *Workspace, *ListedMember) error) error {
	if _, err := writer(ctx); err != nil {
		return err
	}
	return s.DB.Write(ctx, func(tx *models.Tx) error {
		w, err := s.WorkspaceMembers().LockWorkspace(tx, workspaceID)
		if err != nil {
			return err
		}
		row, err := s.findListedMember(tx.DB, w, userID)
		if models.HasCode(err, models.CodeNotFound) {
			return absent(tx, w)
		}
		if err != nil {
			return err
		}
		tx.Notify("workspace:" + w.ID.String())
		tx.Notify(models.RightsTopic(userID))
		return change(tx, w, row)
	})
}

// LockWorkspace is a workspace whose members the actor may manage, locked;
// the actor's scope was checked.
func (s WorkspaceMembers) LockWorkspace(tx *models.Tx, id models.ID) (*Workspace, error) {
	w, err := s.org.lockWorkspace(tx, id)
	if err != nil {
		return nil, err
	}
	if err := w.Authorize(ManageWorkspaceMembers); err != nil {
		return nil, err
	}
	return w, w.CheckNotArchived(false)
}

func (s *Service) findListedMember(db *gorm.DB, w *Workspace, userID models.ID) (*ListedMember, error) {
	query := s.listedMembers(db, w, true).Where("m.user_id = ?", userID)
	return models.First[ListedMember](query, errNoMember)
}

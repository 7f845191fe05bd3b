package org

import (
	"slices"

	"atelier/models"

	"gorm.io/gorm"
)

// inviter is what a person may do with the invitations of an organization:
// everything (owner and admins), or what concerns the workspaces of which they
// are admins and whose settings let admins invite.
type inviter struct {
	Organization *Organization
	All          bool
	Workspaces   []models.ID
}

// inviterOf finds what the actor may do. permission is ReadInvitations or
// ManageInvitations: not_found for outsiders, member_suspended,
// insufficient_role for the one who may do nothing, org_not_active for a change.
func inviterOf(db *gorm.DB, o *Organization, userID models.ID, permission Permission) (*inviter, error) {
	err := o.Authorize(permission)
	if err == nil {
		return &inviter{Organization: o, All: true}, nil
	}
	if o.Role == nil || *o.Role != Member || !models.HasCode(err, models.CodeInsufficientRole) {
		return nil, err
	}
	var rows []*Workspace
	if err := workspacesOf(db, userID).Where("workspaces.organization_id = ? AND wm.role = 'admin'", o.ID).Find(&rows).Error; err != nil {
		return nil, err
	}
	in := &inviter{Organization: o}
	refused := err
	for _, w := range rows {
		if err := w.authorizeInviting(permission); err != nil {
			refused = moreTelling(refused, err)
			continue
		}
		in.Workspaces = append(in.Workspaces, w.ID)
	}
	if len(in.Workspaces) == 0 {
		return nil, refused
	}
	return in, nil
}

// moreTelling keeps the refusal that says more than a role that is too low.
func moreTelling(before, after error) error {
	if models.HasCode(after, models.CodeInsufficientRole) {
		return before
	}
	return after
}

// authorizeInviting is whether an admin of the workspace may read or make its
// invitations; the settings may leave that to the organization's admins.
func (w *Workspace) authorizeInviting(permission Permission) error {
	p := InviteToWorkspace
	if permission == ReadInvitations {
		p = ReadWorkspaceInvitations
	}
	if err := w.Authorize(p); err != nil {
		return err
	}
	if *w.OrgRole == Member && !w.Rules().WorkspaceAdminsCanInvite {
		return models.InsufficientRole("Only owner and admins of the organization invite here")
	}
	return nil
}

// covers tells whether the inviter may touch the invitations of a workspace,
// or of none.
func (in *inviter) covers(workspaceID *models.ID) bool {
	return in.All || workspaceID != nil && slices.Contains(in.Workspaces, *workspaceID)
}

// manages tells whether the inviter may resend or revoke an invitation: an
// admin of a workspace never one that makes a person an admin of the organization.
func (in *inviter) manages(i *Invitation) bool {
	return in.covers(i.WorkspaceID) && (in.All || i.OrgRole == Member)
}

// beyondReach are the addresses of a call with an open invitation that the
// inviter may not manage.
func (in *inviter) beyondReach(tx *models.Tx, db *gorm.DB, sends []*InvitationSend) (map[string]bool, error) {
	emails := make([]string, len(sends))
	for i, send := range sends {
		emails[i] = send.Email
	}
	var open []*Invitation
	err := db.Where("organization_id = ? AND email IN ? AND accepted_at IS NULL AND revoked_at IS NULL", in.Organization.ID, emails).
		Order("id").Find(&open).Error
	beyond := map[string]bool{}
	for _, i := range open {
		beyond[i.Email] = !in.manages(i) && i.StateAt(tx.Now) == InvitationOpen
	}
	return beyond, err
}

var errInvitingNot = models.InsufficientRole("Only owner and admins of the organization, and admins of a workspace for that one, may do this")

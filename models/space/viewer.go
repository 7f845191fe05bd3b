package space

import (
	"atelier/models"
	"atelier/models/org"
)

// Viewer is an account in one space: a workspace with the account's membership in
// it, or the account's personal space.
type Viewer struct {
	UserID models.ID
	// Workspace is nil in a personal space.
	Workspace *org.Workspace
	rules     org.Rules
	// outside is set for an account that is no member of the workspace: it sees only
	// what is shared with it, and may view it at most.
	outside bool
	// closed is set in a personal space that an organization closed.
	closed bool
}

// Personal is an account in its personal space; closed says that its organization closed that.
func Personal(userID models.ID, closed bool) *Viewer { return &Viewer{UserID: userID, closed: closed} }

// SpaceID is the id of the space: the workspace's, or the account's.
func (v *Viewer) SpaceID() models.ID {
	if v.Workspace != nil {
		return v.Workspace.ID
	}
	return v.UserID
}

// Member is an account in a workspace that was read for it, with the refusal to look into it, if any.
func Member(userID models.ID, w *org.Workspace) (*Viewer, error) {
	return &Viewer{UserID: userID, Workspace: w, rules: w.Rules()}, w.Authorize(org.ReadWorkspace)
}

// AllowAsCollaborator lifts the refusal of an account that is no member of the
// workspace, for a workflow that is shared with it. A member who left while suspended
// is refused all the same.
func (v *Viewer) AllowAsCollaborator(refusal error) error {
	if !models.HasCode(refusal, models.CodeNotFound) {
		return refusal
	}
	if standing := v.Workspace.MemberStatus(); standing != nil && *standing == org.MemberSuspended {
		return org.ErrMemberSuspended
	}
	v.outside = true
	return nil
}

// IsOutside tells whether the viewer is no member of the workspace.
func (v *Viewer) IsOutside() bool { return v.outside }

// Rules are the settings of the workspace; zero in a personal space.
func (v *Viewer) Rules() org.Rules { return v.rules }

// IsAdmin tells whether the viewer is an admin of the workspace.
func (v *Viewer) IsAdmin() bool {
	return v.Workspace != nil && !v.outside && *v.Workspace.Role() == org.WorkspaceRoleAdmin
}

// EditsAsAdmin tells whether the viewer may change others' work as an admin.
func (v *Viewer) EditsAsAdmin() bool { return v.IsAdmin() && v.rules.AdminAccess == org.Edit }

// CheckOpen refuses writes while the space cannot change: org_not_active, and
// workspace_archived, which is 409 for what creates and 403 for other writes.
// What creates, runs included, is refused with personal_space_disabled in a
// personal space that an organization closed.
func (v *Viewer) CheckOpen(creates bool) error {
	if v.Workspace == nil {
		if creates && v.closed {
			return models.Err(models.CodePersonalSpaceDisabled, "Your organization closed the personal space. Select a workspace.")
		}
		return nil
	}
	if err := v.CheckActive(); err != nil {
		return err
	}
	return v.Workspace.CheckNotArchived(creates)
}

// CheckActive refuses changes in an organization that is not active: org_not_active.
func (v *Viewer) CheckActive() error {
	if !v.outside {
		return v.Workspace.Authorize(org.WorkInWorkspace)
	}
	if v.Workspace.OrgStatus != org.Active {
		return org.ErrNotActive(v.Workspace.OrgStatus)
	}
	return nil
}

// Key names the space in the names of lists.
func (v *Viewer) Key() string {
	if v.Workspace != nil {
		return "workspace:" + v.Workspace.ID.String()
	}
	return "personal:" + v.UserID.String()
}

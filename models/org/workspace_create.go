package org

import (
	"context"

	"atelier/models"
)

// maxDescription is a description's length in characters.
const maxDescription = 2000

// Create makes a workspace in an organization (owner and admins):
// name_taken for a sent slug, org_not_active unless the organization is active.
func (s Workspaces) Create(ctx context.Context, organizationID models.ID, in CreateWorkspaceInput) (*Workspace, error) {
	if _, err := writer(ctx); err != nil {
		return nil, err
	}
	fresh, err := newWorkspace(in)
	if err != nil {
		return nil, err
	}
	w := &Workspace{}
	return w, s.org.DB.Write(ctx, func(tx *models.Tx) error {
		o, err := lockOrganization(tx, organizationID, forShare, CreateWorkspace)
		if err != nil {
			return err
		}
		*w = *fresh
		w.ID, w.OrganizationID, w.CreatedAt, w.UpdatedAt = tx.NewID(), o.ID, tx.Now, tx.Now
		w.OrgRole, w.OrgMemberStatus, w.OrgStatus, w.OrgKind, w.OrgSettings = o.Role, o.MemberStatus, o.Status, o.Kind, o.Settings
		taken := tx.Table("workspaces").Where("organization_id = ?", o.ID)
		if err := InsertWithSlug(tx, w, &w.Slug, in.Slug, DeriveSlug(w.Name, "workspace"), taken); err != nil {
			return err
		}
		for _, hook := range s.org.hooks.workspaceCreated {
			if err := hook.Do(tx, w); err != nil {
				return hook.Failed(err)
			}
		}
		return tx.Audit(o.ID, "workspace.created", w.target(), models.Fields{"name": {To: w.Name}, "slug": {To: w.Slug}})
	})
}

// newWorkspace checks the input's form.
func newWorkspace(in CreateWorkspaceInput) (*Workspace, error) {
	name, err := models.CleanName("name", in.Name)
	if err != nil {
		return nil, err
	}
	if err := CheckSlug(in.Slug); err != nil {
		return nil, err
	}
	w := &Workspace{Name: name}
	if in.Description != nil {
		if w.Description, err = models.CleanText("description", *in.Description, maxDescription); err != nil {
			return nil, err
		}
	}
	w.Settings, _, err = mergeSettings(settingKeys, nil, in.Settings)
	return w, err
}

// target is the workspace as the audit log names it.
func (w *Workspace) target() models.Target {
	return models.Target{Type: "workspace", ID: w.ID, WorkspaceID: &w.ID}
}

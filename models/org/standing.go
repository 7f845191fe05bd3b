package org

import (
	"context"
	"slices"

	"atelier/models"

	"gorm.io/gorm"
)

// The places of a models.Standing.
const (
	inOrganization = "organization"
	inWorkspace    = "workspace"
)

// noteOrganization keeps with a remembered answer as what the reader stood in an organization.
func noteOrganization(db *gorm.DB, userID models.ID, o *Organization) {
	if o != nil && o.Role != nil {
		models.NoteStanding(db.Statement.Context, userID, inOrganization, o.ID, string(*o.Role))
	}
}

// noteWorkspace is noteOrganization for a workspace.
func noteWorkspace(ctx context.Context, userID models.ID, w *Workspace) {
	if w.OrgRole != nil && w.Role() != nil {
		models.NoteStanding(ctx, userID, inWorkspace, w.ID, string(*w.Role()))
	}
}

// StillStands refuses an account that does not stand any more where it stood, or in a lower
// role: what a use case would refuse it with now. Where it has gone is not_found.
func (s *Service) StillStands(ctx context.Context, userID models.ID, all []models.Standing) error {
	db := s.DB.Read(ctx)
	for _, was := range all {
		var err error
		switch was.Place {
		case inOrganization:
			err = stillIn(db, userID, was)
		case inWorkspace:
			err = s.stillInWorkspace(ctx, userID, was)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func stillIn(db *gorm.DB, userID models.ID, was models.Standing) error {
	o, err := findOrganization(db, was.ID, userID)
	if models.HasCode(err, models.CodeNotFound) { // deleted, perhaps by that very request
		return nil
	}
	if err != nil {
		return err
	}
	if err := o.Authorize(ReadOrganization); err != nil {
		return err
	}
	if lower([]Role{Owner, Admin, Member}, *o.Role, Role(was.Role)) {
		return models.InsufficientRole("This needs a higher role in the organization than %s", *o.Role)
	}
	return nil
}

func (s *Service) stillInWorkspace(ctx context.Context, userID models.ID, was models.Standing) error {
	w, err := s.Workspaces().FindFor(ctx, userID, was.ID)
	if models.HasCode(err, models.CodeNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := w.Authorize(ReadWorkspace); err != nil {
		return err
	}
	if lower([]WorkspaceRole{WorkspaceRoleAdmin, WorkspaceRoleMember}, *w.Role(), WorkspaceRole(was.Role)) {
		return models.InsufficientRole("This needs a higher role in the workspace than %s", *w.Role())
	}
	return nil
}

// lower tells whether a role comes behind another one of a list that begins with the highest.
func lower[R comparable](order []R, now, was R) bool {
	return slices.Index(order, now) > slices.Index(order, was)
}

// Package space holds what spaces have in common: who may see and change what
// lies in one, the folders in it (projects), and how much it keeps. A space is a
// workspace, or the personal space of one account.
package space

import (
	"context"

	"atelier/models"
	"atelier/models/account"
	"atelier/models/org"
)

// Service holds the use cases of spaces and their projects.
type Service struct {
	DB       *models.DB
	Accounts *account.Service
	Orgs     *org.Service

	hooks hooks
}

// Viewer finds the caller's access in a space: a workspace, or with nil the personal
// space. Refusals: not_found for a workspace that the caller does not belong to,
// member_suspended before anything else. Beside a refusal it may return what is
// known of the caller, for AllowAsCollaborator.
func (s *Service) Viewer(ctx context.Context, workspaceID *models.ID) (*Viewer, error) {
	userID := models.ActorFrom(ctx).UserID
	if workspaceID == nil {
		closed, err := s.Orgs.PersonalSpaceClosed(ctx, userID)
		return Personal(userID, closed), err
	}
	w, err := s.Orgs.Workspaces().FindFor(ctx, userID, *workspaceID)
	if err != nil {
		return nil, err
	}
	return Member(userID, w)
}

// Selected is the space in which lists read and creates land: the selected
// workspace, or the personal space.
func (s *Service) Selected(ctx context.Context) (*Viewer, error) {
	return s.Viewer(ctx, models.ActorFrom(ctx).WorkspaceID)
}

// ForCreate is the selected space for what a transaction creates. Its workspace
// is locked first: an archive that is under way is waited for, and one that comes
// later waits until this transaction has ended.
func (s *Service) ForCreate(tx *models.Tx) (*Viewer, error) {
	if id := tx.Actor.WorkspaceID; id != nil {
		if err := org.HoldWorkspace(tx, *id); err != nil {
			return nil, err
		}
	}
	return s.Selected(tx.Context())
}

// Of is the caller's access in the space of a thing: not_found for a workspace that
// they do not belong to, and for the personal space of another account.
func (s *Service) Of(ctx context.Context, o Owned) (*Viewer, error) {
	if o.WorkspaceID == nil && o.OwnerID != models.ActorFrom(ctx).UserID {
		return nil, models.NotFound("Space")
	}
	return s.Viewer(ctx, o.WorkspaceID)
}

// Principal is the account whose access decides what is found: in the workspace, if
// one is named, and in the account's personal space.
type Principal struct {
	UserID      models.ID
	WorkspaceID *models.ID
}

// ViewerFor is the access of a principal, no matter who calls: in the workspace if they belong
// to it and may enter it, else in their personal space.
func (s *Service) ViewerFor(ctx context.Context, p Principal) (*Viewer, error) {
	personal := Personal(p.UserID, false)
	if p.WorkspaceID == nil {
		return personal, nil
	}
	v := personal
	w, err := s.Orgs.Workspaces().FindFor(ctx, p.UserID, *p.WorkspaceID)
	if err == nil {
		v, err = Member(p.UserID, w)
	}
	if _, refused := models.AsError(err); refused {
		return personal, nil
	}
	return v, err
}

// Hold locks the workspace of a thing until the transaction ends, so that it is not
// archived meanwhile.
func Hold(tx *models.Tx, o Owned) error {
	if o.WorkspaceID == nil {
		return nil
	}
	return org.HoldWorkspace(tx, *o.WorkspaceID)
}

// RequireWorkflows checks that the actor may use all workflows: a signed-in account,
// for a connected app the scope, and no token that is restricted to some.
func RequireWorkflows(actor models.Actor) error {
	return actor.RequireUser(models.ScopeExecute)
}

// RequireSomeWorkflows is RequireWorkflows for what tokens may do that are restricted to
// some workflows.
func RequireSomeWorkflows(actor models.Actor) error {
	return actor.RequireAccount(models.ScopeExecute)
}

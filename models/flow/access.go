package flow

import (
	"context"

	"atelier/models"
	"atelier/models/org"
)

// Reach is how far a caller gets in one space: a workspace with the caller's
// standing in it, or the personal space of one account.
type Reach struct {
	UserID models.ID
	// Workspace is nil in a personal space.
	Workspace *org.Workspace
	rules     org.Rules
}

// reach works out the caller's standing in a space: not_found for a workspace
// that the caller does not belong to, member_suspended before anything else.
func (s *Service) reach(ctx context.Context, workspaceID *models.ID) (*Reach, error) {
	r := &Reach{UserID: models.ActorFrom(ctx).UserID}
	if workspaceID == nil {
		return r, nil
	}
	w, err := s.Orgs.StandingIn(s.DB.Read(ctx), r.UserID, *workspaceID)
	if err != nil {
		return nil, err
	}
	r.Workspace, r.rules = w, w.Rules()
	return r, w.Authorize(org.ReadWorkspace)
}

// isAdmin tells whether the caller is an admin of the workspace.
func (r *Reach) isAdmin() bool {
	return r.Workspace != nil && *r.Workspace.Role() == org.WorkspaceAdmin
}

// adminEdits tells whether the caller may change others' work as an admin.
func (r *Reach) adminEdits() bool { return r.isAdmin() && r.rules.AdminAccess == org.Edit }

// access is what the caller may do with a workflow of the space; empty is
// nothing at all (contract 3, "Settings" and "Sharing one workflow").
func (r *Reach) access(w *Workflow) Access {
	switch {
	case w.OwnerID == r.UserID:
		return IsCreator
	case r.Workspace == nil:
		return ""
	}
	access := Access("")
	if w.Visibility == WorkspaceShared {
		access = Access(r.rules.MemberAccessToShared)
	}
	if r.isAdmin() && access != CanEdit {
		access = Access(r.rules.AdminAccess)
	}
	return access
}

// fill adds the caller's access and permissions to a workflow of the space;
// one beyond reach is not_found.
func (r *Reach) fill(w *Workflow) error {
	w.Access = r.access(w)
	if w.Access == "" {
		return models.NotFound("Workflow")
	}
	open := r.open(false) == nil
	manages := w.Access == IsCreator || r.adminEdits()
	edits := w.Access != CanView
	w.Can = WorkflowPermissions{
		Edit: edits && open, Run: edits && open, Publish: edits && open,
		Delete: manages && open, ChangeVisibility: manages && open,
		Share: open && (manages || edits && r.Workspace != nil && r.rules.CollaboratorsCanInvite),
	}
	return nil
}

// open refuses writes while the space cannot change: org_not_active, and
// workspace_archived, which is 409 for what creates and 403 for other writes.
func (r *Reach) open(creates bool) error {
	if r.Workspace == nil {
		return nil
	}
	if err := r.Workspace.Authorize(org.WorkInWorkspace); err != nil {
		return err
	}
	return r.Workspace.CheckNotArchived(creates)
}

// mayEdit refuses callers who may only look at the workflow, then a closed space.
func (r *Reach) mayEdit(w *Workflow, creates bool) error {
	if w.Access == CanView {
		return models.InsufficientRole("You may look at this workflow, but not change or run it")
	}
	return r.open(creates)
}

// mayManage refuses all but the creator and admins who may edit members' work.
func (r *Reach) mayManage(w *Workflow) error {
	if w.Access != IsCreator && !r.adminEdits() {
		return models.InsufficientRole("Only the workflow's creator, or an admin who may edit members' work, may do this")
	}
	return r.open(false)
}

// requireWorkflows checks that the actor may use workflows at all: a signed-in
// account, and for a connected app the scope.
func requireWorkflows(actor models.Actor) error {
	if err := actor.RequireUser(); err != nil {
		return err
	}
	return actor.RequireScope(models.ScopeExecute)
}

// requireWorkflow also refuses tokens that are restricted to other workflows.
func requireWorkflow(actor models.Actor, id models.ID) error {
	if err := requireWorkflows(actor); err != nil {
		return err
	}
	return checkTokenCovers(actor, id)
}

func checkTokenCovers(actor models.Actor, workflowID models.ID) error {
	if !actor.MayUseWorkflow(workflowID) {
		return models.Err(models.CodeForbidden, "The token may not be used for this workflow")
	}
	return nil
}

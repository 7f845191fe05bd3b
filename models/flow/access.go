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
	// outside is set for somebody who is no member of the workspace: they reach
	// what is shared with them alone, and view it at most.
	outside bool
	// closed is set in a personal space that an organization closed.
	closed bool
}

// reach works out the caller's standing in a space: not_found for a workspace
// that the caller does not belong to, member_suspended before anything else.
func (s *Service) reach(ctx context.Context, workspaceID *models.ID) (*Reach, error) {
	r := &Reach{UserID: models.ActorFrom(ctx).UserID}
	if workspaceID == nil {
		var err error
		r.closed, err = s.Orgs.PersonalSpaceClosed(ctx, r.UserID)
		return r, err
	}
	w, err := s.Orgs.StandingIn(s.DB.Read(ctx), r.UserID, *workspaceID)
	if err != nil {
		return nil, err
	}
	return r, r.enter(w)
}

// enter puts the caller into a workspace in which they have a standing.
func (r *Reach) enter(w *org.Workspace) error {
	r.Workspace, r.rules = w, w.Rules()
	return w.Authorize(org.ReadWorkspace)
}

// reachAround is reach for the space of a workflow: whom it is shared with may
// stay outside. A suspended membership is refused all the same.
func (s *Service) reachAround(ctx context.Context, w *Workflow) (*Reach, error) {
	r, err := s.reach(ctx, w.WorkspaceID)
	if r == nil {
		return nil, err
	}
	return r, r.stayOutside(w, err)
}

// stayOutside lifts the refusal of somebody who is no member of the workspace
// when the workflow is shared with them. Who left while suspended is refused.
func (r *Reach) stayOutside(w *Workflow, refusal error) error {
	if w.Granted == nil || !models.HasCode(refusal, models.CodeNotFound) {
		return refusal
	}
	if standing := r.Workspace.MemberStatus(); standing != nil && *standing == org.MemberSuspended {
		return org.ErrMemberSuspended
	}
	r.outside = true
	return nil
}

// isAdmin tells whether the caller is an admin of the workspace.
func (r *Reach) isAdmin() bool {
	return r.Workspace != nil && !r.outside && *r.Workspace.Role() == org.WorkspaceRoleAdmin
}

// adminEdits tells whether the caller may change others' work as an admin.
func (r *Reach) adminEdits() bool { return r.isAdmin() && r.rules.AdminAccess == org.Edit }

// access is what the caller may do with a workflow of the space, the widest of
// what the settings and a grant give; empty is nothing at all (contract 3,
// "Settings" and "Sharing one workflow").
func (r *Reach) access(w *Workflow) Access {
	if r.outside {
		return CanView
	}
	return r.AccessTo(w.owned(), w.Granted.access())
}

// wider is the one of two accesses, neither the creator's, that allows more.
func wider(a, b Access) Access {
	for _, access := range []Access{CanEdit, CanView} {
		if a == access || b == access {
			return access
		}
	}
	return ""
}

// fill adds the caller's access and permissions to a workflow of the space;
// one beyond reach is not_found. Every permission is the refusal that the use
// case would give.
func (r *Reach) fill(w *Workflow) error {
	w.Access = r.access(w)
	if w.Access == "" {
		return models.NotFound("Workflow")
	}
	edit, run, manage := r.mayEdit(w, false) == nil, r.mayEdit(w, true), r.mayManage(w) == nil
	w.Can = WorkflowPermissions{
		Edit: edit, Run: run == nil, Publish: edit, Delete: manage, ChangeVisibility: manage, Share: r.mayShare(w) == nil,
	}
	w.WhyNotRun = nil
	if refusal, _ := models.AsError(run); run != nil {
		w.WhyNotRun = &refusal.Message
	}
	return nil
}

// open refuses writes while the space cannot change: org_not_active, and
// workspace_archived, which is 409 for what creates and 403 for other writes.
// What creates, runs included, is refused with personal_space_disabled in a
// personal space that an organization closed.
func (r *Reach) open(creates bool) error {
	if r.Workspace == nil {
		if creates && r.closed {
			return models.Err(models.CodePersonalSpaceDisabled, "Your organization closed the personal space. Select a workspace.")
		}
		return nil
	}
	if err := r.active(); err != nil {
		return err
	}
	return r.Workspace.CheckNotArchived(creates)
}

// active refuses changes in an organization that is not active.
func (r *Reach) active() error {
	if !r.outside {
		return r.Workspace.Authorize(org.WorkInWorkspace)
	}
	if r.Workspace.OrgStatus != org.Active {
		return org.ErrNotActive(r.Workspace.OrgStatus)
	}
	return nil
}

// mayEdit refuses callers who may only look at the workflow, then a closed space.
func (r *Reach) mayEdit(w *Workflow, creates bool) error {
	if err := r.edits(w); err != nil {
		return err
	}
	return r.open(creates)
}

// edits refuses callers who may only look at the workflow.
func (r *Reach) edits(w *Workflow) error {
	switch {
	case r.outside:
		return models.InsufficientRole("You are not a member where this workflow lives: you may look at it, but not change or run it")
	case w.Access == CanView:
		return models.InsufficientRole("You may look at this workflow, but not change or run it")
	}
	return nil
}

// manages tells whether the caller is the creator, or an admin who may edit
// members' work.
func (r *Reach) manages(w *Workflow) bool { return r.managesAs(w.Access) }

// mayManage refuses all but the creator and admins who may edit members' work.
func (r *Reach) mayManage(w *Workflow) error {
	if !r.manages(w) {
		return models.InsufficientRole("Only the workflow's creator, or an admin who may edit members' work, may do this")
	}
	return r.open(false)
}

// mayShare refuses all but those who manage the workflow, and its editors where
// the settings let collaborators invite (contract 3, "Sharing one workflow").
func (r *Reach) mayShare(w *Workflow) error {
	if !r.shares(w) {
		return models.InsufficientRole("Only the workflow's creator, admins who may edit members' work, and editors where the settings allow it may share it")
	}
	return r.open(false)
}

// shares tells whether the caller's role lets them share the workflow.
func (r *Reach) shares(w *Workflow) bool {
	return r.manages(w) || w.Access == CanEdit && r.Workspace != nil && r.rules.CollaboratorsCanInvite
}

// requireWorkflows checks that the actor may use all workflows: a signed-in
// account, for a connected app the scope, and no token that is restricted to some.
func requireWorkflows(actor models.Actor) error {
	return actor.RequireUser(models.ScopeExecute)
}

// requireSomeWorkflows is requireWorkflows for what restricted tokens may do
// with those that they cover; checkTokenCovers tells which.
func requireSomeWorkflows(actor models.Actor) error {
	return actor.RequireAccount(models.ScopeExecute)
}

// requireWorkflow admits to running and reading one workflow.
func requireWorkflow(actor models.Actor, id models.ID) error {
	if err := requireSomeWorkflows(actor); err != nil {
		return err
	}
	return checkTokenCovers(actor, id)
}

// checkCoverage refuses to restrict a token to workflows that its owner may not
// see: validation_error.
func (s *Service) checkCoverage(tx *models.Tx, ids []models.ID) error {
	found, err := s.reachAll(tx.Context(), tx.DB, ids)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if found[id] == nil {
			return models.Invalid("workflowIds", "names %s, which is no workflow that you may see", id)
		}
	}
	return nil
}

// checkTokenCovers refuses tokens that are restricted to other workflows: forbidden.
func checkTokenCovers(actor models.Actor, workflowID models.ID) error {
	if !actor.MayUseWorkflow(workflowID) {
		return models.Err(models.CodeForbidden, "The token may not be used for this workflow")
	}
	return nil
}

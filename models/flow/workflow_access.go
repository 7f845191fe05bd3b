package flow

import (
	"context"

	"atelier/models"
	"atelier/models/org"
	"atelier/models/space"
)

// owned is what decides who may do what with the workflow.
func (w *Workflow) owned() space.Owned {
	return space.Owned{OwnerID: w.OwnerID, WorkspaceID: w.WorkspaceID, OrganizationID: w.OrganizationID, Visibility: w.Visibility}
}

// viewerOf finds the caller's access in the space of a workflow: those whom it is shared
// with may be no members. A suspended member is refused all the same.
func (s *Service) viewerOf(ctx context.Context, w *Workflow) (*space.Viewer, error) {
	v, err := s.Spaces.Viewer(ctx, w.WorkspaceID)
	if v == nil {
		return nil, err
	}
	return v, allowAsCollaborator(v, w, err)
}

// allowAsCollaborator lifts the refusal of an account that is no member of the workspace
// when the workflow is shared with it.
func allowAsCollaborator(v *space.Viewer, w *Workflow, refusal error) error {
	if w.Granted == nil {
		return refusal
	}
	return v.AllowAsCollaborator(refusal)
}

// accessTo is what the viewer may do with a workflow of the space (contract 3, "Settings"
// and "Sharing one workflow"): those outside of its workspace view what is shared with them.
func accessTo(v *space.Viewer, w *Workflow) space.Access {
	if v.IsOutside() {
		return space.CanView
	}
	return v.AccessTo(w.owned(), w.Granted.access())
}

// fill adds the viewer's access and permissions to a workflow of the space; one that they
// may not see is not_found. Every permission is the refusal that the use case would give.
func fill(v *space.Viewer, w *Workflow) error {
	w.Access = accessTo(v, w)
	if w.Access == "" {
		return models.NotFound("Workflow")
	}
	edit, run, manage := MayEdit(v, w, false) == nil, MayEdit(v, w, true), mayManage(v, w) == nil
	w.Can = WorkflowPermissions{
		Edit: edit, Run: run == nil, Publish: edit, Delete: manage, ChangeVisibility: manage, Share: mayShare(v, w) == nil,
	}
	w.WhyNotRun = nil
	if refusal, _ := models.AsError(run); run != nil {
		w.WhyNotRun = &refusal.Message
	}
	return nil
}

// MayEdit refuses viewers who may only look at the workflow, then a closed space.
func MayEdit(v *space.Viewer, w *Workflow, creates bool) error {
	if err := CheckEdits(v, w); err != nil {
		return err
	}
	return v.CheckOpen(creates)
}

// CheckEdits refuses viewers who may only look at the workflow.
func CheckEdits(v *space.Viewer, w *Workflow) error {
	switch {
	case v.IsOutside():
		return models.InsufficientRole("You are not a member where this workflow lives: you may look at it, but not change or run it")
	case w.Access == space.CanView:
		return models.InsufficientRole("You may look at this workflow, but not change or run it")
	}
	return nil
}

// mayManage refuses all but the creator and admins who may edit members' work.
func mayManage(v *space.Viewer, w *Workflow) error {
	if !v.Manages(w.Access) {
		return models.InsufficientRole("Only the workflow's creator, or an admin who may edit members' work, may do this")
	}
	return v.CheckOpen(false)
}

// mayShare refuses all but those who manage the workflow, and its editors where
// the settings let collaborators invite (contract 3, "Sharing one workflow").
func mayShare(v *space.Viewer, w *Workflow) error {
	if !shares(v, w) {
		return models.InsufficientRole("Only the workflow's creator, admins who may edit members' work, and editors where the settings allow it may share it")
	}
	return v.CheckOpen(false)
}

// shares tells whether the viewer's role lets them share the workflow.
func shares(v *space.Viewer, w *Workflow) bool {
	return v.Manages(w.Access) || w.Access == space.CanEdit && v.Workspace != nil && v.Rules().CollaboratorsCanInvite
}

// holdSpaceOf locks the workspace of a workflow until the transaction ends, so that it is not archived meanwhile.
func holdSpaceOf(tx *models.Tx, workflowID models.ID) error {
	return org.HoldWorkspaceOf(tx, `SELECT workspace_id FROM workflows WHERE id = $1`, workflowID)
}

// RequireWorkflow admits to running and reading one workflow.
func RequireWorkflow(actor models.Actor, id models.ID) error {
	if err := space.RequireSomeWorkflows(actor); err != nil {
		return err
	}
	return CheckTokenCovers(actor, id)
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

// CheckTokenCovers refuses tokens that are restricted to other workflows: forbidden.
func CheckTokenCovers(actor models.Actor, workflowID models.ID) error {
	if !actor.MayUseWorkflow(workflowID) {
		return models.Err(models.CodeForbidden, "The token may not be used for this workflow")
	}
	return nil
}

package flow

import (
	"context"

	"atelier/models"
	"atelier/models/org"
)

// selectedSpace is the space in which lists read and creates land: the
// selected workspace, or the personal space.
func (s *Service) selectedSpace(ctx context.Context) (*Reach, error) {
	return s.reach(ctx, models.ActorFrom(ctx).WorkspaceID)
}

// spaceForCreate is the selected space for what a transaction creates. Its
// workspace is held first: an archive that is under way is waited for, and one
// that comes later waits until this transaction has ended.
func (s *Service) spaceForCreate(tx *models.Tx) (*Reach, error) {
	if id := tx.Actor.WorkspaceID; id != nil {
		if err := org.HoldWorkspace(tx, *id); err != nil {
			return nil, err
		}
	}
	return s.selectedSpace(tx.Context())
}

// holdSpaceOf holds the workspace of a workflow in the same way.
func holdSpaceOf(tx *models.Tx, workflowID models.ID) error {
	return org.HoldWorkspaceOf(tx, `SELECT workspace_id FROM workflows WHERE id = $1`, workflowID)
}

// holdSpaceOfProject holds the workspace of a project in the same way.
func holdSpaceOfProject(tx *models.Tx, projectID models.ID) error {
	return org.HoldWorkspaceOf(tx, `SELECT workspace_id FROM projects WHERE id = $1`, projectID)
}

// key names the space in the names of lists.
func (r *Reach) key() string {
	if r.Workspace != nil {
		return "workspace:" + r.Workspace.ID.String()
	}
	return "personal:" + r.UserID.String()
}

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
	_, err := tx.Run(`SELECT FROM workspaces WHERE id = (SELECT workspace_id FROM workflows WHERE id = $1) FOR SHARE`, workflowID)
	return err
}

// holdSpaceOfProject holds the workspace of a project in the same way.
func holdSpaceOfProject(tx *models.Tx, projectID models.ID) error {
	return tx.Exec(`SELECT FROM workspaces WHERE id = (SELECT workspace_id FROM projects WHERE id = ?) FOR SHARE`, projectID).Error
}

// key names the space in the names of lists.
func (r *Reach) key() string {
	if r.Workspace != nil {
		return "workspace:" + r.Workspace.ID.String()
	}
	return "personal:" + r.UserID.String()
}

// personalSpaceClosed tells whether any active organization in which the
// account is active closed the personal space, owners included.
func (s *Service) personalSpaceClosed(ctx context.Context, userID models.ID) (closed bool, err error) {
	err = s.DB.Row(ctx, `
		SELECT EXISTS (
			SELECT FROM organization_members m JOIN organizations o ON o.id = m.organization_id
			WHERE m.user_id = $1 AND m.status = 'active' AND o.status = 'active' AND o.deleted_at IS NULL
				AND o.settings ->> 'personal_space_enabled' = 'false')`, userID).Scan(&closed)
	return closed, err
}

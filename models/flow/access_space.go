package flow

import (
	"context"

	"atelier/models"
	"atelier/models/credit"
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

// mayCreate refuses creates, runs included, in a space that is closed to them:
// org_not_active and workspace_archived (409) in a workspace,
// personal_space_disabled in a personal space that an organization closed.
func (s *Service) mayCreate(ctx context.Context, r *Reach) error {
	if r.Workspace != nil {
		return r.open(true)
	}
	closed, err := s.personalSpaceClosed(ctx, r.UserID)
	if err != nil {
		return err
	}
	if closed {
		return models.Err(models.CodePersonalSpaceDisabled, "Your organization closed the personal space. Select a workspace.")
	}
	return nil
}

// selectedPayer is who pays for what the caller starts: the selected workspace,
// else the account itself (open points, "Who pays"). A space that is closed to
// creates is closed to runs.
func (s *Service) selectedPayer(tx *models.Tx) (credit.Payer, error) {
	space, err := s.spaceForCreate(tx)
	if err != nil {
		return credit.Payer{}, err
	}
	payer := credit.Payer{UserID: space.UserID}
	if space.Workspace != nil {
		payer.WorkspaceID, payer.OrganizationID = &space.Workspace.ID, &space.Workspace.OrganizationID
	}
	return payer, s.mayCreate(tx.Context(), space)
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

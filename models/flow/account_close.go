package flow

import (
	"context"

	"atelier/models"
	"atelier/models/account"
)

// deletePersonal deletes the workflows of a personal space with their apps, as
// DeleteWorkflow does each, and the account's grants.
func deletePersonal(tx *models.Tx, user *account.User) error {
	for _, statement := range []string{
		`DELETE FROM credentials WHERE account_id = ?`,
		`DELETE FROM workflow_collaborators WHERE user_id = ?`,
		`DELETE FROM workflow_collaborators WHERE workflow_id IN ` + PersonalWorkflows,
		`UPDATE app_versions SET nodes = '[]', edges = '[]' WHERE app_id IN (SELECT id FROM apps WHERE workflow_id IN ` + PersonalWorkflows + `)`,
	} {
		if err := tx.Exec(statement, user.ID).Error; err != nil {
			return err
		}
	}
	for _, statement := range []string{
		`UPDATE workflows SET deleted_at = ? WHERE owner_id = ? AND workspace_id IS NULL AND deleted_at IS NULL`,
		`UPDATE apps SET deleted_at = ? WHERE workflow_id IN ` + PersonalWorkflows + ` AND deleted_at IS NULL`,
	} {
		if err := tx.Exec(statement, tx.Now, user.ID).Error; err != nil {
			return err
		}
	}
	return tx.Exec(`DELETE FROM workflow_versions WHERE workflow_id IN `+PersonalWorkflows, user.ID).Error
}

// countPersonal says what deletePersonal removes.
func (s *Service) countPersonal(ctx context.Context, userID models.ID, c *account.Closing) error {
	return s.DB.Read(ctx).Raw(`
		SELECT (SELECT count(*) FROM workflows WHERE owner_id = ? AND workspace_id IS NULL AND deleted_at IS NULL),
			(SELECT count(*) FROM apps WHERE owner_id = ? AND workspace_id IS NULL AND deleted_at IS NULL)`, userID, userID).
		Row().Scan(&c.Workflows, &c.Apps)
}

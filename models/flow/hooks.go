package flow

import (
	"atelier/models"
)

// RegisterHooks has the areas below ask flow where their work touches it: which workflows a
// restricted token may name, what a project still holds, what goes with a deleted account,
// and when a workspace's members last ran something.
func (s *Service) RegisterHooks() {
	s.Accounts.SetCoverageCheck(s.checkCoverage)
	s.Orgs.ShowWithWorkspaceMembers(lastRun)
	s.Accounts.OnDelete(deletePersonal)
	s.Accounts.OnClosing(s.countPersonal)
	s.Spaces.OnProjectDelete(refuseWhileItHoldsWorkflows)
}

// lastRun is when a listed member's newest execution in the workspace was made.
const lastRun = `(SELECT e.created_at FROM executions e WHERE e.workspace_id = m.workspace_id AND e.account_id = m.user_id
	ORDER BY e.id DESC LIMIT 1) AS last_run_at`

// refuseWhileItHoldsWorkflows refuses to delete a project that is not empty: validation_error.
func refuseWhileItHoldsWorkflows(tx *models.Tx, projectID models.ID) error {
	var held int64
	if err := tx.Model(&Workflow{}).Where("project_id = ? AND deleted_at IS NULL", projectID).Count(&held).Error; err != nil {
		return err
	}
	if held > 0 {
		return models.Err(models.CodeValidation, "The project still holds workflows (%d): move or delete them first", held)
	}
	return nil
}

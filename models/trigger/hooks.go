package trigger

import (
	"atelier/models"
	"atelier/models/account"
	"atelier/models/flow"
)

// RegisterHooks has workflows tell what touches their triggers.
func (s *Service) RegisterHooks() {
	s.Flows.OnGraphSaved("trigger: the triggers of its nodes", s.triggersSaved)
	s.Flows.OnWorkflowDeleted("trigger: its triggers", deleteTriggers)
	s.Accounts.OnDelete("trigger: the triggers of personal workflows", deletePersonal)
}

func deleteTriggers(tx *models.Tx, workflowID models.ID) error {
	return tx.Where("workflow_id = ?", workflowID).Delete(&Trigger{}).Error
}

func deletePersonal(tx *models.Tx, user *account.User) error {
	return tx.Exec(`DELETE FROM workflow_triggers WHERE workflow_id IN `+flow.PersonalWorkflows, user.ID).Error
}

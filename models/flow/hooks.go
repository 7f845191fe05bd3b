package flow

import "atelier/models"

// RegisterHooks has the areas below ask flow where their work touches it: which workflows a
// restricted token may name, what a project still holds, and what goes with a deleted account.
func (s *Service) RegisterHooks() {
	s.Accounts.SetCoverageCheck(s.checkCoverage)
	s.Accounts.OnDelete("flow: personal workflows and apps", deletePersonal)
	s.Accounts.OnClosing("flow: workflows and apps", s.countPersonal)
	s.Spaces.OnProjectDelete("flow: refuse while it holds workflows", refuseWhileItHoldsWorkflows)
}

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

// hooks are what other areas do for workflows.
type hooks struct {
	// workflowChanged follows a workflow; see OnWorkflow.
	workflowChanged models.Hooks[func(*models.Tx, models.ID) error]
	// graphSaved and workflowDeleted, too; see OnGraphSaved and OnWorkflowDeleted.
	graphSaved      models.Hooks[func(tx *models.Tx, w *Workflow, isNew bool) error]
	workflowDeleted models.Hooks[func(*models.Tx, models.ID) error]
}

// OnWorkflow registers what else happens when a workflow has another graph, or is gone, in
// the same transaction.
func (s *Service) OnWorkflow(name string, do func(tx *models.Tx, id models.ID) error) {
	s.hooks.workflowChanged.Add(name, do)
}

// OnGraphSaved registers what else happens when the graph of a workflow is saved, the same one too,
// in the same transaction, with the workflow locked.
func (s *Service) OnGraphSaved(name string, do func(tx *models.Tx, w *Workflow, isNew bool) error) {
	s.hooks.graphSaved.Add(name, do)
}

func (s *Service) graphSaved(tx *models.Tx, w *Workflow, isNew bool) error {
	for _, hook := range s.hooks.graphSaved {
		if err := hook.Do(tx, w, isNew); err != nil {
			return hook.Failed(err)
		}
	}
	return nil
}

// OnWorkflowDeleted registers what else is removed with a workflow, in the same transaction.
func (s *Service) OnWorkflowDeleted(name string, do func(tx *models.Tx, id models.ID) error) {
	s.hooks.workflowDeleted.Add(name, do)
}

func (s *Service) workflowDeleted(tx *models.Tx, id models.ID) error {
	for _, hook := range s.hooks.workflowDeleted {
		if err := hook.Do(tx, id); err != nil {
			return hook.Failed(err)
		}
	}
	return nil
}

// workflowChanged runs what follows when a workflow has another graph, or is gone.
func (s *Service) workflowChanged(tx *models.Tx, id models.ID) error {
	for _, hook := range s.hooks.workflowChanged {
		if err := hook.Do(tx, id); err != nil {
			return hook.Failed(err)
		}
	}
	return nil
}

// HookPoints lists who follows what.
func (s *Service) HookPoints() []models.HookPoint {
	return []models.HookPoint{
		{Event: "the graph of a workflow is saved", Hooks: s.hooks.graphSaved.Names()},
		{Event: "a workflow has another graph, or is gone", Hooks: s.hooks.workflowChanged.Names()},
		{Event: "a workflow is deleted", Hooks: s.hooks.workflowDeleted.Names()},
	}
}

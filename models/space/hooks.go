package space

import (
	"atelier/models"
	"atelier/models/account"
	"atelier/models/org"
)

// hooks are what areas above do when something happens to a project.
type hooks struct {
	projectDeleted models.Hooks[func(tx *models.Tx, projectID models.ID) error]
}

// HookPoints lists who follows what.
func (s *Service) HookPoints() []models.HookPoint {
	return []models.HookPoint{{Event: "a project is deleted", Hooks: s.hooks.projectDeleted.Names()}}
}

// OnProjectDelete registers what else must hold when a project is deleted; an error
// refuses it.
func (s *Service) OnProjectDelete(name string, do func(tx *models.Tx, projectID models.ID) error) {
	s.hooks.projectDeleted.Add(name, do)
}

// RegisterHooks makes every new account's personal space and every new workspace
// begin with a default project.
func (s *Service) RegisterHooks() {
	s.Accounts.OnUser("space: a default project", func(tx *models.Tx, u *account.User) error {
		return createDefaultProject(tx, &Project{UserID: &u.ID, CreatedBy: u.ID})
	})
	s.Orgs.OnWorkspace("space: a default project", func(tx *models.Tx, w *org.Workspace) error {
		return createDefaultProject(tx, &Project{WorkspaceID: &w.ID, CreatedBy: tx.Actor.UserID})
	})
}

package space

import (
	"atelier/models"
	"atelier/models/account"
	"atelier/models/org"
)

// hooks are what areas above do when something happens to a project.
type hooks struct {
	projectDelete []func(tx *models.Tx, projectID models.ID) error
}

// OnProjectDelete registers what else must hold when a project is deleted; an error
// refuses it.
func (s *Service) OnProjectDelete(fn func(tx *models.Tx, projectID models.ID) error) {
	s.hooks.projectDelete = append(s.hooks.projectDelete, fn)
}

// RegisterHooks makes every new account's personal space and every new workspace
// begin with a default project.
func (s *Service) RegisterHooks() {
	s.Accounts.OnUser(func(tx *models.Tx, u *account.User) error {
		return createDefaultProject(tx, &Project{UserID: &u.ID, CreatedBy: u.ID})
	})
	s.Orgs.OnWorkspace(func(tx *models.Tx, w *org.Workspace) error {
		return createDefaultProject(tx, &Project{WorkspaceID: &w.ID, CreatedBy: tx.Actor.UserID})
	})
}

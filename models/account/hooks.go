package account

import (
	"context"

	"atelier/models"
)

// hooks are what areas above do when something happens to an account.
type hooks struct {
	created      models.Hooks[func(*models.Tx, *User) error]
	deleted      models.Hooks[func(*models.Tx, *User) error]
	closing      models.Hooks[func(ctx context.Context, userID models.ID, c *Closing) error]
	guardChanged models.Hooks[func(tx *models.Tx, userID models.ID, change GuardChange) error]
}

// HookPoints lists who follows what.
func (s *Service) HookPoints() []models.HookPoint {
	return []models.HookPoint{
		{Event: "an account is created", Hooks: s.hooks.created.Names()},
		{Event: "an account is deleted", Hooks: s.hooks.deleted.Names()},
		{Event: "it is asked what goes with an account", Hooks: s.hooks.closing.Names()},
		{Event: "a second factor is added or removed", Hooks: s.hooks.guardChanged.Names()},
	}
}

// OnUser adds what else a new account gets, in the same transaction.
func (s *Service) OnUser(name string, do func(*models.Tx, *User) error) {
	s.hooks.created.Add(name, do)
}

// OnDelete adds what else must hold, or goes, when an account is deleted, in the same
// transaction, whose actor is the one who deletes it; an error refuses that.
func (s *Service) OnDelete(name string, do func(*models.Tx, *User) error) {
	s.hooks.deleted.Add(name, do)
}

// OnClosing adds to what is said of the deletion of an account before it is done.
func (s *Service) OnClosing(name string, do func(ctx context.Context, userID models.ID, c *Closing) error) {
	s.hooks.closing.Add(name, do)
}

// OnGuardChange adds what else happens when a second factor of an account is added or removed,
// in the same transaction.
func (s *Service) OnGuardChange(name string, do func(tx *models.Tx, userID models.ID, change GuardChange) error) {
	s.hooks.guardChanged.Add(name, do)
}

// SetBindingCheck sets how a token's workspace is checked: the caller must be able to select it.
func (s *Service) SetBindingCheck(fn func(tx *models.Tx, workspaceID models.ID) error) {
	s.bindingCheck = fn
}

// SetCoverageCheck sets how a token's workflows are checked: the caller must be able to see them.
func (s *Service) SetCoverageCheck(fn func(tx *models.Tx, workflowIDs []models.ID) error) {
	s.coverageCheck = fn
}

// SetAppTokens sets who keeps the tokens of connected apps.
func (s *Service) SetAppTokens(tokens AppTokens) { s.appTokens = tokens }

// SetRequirements sets how the organizations are found that ask for a second factor, by name.
func (s *Service) SetRequirements(fn func(ctx context.Context, userID models.ID) ([]string, error)) {
	s.requires = fn
}

// SetInvitedCheck sets how SIGN_UP=invited finds an open invitation.
func (s *Service) SetInvitedCheck(fn func(tx *models.Tx, email string, token *string) (bool, error)) {
	s.invited = fn
}

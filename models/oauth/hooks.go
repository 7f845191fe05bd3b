package oauth

import (
	"context"

	"atelier/models"
)

// hooks are what areas above do when an app may act for a person no more.
type hooks struct {
	ended models.Hooks[func(tx *models.Tx, appID, userID models.ID) error]
}

// HookPoints lists who follows what.
func (s *Service) HookPoints() []models.HookPoint {
	return []models.HookPoint{{Event: "a connected app may act for a person no more, or with fewer scopes", Hooks: s.hooks.ended.Names()}}
}

// RegisterHooks makes tokens of apps known where callers are identified, and
// ends apps with the account of the one who registered them.
func (s *Service) RegisterHooks() {
	s.Accounts.SetAppTokens(s)
	s.Accounts.OnDelete("oauth: apps that the account registered, and what it allowed apps", s.endAppsOf)
	s.Accounts.OnClosing("oauth: registered apps", s.countApps)
}

// OnEnd adds what else ends, in the same transaction, when an app may act for a
// person no more, or with fewer scopes.
func (s *Service) OnEnd(name string, do func(tx *models.Tx, appID, userID models.ID) error) {
	s.hooks.ended.Add(name, do)
}

// SetEndpointCount sets how the webhook endpoints are counted that apps
// registered for the caller.
func (s *Service) SetEndpointCount(fn func(ctx context.Context, appIDs []models.ID) (map[models.ID]int, error)) {
	s.endpoints = fn
}

package event

import (
	"atelier/models/account"
	"atelier/models/oauth"
)

// RegisterHooks has endpoints go with the account that has them, and has what they are sent end
// with the approval of a connected app.
func (s *Service) RegisterHooks(accounts *account.Service, apps *oauth.Service) {
	apps.OnEnd("event: the app's webhook endpoints", endApp)
	apps.SetEndpointCount(s.countOfApps)
	accounts.OnDelete("event: webhook endpoints and what they were sent", deleteEndpointsOf)
	accounts.OnClosing("event: webhook endpoints", s.countEndpoints)
}

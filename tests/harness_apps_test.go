package tests

import (
	"strings"

	"atelier/models"

	"github.com/google/uuid"
)

// connectedApp is an app that a person approved, with a token of it.
type connectedApp struct {
	client
	app, grant, token models.ID
}

// connect has a person approve a new app; origins are the sites that it registered.
func (h *testServer) connect(p person, scopes []models.Scope, origins ...string) connectedApp {
	h.b.Helper()
	c := connectedApp{app: uuid.New(), grant: uuid.New()}
	h.exec(`INSERT INTO oauth_apps (id, name, redirect_uris, allowed_origins, created_at, updated_at) VALUES ($1, 'App', '{}', $2, now(), now())`,
		c.app, append([]string{}, origins...))
	h.exec(`INSERT INTO oauth_grants (id, app_id, user_id, scopes, created_at, updated_at) VALUES ($1, $2, $3, $4, now(), now())`,
		c.grant, c.app, p.id, append([]models.Scope{}, scopes...))
	return h.again(c, p, scopes)
}

// again is a further token of the same app and person.
func (h *testServer) again(c connectedApp, p person, scopes []models.Scope) connectedApp {
	h.b.Helper()
	secret := "svc_app_" + strings.ReplaceAll(uuid.NewString()+uuid.NewString(), "-", "")
	c.token = uuid.New()
	h.exec(`INSERT INTO oauth_tokens (id, token_hash, grant_id, app_id, user_id, code_hash, scopes, created_at, expires_at)
		VALUES ($1, $2, $3, $4, $5, '', $6, now(), now() + interval '90 days')`,
		c.token, models.HashSecret(secret), c.grant, c.app, p.id, append([]models.Scope{}, scopes...))
	c.client = p.with(secret)
	return c
}

// grants are sets of scopes by what they are called.
var grants = func() map[string][]models.Scope {
	all := map[string][]models.Scope{"none": {}, "all": models.Scopes}
	for _, scope := range models.Scopes {
		all[string(scope)] = []models.Scope{scope}
	}
	return all
}()

// appsOf are apps of each set of scopes.
func (h *testServer) appsOf(p person) map[string]connectedApp {
	apps := map[string]connectedApp{}
	for name, scopes := range grants {
		apps[name] = h.connect(p, scopes)
	}
	return apps
}

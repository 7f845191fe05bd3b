package oauth

import (
	"context"
	"crypto/subtle"
	"errors"

	"atelier/models"
	"atelier/models/account"

	"github.com/google/uuid"
	"gorm.io/gorm"
)

// ClientAuth is what an app shows for itself at an endpoint of the protocol.
type ClientAuth struct {
	ID string
	// Secret is nil where none was sent.
	Secret *string
}

// parseClientID reads a client_id in its one notation.
func parseClientID(text string) (models.ID, bool) {
	id, err := uuid.Parse(text)
	return id, err == nil && id.String() == text
}

// findUsable is an app that may be used: not deleted, and its owner not banned.
func findUsable(db *gorm.DB, id models.ID) (*App, error) {
	return models.First[App](db.Where("id = ? AND deleted_at IS NULL AND "+account.OwnerUsable("oauth_apps.owner_id"), id), errNoApp)
}

// authenticateClient finds the app that a request comes from: one with a secret
// must show it, one without shows its id alone. invalid_client. Wrong secrets
// count for the app and the caller's network: rate_limit_exceeded.
func (s *Service) authenticateClient(ctx context.Context, auth ClientAuth) (*App, error) {
	id, ok := parseClientID(auth.ID)
	if !ok {
		return nil, badClient("The client_id is missing, or that of no app")
	}
	app, err := findUsable(s.DB.Read(ctx), id)
	if errors.Is(err, errNoApp) {
		return nil, badClient("There is no app with this client_id")
	}
	if err != nil {
		return nil, err
	}
	if !app.Confidential() {
		if auth.Secret != nil {
			return nil, badClient("This app has no client_secret: send its client_id alone")
		}
		return app, nil
	}
	if auth.Secret == nil {
		return nil, badClient("This app has to send its client_secret")
	}
	key := id.String() + " " + models.ActorFrom(ctx).Network()
	if err := s.DB.CheckLimit(ctx, wrongSecrets, key); err != nil {
		return nil, err
	}
	if subtle.ConstantTimeCompare(models.HashSecret(*auth.Secret), app.SecretHash) == 1 {
		return app, nil
	}
	if err := s.DB.CountCall(ctx, wrongSecrets, key); err != nil {
		return nil, err
	}
	return nil, badClient("The client_secret is wrong")
}

package oauth

import (
	"context"

	"atelier/models"
	"atelier/models/account"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

var errNoApp = models.NotFound("App")

// withPeople reads apps with how many people allow each.
func withPeople(query *gorm.DB) *gorm.DB {
	return query.Select("oauth_apps.*, (SELECT count(*) FROM oauth_grants g WHERE g.app_id = oauth_apps.id AND g.revoked_at IS NULL) AS people")
}

// own are the apps that a person registered by hand.
func own(query *gorm.DB, userID models.ID) *gorm.DB {
	return query.Where("owner_id = ? AND deleted_at IS NULL", userID)
}

// ListApps lists the caller's own apps, newest first. Session only.
func (s *Service) ListApps(ctx context.Context) ([]*App, error) {
	actor := models.ActorFrom(ctx)
	if err := actor.RequireSession(); err != nil {
		return nil, err
	}
	apps := []*App{}
	err := withPeople(own(s.DB.Read(ctx), actor.UserID)).Order("id DESC").Limit(MaxApps).Find(&apps).Error
	return apps, err
}

// FindApp is one of the caller's own apps. Session only; not_found.
func (s *Service) FindApp(ctx context.Context, id models.ID) (*App, error) {
	actor := models.ActorFrom(ctx)
	if err := actor.RequireSession(); err != nil {
		return nil, err
	}
	return models.First[App](withPeople(own(s.DB.Read(ctx), actor.UserID)).Where("id = ?", id), errNoApp)
}

// CreateApp registers an app by hand; its secret is shown once. Only a session
// that was confirmed within the hour may; the sixth is limit_reached (contract 1, "Limits").
func (s *Service) CreateApp(ctx context.Context, in CreateAppInput) (*CreatedApp, error) {
	actor, err := s.requireConfirmed(ctx)
	if err != nil {
		return nil, err
	}
	app := &App{OwnerID: &actor.UserID, Scopes: models.Strings{}}
	if app.Name, err = cleanName("name", in.Name); err != nil {
		return nil, err
	}
	if app.RedirectURIs, err = cleanRedirectURIs("redirectUris", in.RedirectURIs); err != nil {
		return nil, err
	}
	if app.AllowedOrigins, err = cleanOrigins("allowedOrigins", in.AllowedOrigins); err != nil {
		return nil, err
	}
	created := &CreatedApp{App: app}
	if in.Public == nil || !*in.Public {
		created.ClientSecret = app.newSecret()
	}
	err = s.DB.Write(ctx, func(tx *models.Tx) error {
		if err := s.lockPerson(tx); err != nil {
			return err
		}
		var count int64
		if err := own(tx.Model(&App{}), actor.UserID).Count(&count).Error; err != nil {
			return err
		}
		if count >= MaxApps {
			return models.Err(models.CodeLimitReached, "An account registers at most %d apps. Delete one first.", MaxApps)
		}
		return app.insert(tx)
	})
	if err != nil {
		return nil, err
	}
	return created, nil
}

// newSecret gives an app a secret, of which it keeps the hash.
func (a *App) newSecret() *string {
	secret := models.NewSecret(SecretPrefix, secretBytes)
	a.SecretHash = models.HashSecret(secret)
	return &secret
}

func (a *App) insert(tx *models.Tx) error {
	a.ID, a.CreatedAt, a.UpdatedAt = tx.NewID(), tx.Now, tx.Now
	if a.SecretHash != nil {
		a.SecretCreatedAt = &tx.Now
	}
	return tx.Create(a).Error
}

func (s *Service) requireConfirmed(ctx context.Context) (models.Actor, error) {
	actor := models.ActorFrom(ctx)
	if err := actor.RequireSession(); err != nil {
		return actor, err
	}
	return actor, actor.RequireConfirmed(s.DB.Clock.Now())
}

// lockPerson makes what the caller does with apps wait for each other, and
// refuses a session that ended meanwhile.
func (s *Service) lockPerson(tx *models.Tx) error {
	if err := account.LockUser(tx, tx.Actor.UserID); err != nil {
		return err
	}
	return s.Accounts.StillValid(tx.Context())
}

// UpdateApp changes an app. Session only; not_found. Where its answers go, and which
// sites may call with its tokens, only a session that was confirmed within the hour
// changes: reauthentication_required.
func (s *Service) UpdateApp(ctx context.Context, id models.ID, in UpdateAppInput) (*App, error) {
	actor := models.ActorFrom(ctx)
	if err := actor.RequireSession(); err != nil {
		return nil, err
	}
	changes, err := appChanges(in)
	if err != nil {
		return nil, err
	}
	err = s.DB.Write(ctx, func(tx *models.Tx) error {
		if _, err := lockApp(tx, actor.UserID, id); err != nil || len(changes) == 0 {
			return err
		}
		if in.RedirectURIs != nil || in.AllowedOrigins != nil {
			if err := actor.RequireConfirmed(tx.Now); err != nil {
				return err
			}
		}
		if err := s.Accounts.StillValid(tx.Context()); err != nil {
			return err
		}
		changes["updated_at"] = tx.Now
		return tx.Model(&App{}).Where("id = ?", id).Updates(changes).Error
	})
	if err != nil {
		return nil, err
	}
	return s.FindApp(ctx, id)
}

func appChanges(in UpdateAppInput) (map[string]any, error) {
	changes := map[string]any{}
	var err error
	if in.Name != nil {
		if changes["name"], err = cleanName("name", *in.Name); err != nil {
			return nil, err
		}
	}
	if in.RedirectURIs != nil {
		if changes["redirect_uris"], err = cleanRedirectURIs("redirectUris", in.RedirectURIs); err != nil {
			return nil, err
		}
	}
	if in.AllowedOrigins != nil {
		if changes["allowed_origins"], err = cleanOrigins("allowedOrigins", in.AllowedOrigins); err != nil {
			return nil, err
		}
	}
	return changes, nil
}

// lockApp holds one of a person's apps.
func lockApp(tx *models.Tx, userID, id models.ID) (*App, error) {
	return models.First[App](own(tx.DB, userID).Where("id = ?", id).Clauses(clause.Locking{Strength: "UPDATE"}), errNoApp)
}

// RotateSecret gives an app a new secret, shown once; the old one stops working
// at once. Only a session that was confirmed within the hour may; not_found.
func (s *Service) RotateSecret(ctx context.Context, id models.ID) (*CreatedApp, error) {
	actor, err := s.requireConfirmed(ctx)
	if err != nil {
		return nil, err
	}
	created := &CreatedApp{}
	err = s.DB.Write(ctx, func(tx *models.Tx) error {
		app, err := lockApp(tx, actor.UserID, id)
		if err != nil {
			return err
		}
		if err := s.Accounts.StillValid(tx.Context()); err != nil {
			return err
		}
		if !app.Confidential() {
			return models.Err(models.CodeValidation, "This app was registered as one that can keep no secret. Register another one for a program with a server.")
		}
		created.ClientSecret = app.newSecret()
		return tx.Model(&App{}).Where("id = ?", id).
			Updates(map[string]any{"secret_hash": app.SecretHash, "secret_created_at": tx.Now, "updated_at": tx.Now}).Error
	})
	if err != nil {
		return nil, err
	}
	created.App, err = s.FindApp(ctx, id)
	return created, err
}

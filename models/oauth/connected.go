package oauth

import (
	"context"
	"time"

	"atelier/models"
	"atelier/models/account"
)

// ListConnectedApps lists the apps that may act for the caller, newest first. Session only.
func (s *Service) ListConnectedApps(ctx context.Context) ([]*ConnectedApp, error) {
	actor := models.ActorFrom(ctx)
	if err := actor.RequireSession(); err != nil {
		return nil, err
	}
	var rows []struct {
		ID           models.ID
		Name         string
		RedirectURIs models.Strings `gorm:"column:redirect_uris"`
		OwnerID      *models.ID
		OwnerName    *string
		Scopes       models.Strings
		CreatedAt    time.Time
		LastUsedAt   *time.Time
	}
	err := s.DB.Read(ctx).Table("oauth_grants g").
		Select("a.id, a.name, a.redirect_uris, a.owner_id, u.display_name AS owner_name, g.scopes, g.created_at, g.last_used_at").
		Joins("JOIN oauth_apps a ON a.id = g.app_id AND a.deleted_at IS NULL").Joins(account.LeftJoin("a.owner_id")).
		Where("g.user_id = ? AND g.revoked_at IS NULL", actor.UserID).Order("g.id DESC").Limit(maxConnected).Find(&rows).Error
	if err != nil {
		return nil, err
	}
	apps, ids := make([]*ConnectedApp, len(rows)), make([]models.ID, len(rows))
	for i, row := range rows {
		ids[i] = row.ID
		apps[i] = &ConnectedApp{
			ID: row.ID, Name: row.Name, Scopes: scopesOf(row.Scopes), Places: placesOf(row.RedirectURIs), SelfRegistered: row.OwnerID == nil,
			OwnerName: row.OwnerName, ConnectedAt: row.CreatedAt, LastUsedAt: row.LastUsedAt,
		}
	}
	return apps, s.countEndpoints(ctx, apps, ids)
}

func (s *Service) countEndpoints(ctx context.Context, apps []*ConnectedApp, ids []models.ID) error {
	if s.endpoints == nil || len(ids) == 0 {
		return nil
	}
	counts, err := s.endpoints(ctx, ids)
	for _, app := range apps {
		app.Endpoints = counts[app.ID]
	}
	return err
}

// OriginAllowed tells whether an app lets pages of an origin, as browsers send
// it, call the service: the app of an id, or any where there is none yet, as in
// what a browser asks before a call.
func (s *Service) OriginAllowed(ctx context.Context, origin string, appID *models.ID) (allowed bool, err error) {
	query := "SELECT EXISTS (SELECT FROM oauth_apps a WHERE a.allowed_origins @> ARRAY[$1::text] AND a.deleted_at IS NULL AND " + account.OwnerUsable("a.owner_id")
	args := []any{origin}
	if appID != nil {
		query, args = query+" AND a.id = $2", append(args, *appID)
	}
	err = s.DB.Row(ctx, query+")", args...).Scan(&allowed)
	return allowed, err
}

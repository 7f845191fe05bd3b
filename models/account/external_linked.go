package account

import (
	"context"
	"time"

	"atelier/models"
)

// LinkedSignIn is a sign-in at a provider as its person sees it. It is not taken
// off here: it is what keeps every other provider from the account (contract 3,
// "Account linking").
type LinkedSignIn struct {
	Provider, Label, Origin string
	LinkedAt, LastUsedAt    time.Time
}

// ListLinked is the sign-ins at identity providers that are connected with
// the caller's account. Session only.
func (s SSO) ListLinked(ctx context.Context) ([]*LinkedSignIn, error) {
	actor := models.ActorFrom(ctx)
	if err := actor.RequireSession(); err != nil {
		return nil, err
	}
	var rows []ExternalIdentity
	err := s.account.DB.Read(ctx).Where("user_id = ?", actor.UserID).Order("id").Limit(maxReports).Find(&rows).Error
	linked := make([]*LinkedSignIn, len(rows))
	for i, row := range rows {
		linked[i] = &LinkedSignIn{
			Provider: row.Provider, Label: s.account.External.label(row.Origin, row.Provider), Origin: row.Origin, LinkedAt: row.CreatedAt, LastUsedAt: row.LastUsedAt,
		}
	}
	return linked, err
}

// label is what a provider is called; its id where it is configured no more.
func (x External) label(origin, id string) string {
	for _, p := range x.Providers {
		if origin == OriginSSO && p.ID == id {
			return p.Label
		}
	}
	for _, p := range x.OIDC {
		if origin == OriginOIDC && p.ID == id {
			return p.Label
		}
	}
	return id
}

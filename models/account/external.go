package account

import (
	"time"

	"atelier/models"
)

// Where sessions come from, as Session.Origin, and external sign-ins, as ExternalIdentity.Origin.
const (
	OriginPassword = "password"
	OriginPasskey  = "passkey"
	OriginSSO      = "sso"
	OriginOIDC     = "oidc"
)

// SSOProvider is an identity provider of EXTERNAL_SSO_PROVIDERS (contract 3, "Authentication").
type SSOProvider struct {
	ID, Label, Kind                         string // assertion, oidc or saml
	Secret, Audience                        string
	EmailClaim, VerifiedClaim, SubjectClaim string
	InitiateURL                             string
	InitiateURLByHost                       map[string]string
	MaxLifetime                             time.Duration
}

// OIDCProvider is an OpenID Connect provider of OIDC_PROVIDERS.
type OIDCProvider struct {
	ID, Label, Issuer, ClientID, ClientSecret string
	Scopes                                    []string
}

// External is how the install signs people in through identity providers.
type External struct {
	Providers    []SSOProvider
	OIDC         []OIDCProvider
	LinkExisting bool
	// Methods are what the sign-in page offers: email, sso, oidc.
	Methods  []string
	SSOLabel string
	// Only refuses sessions that no external sign-in made (contract 3, the gate).
	Only bool
}

// ExternalIdentity is a sign-in at a provider that an account is connected with.
type ExternalIdentity struct {
	ID         models.ID `gorm:"primaryKey"`
	UserID     models.ID
	Origin     string
	Provider   string
	Subject    string
	CreatedAt  time.Time
	LastUsedAt time.Time
}

func (ExternalIdentity) TableName() string { return "external_identities" }

// Asserted is what an identity provider says of a person. Email is as the
// provider wrote it.
type Asserted struct {
	Origin, Provider, Subject string
	Email                     string
	EmailVerified             bool
	// Name is what the person is called there; empty where it is not told.
	Name string
}

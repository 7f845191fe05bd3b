// Package oauth holds apps that act for people: their registration, what people
// allowed them, and their tokens (contract 1, "Authentication" 6).
package oauth

import (
	"context"
	"time"

	"atelier/models"
	"atelier/models/account"
)

// Service holds the use cases of connected apps.
type Service struct {
	DB       *models.DB
	Accounts *account.Service
	// PublicURL is the issuer.
	PublicURL string

	hooks     hooks
	endpoints func(ctx context.Context, appIDs []models.ID) (map[models.ID]int, error)
}

// App is a registered app; its id is the client_id too.
type App struct {
	ID           models.ID  `gorm:"primaryKey"`
	OwnerID      *models.ID // nil: it registered itself
	Name         string
	RedirectURIs models.Strings `gorm:"column:redirect_uris"`
	// Scopes are all that an app that registered itself may ask for; empty: anything.
	Scopes          models.Strings
	AllowedOrigins  models.Strings
	SecretHash      []byte // nil: a public client
	SecretCreatedAt *time.Time
	CreatedAt       time.Time
	UpdatedAt       time.Time
	LastUsedAt      *time.Time
	DeletedAt       *time.Time
	// Ending marks a deleted app while grants are left to be ended.
	Ending bool

	People int `gorm:"->"`
}

func (App) TableName() string { return "oauth_apps" }

// Confidential tells whether the app keeps a secret.
func (a *App) Confidential() bool { return a.SecretHash != nil }

// Grant is what a person allowed an app.
type Grant struct {
	ID         models.ID `gorm:"primaryKey"`
	AppID      models.ID
	UserID     models.ID
	Scopes     models.Strings
	CreatedAt  time.Time
	UpdatedAt  time.Time
	LastUsedAt *time.Time
	RevokedAt  *time.Time
}

func (Grant) TableName() string { return "oauth_grants" }

// Code is an authorization code: used once, within a minute.
type Code struct {
	CodeHash      []byte `gorm:"primaryKey"`
	GrantID       models.ID
	AppID         models.ID
	RedirectURI   string `gorm:"column:redirect_uri"` // as it was asked for; empty where none was named
	Scopes        models.Strings
	CodeChallenge string
	CreatedAt     time.Time
	ExpiresAt     time.Time
	UsedAt        *time.Time
}

func (Code) TableName() string { return "oauth_codes" }

// Token is an access token.
type Token struct {
	ID         models.ID `gorm:"primaryKey"`
	TokenHash  []byte
	GrantID    models.ID
	AppID      models.ID
	UserID     models.ID
	CodeHash   []byte
	Scopes     models.Strings
	CreatedAt  time.Time
	ExpiresAt  time.Time
	LastUsedAt *time.Time
	RevokedAt  *time.Time
}

func (Token) TableName() string { return "oauth_tokens" }

// CreatedApp is an app with its secret, which is shown once.
type CreatedApp struct {
	App          *App
	ClientSecret *string
}

// CreateAppInput registers an app by hand.
type CreateAppInput struct {
	Name           string
	RedirectURIs   []string
	AllowedOrigins []string
	Public         *bool
}

// UpdateAppInput changes an app; nil leaves a field as it is.
type UpdateAppInput struct {
	Name           *string
	RedirectURIs   []string
	AllowedOrigins []string
}

// ConnectedApp is an app that may act for the caller.
type ConnectedApp struct {
	ID             models.ID // the app's
	Name           string
	Scopes         []models.Scope
	Places         []string
	SelfRegistered bool
	OwnerName      *string
	ConnectedAt    time.Time
	LastUsedAt     *time.Time
	// Endpoints is how many webhook endpoints it registered for the person.
	Endpoints int
}

// AuthorizationInput is what /oauth/authorize was asked, as it came.
type AuthorizationInput struct {
	ClientID            string
	RedirectURI         *string
	ResponseType        *string
	Scope               *string
	State               *string
	CodeChallenge       *string
	CodeChallengeMethod *string
	Prompt              *string
	Resource            []string
}

// Authorization is a request of an app to act for the caller.
type Authorization struct {
	App         *RequestingApp
	Scopes      []models.Scope
	Granted     []models.Scope
	RedirectURI string
	// Answer is where to send the browser without asking; nil where the person is asked.
	Answer *string
	// Refusal is why an app that registered itself cannot be allowed this; its person sends it
	// the answer, which Deny makes. nil for all others.
	Refusal *string
}

// RequestingApp is who asks.
type RequestingApp struct {
	ID             models.ID
	Name           string
	Place          string
	SelfRegistered bool
	OwnerName      *string
	CreatedAt      time.Time
}

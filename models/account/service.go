package account

import (
	"context"
	"net/http"
	"sync/atomic"
	"time"

	"atelier/models"
)

// Service holds the use cases of people.
type Service struct {
	DB *models.DB
	// SessionKey signs session JWTs.
	SessionKey []byte
	// SignUp is open, invited or closed.
	SignUpMode string
	// Mail is whether the install can send mail: then addresses are confirmed by it.
	Mail bool
	// Operators are the addresses of platform operators, as models.ParseEmail has them.
	Operators []string
	// PublicURL is the base of links.
	PublicURL string
	// Payer is the address of the account that pays for everyone, in the form of
	// models.ParseEmail; empty where there is none.
	Payer string
	// OperatorCode proves an operator's address; empty proves none.
	OperatorCode string
	// External is how people sign in through identity providers.
	External External
	// Vault keeps the secrets of authenticator apps; nil keeps none.
	Vault *models.Vault
	// SessionLasts is how long a session lasts; SessionLifetime when 0.
	SessionLasts time.Duration
	// Egress reaches the identity providers of the configuration.
	Egress *http.Client

	appTokens     AppTokens
	requires      func(ctx context.Context, userID models.ID) ([]string, error)
	hooks         hooks
	invited       func(tx *models.Tx, email string, token *string) (bool, error)
	bindingCheck  func(tx *models.Tx, workspaceID models.ID) error
	coverageCheck func(tx *models.Tx, workflowIDs []models.ID) error
	held          holds
	calls         callLog
	issuers       oidcIssuers
	anybody       atomic.Bool
	proven        atomic.Bool // an operator's address
	// awaitedUntil is until when, in Unix nanoseconds, an operator is said to be awaited.
	awaitedUntil atomic.Int64
}

// SessionLifetime is how long a session of an install lasts.
const SessionLifetime = 30 * 24 * time.Hour

// AppTokens are the tokens of connected apps, which a higher area keeps.
type AppTokens interface {
	// Authenticate finds out who a token stands for; unauthorized.
	Authenticate(ctx context.Context, token string) (*Credentials, error)
	// StillValid tells whether the token that the actor showed still counts.
	StillValid(ctx context.Context, actor models.Actor) (bool, error)
	// EndAll takes back all that a person allowed apps.
	EndAll(tx *models.Tx, userID models.ID) error
}

// The use cases of a noun are methods of its type.
type (
	// APITokens are personal tokens of the API, and the calls that were made with them.
	APITokens struct{ account *Service }
	// Passkeys are added, named and signed in with.
	Passkeys struct{ account *Service }
	// SecondFactors guard accounts: authenticator apps, recovery codes, and the second step of a sign-in.
	SecondFactors struct{ account *Service }
	// SSO is how people sign in through identity providers.
	SSO struct{ account *Service }
	// Sessions are where the caller is signed in.
	Sessions struct{ account *Service }
	// People are the accounts of the install, as its operators see and change them.
	People struct{ account *Service }
	// Passwords are changed, and chosen again when they were forgotten.
	Passwords struct{ account *Service }
	// Addresses are proven by mail, at sign-up and when they change.
	Addresses struct{ account *Service }
)

func (s *Service) APITokens() APITokens         { return APITokens{s} }
func (s *Service) Passkeys() Passkeys           { return Passkeys{s} }
func (s *Service) SecondFactors() SecondFactors { return SecondFactors{s} }
func (s *Service) SSO() SSO                     { return SSO{s} }
func (s *Service) Sessions() Sessions           { return Sessions{s} }
func (s *Service) People() People               { return People{s} }
func (s *Service) Passwords() Passwords         { return Passwords{s} }
func (s *Service) Addresses() Addresses         { return Addresses{s} }

package oauth

import (
	"context"
	"slices"
	"time"

	"atelier/models"
)

// Registration is what a program says of itself (RFC 7591, 2). Members that are
// not named here are ignored, as the standard has it.
type Registration struct {
	RedirectURIs            []string `json:"redirect_uris"`
	ClientName              *string  `json:"client_name,omitempty"`
	TokenEndpointAuthMethod *string  `json:"token_endpoint_auth_method,omitempty"`
	GrantTypes              []string `json:"grant_types,omitempty"`
	ResponseTypes           []string `json:"response_types,omitempty"`
	Scope                   *string  `json:"scope,omitempty"`
}

// Registered is a program that registered itself, with its secret, shown once.
type Registered struct {
	CreatedApp
	AuthMethod string
	Scopes     []models.Scope
}

// How an app may show its secret.
const (
	authBasic = "client_secret_basic"
	authPost  = "client_secret_post"
	authNone  = "none"
)

// AuthMethods are all of them.
var AuthMethods = []string{authBasic, authPost, authNone}

// maxRegisteredScope is how long the scopes of a registration may be: those for other
// services too, which are dropped.
const maxRegisteredScope = 4_000

// AdmitRegistration counts a registration of the caller's network; the eleventh
// in a minute is rate_limit_exceeded (contract 1, "Limits").
func (s *Service) AdmitRegistration(ctx context.Context) error {
	return s.DB.CountCall(ctx, registrationLimit, models.ActorFrom(ctx).Network())
}

// Register registers a program by its own word (RFC 7591): no one here answers
// for it, and what it asks for is shown so. invalid_redirect_uri,
// invalid_client_metadata.
func (s *Service) Register(ctx context.Context, in Registration) (*Registered, error) {
	app, method, err := readRegistration(in)
	if err != nil {
		return nil, err
	}
	reg := &Registered{CreatedApp: CreatedApp{App: app}, AuthMethod: method, Scopes: scopesOf(app.Scopes)}
	if len(reg.Scopes) == 0 {
		reg.Scopes = Scopes
	}
	if method != authNone {
		reg.ClientSecret = app.newSecret()
	}
	if err := s.makeRoom(ctx); err != nil {
		return nil, err
	}
	return reg, s.DB.Write(ctx, func(tx *models.Tx) error { return app.insert(tx) })
}

func readRegistration(in Registration) (*App, string, error) {
	uris, err := cleanRedirectURIs("redirect_uris", in.RedirectURIs)
	if err != nil {
		return nil, "", refuse(invalidRedirectURI, "%s", messageOf(err))
	}
	app := &App{Name: placeOf(uris[0]), RedirectURIs: uris, AllowedOrigins: models.Strings{}, Scopes: models.Strings{}}
	if in.ClientName != nil {
		if app.Name, err = cleanName("client_name", *in.ClientName); err != nil {
			return nil, "", InvalidMetadata("%s", messageOf(err))
		}
	}
	method := authBasic // also in place of one that is not known here (RFC 7591, 3.2.1)
	if in.TokenEndpointAuthMethod != nil && slices.Contains(AuthMethods, *in.TokenEndpointAuthMethod) {
		method = *in.TokenEndpointAuthMethod
	}
	if in.GrantTypes != nil && !slices.Contains(in.GrantTypes, "authorization_code") {
		return nil, "", InvalidMetadata("grant_types must hold authorization_code")
	}
	if in.ResponseTypes != nil && !slices.Contains(in.ResponseTypes, "code") {
		return nil, "", InvalidMetadata("response_types must hold code")
	}
	if in.Scope != nil {
		if len(*in.Scope) > maxRegisteredScope {
			return nil, "", InvalidMetadata("scope must have at most %d characters", maxRegisteredScope)
		}
		app.Scopes = column(knownScopes(*in.Scope)) // RFC 7591, 2: what is not known here is left out
	}
	return app, method, nil
}

func messageOf(err error) string {
	refusal, _ := models.AsError(err)
	return refusal.Message
}

// makeRoom keeps the registrations that no one used few: beyond the most there
// may be, those of more than an hour ago make room, and where there are none it
// is rate_limit_exceeded.
func (s *Service) makeRoom(ctx context.Context) error {
	unused, err := s.countUnused(ctx)
	if err != nil || unused < maxUnused {
		return err
	}
	if err := s.dropUnused(ctx, s.DB.Clock.Now().Add(-time.Hour)); err != nil {
		return err
	}
	if unused, err = s.countUnused(ctx); err != nil || unused < maxUnused {
		return err
	}
	refusal := models.Err(models.CodeRateLimitExceeded, "Too many programs registered recently. Try again in an hour.")
	refusal.RetryAfter = time.Hour
	return refusal
}

func (s *Service) countUnused(ctx context.Context) (n int64, err error) {
	err = s.DB.Read(ctx).Model(&App{}).Where("owner_id IS NULL AND last_used_at IS NULL").Count(&n).Error
	return n, err
}

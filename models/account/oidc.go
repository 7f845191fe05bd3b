package account

import (
	"context"
	"crypto/subtle"
	"net/url"
	"strings"
	"time"

	"atelier/models"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

// Sign-in by OpenID Connect in the browser: the code flow with PKCE, state and
// nonce (open points, sections 1 and 2).

// OIDCPath is where the browser sign-in begins, followed by a provider's id;
// with OIDCCallback behind it providers send the browser back.
const (
	OIDCPath     = "/auth/oidc/"
	OIDCCallback = "/callback"
)

const (
	// exchangeTime is how long it may take altogether to ask a provider about an answer.
	exchangeTime = 20 * time.Second
	// maxOIDCAnswer bounds a code and a state of an answer, in bytes.
	maxOIDCAnswer = 4 << 10
	// maxSubject bounds a subject, in bytes (OpenID Connect Core, section 2).
	maxSubject = 255
)

// How often sign-ins may begin and come back from one address: a class behind
// one address stays below, and no visitor can make the service flood a provider.
var (
	oidcBegins  = models.Limit{Name: "oidc.begin", Max: 60, Per: time.Minute}
	oidcAnswers = models.Limit{Name: "oidc.answer", Max: 60, Per: time.Minute}
)

var (
	errUnknownOIDC  = models.Err(models.CodeUnknownProvider, "This install has no such OpenID Connect provider")
	errNoFlow       = models.Err(models.CodeExpired, "This sign-in began more than ten minutes ago, was finished already, or began in another browser. Start once more.")
	errReplayedFlow = models.Err(models.CodeAssertionReplayed, "This sign-in was used already. Start once more.")
	errMixedUp      = models.Err(models.CodeInvalidClaims, "The answer did not come from the provider that was asked. Start once more.")
	errNoCode       = models.Err(models.CodeInvalidClaims, "The provider's answer names no sign-in. Start once more.")
)

// OIDCBegun is where to send a browser, and what it keeps meanwhile.
type OIDCBegun struct {
	// URL is the provider's page to sign in.
	URL string
	// Flow is the cookie of this sign-in; it is sealed.
	Flow OIDCFlowCookie
}

// OIDCAnswer is what a provider sent the browser back with.
type OIDCAnswer struct {
	State, Code, Issuer string
	// Error is the provider's code of a refusal (RFC 6749, section 4.1.2.1).
	Error string
	// Flow is the sealed cookie of the flow that State names; empty where the browser has none.
	Flow string
}

// OIDCSignedIn is a session that a provider's answer began, and where it leads;
// Next is empty where the browser asked for no page.
type OIDCSignedIn struct {
	*SignedIn
	Next string
}

// BeginOIDC begins a sign-in at a provider; next is a safe path of this service
// to go on to, or empty. unknown_provider; rate_limit_exceeded;
// service_unavailable where the provider cannot be reached.
func (s SSO) BeginOIDC(ctx context.Context, provider, next string) (*OIDCBegun, error) {
	issuer, err := s.account.oidcIssuer(provider)
	if err != nil {
		return nil, err
	}
	if err := s.account.countNetwork(ctx, oidcBegins); err != nil {
		return nil, err
	}
	found, err := s.account.askIssuer(ctx, issuer)
	if err != nil {
		s.account.countExternal(ctx, OriginOIDC, provider, err, nil)
		return nil, err
	}
	if len(next) > maxFlowNext {
		next = ""
	}
	flow := oidcFlow{
		Provider: provider, State: models.NewSecret("", 32), Nonce: models.NewSecret("", 32), Verifier: oauth2.GenerateVerifier(),
		Next: next, Ends: s.account.DB.Clock.Now().Add(oidcFlowLifetime),
	}
	cookie, err := s.account.sealFlow(flow)
	if err != nil {
		return nil, err
	}
	address := s.account.oidcClient(issuer.OIDCProvider, found).AuthCodeURL(flow.State, oidc.Nonce(flow.Nonce), oauth2.S256ChallengeOption(flow.Verifier))
	return &OIDCBegun{URL: address, Flow: cookie}, nil
}

// FinishOIDC begins a session with a provider's answer; a flow is used once.
// unknown_provider, expired, assertion_replayed, invalid_claims,
// invalid_signature, access_denied, provider_error, the refusals of
// Follow; service_unavailable where the provider cannot be reached,
// and rate_limit_exceeded: then the same answer may be sent again.
func (s SSO) FinishOIDC(ctx context.Context, provider string, answer OIDCAnswer) (*OIDCSignedIn, error) {
	issuer, err := s.account.oidcIssuer(provider)
	if err != nil {
		return nil, err
	}
	if err := s.account.countNetwork(ctx, oidcAnswers); err != nil {
		return nil, err
	}
	flow, err := s.account.openFlow(answer.State, answer.Flow)
	if err != nil {
		return nil, err // the one who sends such an answer began nothing here
	}
	if flow.Provider != provider {
		return nil, errMixedUp
	}
	signedIn, offset, err := s.account.finishFlow(ctx, issuer, flow, answer)
	s.account.countExternal(ctx, OriginOIDC, provider, err, offset)
	if err != nil {
		return nil, err
	}
	return &OIDCSignedIn{SignedIn: signedIn, Next: flow.Next}, nil
}

// finishFlow is SSO.FinishOIDC with a flow that began in this browser; offset is
// the provider's clock less ours, where the answer told it.
func (s *Service) finishFlow(ctx context.Context, issuer *oidcIssuer, flow oidcFlow, answer OIDCAnswer) (signedIn *SignedIn, offset *time.Duration, err error) {
	found, err := s.askIssuer(ctx, issuer)
	if err != nil {
		return nil, nil, err
	}
	if err := s.spendFlow(ctx, flow); err != nil {
		return nil, nil, err
	}
	if err := found.checkIssuer(answer.Issuer); err != nil {
		return nil, nil, err
	}
	if answer.Error != "" {
		return nil, nil, refusedByProvider(answer.Error)
	}
	if answer.Code == "" || len(answer.Code) > maxOIDCAnswer {
		return nil, nil, errNoCode
	}
	who, offset, err := s.exchangeCode(ctx, issuer, found, flow, answer.Code)
	if err != nil {
		return nil, offset, err
	}
	signedIn, err = s.SSO().SignIn(ctx, who)
	return signedIn, offset, err
}

// countNetwork counts a call of the address that asks.
func (s *Service) countNetwork(ctx context.Context, limit models.Limit) error {
	network := models.ActorFrom(ctx).Network()
	if network == "" {
		return nil
	}
	return s.DB.CountCall(ctx, limit, network)
}

// oidcClient is this service at a provider.
func (s *Service) oidcClient(p OIDCProvider, found *oidcFound) *oauth2.Config {
	return &oauth2.Config{
		ClientID: p.ClientID, ClientSecret: p.ClientSecret, Endpoint: found.endpoint,
		RedirectURL: strings.TrimSuffix(s.PublicURL, "/") + OIDCPath + url.PathEscape(p.ID) + OIDCCallback, Scopes: p.Scopes,
	}
}

// refusedByProvider is a provider's refusal in our words; its own text goes nowhere.
func refusedByProvider(code string) *models.Error {
	switch code {
	case "access_denied", "login_required", "interaction_required", "account_selection_required", "consent_required":
		return models.Err(models.CodeAccessDenied, "The provider did not let you in, or you stopped there. Start once more, or ask the person who manages your account there.")
	case "temporarily_unavailable", "server_error":
		return oidcDown()
	}
	return models.Err(models.CodeProviderError, "The provider does not accept how this install asks it. The operator of this install has to check its settings.")
}

// oidcDown says that a provider cannot be reached.
func oidcDown() *models.Error {
	e := models.Err(models.CodeServiceUnavailable, "The identity provider does not answer. Nothing is wrong with your account here. Try again in a moment.")
	e.RetryAfter = issuerRests
	return e
}

// same compares secrets in the same time for all.
func same(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

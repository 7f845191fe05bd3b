package account

import (
	"context"
	"errors"
	"log/slog"
	"net/url"
	"slices"
	"sync"
	"time"

	"atelier/models"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

// What a provider says of itself is asked for when a person wants to sign in
// there first, and kept.
const (
	// issuerFresh is how long it is believed; then it is asked again beside the
	// sign-ins, which go on with what is known for issuerKept.
	issuerFresh = time.Hour
	issuerKept  = 24 * time.Hour
	// issuerRests is how long a provider that did not answer is left alone.
	issuerRests = 10 * time.Second
	// issuerTime is how long one answer may take.
	issuerTime = 10 * time.Second
	// issuerWaiting is how many may wait for a provider's answer, issuerExchanges
	// how many codes are exchanged with it at once.
	issuerWaiting   = 200
	issuerExchanges = 16
)

// oidcIssuers are the providers by id, as far as they were used.
type oidcIssuers struct {
	mu   sync.Mutex
	byID map[string]*oidcIssuer
}

// oidcIssuer is a provider, and what is known of it.
type oidcIssuer struct {
	OIDCProvider
	exchanges chan struct{} // places

	mu       sync.Mutex
	found    *oidcFound
	foundAt  time.Time
	failedAt time.Time
	againAt  time.Time     // when it was asked again for a token that was signed in another way
	asking   chan struct{} // closes when the question under way is answered; nil without one
	waiting  int
}

// oidcFound is what a provider says of itself (OpenID Connect Discovery 1.0).
type oidcFound struct {
	provider *oidc.Provider
	endpoint oauth2.Endpoint
	issuer   string
	// namesItself is whether its answers carry its name (RFC 9207).
	namesItself bool
}

// oidcIssuer is a provider of the configuration: unknown_provider.
func (s *Service) oidcIssuer(id string) (*oidcIssuer, error) {
	at := slices.IndexFunc(s.External.OIDC, func(p OIDCProvider) bool { return p.ID == id })
	if at < 0 {
		return nil, errUnknownOIDC
	}
	s.issuers.mu.Lock()
	defer s.issuers.mu.Unlock()
	if s.issuers.byID == nil {
		s.issuers.byID = map[string]*oidcIssuer{}
	}
	if s.issuers.byID[id] == nil {
		s.issuers.byID[id] = &oidcIssuer{OIDCProvider: s.External.OIDC[at], exchanges: make(chan struct{}, issuerExchanges)}
	}
	return s.issuers.byID[id], nil
}

// askIssuer is what a provider says of itself: one question at a time, no matter who
// waits for it. service_unavailable where it does not answer.
func (s *Service) askIssuer(ctx context.Context, i *oidcIssuer) (*oidcFound, error) {
	found, asking, err := s.knownIssuer(i)
	if found != nil || err != nil {
		return found, err
	}
	models.ReleaseSlotWhile(ctx, func() {
		select {
		case <-asking:
		case <-ctx.Done():
		}
	})
	i.mu.Lock()
	defer i.mu.Unlock()
	i.waiting--
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case i.found == nil || s.DB.Clock.Now().Sub(i.foundAt) >= issuerKept:
		return nil, oidcDown()
	}
	return i.found, nil
}

// knownIssuer is what is known of a provider, or what to wait for; it begins to
// ask where that is due.
func (s *Service) knownIssuer(i *oidcIssuer) (found *oidcFound, asking <-chan struct{}, err error) {
	now := s.DB.Clock.Now()
	i.mu.Lock()
	defer i.mu.Unlock()
	age := now.Sub(i.foundAt)
	if i.found != nil && age < issuerFresh {
		return i.found, nil, nil
	}
	if rested := now.Sub(i.failedAt) >= issuerRests; i.asking == nil && rested {
		i.asking = make(chan struct{})
		go s.learnIssuer(i, i.asking)
	}
	switch {
	case i.found != nil && age < issuerKept:
		return i.found, nil, nil
	case i.asking == nil:
		return nil, nil, oidcDown()
	case i.waiting >= issuerWaiting:
		return nil, nil, models.Unavailable(issuerRests)
	}
	i.waiting++
	return nil, i.asking, nil
}

// learnIssuer asks a provider what it says of itself.
func (s *Service) learnIssuer(i *oidcIssuer, answered chan struct{}) {
	ctx, cancel := context.WithTimeout(context.Background(), issuerTime)
	defer cancel()
	found, err := s.discover(ctx, i.OIDCProvider)
	if err != nil {
		slog.WarnContext(ctx, "an OpenID Connect provider cannot be used", "provider", i.ID, "issuer", i.Issuer, "error", brief(err))
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	if err != nil {
		i.failedAt = s.DB.Clock.Now()
	} else {
		i.found, i.foundAt = found, s.DB.Clock.Now()
	}
	i.asking = nil
	close(answered)
}

// learnAgain is what a provider says of itself now, for a token that what it said before
// does not fit: it may have changed its algorithm or moved its keys. nil where it was asked
// so within issuerRests, or does not answer.
func (s *Service) learnAgain(ctx context.Context, i *oidcIssuer, before *oidcFound) *oidcFound {
	now := s.DB.Clock.Now()
	i.mu.Lock()
	if newer := i.found; newer != nil && newer != before {
		i.mu.Unlock()
		return newer
	}
	rested := now.Sub(i.againAt) >= issuerRests
	if rested {
		i.againAt = now
	}
	i.mu.Unlock()
	if !rested {
		return nil
	}
	found, err := s.discover(ctx, i.OIDCProvider)
	if err != nil {
		slog.WarnContext(ctx, "an OpenID Connect provider does not say how it signs now", "provider", i.ID, "error", brief(err))
		return nil
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.found, i.foundAt = found, now
	return found
}

// discover asks a provider what it says of itself, and looks whether it can be used.
func (s *Service) discover(ctx context.Context, p OIDCProvider) (*oidcFound, error) {
	if s.Egress == nil {
		return nil, errors.New("nothing may be asked")
	}
	provider, err := oidc.NewProvider(oidc.ClientContext(ctx, s.Egress), p.Issuer)
	if err != nil {
		return nil, err
	}
	var more struct {
		NamesItself bool     `json:"authorization_response_iss_parameter_supported"`
		Methods     []string `json:"token_endpoint_auth_methods_supported"`
		JWKS        string   `json:"jwks_uri"`
	}
	if err := provider.Claims(&more); err != nil {
		return nil, err
	}
	found := &oidcFound{provider: provider, endpoint: provider.Endpoint(), issuer: p.Issuer, namesItself: more.NamesItself}
	if found.endpoint.AuthStyle, err = authStyle(more.Methods); err != nil {
		return nil, err
	}
	for _, address := range []string{found.endpoint.AuthURL, found.endpoint.TokenURL, more.JWKS} {
		if err := sameSafety(p.Issuer, address); err != nil {
			return nil, err
		}
	}
	if address := provider.UserInfoEndpoint(); address != "" {
		return found, sameSafety(p.Issuer, address)
	}
	return found, nil
}

// authStyle is how this service shows its secret to a provider: in the head,
// unless the provider takes it in the form alone.
func authStyle(methods []string) (oauth2.AuthStyle, error) {
	switch {
	case len(methods) == 0, slices.Contains(methods, "client_secret_basic"):
		return oauth2.AuthStyleInHeader, nil
	case slices.Contains(methods, "client_secret_post"):
		return oauth2.AuthStyleInParams, nil
	}
	return 0, errors.New("it takes neither client_secret_basic nor client_secret_post")
}

// sameSafety refuses an address that is none, and one in the clear of a
// provider that is reached by https.
func sameSafety(issuer, address string) error {
	from, err := url.Parse(issuer)
	if err != nil {
		return err
	}
	to, err := url.Parse(address)
	switch {
	case err != nil || to.Host == "" || to.Scheme != "https" && to.Scheme != "http":
		return errors.New("it names an address that is none")
	case from.Scheme == "https" && to.Scheme != "https":
		return errors.New("it names an address that is not https")
	}
	return nil
}

// checkIssuer refuses the answer of another provider than the one that was
// asked (RFC 9207): invalid_claims.
func (f *oidcFound) checkIssuer(issuer string) error {
	if issuer == "" && !f.namesItself || issuer == f.issuer {
		return nil
	}
	return errMixedUp
}

// brief is an error for the log, cut: providers write into it what they like.
func brief(err error) string {
	const most = 300
	text := err.Error()
	return text[:min(len(text), most)]
}

package account

import (
	"context"
	"crypto/sha256"
	"time"

	"atelier/models"
	"atelier/models/account/assertion"
)

// Kinds of identity providers in EXTERNAL_SSO_PROVIDERS.
const (
	KindAssertion = "assertion"
	KindOIDC      = "oidc"
	KindSAML      = "saml"
)

// rememberedLonger is how much longer than it could be used an assertion is
// remembered, since the clocks of replicas differ.
const rememberedLonger = time.Minute

// How many assertions an address may bring: several classes that begin at once.
// The exchange of what comes of it has the contract's own limit.
var (
	assertionsOfNetwork = models.Limit{Name: "sso.assertion", Max: 600, Per: time.Minute}
	assertionsOfMachine = models.Limit{Name: "sso.assertion.machine", Max: 6_000, Per: time.Minute}
)

var (
	errUnknownProvider = models.Err(models.CodeUnknownProvider, "There is no such identity provider here")
	errNoAssertion     = models.Err(models.CodeNoAssertion, "This identity provider begins a sign-in on its own pages: open them and choose this service there")
	errNotAssertion    = models.Err(models.CodeNotAssertionProvider, "This identity provider does not sign in by an assertion")
	errReplayed        = models.Err(models.CodeAssertionReplayed, "This assertion was used already. Sign in once more.")
)

// UsedAssertion is an assertion that counts no more, by the hash of its jti.
type UsedAssertion struct {
	Provider  string `gorm:"primaryKey"`
	JTIHash   []byte `gorm:"primaryKey;column:jti_hash"`
	ExpiresAt time.Time
}

func (UsedAssertion) TableName() string { return "used_assertions" }

// Providers are the providers of EXTERNAL_SSO_PROVIDERS; none where external
// sign-in is off.
func (s SSO) Providers() []SSOProvider { return s.account.External.Providers }

// FindProvider is a provider of EXTERNAL_SSO_PROVIDERS: unknown_provider.
func (s SSO) FindProvider(id string) (*SSOProvider, error) {
	for i := range s.account.External.Providers {
		if p := &s.account.External.Providers[i]; p.ID == id {
			return p, nil
		}
	}
	return nil, errUnknownProvider
}

// Start is where a browser goes that signs in through a provider without an
// assertion: the provider's address for the host that was asked, or our own
// path that begins OpenID Connect. unknown_provider, also where OIDC_PROVIDERS
// lacks it; no_assertion where the provider names no address;
// not_assertion_provider for the kind saml.
func (s SSO) Start(id, host string) (address string, here bool, err error) {
	p, err := s.FindProvider(id)
	if err != nil {
		return "", false, err
	}
	switch p.Kind {
	case KindAssertion:
		if address = p.InitiateURLByHost[host]; address == "" {
			address = p.InitiateURL
		}
		if address == "" {
			return "", false, errNoAssertion
		}
		return address, false, nil
	case KindOIDC:
		for _, known := range s.account.External.OIDC {
			if known.ID == id {
				return "/auth/oidc/" + id, true, nil
			}
		}
		return "", false, errUnknownProvider
	}
	return "", false, errNotAssertion
}

// AcceptAssertion signs in with an assertion of a provider, and makes the
// one-time token that becomes the session; browser is as in HandOver. The
// assertion is used up from its valid signature on, whatever becomes of the
// sign-in: assertion_replayed the second time, on whatever replica. Beside the
// codes of Follow and of package assertion it is unknown_provider,
// not_assertion_provider and rate_limit_exceeded.
func (s SSO) AcceptAssertion(ctx context.Context, id, compact, browser string) (token string, err error) {
	p, err := s.FindProvider(id)
	if err != nil {
		return "", err
	}
	if p.Kind != KindAssertion {
		return "", errNotAssertion
	}
	if err := s.account.countAssertion(ctx); err != nil {
		return "", err
	}
	who, offset, err := s.account.readAssertion(ctx, p, compact)
	if err == nil {
		token, err = s.HandOver(ctx, who, browser)
	}
	s.account.countExternal(ctx, OriginSSO, p.ID, err, offset)
	return token, err
}

func (s *Service) countAssertion(ctx context.Context) error {
	actor, limit := models.ActorFrom(ctx), assertionsOfNetwork
	if actor.IP == "" {
		return nil
	}
	if actor.OnThisMachine() {
		limit = assertionsOfMachine
	}
	return s.DB.CountCall(ctx, limit, actor.Network())
}

// readAssertion checks an assertion and uses it up. That jti is unique stands
// between what comes before it and the address (contract 3, "Assertion contract").
func (s *Service) readAssertion(ctx context.Context, p *SSOProvider, compact string) (who Asserted, offset *time.Duration, err error) {
	claims, refusal := assertion.Check(assertion.Provider{
		Secret: p.Secret, Audience: p.Audience, EmailClaim: p.EmailClaim, VerifiedClaim: p.VerifiedClaim, SubjectClaim: p.SubjectClaim,
		MaxLifetime: p.MaxLifetime,
	}, compact, s.DB.Clock.Now())
	fresh := true
	if claims.JTI != "" {
		if fresh, err = s.useAssertion(ctx, p.ID, claims); err != nil {
			return who, nil, err
		}
	}
	switch {
	case refusal != nil && !models.HasCode(refusal, models.CodeMissingEmail):
		return who, claims.ClockOffset, refusal
	case !fresh:
		return who, claims.ClockOffset, errReplayed
	case refusal != nil:
		return who, claims.ClockOffset, refusal
	}
	return Asserted{
		Origin: OriginSSO, Provider: p.ID, Subject: claims.Subject, Email: claims.Email, EmailVerified: claims.EmailVerified, Name: claims.Name,
	}, claims.ClockOffset, nil
}

// useAssertion remembers an assertion until it can be used no more, at once and
// for every replica; fresh tells whether it was not remembered yet. It commits
// by itself, so that a refusal afterwards does not undo it.
func (s *Service) useAssertion(ctx context.Context, provider string, claims assertion.Claims) (fresh bool, err error) {
	now, ends := s.DB.Clock.Now(), claims.ExpiresAt.Add(time.Second) // a fraction never ends it too early
	if ends.Before(now) {
		return true, nil // refused as expired, now and later
	}
	sum := sha256.Sum256([]byte(claims.JTI))
	tag, err := s.DB.Pool.Exec(ctx, `
		INSERT INTO used_assertions AS u (provider, jti_hash, expires_at) VALUES ($1, $2, $3)
		ON CONFLICT (provider, jti_hash) DO UPDATE SET expires_at = EXCLUDED.expires_at WHERE u.expires_at < $4`,
		provider, sum[:], ends, now)
	return tag.RowsAffected() == 1, err
}

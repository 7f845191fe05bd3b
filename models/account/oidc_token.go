package account

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/url"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"atelier/jsontext"
	"atelier/models"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

var (
	errTokenSignature = models.Err(models.CodeInvalidSignature, "The provider's answer is not signed as it should be. Start once more; if it keeps happening, tell the operator of this install.")
	errTokenClaims    = models.Err(models.CodeInvalidClaims, "The provider's answer does not belong to this sign-in. Start once more; if it keeps happening, tell the operator of this install.")
	errTokenExpired   = models.Err(models.CodeExpired, "The provider's answer was too old when it arrived. Start once more.")
	errCodeUsed       = models.Err(models.CodeExpired, "The provider knows of this sign-in no more. Start once more.")
)

// exchangeCode asks a provider whom a code stands for, and proves the answer.
// offset is the provider's clock less ours, as far as the answer tells.
func (s *Service) exchangeCode(ctx context.Context, i *oidcIssuer, found *oidcFound, flow oidcFlow, code string) (who Asserted, offset *time.Duration, err error) {
	models.ReleaseSlotWhile(ctx, func() {
		ctx, cancel := context.WithTimeout(oidc.ClientContext(ctx, s.Egress), exchangeTime)
		defer cancel()
		select {
		case i.exchanges <- struct{}{}:
			defer func() { <-i.exchanges }()
			who, offset, err = s.askWho(ctx, i, found, flow, code)
		case <-ctx.Done():
			err = oidcDown()
		}
	})
	if errors.Is(ctx.Err(), context.Canceled) {
		err = ctx.Err() // the one who came has left
	}
	return who, offset, err
}

func (s *Service) askWho(ctx context.Context, i *oidcIssuer, found *oidcFound, flow oidcFlow, code string) (Asserted, *time.Duration, error) {
	p := i.OIDCProvider
	token, err := s.oidcClient(p, found).Exchange(ctx, code, oauth2.VerifierOption(flow.Verifier))
	if err != nil {
		return Asserted{}, nil, codeRefused(ctx, p, err)
	}
	raw, _ := token.Extra("id_token").(string)
	proven, claims, err := s.proveIDToken(ctx, i, found, flow, raw, token.AccessToken)
	if err != nil {
		return Asserted{}, nil, err
	}
	offset := proven.IssuedAt.Sub(s.DB.Clock.Now())
	if claims.text("email") == "" && found.provider.UserInfoEndpoint() != "" {
		if claims, err = userInfo(ctx, p, found, token, proven.Subject); err != nil {
			return Asserted{}, &offset, err
		}
	}
	return Asserted{
		Origin: OriginOIDC, Provider: p.ID, Subject: proven.Subject,
		Email: claims.text("email"), EmailVerified: claims.confirmsEmail(p.Issuer), Name: claims.text("name"),
	}, &offset, nil
}

// proveIDToken checks an ID token (OpenID Connect Core, section 3.1.3.7):
// signature by one of the provider's keys with an algorithm that it announces,
// never none nor a shared secret; issuer, audience, azp, expiry, nonce, and the
// access token's hash where it is there. What is signed in another way than the provider
// announced is judged by what it announces now.
func (s *Service) proveIDToken(ctx context.Context, i *oidcIssuer, found *oidcFound, flow oidcFlow, raw, accessToken string) (*oidc.IDToken, oidcClaims, error) {
	p := i.OIDCProvider
	if raw == "" {
		return nil, nil, errTokenClaims
	}
	config := &oidc.Config{ClientID: p.ClientID, Now: s.DB.Clock.Now}
	token, err := found.provider.Verifier(config).Verify(ctx, raw)
	if err != nil && signedOtherwise(err) {
		if again := s.learnAgain(ctx, i, found); again != nil {
			token, err = again.provider.Verifier(config).Verify(ctx, raw)
		}
	}
	if err != nil {
		return nil, nil, tokenRefused(ctx, p, err)
	}
	claims, err := readClaims(token.Claims)
	if err != nil || !same(claims.text("nonce"), flow.Nonce) || !soundSubject(token.Subject) || token.IssuedAt.IsZero() || token.IssuedAt.Unix() <= 0 {
		return nil, nil, errTokenClaims
	}
	if claims.text("iss") != p.Issuer || claims.text("sub") != token.Subject {
		return nil, nil, errTokenClaims
	}
	if azp, named := claims["azp"]; named && azp != p.ClientID || !named && len(token.Audience) != 1 {
		return nil, nil, errTokenClaims
	}
	if token.AccessTokenHash != "" && token.VerifyAccessToken(accessToken) != nil {
		return nil, nil, errTokenClaims
	}
	return token, claims, nil
}

// userInfo is what a provider says of a person beside the ID token; of another
// person it is invalid_claims (OpenID Connect Core, section 5.3.2).
func userInfo(ctx context.Context, p OIDCProvider, found *oidcFound, token *oauth2.Token, subject string) (oidcClaims, error) {
	info, err := found.provider.UserInfo(ctx, oauth2.StaticTokenSource(token))
	if err != nil {
		said, _, _ := strings.Cut(withoutAddress(err), ": ") // what follows a status is of the person
		slog.WarnContext(ctx, "an OpenID Connect provider does not tell who signed in", "provider", p.ID, "error", said)
		return nil, oidcDown()
	}
	claims, err := readClaims(info.Claims)
	if err != nil || info.Subject != subject || claims.text("sub") != subject {
		return nil, errTokenClaims
	}
	return claims, nil
}

// oidcClaims are claims by their exact names.
type oidcClaims map[string]any

// readClaims reads what a provider wrote, within bounds and by exact names.
func readClaims(read func(any) error) (oidcClaims, error) {
	var raw json.RawMessage
	if err := read(&raw); err != nil {
		return nil, err
	}
	claims := oidcClaims{}
	return claims, jsontext.Read(raw, &claims)
}

// text is a claim that is a text; empty without.
func (c oidcClaims) text(name string) string {
	text, _ := c[name].(string)
	return text
}

// confirmsEmail tells whether the provider says that the address is the
// person's: email_verified is true and nothing like it. Microsoft Entra has no
// such claim; there xms_edov says that the owner of the domain vouches for it.
func (c oidcClaims) confirmsEmail(issuer string) bool {
	if verified, told := c["email_verified"]; told {
		return verified == true
	}
	u, err := url.Parse(issuer)
	return err == nil && u.Scheme == "https" && u.Host == "login.microsoftonline.com" && c["xms_edov"] == true
}

// soundSubject tells whether a subject can name a person.
func soundSubject(subject string) bool {
	return strings.TrimSpace(subject) != "" && len(subject) <= maxSubject && utf8.ValidString(subject) && strings.IndexFunc(subject, unicode.IsControl) < 0
}

// codeRefused is why a code was not exchanged. What the provider wrote stays out
// of the log except for its code, and out of the answer.
func codeRefused(ctx context.Context, p OIDCProvider, err error) error {
	var refused *oauth2.RetrieveError
	if !errors.As(err, &refused) || refused.Response == nil {
		slog.WarnContext(ctx, "an OpenID Connect provider does not exchange a code", "provider", p.ID, "error", withoutAddress(err))
		return oidcDown()
	}
	code := refused.ErrorCode[:min(len(refused.ErrorCode), 40)]
	switch {
	case code == "invalid_grant":
		return errCodeUsed
	case refused.Response.StatusCode >= 500:
		slog.WarnContext(ctx, "an OpenID Connect provider fails", "provider", p.ID, "status", refused.Response.StatusCode, "code", code)
		return oidcDown()
	}
	slog.WarnContext(ctx, "an OpenID Connect provider refuses this install; look at its client id, secret and redirect address",
		"provider", p.ID, "status", refused.Response.StatusCode, "code", code)
	return refusedByProvider(code)
}

// withoutAddress is an error of a request without what the request was.
func withoutAddress(err error) string {
	var failed *url.Error
	if errors.As(err, &failed) {
		err = failed.Err
	}
	return brief(err)
}

// signedOtherwise tells whether an ID token failed for its signature: by an algorithm or a
// key that the provider did not announce when it was asked.
func signedOtherwise(err error) bool {
	text := err.Error()
	return strings.Contains(text, "malformed jwt") || strings.Contains(text, "signature") || strings.Contains(text, "unsupported algorithm")
}

// tokenRefused is why an ID token is not believed.
func tokenRefused(ctx context.Context, p OIDCProvider, err error) error {
	var late *oidc.TokenExpiredError
	switch text := err.Error(); {
	case errors.As(err, &late):
		return errTokenExpired
	case strings.Contains(text, "fetching keys"):
		slog.WarnContext(ctx, "the keys of an OpenID Connect provider are not to be had", "provider", p.ID, "error", brief(err))
		return oidcDown()
	case strings.Contains(text, "malformed jwt"), strings.Contains(text, "signature"), strings.Contains(text, "not signed"):
		slog.WarnContext(ctx, "an ID token is not signed by its provider", "provider", p.ID)
		return errTokenSignature
	}
	slog.WarnContext(ctx, "an ID token is not for this install", "provider", p.ID, "error", brief(err))
	return errTokenClaims
}

package config

import (
	"cmp"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

var signInVariables = Group{"External sign-in", []Variable{
	{"EXTERNAL_SSO_PROVIDERS", "", "JSON array or @file of identity providers",
		fromJSON(func(c *Config) *[]SSOProvider { return &c.SSOProviders }, readSSOProviders)},
	{"EXTERNAL_SSO_LINK_EXISTING", "off", "true or 1: a verified address links an existing account; anything else is off",
		into(func(c *Config) *bool { return &c.SSOLinkExisting }, parseLenientBool)},
	{"OIDC_PROVIDERS", "", "JSON array or @file: { id, label, issuer, clientId, clientSecret, scopes? }",
		fromJSON(func(c *Config) *[]OIDCProvider { return &c.OIDCProviders }, readOIDCProviders)},
	{"SURFACE_PROFILE", `{"auth":{"methods":["email"]}}`, "JSON or @file: auth.methods from email, sso, oidc; auth.ssoLabel",
		fromJSON(func(c *Config) *SurfaceProfile { return &c.SurfaceProfile }, readSurfaceProfile)},
}}

// Kinds of external sign-in providers.
const (
	SSOAssertion = "assertion"
	SSOOIDC      = "oidc"
	SSOSAML      = "saml"
)

// SSOProvider is an entry of EXTERNAL_SSO_PROVIDERS (contract 3, "Authentication").
// All but the first three fields belong to the kind assertion.
type SSOProvider struct {
	ID, Label, Kind   string
	Secret, Audience  string
	Claims            SSOClaims
	InitiateURL       string
	InitiateURLByHost map[string]string
	MaxLifetime       time.Duration
}

// SSOClaims names the claims that carry the identity.
type SSOClaims struct {
	Email, EmailVerified, Subject string
}

// OIDCProvider is an OpenID Connect provider of the browser sign-in.
type OIDCProvider struct {
	ID, Label, Issuer, ClientID, ClientSecret string
	Scopes                                    []string // holds openid
}

const (
	defaultAssertionLifetime = 300
	maxAssertionLifetime     = 3600
)

func readSSOProviders(r *jsonReader, raw json.RawMessage) []SSOProvider {
	var list []SSOProvider
	seen := map[string]bool{}
	for _, o := range r.objects(raw) {
		p := SSOProvider{ID: o.slug(seen), Label: o.required("label"), Kind: o.required("kind")}
		if p.ID == "providers" {
			o.problem(o.at("id"), "providers is a route of its own and cannot be an id")
		}
		switch p.Kind {
		case "":
		case SSOAssertion:
			o.readAssertion(&p)
		case SSOOIDC, SSOSAML:
			o.checkUnusedDomain(p.Kind)
		default:
			o.problem(o.at("kind"), "must be assertion, oidc or saml")
		}
		o.finish("EXTERNAL_SSO_PROVIDERS")
		list = append(list, p)
	}
	return list
}

func (o *jsonObject) readAssertion(p *SSOProvider) {
	p.Secret, p.Audience = o.required("secret"), o.required("audience")
	if p.Secret != "" && utf8.RuneCountInString(p.Secret) < 16 {
		o.problem(o.at("secret"), "must be at least 16 characters")
	}
	p.Claims = o.readClaims()
	p.InitiateURL = o.link("initiateUrl", o.text("initiateUrl"))
	o.take("initiateUrlByHost", &p.InitiateURLByHost, "an object of addresses by host name")
	for _, host := range slices.Sorted(maps.Keys(p.InitiateURLByHost)) {
		o.checkInitiateHost(host, p.InitiateURLByHost[host])
	}
	seconds := defaultAssertionLifetime
	o.take("maxLifetimeSeconds", &seconds, "a whole number")
	if seconds < 1 || seconds > maxAssertionLifetime {
		o.problem(o.at("maxLifetimeSeconds"), "must be from 1 to %d", maxAssertionLifetime)
	}
	p.MaxLifetime = time.Duration(seconds) * time.Second
}

func (o *jsonObject) readClaims() SSOClaims {
	claims := SSOClaims{Email: "email", EmailVerified: "email_verified", Subject: "sub"}
	var raw json.RawMessage
	if !o.take("claimMap", &raw, "an object") {
		return claims
	}
	m := o.object(o.at("claimMap"), raw)
	claims.Email = cmp.Or(m.text("email"), claims.Email)
	claims.EmailVerified = cmp.Or(m.text("emailVerified"), claims.EmailVerified)
	claims.Subject = cmp.Or(m.text("subject"), claims.Subject)
	m.finish("EXTERNAL_SSO_PROVIDERS")
	return claims
}

// hostForm is a bare lower-case host name: no port, no scheme, no path.
var hostForm = regexp.MustCompile(`^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*$`)

func (o *jsonObject) checkInitiateHost(host, address string) {
	place := "initiateUrlByHost." + host
	if !hostForm.MatchString(host) {
		o.problem(o.at(place), "the key must be a bare lower-case host name without a port")
	}
	if o.link(place, address) == "" {
		o.problem(o.at(place), "must not be blank")
	}
}

// checkUnusedDomain looks at keys that the contract validates and nothing uses.
func (o *jsonObject) checkUnusedDomain(kind string) {
	if domain := o.text("domain"); domain != "" && !hostForm.MatchString(strings.ToLower(domain)) {
		o.problem(o.at("domain"), "must be a domain name")
	}
	if kind == SSOOIDC {
		o.text("supabaseProvider")
	}
}

func readOIDCProviders(r *jsonReader, raw json.RawMessage) []OIDCProvider {
	var list []OIDCProvider
	seen := map[string]bool{}
	for _, o := range r.objects(raw) {
		p := OIDCProvider{
			ID: o.slug(seen), Label: o.required("label"),
			Issuer:   o.link("issuer", o.required("issuer")),
			ClientID: o.required("clientId"), ClientSecret: o.required("clientSecret"),
			Scopes: []string{"openid", "email", "profile"},
		}
		o.take("scopes", &p.Scopes, "an array of strings")
		if !slices.Contains(p.Scopes, "openid") {
			p.Scopes = append([]string{"openid"}, p.Scopes...)
		}
		o.finish("OIDC_PROVIDERS")
		list = append(list, p)
	}
	return list
}

// parseLenientBool is on for true and 1 alone, in any letter case (contract 3, "Authentication").
func parseLenientBool(s string) (bool, error) {
	return strings.EqualFold(s, "true") || s == "1", nil
}

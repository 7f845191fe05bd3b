package account

import (
	"net/url"
	"slices"
)

// SSOPath is where a sign-in through a provider of EXTERNAL_SSO_PROVIDERS
// begins, followed by its id (contract 3, "External sign-in endpoints").
const SSOPath = "/v1/sso/"

// Kinds of providers of EXTERNAL_SSO_PROVIDERS.
const (
	kindAssertion = "assertion"
	kindOIDC      = "oidc"
)

// SignInButton is a way out to an identity provider that the sign-in page shows.
type SignInButton struct {
	ID, Label, Kind string
	// Path begins the sign-in.
	Path string
}

// Buttons are the identity providers that the sign-in page shows, by the order
// of the profile's methods (contract 3, "Authentication"). Providers of kind
// saml, and of kind oidc without settings in OIDC_PROVIDERS, do not work end to
// end and have none.
func (x External) Buttons() []SignInButton {
	var buttons []SignInButton
	for _, method := range x.Methods {
		switch method {
		case OriginSSO:
			buttons = append(buttons, x.ssoButtons()...)
		case OriginOIDC:
			buttons = append(buttons, x.oidcButtons()...)
		}
	}
	return buttons
}

// ssoButtons are those of EXTERNAL_SSO_PROVIDERS: a single one is called as the
// profile says, several add their own labels.
func (x External) ssoButtons() (buttons []SignInButton) {
	if x.SSOLabel == "" {
		return nil
	}
	for _, p := range x.Providers {
		if p.Kind == kindAssertion || p.Kind == kindOIDC && x.knowsOIDC(p.ID) {
			buttons = append(buttons, SignInButton{p.ID, p.Label, p.Kind, SSOPath + url.PathEscape(p.ID)})
		}
	}
	for i := range buttons {
		if len(buttons) == 1 {
			buttons[i].Label = x.SSOLabel
		} else {
			buttons[i].Label = x.SSOLabel + ": " + buttons[i].Label
		}
	}
	return buttons
}

// oidcButtons are those of OIDC_PROVIDERS which the list of EXTERNAL_SSO_PROVIDERS shows no button for.
func (x External) oidcButtons() (buttons []SignInButton) {
	shown := map[string]bool{}
	if slices.Contains(x.Methods, OriginSSO) {
		for _, b := range x.ssoButtons() {
			shown[b.ID] = b.Kind == kindOIDC
		}
	}
	for _, p := range x.OIDC {
		if !shown[p.ID] {
			buttons = append(buttons, SignInButton{p.ID, p.Label, kindOIDC, OIDCPath + url.PathEscape(p.ID)})
		}
	}
	return buttons
}

func (x External) knowsOIDC(id string) bool {
	return slices.ContainsFunc(x.OIDC, func(p OIDCProvider) bool { return p.ID == id })
}

package account

import (
	"slices"
	"testing"
)

func TestButtonsOfTheSignInPage(t *testing.T) {
	assertion := SSOProvider{ID: "north", Label: "Northgate", Kind: "assertion"}
	saml := SSOProvider{ID: "old", Label: "Old", Kind: "saml"}
	through := SSOProvider{ID: "cloak", Label: "Cloak", Kind: "oidc"}
	lost := SSOProvider{ID: "lost", Label: "Lost", Kind: "oidc"}
	cloak, work := OIDCProvider{ID: "cloak", Label: "Keycloak"}, OIDCProvider{ID: "work", Label: "Workspace"}
	for name, c := range map[string]struct {
		x    External
		want []string
	}{
		"email alone":                     {External{Methods: []string{"email"}, SSOLabel: "School", Providers: []SSOProvider{assertion}, OIDC: []OIDCProvider{work}}, nil},
		"one provider has the label":      {External{Methods: []string{"sso"}, SSOLabel: "School", Providers: []SSOProvider{assertion, saml, lost}}, []string{"School /v1/sso/north"}},
		"several add their own":           {External{Methods: []string{"sso"}, SSOLabel: "School", Providers: []SSOProvider{assertion, through}, OIDC: []OIDCProvider{cloak}}, []string{"School: Northgate /v1/sso/north", "School: Cloak /v1/sso/cloak"}},
		"saml does not work":              {External{Methods: []string{"sso"}, SSOLabel: "School", Providers: []SSOProvider{saml}}, nil},
		"without a label there is no sso": {External{Methods: []string{"sso"}, Providers: []SSOProvider{assertion}}, nil},
		"oidc":                            {External{Methods: []string{"email", "oidc"}, OIDC: []OIDCProvider{cloak, work}}, []string{"Keycloak /auth/oidc/cloak", "Workspace /auth/oidc/work"}},
		"in the order of the profile, none twice": {External{Methods: []string{"oidc", "sso"}, SSOLabel: "School", Providers: []SSOProvider{through, assertion}, OIDC: []OIDCProvider{cloak, work}},
			[]string{"Workspace /auth/oidc/work", "School: Cloak /v1/sso/cloak", "School: Northgate /v1/sso/north"}},
		"an assertion of the same id is another": {External{Methods: []string{"sso", "oidc"}, SSOLabel: "School", Providers: []SSOProvider{{ID: "work", Label: "W", Kind: "assertion"}}, OIDC: []OIDCProvider{work}},
			[]string{"School /v1/sso/work", "Workspace /auth/oidc/work"}},
	} {
		var got []string
		for _, b := range c.x.Buttons() {
			got = append(got, b.Label+" "+b.Path)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, not %q", name, got, c.want)
		}
	}
}

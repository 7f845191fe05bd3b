package web

import (
	"strings"
	"testing"
)

// What operators read of a provider is what it is, what it has to know, and what to do about refusals.
func TestOperatorSignIn(t *testing.T) {
	provider := func(f *fake, kind, origin string) *fake {
		return f.with("SignInReport.kind", kind).with("SignInReport.origin", origin).with("SignInReport.configured", true).with("SignInReport.handsOver", false).
			with("SignInReport.clockOffsetMillis", 3000).with("SignInCount.code", "account_exists")
	}
	for name, test := range map[string]struct {
		f    *fake
		says []string
	}{
		"an assertion":  {provider(newFake(t), "assertion", "sso"), []string{"Address of assertions", "3 s ahead of ours", "more than 5 s is not tolerated", "account_exists", "EXTERNAL_SSO_LINK_EXISTING connects"}},
		"a late clock":  {provider(newFake(t), "assertion", "sso").with("SignInReport.clockOffsetMillis", -61_400), []string{"61 s behind ours"}},
		"saml":          {provider(newFake(t), "saml", "sso"), []string{"Does not work end to end", "an id has no dots"}},
		"lost oidc":     {provider(newFake(t), "oidc", "sso"), []string{"No such id in OIDC_PROVIDERS"}},
		"oidc":          {provider(newFake(t), "oidc", "oidc").with("SignInReport.clockOffsetMillis", 200), []string{"Redirect address to register", "Agrees with ours"}},
		"gone":          {provider(newFake(t), "", "sso").with("SignInReport.configured", false), []string{"Configured no more"}},
		"unknown codes": {provider(newFake(t), "assertion", "sso").with("SignInCount.code", "of_later"), []string{"of_later", "The log of the time says more"}},
		"nobody":        {newFake(t).with("SignInOverview.providers", 0).with("SignInOverview.billingAccount", nil), []string{"No identity provider is configured", "every account pays for itself"}},
	} {
		w := get(test.f.with("Profile.isOperator", true), "/operator/sign-in")
		for _, says := range test.says {
			if !strings.Contains(w.Body.String(), says) {
				t.Errorf("%s does not say %q: %d", name, says, w.Code)
			}
		}
	}
}

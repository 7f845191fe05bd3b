package operator

import (
	"context"
	"net/http"
	"strings"
	"time"

	"atelier/web/frame"
	"atelier/web/locale"
	"atelier/web/query"
	"atelier/web/ui"
)

// OperatorSignIn is how people sign in here, and how that went at each provider.
func (c Pages) OperatorSignIn(w http.ResponseWriter, r *http.Request) error {
	res, err := query.OperatorSignIn(r.Context(), c.Client)
	if err != nil {
		return err
	}
	at := frame.Page{Title: t(r.Context(), "Sign-in"), Section: frame.SectionOperator}
	return c.Page(w, r, res.Shell, at, operatorSignInContent(res.OperatorSignIns, c.Now()))
}

// methodNames are the ways to sign in, in the order of the surface profile.
func methodNames(ctx context.Context, methods []string) string {
	names := make([]string, len(methods))
	for i, method := range methods {
		names[i] = frame.Or(map[string]string{"email": tc(ctx, "way to sign in", "password"), "sso": "SSO", "oidc": "OpenID Connect"}[method], method)
	}
	return strings.Join(names, ", ")
}

// providerState is whether sign-in through a provider can work, in a word.
func providerState(ctx context.Context, p query.SignInReport) (ui.Tone, string) {
	switch {
	case !p.Configured:
		return ui.Plain, t(ctx, "Configured no more")
	case p.Kind == "saml":
		return ui.Bad, t(ctx, "Does not work end to end")
	case p.Origin == "sso" && p.Kind == "oidc" && !p.HandsOver:
		return ui.Bad, t(ctx, "No such id in OIDC_PROVIDERS")
	}
	return ui.OK, t(ctx, "Configured")
}

// providerKind is what a provider is, and where it is configured.
func providerKind(ctx context.Context, p query.SignInReport) string {
	switch {
	case !p.Configured && p.Origin == "sso":
		return "SSO"
	case p.Origin == "oidc":
		return "OpenID Connect"
	}
	return t(ctx, "SSO, kind %s", p.Kind)
}

// providerNote says what the kind of a provider means; empty where nothing is odd.
func providerNote(ctx context.Context, p query.SignInReport) string {
	switch {
	case !p.Configured && p.Accounts > 0:
		return t(ctx, "People who are connected with it cannot sign in through it. Put it back with the same id, or make them links to choose a password.")
	case !p.Configured:
		return t(ctx, "It was taken out of the configuration; what was counted before stays for a while.")
	case p.Kind == "saml":
		return t(ctx, "The id of a provider is passed on as its SAML domain, and an id has no dots. Use the kind assertion, or OpenID Connect.")
	case p.Origin == "sso" && p.Kind == "oidc" && p.HandsOver:
		return t(ctx, "Its button hands over to the provider %s of OIDC_PROVIDERS, where its sign-ins are counted.", p.Provider)
	case p.Origin == "sso" && p.Kind == "oidc":
		return t(ctx, "Its button hands over to the provider %s of OIDC_PROVIDERS, and there is none: its id must be the same there.", p.Provider)
	}
	return ""
}

// signsPeopleIn tells whether people sign in through a provider itself, or did.
func signsPeopleIn(p query.SignInReport) bool {
	return p.Origin == "oidc" || p.Kind == "assertion" || p.LastSuccessAt != nil || p.Accounts > 0
}

// addressName is what the address of a provider is, as its own settings call it.
func addressName(ctx context.Context, p query.SignInReport) string {
	if p.Origin == "oidc" {
		return t(ctx, "Redirect address to register")
	}
	return t(ctx, "Address of assertions")
}

// clockTolerance is how far the clock of a provider may be off (contract 3, "Assertion contract").
const clockTolerance = 5 * time.Second

// clockWord is how the clock of a provider was at its last sign-in.
func clockWord(ctx context.Context, p query.SignInReport) (ui.Tone, string) {
	if p.ClockOffsetMillis == nil {
		return ui.Plain, t(ctx, "Not known")
	}
	offset := time.Duration(*p.ClockOffsetMillis) * time.Millisecond
	seconds := max(offset, -offset).Round(time.Second)
	tone := ui.OK
	switch {
	case seconds > clockTolerance:
		tone = ui.Bad
	case 2*seconds > clockTolerance:
		tone = ui.Warn
	}
	switch {
	case seconds < time.Second:
		return ui.OK, t(ctx, "Agrees with ours")
	case offset > 0:
		return tone, t(ctx, "%s s ahead of ours", locale.Amount(ctx, seconds.Seconds()))
	}
	return tone, t(ctx, "%s s behind ours", locale.Amount(ctx, seconds.Seconds()))
}

// signInWord is how a sign-in ended, and what to do where it is refused often.
type signInWord struct{ Says, Do string }

// signInWords are those of the contract's codes, and of what the service adds.
var signInWords = map[string]signInWord{
	"ok":                     {mark("Signed in"), ""},
	"no_assertion":           {mark("Nothing was sent"), mark("The button has no initiateUrl to lead to: set one, or let people begin at the provider")},
	"not_assertion_provider": {mark("An assertion for a provider of another kind"), mark("If this provider sends assertions, its kind is assertion")},
	"invalid_signature":      {mark("The signature is wrong"), mark("Compare the secret on both sides; only HS256 is accepted. Where they agree, someone tries")},
	"invalid_claims":         {mark("A claim is missing or odd"), mark("Compare the audience, and what claimMap names, with what the provider sends")},
	"expired":                {mark("It came too late"), mark("Compare the clocks; let the provider sign when it sends")},
	"too_long_lived":         {mark("It would hold too long"), mark("Shorten it at the provider, or raise maxLifetimeSeconds (3600 at most)")},
	"missing_jti":            {mark("It has no id of its own"), mark("Let the provider give each assertion a jti")},
	"missing_email":          {mark("It names no address"), mark("Let the provider send it, or name its claim in claimMap.email")},
	"assertion_replayed":     {mark("It was used before"), mark("A page that was loaded again, mostly. Where there are many, someone else reads the addresses")},
	"email_unverified": {mark("The provider does not say that the address is verified"),
		mark("It has to send true, not text; claimMap.emailVerified names its claim")},
	"account_exists": {mark("An account has the address and is not connected"),
		mark("Its person signs in with the password; EXTERNAL_SSO_LINK_EXISTING connects verified addresses. Operators' addresses may never be")},
	"account_linked_other_provider": {mark("The account is connected with another provider"), mark("It signs in there; a connection is not moved")},
	"account_linked_other_subject":  {mark("The provider calls the person something else than before"), mark("Look which claim is the subject: it must never change")},
	"sso_required":                  {mark("Signed in without a provider"), mark("This install takes SSO alone")},
	"payer_account_protected":       {mark("The account that pays is protected"), ""},
	"unauthorized":                  {mark("It began in another browser, was used before, or is too old"), mark("Begin again at the sign-in page")},
	"invalid_state":                 {mark("It began in another browser, was used before, or is too old"), mark("Begin again at the sign-in page")},
	"forbidden":                     {mark("The account is closed, or no new accounts are taken"), mark("See the person's page, and SIGN_UP")},
	"rate_limit_exceeded":           {mark("Too many from one address at once"), mark("The page waits and tries again by itself")},
	"provider_unavailable":          {mark("The provider did not answer"), mark("Look whether this machine reaches its issuer")},
	"internal":                      {mark("Something failed here"), mark("The log says what")},
}

// signInWordOf is how a sign-in ended; of a code without words the log says more.
func signInWordOf(code string) signInWord {
	if word, ok := signInWords[code]; ok {
		return word
	}
	return signInWord{mark("Refused"), mark("The log of the time says more")}
}

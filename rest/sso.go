package rest

import (
	"context"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"atelier/models"
	"atelier/models/account"
	"atelier/nextpath"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humamux"
	"github.com/gorilla/mux"
)

// SSOExchangePath turns the one-time token of an external sign-in into a session.
const SSOExchangePath = "/auth/sso/exchange"

// browserLasts is how long a browser may take at its identity provider for the
// one-time token to be bound to it.
const browserLasts = 15 * time.Minute

// BrowserCookie is the name of the cookie with the secret of a browser that
// began an external sign-in here.
func BrowserCookie(secure bool) string {
	if secure {
		return "__Host-atelier_sso"
	}
	return "atelier_sso"
}

// ssoRoutes are external sign-in (contract 3, "External sign-in endpoints").
func (a *API) ssoRoutes() {
	const tag = "Signing in"
	handle(a, route{Method: "GET", Path: "/v1/sso/providers", Tag: tag, Summary: "The identity providers of this install", Public: true}, a.listSSOProviders)
	handle(a, route{
		Method: "GET", Path: "/v1/sso/{provider}", Tag: tag, Summary: "Sign in through an identity provider, in a browser",
		Public: true, Status: http.StatusFound, Raw: a.signInThrough,
		Acts: func(r *http.Request) bool { return r.URL.Query().Get("assertion") != "" }, // which works once
	}, func(context.Context, *ssoInput) (*ssoRedirect, error) { return nil, nil })
	handle(a, route{Method: "POST", Path: SSOExchangePath, Tag: tag, Summary: "Begin a session with the one-time token of an external sign-in", Public: true}, a.exchangeSSO)
}

type ssoProviderView struct {
	ID    string `json:"id"`
	Label string `json:"label"`
	Kind  string `json:"kind" enum:"assertion,oidc,saml"`
}

// listSSOProviders is empty where external sign-in is off.
func (a *API) listSSOProviders(context.Context, *struct{}) (*many[ssoProviderView], error) {
	reply := &many[ssoProviderView]{}
	reply.Body.Data = mapAll(a.Resolver.Accounts.SSO().Providers(), func(p account.SSOProvider) ssoProviderView {
		return ssoProviderView{ID: p.ID, Label: p.Label, Kind: p.Kind}
	})
	return reply, nil
}

// ssoInput describes what signInThrough reads.
type ssoInput struct {
	Provider  string `path:"provider"`
	Assertion string `query:"assertion" doc:"The provider's signed assertion, a JWT. Without one the browser goes to the provider."`
	Next      string `query:"next" doc:"A path of this install to go on to, beginning with one slash; anything else is /projects."`
}

// ssoRedirect describes what signInThrough answers.
type ssoRedirect struct {
	Location string `header:"Location" doc:"The provider's page, or with an assertion /sso with the one-time token sso_token."`
}

// signInThrough leads a browser to an identity provider, and from there on to
// the page that finishes the sign-in.
func (a *API) signInThrough(w http.ResponseWriter, r *http.Request) {
	w.Header().Add("Vary", "Accept")
	address, err := a.throughProvider(w, asVisitor(r))
	if err != nil {
		a.refuseSignIn(w, r, err)
		return
	}
	w.Header().Set("Location", address)
	w.WriteHeader(http.StatusFound)
}

// throughProvider is where a browser goes next.
func (a *API) throughProvider(w http.ResponseWriter, r *http.Request) (address string, err error) {
	id, query := mux.Vars(r)["provider"], r.URL.Query()
	next := nextpath.Safe(query.Get("next"))
	if compact := query.Get("assertion"); compact != "" {
		if aheadOfTime(r) {
			return "", models.Unavailable(time.Second)
		}
		token, err := a.Resolver.Accounts.SSO().AcceptAssertion(r.Context(), id, compact, a.browserOf(r))
		if err != nil {
			return "", err
		}
		return withNext("/sso?sso_token="+url.QueryEscape(token), "&", next), nil
	}
	address, here, err := a.Resolver.Accounts.SSO().Start(id, hostOf(r))
	if err != nil {
		return "", err
	}
	if here {
		return withNext(address, "?", next), nil
	}
	a.rememberBrowser(w)
	return address, nil
}

// withNext adds the page to go on to, where one was asked for.
func withNext(address, separator, next string) string {
	if next == "" {
		return address
	}
	return address + separator + "next=" + url.QueryEscape(next)
}

// aheadOfTime tells a browser that fetches what a person may want: it must not
// use up what works once.
func aheadOfTime(r *http.Request) bool {
	for _, name := range []string{"Sec-Purpose", "Purpose", "X-Purpose", "X-Moz"} {
		said := strings.ToLower(r.Header.Get(name))
		if strings.HasPrefix(said, "prefetch") || strings.HasPrefix(said, "preview") || strings.HasPrefix(said, "prerender") {
			return true
		}
	}
	return false
}

// hostOf is the bare name of the host that was asked, without its port.
func hostOf(r *http.Request) string {
	host := r.Host
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.TrimSuffix(strings.ToLower(host), ".")
}

type exchangeInput struct {
	request *http.Request
	Body    struct {
		SSOToken string `json:"ssoToken" doc:"sso_token of the address that the sign-in led to; works once, within 60 seconds, and in the browser that began alone where one did."`
	}
}

// Resolve keeps the request for its cookie.
func (in *exchangeInput) Resolve(ctx huma.Context) []error {
	in.request, _ = humamux.Unwrap(ctx)
	return nil
}

func (a *API) exchangeSSO(ctx context.Context, in *exchangeInput) (*sessionReply, error) {
	browser := a.browserOf(in.request)
	signedIn, err := a.mutation().ExchangeSsoToken(ctx, in.Body.SSOToken, &browser)
	if err != nil {
		return nil, err
	}
	return a.sessionReply(signedIn), nil
}

// browserOf is the secret of a browser that began an external sign-in here;
// empty where none did.
func (a *API) browserOf(r *http.Request) string {
	if cookie, err := r.Cookie(BrowserCookie(a.SecureCookies)); err == nil {
		return cookie.Value
	}
	return ""
}

// rememberBrowser gives a browser that begins an external sign-in its secret: the one-time token works there alone.
func (a *API) rememberBrowser(w http.ResponseWriter) {
	http.SetCookie(w, &http.Cookie{
		Name: BrowserCookie(a.SecureCookies), Value: models.NewSecret("", 32), Path: "/", MaxAge: int(browserLasts.Seconds()),
		HttpOnly: true, Secure: a.SecureCookies, SameSite: http.SameSiteLaxMode,
	})
}

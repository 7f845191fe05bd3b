package rest

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"atelier/models"
	"atelier/models/account"
	"atelier/nextpath"

	"github.com/gorilla/mux"
)

// maxFlows is how many sign-ins a browser may have under way: each is a cookie
// of up to 2 KiB, and servers in front take heads of 8 KiB.
const maxFlows = 4

// oidcRoutes are the browser's way through an OpenID Connect provider.
func (a *API) oidcRoutes(router *mux.Router) {
	begin, finish := account.OIDCPath+"{provider}", account.OIDCPath+"{provider}"+account.OIDCCallback
	router.HandleFunc(begin, a.beginOIDC).Methods(http.MethodGet)
	router.HandleFunc(finish, a.finishOIDC).Methods(http.MethodGet)
	a.acting[begin], a.acting[finish] = always, always
}

// beginOIDC sends the browser to a provider, and has it keep the flow.
func (a *API) beginOIDC(w http.ResponseWriter, r *http.Request) {
	r = asVisitor(r)
	begun, err := a.Resolver.Accounts.SSO().BeginOIDC(r.Context(), mux.Vars(r)["provider"], nextpath.Safe(r.URL.Query().Get("next")))
	if err != nil {
		a.refuseSignIn(w, r, err)
		return
	}
	a.dropFlows(w, r)
	life := begun.Flow.Ends.Sub(a.DB.Clock.Now()).Round(time.Second)
	http.SetCookie(w, a.flowCookie(begun.Flow.Name, begun.Flow.Value, max(int(life.Seconds()), 1)))
	goTo(w, begun.URL)
}

// finishOIDC takes a provider's answer, and begins a session.
func (a *API) finishOIDC(w http.ResponseWriter, r *http.Request) {
	r = asVisitor(r)
	if aheadOfTime(r) {
		a.refuseSignIn(w, r, models.Unavailable(time.Second))
		return
	}
	query := r.URL.Query()
	name := account.OIDCFlowName(query.Get("state"))
	answer := account.OIDCAnswer{State: query.Get("state"), Code: query.Get("code"), Issuer: query.Get("iss"), Error: query.Get("error")}
	kept, err := r.Cookie(a.flowPrefix() + name)
	if err == nil {
		answer.Flow = kept.Value
	}
	for _, single := range []string{"state", "code", "iss", "error"} {
		if len(query[single]) > 1 {
			a.refuseSignIn(w, r, models.Err(models.CodeInvalidClaims, "The provider's answer says %s more than once. Start once more.", single))
			return
		}
	}
	signedIn, err := a.Resolver.Accounts.SSO().FinishOIDC(r.Context(), mux.Vars(r)["provider"], answer)
	if kept != nil && !passes(err) {
		http.SetCookie(w, a.flowCookie(name, "", -1))
	}
	if err != nil {
		a.refuseSignIn(w, r, err)
		return
	}
	session := a.sessionReply(signedIn.SignedIn)
	http.SetCookie(w, &session.SetCookie)
	goTo(w, nextpath.Or(signedIn.Next, nextpath.Landing))
}

// passes tells whether a refusal passes with time: then the same answer may be sent again.
func passes(err error) bool {
	if err == nil {
		return false
	}
	refusal, _ := models.AsError(err)
	return refusal.RetryAfter > 0
}

// asVisitor forgets who is signed in already: a sign-in is no one's until it is done.
func asVisitor(r *http.Request) *http.Request {
	actor := models.ActorFrom(r.Context())
	return r.WithContext(models.WithActor(r.Context(), models.Actor{
		Kind: models.Anonymous, RequestID: actor.RequestID, IP: actor.IP, UserAgent: actor.UserAgent, Client: actor.Client, PageLanguage: actor.PageLanguage,
	}))
}

// goTo sends a browser on; the address is ours, or a provider's of the configuration.
func goTo(w http.ResponseWriter, address string) {
	w.Header().Set("Location", address)
	w.Header().Set("Referrer-Policy", "no-referrer")
	w.WriteHeader(http.StatusSeeOther)
}

// flowPrefix is how the cookies of flows begin: on https no other host can set them.
func (a *API) flowPrefix() string {
	if a.SecureCookies {
		return "__Host-atelier_oidc_"
	}
	return "atelier_oidc_"
}

// flowCookie is a flow as its browser keeps it for seconds; below zero it forgets it.
func (a *API) flowCookie(name, value string, seconds int) *http.Cookie {
	path := account.OIDCPath
	if a.SecureCookies {
		path = "/" // as the prefix asks for
	}
	return &http.Cookie{
		Name: a.flowPrefix() + name, Value: value, Path: path, MaxAge: seconds,
		HttpOnly: true, Secure: a.SecureCookies, SameSite: http.SameSiteLaxMode,
	}
}

// dropFlows makes room for one more flow: those that are none any more go, and
// the oldest beyond maxFlows.
func (a *API) dropFlows(w http.ResponseWriter, r *http.Request) {
	type flow struct {
		name string
		ends time.Time
	}
	var open []flow
	for _, cookie := range r.Cookies() {
		if name, ok := strings.CutPrefix(cookie.Name, a.flowPrefix()); ok {
			open = append(open, flow{name, a.Resolver.Accounts.SSO().OIDCFlowEnds(name, cookie.Value)})
		}
	}
	slices.SortFunc(open, func(x, y flow) int { return y.ends.Compare(x.ends) })
	for i, f := range open {
		if i >= maxFlows-1 || !f.ends.After(a.DB.Clock.Now()) {
			http.SetCookie(w, a.flowCookie(f.name, "", -1))
		}
	}
}

// refuseSignIn answers an external sign-in that did not come about: a browser
// with a page, a program with the contract's form.
func (a *API) refuseSignIn(w http.ResponseWriter, r *http.Request, err error) {
	if a.SignInPage == nil || !strings.Contains(r.Header.Get("Accept"), "text/html") {
		WriteProblem(w, r, err)
		return
	}
	a.SignInPage(w, r, problem(r.Context(), err).Err)
}

package account

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"atelier/web/frame"
	"atelier/web/query"
)

const (
	// tryCookie keeps the state and the verifier of a try in the developer's browser, until the code is back.
	tryCookie = "atelier_try"
	tryLife   = 15 * time.Minute
)

// tryValues are what one try of the flow is made with.
type tryValues struct{ App, State, Verifier string }

// newTry makes the values of a try: 256 bits each.
func newTry(app string) tryValues { return tryValues{app, randomText(), randomText()} }

func randomText() string {
	b := make([]byte, 32)
	_, _ = rand.Read(b) // never fails
	return base64.RawURLEncoding.EncodeToString(b)
}

// challenge is the verifier as it is sent ahead (RFC 7636, S256).
func (t tryValues) challenge() string {
	sum := sha256.Sum256([]byte(t.Verifier))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

func (t tryValues) String() string { return t.App + "." + t.State + "." + t.Verifier }

// keptTry is the try that this browser began last for the app.
func keptTry(r *http.Request, app string) (tryValues, bool) {
	parts := strings.Split(frame.CookieValue(r, tryCookie), ".")
	if len(parts) != 3 || parts[0] != app || len(parts[1]) != 43 || len(parts[2]) != 43 {
		return tryValues{}, false
	}
	return tryValues{parts[0], parts[1], parts[2]}, true
}

// tryView is the page on which a developer goes through the flow by hand.
type tryView struct {
	App      query.DeveloperApp
	Base     string // of this install
	Here     string // the redirect URI of this page
	Redirect string // the one that is tried
	Scopes   []query.OAuthScope
	Values   tryValues
	Form     frame.Form
}

// registered tells whether answers may come to this page.
func (v tryView) registered() bool { return slices.Contains(v.App.RedirectUris, v.Here) }

// comesHere tells whether the code of this try comes to this page.
func (v tryView) comesHere() bool { return v.Redirect == v.Here }

// link is where the app would send people; path is the same without the install.
func (v tryView) link() string { return v.Base + v.path() }

func (v tryView) path() string {
	return authorizePath + "?" + url.Values{
		"response_type": {"code"}, "client_id": {v.App.Id}, "redirect_uri": {v.Redirect}, "scope": {scopeText(v.Scopes)}, "state": {v.Values.State},
		"code_challenge": {v.Values.challenge()}, "code_challenge_method": {"S256"}, "prompt": {"consent"},
	}.Encode()
}

// exchange is the line that changes a code into a token (RFC 6749, section 4.1.3). The secret stands in a variable of the
// developer's shell, and on no page.
func (v tryView) exchange(code string) string {
	client := "  -d client_id=" + v.App.Id + " \\\n"
	if v.App.Confidential {
		client = "  -u \"" + v.App.Id + ":$CLIENT_SECRET\" \\\n"
	}
	return "curl " + v.Base + "/v1/oauth/token \\\n" + client + "  -d grant_type=authorization_code \\\n" +
		"  --data-urlencode code=" + code + " \\\n  --data-urlencode redirect_uri=" + shellQuoted(v.Redirect) + " \\\n  -d code_verifier=" + v.Values.Verifier
}

// shellQuoted is a text as one word of a shell.
func shellQuoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// TryFlow builds the link of the code flow for an app, with the lines that go on from it. The code may come back to this
// very page.
func (c Pages) TryFlow(w http.ResponseWriter, r *http.Request) error {
	q := r.URL.Query()
	if q.Has("code") || q.Has("error") {
		return c.tryArrived(w, r, q)
	}
	v, res, err := c.loadTry(r)
	if err != nil {
		return err
	}
	v.Values = newTry(v.App.Id)
	v.Redirect = v.Here
	if chosen := q.Get("redirect"); slices.Contains(v.App.RedirectUris, chosen) {
		v.Redirect = chosen
	} else if !v.registered() && len(v.App.RedirectUris) > 0 {
		v.Redirect = v.App.RedirectUris[0]
	}
	v.Scopes = chosenScopes(q)
	c.SetCookie(w, tryCookie, v.Values.String(), tryLife)
	frame.HoldSecret(w)
	page := frame.Page{Title: t(r.Context(), "Try the flow"), Section: frame.SectionDeveloper}
	return c.Page(w, r, res.Shell, page, tryContent(v))
}

func (c Pages) loadTry(r *http.Request) (tryView, *query.DeveloperAppPageResponse, error) {
	res, err := query.DeveloperAppPage(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return tryView{}, nil, err
	}
	here := c.Config.PublicURL + developerPath(res.OauthApp.Id) + "/try"
	return tryView{App: res.OauthApp, Base: c.Config.PublicURL, Here: here, Form: frame.FormOf(r)}, res, nil
}

// chosenScopes are the ticked ones; two to begin with.
func chosenScopes(q url.Values) (out []query.OAuthScope) {
	if !q.Has("chosen") {
		return []query.OAuthScope{query.OAuthScopeWorkflowsExecute, query.OAuthScopeJobsRead}
	}
	for _, s := range scopesInWords {
		if slices.Contains(q["scope"], s.Wire) {
			out = append(out, s.Scope)
		}
	}
	return out
}

// tryArrival is what came back to the page.
type tryArrival struct {
	Code    string
	Refused string // in words
	Foreign string // why it is not the answer to what this browser began
}

// tryArrived shows what came back. Its address holds the code, so nothing on the page repeats the address.
func (c Pages) tryArrived(w http.ResponseWriter, r *http.Request, q url.Values) error {
	c.HideAddress(w, r)
	bare := *r.URL
	bare.RawQuery = ""
	r = r.Clone(r.Context())
	r.URL = &bare
	v, res, err := c.loadTry(r)
	if frame.HasCode(err, "unauthorized") {
		return frame.SeeOther(w, frame.WithNext("/login", bare.Path))
	}
	if err != nil {
		return err
	}
	v.Redirect = v.Here
	kept, known := keptTry(r, v.App.Id)
	v.Values = kept
	page := frame.Page{Title: t(r.Context(), "What came back"), Section: frame.SectionDeveloper, Scripts: []string{"oauth.js"}}
	return c.Page(w, r, res.Shell, page, tryArrivedContent(v, readTryArrival(r.Context(), q, kept, known, c.Config.PublicURL)))
}

// readTryArrival judges an answer as a client has to: by the state that was sent (RFC 6749, section 10.12), and by the issuer
// (RFC 9207).
func readTryArrival(ctx context.Context, q url.Values, kept tryValues, known bool, issuer string) tryArrival {
	switch {
	case !known:
		return tryArrival{Foreign: t(ctx, "This browser began no try of this app in the last 15 minutes, so no one knows where the answer comes from.")}
	case subtle.ConstantTimeCompare([]byte(q.Get("state")), []byte(kept.State)) != 1:
		return tryArrival{Foreign: t(ctx, "Its state is not the one that was sent, so it answers something that did not begin here, or not last.")}
	case q.Get("iss") != issuer:
		return tryArrival{Foreign: t(ctx, "Its iss does not name this install, so another server may have sent it.")}
	case q.Has("error"):
		return tryArrival{Refused: refusedWords(ctx, q.Get("error"))}
	case !codeForm(q.Get("code")):
		return tryArrival{Foreign: t(ctx, "Its code is none of this install.")}
	}
	return tryArrival{Code: q.Get("code")}
}

// codeForm tells whether a code may stand in a line that a developer runs.
func codeForm(code string) bool {
	if code == "" || len(code) > 512 {
		return false
	}
	for _, r := range code {
		if (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') && r != '_' && r != '-' {
			return false
		}
	}
	return true
}

// refusedWords are what the errors of RFC 6749, section 4.1.2.1, say.
func refusedWords(ctx context.Context, code string) string {
	switch code {
	case "access_denied":
		return t(ctx, "access_denied: the person refused. Tell them what the app cannot do now, and let them begin again when they want to.")
	case "invalid_request":
		return t(ctx, "invalid_request: something is missing or wrong in the link.")
	case "invalid_scope":
		return t(ctx, "invalid_scope: the link names a scope that there is not.")
	case "unsupported_response_type":
		return t(ctx, "unsupported_response_type: only code is answered here.")
	case "invalid_target":
		return t(ctx, "invalid_target: the resource of the link is not this install.")
	case "consent_required":
		return t(ctx, "consent_required: the link forbids to ask, and the person has not allowed all of it yet.")
	case "temporarily_unavailable", "server_error":
		return t(ctx, "%s: the service could not answer. Try once more in a moment.", code)
	}
	return t(ctx, "An error that this page does not know.")
}

// AllowTryHere adds the address of this page to those of the app.
func (c Pages) AllowTryHere(w http.ResponseWriter, r *http.Request) error {
	v, _, err := c.loadTry(r)
	if err != nil {
		return err
	}
	if !v.registered() {
		if _, err := query.SetOAuthAppRedirects(r.Context(), c.Client, v.App.Id, append(v.App.RedirectUris, v.Here)); err != nil {
			return frame.Again(w, r, addressRefusal(r.Context(), err), c.TryFlow)
		}
	}
	return c.Done(w, developerPath(v.App.Id)+"/try", t(r.Context(), "Answers may come to this page now. Take its address out again when you are through."))
}

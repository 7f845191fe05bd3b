package frame

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"atelier/web/ui"
)

// signInProblems are the refusals of external sign-ins in plain words. No page says of an account more than its code does.
var signInProblems = map[string]string{
	"email_unverified":              mark("Your provider has not confirmed your address yet. Confirm it there, then sign in once more."),
	"account_exists":                mark("This sign-in cannot be connected to an account here. Sign in the way you did before, or ask the operator of this install."),
	"account_linked_other_provider": mark("Your account is connected to another provider. Use that one."),
	"account_linked_other_subject":  mark("This account belongs to another sign-in of your provider. Ask the operator of this install."),
	"expired":                       mark("This sign-in took too long, was used already, or began in another browser. Start once more."),
	"too_long_lived":                mark("Your provider's answer is valid for longer than this install accepts."),
	"assertion_replayed":            mark("This sign-in was used before, and each works once. Start once more."),
	"invalid_signature":             mark("Your provider's answer is not signed the way this install expects."),
	"invalid_claims":                mark("Your provider's answer does not belong to this sign-in. Start once more."),
	"missing_jti":                   mark("Your provider's answer has no number of its own, so it could be used twice."),
	"missing_email":                 mark("Your provider did not say what your address is."),
	"unknown_provider":              mark("This way to sign in is not set up here."),
	"no_assertion":                  mark("This sign-in begins at your provider. Open it there, and choose this service."),
	"not_assertion_provider":        mark("This way to sign in is not set up here."),
	"access_denied":                 mark("Your provider did not let you in, or you stopped there. Start once more, or ask the administrator of your account there."),
	"provider_error":                mark("Your provider does not know this install, or does not accept how it asks."),
}

// SignInProblem puts the code of a refused external sign-in into words; empty for any other code.
func SignInProblem(code string) string { return signInProblems[code] }

// tellWhoRuns says whom to tell where another person has to act; the rest a person can do themselves.
func tellWhoRuns(ctx context.Context, code string) string {
	switch code {
	case "too_long_lived", "invalid_signature", "missing_jti", "missing_email", "provider_error", "not_assertion_provider", "unknown_provider":
		return t(ctx, "Tell the operator of this install what this page says (%s); they can put it right.", code)
	case "invalid_claims", "expired", "assertion_replayed":
		return t(ctx, "If it stays like this, tell the operator of this install what this page says (%s).", code)
	}
	return ""
}

// signInRefusal is the page of an external sign-in that did not come about.
type signInRefusal struct {
	problem
	// Again begins the sign-in once more; empty where that would not help.
	Again string
}

// RefuseSignIn answers a browser whose external sign-in did not come about. The address of the page may hold what
// signs a person in, so it is not repeated anywhere; what passes with time is tried again by loading it once more.
func (c *Console) RefuseSignIn(w http.ResponseWriter, r *http.Request, e *Error) {
	nonce := newNonce()
	setHeaders(w.Header(), nonce)
	NoReferrer(w)
	r = c.forReader(w, r, nonce)
	v := signInRefusal{problem: describe(r.Context(), e)}
	v.Title, v.RequestID = t(r.Context(), "You are not signed in"), w.Header().Get("X-Request-Id")
	if e.Status == http.StatusServiceUnavailable {
		v.Text = e.Message
	}
	if waits(e) || e.Status == http.StatusTooManyRequests {
		v.Seconds = retrySeconds(e)
		w.Header().Set("Retry-After", strconv.Itoa(v.Seconds))
		w.Header().Set("Refresh", strconv.Itoa(v.Seconds))
	} else if helpsAgain(e.Code) {
		v.Again = beginOf(r.URL.Path)
	}
	if err := Write(w, r, e.Status, Wrap(ui.Bare(ui.BareProps{Title: v.Title, Theme: ThemeOf(r)}), signInRefusalContent(v))); err != nil {
		c.Config.Log.ErrorContext(r.Context(), "error page failed", "request_id", v.RequestID, "error", err)
		http.Error(w, v.Title+" "+v.Text, e.Status)
	}
}

// helpsAgain tells whether beginning once more may end better.
func helpsAgain(code string) bool {
	switch code {
	case "unknown_provider", "no_assertion", "not_assertion_provider", "account_exists", "account_linked_other_provider", "forbidden", "not_found":
		return false
	}
	return true
}

// beginOf is the address where the sign-in began that an address belongs to.
func beginOf(path string) string {
	for _, prefix := range []string{"/v1/sso/", "/auth/oidc/"} {
		if id, ok := strings.CutPrefix(path, prefix); ok {
			id, _, _ = strings.Cut(id, "/")
			return SafePath(prefix + id)
		}
	}
	return ""
}

package account

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"atelier/web/frame"
	"atelier/web/query"

	"golang.org/x/net/idna"
)

const (
	// authorizePath is where apps send people (RFC 6749, section 3.1).
	authorizePath = "/oauth/authorize"
	// maxAsked bounds a request with its path, in bytes: what a cookie holds, which has to survive a mail to be answered.
	maxAsked = 3_800
	// maxCarried bounds what every way of signing in carries along, in bytes; a longer request waits in a cookie.
	maxCarried  = 700
	askedCookie = "atelier_asked"
	askedLife   = time.Hour
)

// askedOnce are the parameters of a request, each at most once (RFC 6749, section 3.1); resource may be repeated (RFC 8707).
var askedOnce = []string{"client_id", "redirect_uri", "response_type", "scope", "state", "code_challenge", "code_challenge_method", "prompt"}

// asked is a request of an app as it came: the query of the page, or the fields of its form.
type asked struct{ url.Values }

// askedIn reads the request, or says why no one could answer it.
func askedIn(r *http.Request) (asked, error) {
	a := asked{url.Values{}}
	all := r.PostForm
	if r.Method != http.MethodPost {
		var err error
		if all, err = url.ParseQuery(r.URL.RawQuery); err != nil {
			return a, unanswerable(t(r.Context(), "The address is damaged: a part of it cannot be read."))
		}
	}
	for _, name := range append(slices.Clip(askedOnce), "resource") {
		values := slices.DeleteFunc(slices.Clone(all[name]), func(v string) bool { return v == "" })
		for _, v := range values {
			if !utf8.ValidString(v) || strings.ContainsRune(v, 0) {
				return a, unanswerable(t(r.Context(), "The address is damaged: %s cannot be read.", name))
			}
		}
		if len(values) > 1 && name != "resource" {
			return a, unanswerable(t(r.Context(), "The app asks for two things at once: its address has %s twice.", name))
		}
		if len(values) > 0 {
			a.Values[name] = values
		}
	}
	if len(a.path()) > maxAsked {
		return a, unanswerable(t(r.Context(), "The app's request is too long."))
	}
	return a, nil
}

// unanswerable is a request whose fault is the app's.
func unanswerable(message string) *frame.Error {
	return frame.Refusal(http.StatusBadRequest, "validation_error", message)
}

// path is the address of the page that asks this, in characters that every step of signing in keeps.
func (a asked) path() string { return authorizePath + "?" + a.Encode() }

// prompts tells whether the app asks for a prompt of that name.
func (a asked) prompts(name string) bool {
	return slices.Contains(strings.Fields(a.Get("prompt")), name)
}

// signedInAnew is the request for the one who has just signed in: it is asked, and not sent to sign in once more.
func (a asked) signedInAnew() asked {
	if !a.prompts("login") {
		return a
	}
	out := asked{url.Values{}}
	for name, values := range a.Values {
		out.Values[name] = values
	}
	out.Set("prompt", "consent")
	return out
}

// mark names a request that waits in a cookie, so that it is not taken for that of another tab.
func mark(query string) string {
	sum := sha256.Sum256([]byte(query))
	return base64.RawURLEncoding.EncodeToString(sum[:12])
}

// signInFor leads to the sign-in page and, by whichever way a person signs in, back to the request.
func (c Pages) signInFor(w http.ResponseWriter, a asked) error {
	path := a.signedInAnew().path()
	if len(path) > maxCarried {
		waits := a.signedInAnew().Encode()
		c.SetCookie(w, askedCookie, waits, askedLife)
		path = authorizePath + "?asked=" + mark(waits)
	}
	return frame.SeeOther(w, frame.WithNext("/login", path))
}

// askedBefore is the address of the request that waits in a cookie under that mark.
func askedBefore(r *http.Request, name string) (string, error) {
	waits := frame.CookieValue(r, askedCookie)
	if waits == "" || mark(waits) != name {
		return "", unanswerable(t(r.Context(), "Signing in took too long, or another app asked meanwhile."))
	}
	return authorizePath + "?" + waits, nil
}

func (a asked) input() query.AuthorizationInput {
	// Anyone who is to sign in again is to be asked again, too.
	b := a.signedInAnew()
	return query.AuthorizationInput{
		ClientId: b.Get("client_id"), RedirectUri: frame.Given(b.Values, "redirect_uri"), ResponseType: frame.Given(b.Values, "response_type"),
		Scope: frame.Given(b.Values, "scope"), State: frame.Given(b.Values, "state"), CodeChallenge: frame.Given(b.Values, "code_challenge"),
		CodeChallengeMethod: frame.Given(b.Values, "code_challenge_method"), Prompt: frame.Given(b.Values, "prompt"), Resource: b.Values["resource"],
	}
}

// receiver is who gets the answer of a request.
type receiver struct {
	// Name is a host, or the beginning of the addresses that a program opens.
	Name string
	// Kind says what that is.
	Kind receiverKind
	// source allows a form to lead there (CSP, form-action); empty where a policy has no word for it.
	source string
}

type receiverKind int

const (
	aSite receiverKind = iota
	thisMachine
	aProgram
)

var (
	policyHost    = regexp.MustCompile(`^[a-z0-9-]+(\.[a-z0-9-]+)*$`)
	privateScheme = regexp.MustCompile(`^[a-z][a-z0-9+.-]*$`)
)

// receiverOf reads a redirect address. The service has checked it; what no browser may be sent to is refused here again.
func receiverOf(address string) (receiver, bool) {
	u, err := url.Parse(address)
	if err != nil || u.User != nil {
		return receiver{}, false
	}
	if scheme := strings.ToLower(u.Scheme); scheme != "https" && scheme != "http" {
		ok := privateScheme.MatchString(scheme) && strings.Contains(scheme, ".")
		return receiver{Name: scheme + ":", Kind: aProgram, source: scheme + ":"}, ok
	}
	host := strings.ToLower(u.Hostname())
	if host == "" {
		return receiver{}, false
	}
	out := receiver{Name: host, Kind: aSite}
	if ascii, err := idna.Punycode.ToASCII(host); err == nil {
		out.Name = ascii
	}
	if ip, err := netip.ParseAddr(host); host == "localhost" || err == nil && ip.IsLoopback() {
		out.Kind = thisMachine
	}
	if policyHost.MatchString(out.Name) {
		out.source = strings.ToLower(u.Scheme) + "://" + out.Name
		if u.Port() != "" {
			out.source += ":" + u.Port()
		}
	}
	if u.Port() != "" {
		out.Name = u.Host
	}
	return out, u.Scheme == "https" || out.Kind == thisMachine
}

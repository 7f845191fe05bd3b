package account

import (
	"encoding/base64"
	"net/http"
	"strings"
	"time"

	"atelier/web/frame"
	"atelier/web/locale"
	"atelier/web/query"
	"atelier/web/ui"
)

// arrivalTime is how long a browser keeps the one-time token of an external sign-in: as long as one can work at most.
const arrivalTime = 5 * time.Minute

// maxArrival bounds a one-time token and the page to go on to, in bytes.
const maxArrival = 2 << 10

// errNothingArrived refuses to finish an external sign-in where none waits in this browser.
var errNothingArrived = frame.Refusal(http.StatusUnauthorized, "expired", locale.Mark("There is no sign-in here that waits to be finished."))

// arrival is an external sign-in that waits in a browser to be finished: its one-time token, and where it leads.
type arrival struct{ Token, Next string }

// ssoView is the page on which an external sign-in is finished.
type ssoView struct {
	Next string
	Form frame.Form
}

// SSO is the page where an external sign-in arrives. It uses nothing up: a token in the address moves into a cookie at
// once, so that it stands in no history, page or referrer, and the form of the clean page uses it.
func (c Pages) SSO(w http.ResponseWriter, r *http.Request) error {
	asked := r.URL.Query()
	if token := asked.Get("sso_token"); token != "" {
		if len(token) > maxArrival {
			return errNothingArrived
		}
		c.keepArrival(w, arrival{token, frame.SafePath(asked.Get("next"))})
		w.Header().Set("Referrer-Policy", "no-referrer")
		return frame.SeeOther(w, "/sso")
	}
	a, ok := c.arrivalOf(r)
	if !ok {
		return c.Bare(w, r, ui.BareProps{Title: t(r.Context(), "Sign in")}, nothingArrivedContent())
	}
	c.HideAddress(w, r)
	return c.Bare(w, r, ui.BareProps{Title: t(r.Context(), "Signing you in")}, ssoContent(ssoView{Next: a.Next, Form: frame.FormOf(r)}))
}

// ExchangeSSO finishes an external sign-in: the token that waits in this browser becomes a session.
func (c Pages) ExchangeSSO(w http.ResponseWriter, r *http.Request) error {
	r = frame.WithoutOnceKey(r)
	a, ok := c.arrivalOf(r)
	if !ok {
		return errNothingArrived
	}
	res, err := query.ExchangeSsoToken(r.Context(), c.Client, a.Token, c.beganIn(r))
	if frame.HasCode(err, "rate_limit_exceeded") {
		return frame.Again(w, r, err, c.SSO)
	}
	if frame.HasCode(err, "unauthorized") {
		err = frame.Refusal(http.StatusUnauthorized, "expired", t(r.Context(), "This sign-in was used already, has expired, or began in another browser."))
	}
	if err != nil {
		if e, known := frame.Refused(err); known && e.Status < 500 {
			c.SetCookie(w, c.arrivalCookie(), "", 0)
		}
		return err
	}
	in := res.ExchangeSsoToken
	c.SetCookie(w, c.arrivalCookie(), "", 0)
	c.StartSession(w, in.Token, in.ExpiresAt)
	return c.Done(w, frame.PathOr(a.Next, frame.Landing), t(r.Context(), "You are signed in as %s, %s. Not you? Sign out, and choose another account at your provider.", in.User.DisplayName, in.User.Email))
}

// beganIn is the secret of the browser, where an external sign-in began in it; the token works there alone then.
func (c Pages) beganIn(r *http.Request) *string {
	if secret := frame.CookieValue(r, c.Config.SignInBrowser); secret != "" {
		return &secret
	}
	return nil
}

// arrivalCookie holds an arrival; on https no other host can set it.
func (c Pages) arrivalCookie() string {
	if c.Config.SecureCookies {
		return "__Host-atelier_arrival"
	}
	return "atelier_arrival"
}

func (c Pages) keepArrival(w http.ResponseWriter, a arrival) {
	encode := base64.RawURLEncoding.EncodeToString
	if len(a.Next) > maxArrival {
		a.Next = ""
	}
	c.SetCookie(w, c.arrivalCookie(), encode([]byte(a.Token))+"~"+encode([]byte(a.Next)), arrivalTime)
}

// arrivalOf is the external sign-in that waits in a browser; false where none does.
func (c Pages) arrivalOf(r *http.Request) (arrival, bool) {
	first, second, ok := strings.Cut(frame.CookieValue(r, c.arrivalCookie()), "~")
	token, err := base64.RawURLEncoding.DecodeString(first)
	if !ok || err != nil || len(token) == 0 || len(token) > maxArrival {
		return arrival{}, false
	}
	next, err := base64.RawURLEncoding.DecodeString(second)
	if err != nil {
		return arrival{}, false
	}
	return arrival{string(token), frame.SafePath(string(next))}, true
}

package frame

import (
	"fmt"
	"net/http"
	"runtime/debug"

	"atelier/web/locale"
	"atelier/web/ui"

	"github.com/a-h/templ"
)

// Action answers one request. A returned error becomes an error page; nothing may have been written then.
type Action func(w http.ResponseWriter, r *http.Request) error

// Serve wraps an action: security headers with a nonce of this response, refusal of forms from other sites,
// the form parsed, errors as pages.
func (c *Console) Serve(h Action) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		nonce := newNonce()
		setHeaders(w.Header(), nonce)
		r = atAddress(c.forReader(w, r, nonce))
		if c.Config.Look != nil {
			r = r.WithContext(ui.WithLook(r.Context(), c.Config.Look(r.Context())))
		}
		err := c.run(h, w, r)
		if err != nil {
			c.errorPage(w, r, err)
		}
	})
}

// forReader is the request with what its pages are written with: the nonce of the response, the zone and the language of
// the reader.
func (c *Console) forReader(w http.ResponseWriter, r *http.Request, nonce string) *http.Request {
	language := LanguageOf(r)
	w.Header().Set("Content-Language", language.Code)
	w.Header().Add("Vary", "Accept-Language")
	ctx := locale.With(templ.WithNonce(r.Context(), nonce), language)
	return r.WithContext(locale.WithZone(ctx, c.zoneOf(r)))
}

func (c *Console) run(h Action, w http.ResponseWriter, r *http.Request) (err error) {
	defer func() {
		if v := recover(); v != nil {
			if v == http.ErrAbortHandler {
				panic(v)
			}
			err = fmt.Errorf("panic: %v\n%s", v, debug.Stack())
		}
	}()
	if c.cross.Check(r) != nil {
		return Refusal(http.StatusForbidden, "forbidden", mark("This form was sent from another site, so nothing was changed. Open the page here and try again."))
	}
	if r.Method == http.MethodPost {
		if err := readForm(r); err != nil {
			return err
		}
		r = withOnceKey(r)
		confirmed, err := c.confirmFirst(w, r)
		if confirmed == nil || err != nil {
			return err
		}
		r = confirmed
	}
	return h(w, r)
}

// Done ends an action that worked: the next page says so.
func (c *Console) Done(w http.ResponseWriter, path, sentence string) error {
	c.flash(w, sentence)
	c.SetCookie(w, undoCookie(c.Config.SecureCookies), "", 0)
	return SeeOther(w, path)
}

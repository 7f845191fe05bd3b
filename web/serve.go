package web

import (
	"fmt"
	"net/http"
	"runtime/debug"

	"github.com/a-h/templ"
)

// action answers one request. A returned error becomes an error page; nothing may have been written then.
type action func(w http.ResponseWriter, r *http.Request) error

// serve wraps an action: security headers with a nonce of this response, refusal of forms from other sites,
// the form parsed, errors as pages.
func (c *Console) serve(h action) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		nonce := newNonce()
		setHeaders(w.Header(), nonce)
		r = r.WithContext(templ.WithNonce(r.Context(), nonce))
		err := c.run(h, w, r)
		if err != nil {
			c.errorPage(w, r, err)
		}
	})
}

func (c *Console) run(h action, w http.ResponseWriter, r *http.Request) (err error) {
	defer func() {
		if v := recover(); v != nil {
			if v == http.ErrAbortHandler {
				panic(v)
			}
			err = fmt.Errorf("panic: %v\n%s", v, debug.Stack())
		}
	}()
	if c.cross.Check(r) != nil {
		return refusal(http.StatusForbidden, "forbidden", "This form was sent from another site, so nothing was changed. Open the page here and try again.")
	}
	if r.Method == http.MethodPost {
		if err := readForm(w, r); err != nil {
			return err
		}
		r = withOnceKey(r)
	}
	return h(w, r)
}

// done ends an action that worked: the next page says so.
func (c *Console) done(w http.ResponseWriter, path, sentence string) error {
	c.flash(w, sentence)
	return seeOther(w, path)
}

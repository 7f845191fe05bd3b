package account

import (
	"net/http"

	"atelier/web/frame"
	"atelier/web/locale"
	"atelier/web/query"
)

// SetLanguage keeps the language in a cookie, for the pages before signing in, and in the account of a person who is
// signed in, for their other browsers. None follows the browser.
func (c Pages) SetLanguage(w http.ResponseWriter, r *http.Request) error {
	chosen := locale.ByCode(frame.Text(r, "language"))
	var code *string
	if chosen != nil {
		code = &chosen.Code
	}
	if _, err := query.UpdateLanguage(r.Context(), c.Client, code); err != nil && !frame.HasCode(err, "unauthorized") {
		return err
	}
	c.SetCookie(w, frame.LanguageCookie, frame.Value(code), frame.CookieYear)
	return frame.SeeOther(w, r.PostForm.Get("return"))
}

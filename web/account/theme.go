package account

import (
	"net/http"

	"atelier/web/frame"
)

// SetTheme keeps the theme in a cookie, so that no page starts in the wrong one. It needs no sign-in.
func (c Pages) SetTheme(w http.ResponseWriter, r *http.Request) error {
	theme := frame.Text(r, "theme")
	switch theme {
	case "light", "dark":
	default:
		theme = ""
	}
	c.SetCookie(w, frame.ThemeCookie, theme, frame.CookieYear)
	return frame.SeeOther(w, r.PostForm.Get("return"))
}

package web

import "net/http"

// setTheme keeps the theme in a cookie, so that no page starts in the wrong one. It needs no sign-in.
func (c *Console) setTheme(w http.ResponseWriter, r *http.Request) error {
	theme := text(r, "theme")
	switch theme {
	case "light", "dark":
	default:
		theme = ""
	}
	c.setCookie(w, themeCookie, theme, cookieYear)
	return seeOther(w, r.PostForm.Get("return"))
}

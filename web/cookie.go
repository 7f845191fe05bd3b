package web

import (
	"encoding/base64"
	"net/http"
	"time"

	"atelier/web/ui"
)

// WorkspaceCookie holds the id of the selected workspace; without it the person works in the personal space.
const WorkspaceCookie = "atelier_workspace"

const (
	themeCookie = "atelier_theme"
	flashCookie = "atelier_flash"
	cookieYear  = 365 * 24 * time.Hour
)

// SessionCookie is the name of the cookie that holds the session JWT: with the __Host- prefix wherever the
// install is served by https.
func SessionCookie(secure bool) string {
	if secure {
		return "__Host-atelier_session"
	}
	return "atelier_session"
}

// setCookie sets a cookie of this host that scripts cannot read; an empty value removes it.
func (c *Console) setCookie(w http.ResponseWriter, name, value string, life time.Duration) {
	cookie := &http.Cookie{
		Name: name, Value: value, Path: "/", MaxAge: int(life.Seconds()),
		HttpOnly: true, Secure: c.config.SecureCookies, SameSite: http.SameSiteLaxMode,
	}
	if value == "" {
		cookie.MaxAge = -1
	}
	http.SetCookie(w, cookie)
}

func (c *Console) startSession(w http.ResponseWriter, token string, expires time.Time) {
	c.setCookie(w, SessionCookie(c.config.SecureCookies), token, expires.Sub(c.now()))
}

// endSession forgets who was signed in and where they worked.
func (c *Console) endSession(w http.ResponseWriter) {
	c.setCookie(w, SessionCookie(c.config.SecureCookies), "", 0)
	c.setCookie(w, WorkspaceCookie, "", 0)
}

func cookieValue(r *http.Request, name string) string {
	if cookie, err := r.Cookie(name); err == nil {
		return cookie.Value
	}
	return ""
}

func themeOf(r *http.Request) ui.Theme { return ui.ParseTheme(cookieValue(r, themeCookie)) }

// flash keeps a sentence for the next page.
func (c *Console) flash(w http.ResponseWriter, text string) {
	c.setCookie(w, flashCookie, base64.RawURLEncoding.EncodeToString([]byte(text)), time.Minute)
}

// takeFlash returns the sentence that the last action left, once.
func (c *Console) takeFlash(w http.ResponseWriter, r *http.Request) string {
	value := cookieValue(r, flashCookie)
	if value == "" {
		return ""
	}
	c.setCookie(w, flashCookie, "", 0)
	text, err := base64.RawURLEncoding.DecodeString(value)
	if err != nil {
		return ""
	}
	return string(text)
}

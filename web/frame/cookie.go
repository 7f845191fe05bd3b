package frame

import (
	"encoding/base64"
	"net/http"
	"time"

	"atelier/web/ui"
)

const (
	// ThemeCookie holds the theme of a browser; without it the system's counts.
	ThemeCookie = "atelier_theme"
	flashCookie = "atelier_flash"
	// CookieYear is how long what a browser remembers is kept.
	CookieYear = 365 * 24 * time.Hour
)

// SessionCookie is the name of the cookie that holds the session JWT: with the __Host- prefix wherever the
// install is served by https.
func SessionCookie(secure bool) string {
	if secure {
		return "__Host-atelier_session"
	}
	return "atelier_session"
}

// SetCookie sets a cookie of this host that scripts cannot read; an empty value removes it.
func (c *Console) SetCookie(w http.ResponseWriter, name, value string, life time.Duration) {
	cookie := &http.Cookie{
		Name: name, Value: value, Path: "/", MaxAge: int(life.Seconds()),
		HttpOnly: true, Secure: c.Config.SecureCookies, SameSite: http.SameSiteLaxMode,
	}
	if value == "" {
		cookie.MaxAge = -1
	}
	http.SetCookie(w, cookie)
}

// StartSession signs a browser in until the token expires.
func (c *Console) StartSession(w http.ResponseWriter, token string, expires time.Time) {
	c.SetCookie(w, SessionCookie(c.Config.SecureCookies), token, expires.Sub(c.Now()))
}

// EndSession forgets who was signed in, and their time zone.
func (c *Console) EndSession(w http.ResponseWriter) {
	c.SetCookie(w, SessionCookie(c.Config.SecureCookies), "", 0)
	c.SetCookie(w, ownZoneCookie, "", 0)
}

// CookieValue is the value of a cookie, empty without it.
func CookieValue(r *http.Request, name string) string {
	if cookie, err := r.Cookie(name); err == nil {
		return cookie.Value
	}
	return ""
}

// ThemeOf is the theme of a browser.
func ThemeOf(r *http.Request) ui.Theme { return ui.ParseTheme(CookieValue(r, ThemeCookie)) }

// flash keeps a sentence for the next page.
func (c *Console) flash(w http.ResponseWriter, text string) {
	c.SetCookie(w, flashCookie, base64.RawURLEncoding.EncodeToString([]byte(text)), time.Minute)
}

// takeFlash returns the sentence that the last action left, once.
func (c *Console) takeFlash(w http.ResponseWriter, r *http.Request) string {
	value := CookieValue(r, flashCookie)
	if value == "" {
		return ""
	}
	c.SetCookie(w, flashCookie, "", 0)
	text, err := base64.RawURLEncoding.DecodeString(value)
	if err != nil {
		return ""
	}
	return string(text)
}

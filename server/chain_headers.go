package server

import (
	"net/http"
	"strings"

	"atelier/rest"
	"atelier/web"
)

const (
	// apiContentSecurity is the policy of every answer whose handler sets none: nothing in it is a page.
	apiContentSecurity = "default-src 'none'; frame-ancestors 'none'"
	// strictTransport keeps browsers on https for a year. Other hosts of the domain are not the service's to speak for.
	strictTransport = "max-age=31536000"
)

// guard sets the headers that every answer of every face has, refusals and
// redirects included. A handler may put others in their place: pages and media
// have policies of their own.
func (c *chain) guard(h http.Header) {
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Security-Policy", apiContentSecurity)
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cache-Control", "no-store")
	if c.Secure {
		h.Set("Strict-Transport-Security", strictTransport)
	}
}

// keepPrivate forbids every store to keep a refusal, and an answer that its
// handler does not call public: most were made for the credential that came
// along. Pictures of people stay a day in the browser that was given them, and
// private files some minutes.
func keepPrivate(h http.Header, status int) {
	web.TakeSecretMark(h)
	if caching := h.Get("Cache-Control"); status < http.StatusBadRequest && (caching == rest.PictureCaching || caching == rest.PrivateFileCaching) {
		return
	}
	if status >= http.StatusBadRequest || !strings.HasPrefix(h.Get("Cache-Control"), "public") {
		h.Set("Cache-Control", "no-store")
	}
}

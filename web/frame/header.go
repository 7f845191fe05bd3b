package frame

import (
	"crypto/rand"
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// contentSecurity is the policy of every page; only scripts with the nonce of the response run.
func contentSecurity(nonce string) string {
	return "default-src 'none'; script-src 'nonce-" + nonce + "'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
		"connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
}

// AllowMedia lets a page play video and audio of this install.
func AllowMedia(w http.ResponseWriter) {
	policy := w.Header().Get("Content-Security-Policy")
	if !strings.Contains(policy, "media-src") {
		w.Header().Set("Content-Security-Policy", policy+"; media-src 'self'")
	}
}

func setHeaders(h http.Header, nonce string) {
	h.Set("Content-Security-Policy", contentSecurity(nonce))
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
}

// secretMark is a header that never leaves the service: it says that an answer shows a secret, and is not compressed, for
// the length of a compressed page tells what is on it.
const secretMark = "Atelier-Holds-Secret"

// HoldSecret marks an answer that shows a secret.
func HoldSecret(w http.ResponseWriter) { w.Header().Set(secretMark, "1") }

// TakeSecretMark tells whether an answer was marked so, and takes the mark off.
func TakeSecretMark(h http.Header) bool {
	marked := h.Get(secretMark) != ""
	h.Del(secretMark)
	return marked
}

// NoReferrer keeps the address of a page from everyone else, this site included. Not for pages with forms:
// browsers then send "Origin: null", which on plain http is all that tells our own forms from foreign ones.
func NoReferrer(w http.ResponseWriter) {
	HoldSecret(w)
	w.Header().Set("Referrer-Policy", "no-referrer")
}

func newNonce() string { return rand.Text() }

// HideAddress keeps an address that holds a token from every other address. On plain http over a network, browsers
// then send "Origin: null" with our own forms, which would be refused; there the address stays within this site.
func (c *Console) HideAddress(w http.ResponseWriter, r *http.Request) {
	HoldSecret(w)
	host, _, err := net.SplitHostPort(r.Host)
	if err != nil {
		host = r.Host
	}
	address, err := netip.ParseAddr(host)
	if c.Config.SecureCookies || host == "localhost" || err == nil && address.IsLoopback() {
		NoReferrer(w)
	}
}

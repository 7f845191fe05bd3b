package oauth

import (
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"atelier/models"
)

// How many origins an app may name, and how long one is.
const (
	maxOrigins = 10
	maxOrigin  = 300
)

// blank are characters that are letters to Unicode and nothing to the eye.
const blank = "\u115f\u1160\u3164\uffa0\u2800"

// cleanName is a name that shows itself as it is: without characters that turn,
// hide or divide text, for people judge an app by it.
func cleanName(field, text string) (string, error) {
	name, err := models.CleanName(field, text)
	if err != nil {
		return "", err
	}
	seen := false
	for _, r := range strings.TrimSpace(text) { // an app says its name as it is, or is refused
		if unicode.In(r, unicode.Cf, unicode.Co, unicode.Cs, unicode.Zl, unicode.Zp) || unicode.IsSpace(r) && r != ' ' || strings.ContainsRune(blank, r) {
			return "", models.Invalid(field, "must not hold characters that cannot be seen")
		}
		seen = seen || unicode.IsLetter(r) || unicode.IsNumber(r)
	}
	if !seen {
		return "", models.Invalid(field, "must hold a letter or a number")
	}
	return name, nil
}

// cleanRedirectURIs checks redirect URIs and leaves each once.
func cleanRedirectURIs(field string, uris []string) (models.Strings, error) {
	if len(uris) == 0 || len(uris) > maxRedirectURIs {
		return nil, models.Invalid(field, "must be 1 to %d", maxRedirectURIs)
	}
	var clean models.Strings
	for i, uri := range uris {
		if err := checkRedirectURI(uri); err != nil {
			return nil, models.Invalid(field+"."+strconv.Itoa(i), "%s", err.Error())
		}
		if !slices.Contains(clean, uri) {
			clean = append(clean, uri)
		}
	}
	return clean, nil
}

// cleanOrigins normalizes origins as browsers send them, and leaves each once.
func cleanOrigins(field string, origins []string) (models.Strings, error) {
	if len(origins) > maxOrigins {
		return nil, models.Invalid(field, "must be at most %d", maxOrigins)
	}
	clean := models.Strings{}
	for i, text := range origins {
		origin, ok := cleanOrigin(text)
		if !ok {
			return nil, models.Invalid(field+"."+strconv.Itoa(i), "must be an origin such as https://app.example.com: https (http for localhost), a host, and no path")
		}
		if !slices.Contains(clean, origin) {
			clean = append(clean, origin)
		}
	}
	return clean, nil
}

// cleanOrigin is an origin in the form in which browsers send it.
func cleanOrigin(text string) (string, bool) {
	if len(text) > maxOrigin || strings.ContainsAny(text, "*\\?#%@ ") {
		return "", false
	}
	text = strings.ToLower(text)
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.Path != "" || u.Opaque != "" || !goodAuthority(u) {
		return "", false
	}
	host, port := u.Hostname(), u.Port()
	if u.Scheme != "https" && !(u.Scheme == "http" && loopback(host)) {
		return "", false
	}
	if u.Scheme == "https" && port == "443" || u.Scheme == "http" && port == "80" {
		port = ""
	}
	if address, err := netip.ParseAddr(host); err == nil {
		host = address.String()
	}
	if port != "" {
		return u.Scheme + "://" + net.JoinHostPort(host, port), true
	}
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	return u.Scheme + "://" + host, true
}

package flow

import (
	"fmt"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/idna"

	"atelier/models"
)

const maxEmbedDomains = 50

var hostForm = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$`)

// cleanDomains checks the origins that may embed an app, such as
// https://example.org, and writes each in its one canonical form.
func cleanDomains(sent []string) (models.Strings, error) {
	if len(sent) > maxEmbedDomains {
		return nil, models.Invalid("allowedEmbedDomains", "must be at most %d", maxEmbedDomains)
	}
	domains := models.Strings{}
	for i, s := range sent {
		origin, ok := cleanOrigin(s)
		if !ok {
			return nil, models.Invalid(fmt.Sprintf("allowedEmbedDomains[%d]", i), "must be an origin such as https://example.org")
		}
		if !slices.Contains(domains, origin) {
			domains = append(domains, origin)
		}
	}
	return domains, nil
}

// cleanOrigin is scheme, host and port in lower case without the default
// port; anything more than an origin is refused.
func cleanOrigin(s string) (string, bool) {
	u, err := url.Parse(strings.TrimSpace(s))
	if err != nil || u.User != nil || u.RawQuery != "" || u.Fragment != "" || u.Opaque != "" ||
		u.ForceQuery || (u.Path != "" && u.Path != "/") || strings.HasSuffix(s, "#") {
		return "", false
	}
	scheme := strings.ToLower(u.Scheme)
	standard := map[string]string{"https": "443", "http": "80"}[scheme]
	host, ok := cleanHost(u.Hostname())
	if standard == "" || !ok {
		return "", false
	}
	port := u.Port()
	if strings.HasSuffix(u.Host, ":") {
		return "", false
	}
	if port == "" || port == standard {
		return scheme + "://" + host, true
	}
	if n, err := strconv.Atoi(port); err != nil || n < 1 || n > 65535 {
		return "", false
	}
	return scheme + "://" + host + ":" + port, true
}

func cleanHost(host string) (string, bool) {
	if address, err := netip.ParseAddr(host); err == nil && address.Zone() == "" {
		if address.Is6() {
			return "[" + address.String() + "]", true
		}
		return address.String(), true
	}
	ascii, err := idna.Lookup.ToASCII(strings.ToLower(host))
	return ascii, err == nil && len(ascii) <= 253 && hostForm.MatchString(ascii)
}

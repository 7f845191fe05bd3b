package oauth

import (
	"errors"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// The longest redirect URI, and how many an app may have.
const (
	maxRedirectURI  = 2_000
	maxRedirectURIs = 10
)

// thisMachine is what a place is called where the answer stays on the person's machine.
const thisMachine = "this machine"

var (
	// privateScheme is one of a program's own: a domain name the other way round (RFC 8252, 7.1).
	privateScheme = regexp.MustCompile(`^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+$`)
	// agentSchemes are those of well-known agents that have no dot.
	agentSchemes = []string{"claude", "cursor", "goose", "raycast", "vscode", "vscode-insiders", "windsurf"}
	hostName     = regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)*$`)
	portNumber   = regexp.MustCompile(`^[1-9][0-9]{0,4}$`)
)

// answerNames are what the answer itself is called in the query.
var answerNames = []string{"code", "state", "iss", "error", "error_description", "error_uri"}

// checkRedirectURI says why a redirect URI cannot be registered: it must be
// absolute, and lead by https anywhere, by http to this machine, or to a program
// by a scheme of its own.
func checkRedirectURI(text string) error {
	if text == "" || len(text) > maxRedirectURI {
		return errors.New("must have 1 to 2000 characters")
	}
	for _, c := range []byte(text) {
		if c <= ' ' || c >= 0x7f || strings.IndexByte("\"<>\\^`{|}*#", c) >= 0 {
			return errors.New("must be plain ASCII without spaces, fragments and wildcards")
		}
	}
	u, err := url.Parse(text)
	if err != nil || u.Scheme == "" {
		return errors.New("must be an absolute URL")
	}
	if u.User != nil || strings.Contains(u.Host, "@") {
		return errors.New("must not hold a user name or password")
	}
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return errors.New("has a query that cannot be read")
	}
	for _, name := range answerNames {
		if query.Has(name) {
			return errors.New("must not have " + name + " in its query, which the answer has")
		}
	}
	return checkRedirectPlace(text, u)
}

func checkRedirectPlace(text string, u *url.URL) error {
	scheme, _, _ := strings.Cut(text, ":")
	switch {
	case scheme == "https" && u.Opaque == "" && goodAuthority(u):
		return nil
	case scheme == "http" && u.Opaque == "" && goodAuthority(u) && loopback(u.Hostname()):
		return nil
	case scheme == "http" && u.Opaque == "" && goodAuthority(u):
		return errors.New("must be https; http is for localhost, 127.0.0.1 and [::1] alone")
	case (privateScheme.MatchString(scheme) || slices.Contains(agentSchemes, scheme)) && (u.Host == "" || goodAuthority(u)):
		return nil
	}
	return errors.New("must be an https URL, or have a scheme like com.example.app")
}

// goodAuthority tells whether a URL names a host, and a port as it is written.
func goodAuthority(u *url.URL) bool {
	host, port := u.Hostname(), u.Port()
	if port != "" {
		n, _ := strconv.Atoi(port)
		if !portNumber.MatchString(port) || n > 65535 {
			return false
		}
	} else if strings.HasSuffix(u.Host, ":") {
		return false
	}
	if strings.HasPrefix(u.Host, "[") {
		address, err := netip.ParseAddr(host)
		return err == nil && address.Is6() && address.Zone() == ""
	}
	return len(host) <= 253 && hostName.MatchString(host) && !strings.Contains(u.Host, "%")
}

// loopback tells whether a host is the machine of no matter who asks.
func loopback(host string) bool {
	address, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && address.IsLoopback() && address.Zone() == ""
}

// matchRedirect tells whether a redirect URI is the registered one, byte for
// byte. For loopback addresses alone the port may differ, which a program on the
// person's machine takes as it finds it (RFC 8252, 7.3).
func matchRedirect(registered, asked string) bool {
	if registered == asked {
		return true
	}
	host, rest, ok := cutLoopback(registered)
	askedHost, askedRest, askedOK := cutLoopback(asked)
	return ok && askedOK && host == askedHost && rest == askedRest
}

// cutLoopback divides http://127.0.0.1:8080/back into the address and what
// follows the port; false for anything else than http on a loopback address.
func cutLoopback(text string) (host, rest string, ok bool) {
	if checkRedirectURI(text) != nil {
		return "", "", false
	}
	after, http := strings.CutPrefix(text, "http://")
	end := strings.IndexAny(after, "/?")
	if end < 0 {
		end = len(after)
	}
	authority, rest := after[:end], after[end:]
	host, port := authority, ""
	if colon := strings.LastIndexByte(authority, ':'); colon > strings.LastIndexByte(authority, ']') {
		host, port = authority[:colon], authority[colon+1:]
	}
	address, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return host, rest, http && err == nil && address.IsLoopback() && (port == "" || portNumber.MatchString(port))
}

// placeOf is whom a redirect URI leads to, in words: a host name, this machine,
// or the name of a program's scheme.
func placeOf(redirectURI string) string {
	u, err := url.Parse(redirectURI)
	switch {
	case err != nil:
		return ""
	case u.Scheme == "http" && loopback(u.Hostname()):
		return thisMachine
	case u.Scheme == "http" || u.Scheme == "https":
		return strings.ToLower(u.Host)
	}
	return u.Scheme
}

// placesOf are the places of several, each once.
func placesOf(redirectURIs []string) []string {
	places := []string{}
	for _, uri := range redirectURIs {
		if place := placeOf(uri); !slices.Contains(places, place) {
			places = append(places, place)
		}
	}
	return places
}

// answer is a redirect URI with what is answered behind its own query.
func answer(redirectURI string, pairs ...string) string {
	var b strings.Builder
	b.WriteString(redirectURI)
	divider := "?"
	if strings.Contains(redirectURI, "?") {
		divider = "&"
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] == "" {
			continue
		}
		b.WriteString(divider + pairs[i] + "=" + url.QueryEscape(pairs[i+1]))
		divider = "&"
	}
	return b.String()
}

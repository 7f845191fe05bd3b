package egress

import (
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"golang.org/x/net/idna"

	"atelier/models"
)

// MaxURLLength is the longest URL, in bytes.
const MaxURLLength = 2048

// CheckURL judges an address as it is written: https, no user or password, and
// a host that is neither local nor a private or oddly written address
// (contract 2, "Event endpoints" 3). Names are judged when they are resolved,
// at each request. Addresses within allow pass in their plain notation. The
// refusal is a validation_error of the field url.
func CheckURL(raw string, allow []netip.Prefix) error {
	u, err := parse(raw)
	if err != nil {
		return err
	}
	if u.Scheme != "https" {
		return models.Invalid("url", "must start with https://")
	}
	if u.User != nil {
		return models.Invalid("url", "must not hold a user name or password")
	}
	if err := checkPort(u); err != nil {
		return err
	}
	return checkHost(u, allow)
}

// parse reads an absolute URL that every parser reads alike: nothing that
// browsers strip, turn round or decode before they look at the host.
func parse(raw string) (*url.URL, error) {
	if len(raw) > MaxURLLength {
		return nil, models.Invalid("url", "must be at most %d characters", MaxURLLength)
	}
	for _, r := range raw {
		if r <= ' ' || r == '\\' || r == 0x7f || r == '\uFFFD' {
			return nil, models.Invalid("url", "must not hold blanks, backslashes or control characters")
		}
	}
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" || u.Opaque != "" {
		return nil, models.Invalid("url", "must be a complete URL such as https://example.com/hook")
	}
	start, end := authority(raw)
	if strings.Contains(raw[start:end], "%") {
		return nil, models.Invalid("url", "must not hold an encoded host")
	}
	return u, nil
}

// authority is where the host and port of an absolute URL begin and end.
func authority(raw string) (start, end int) {
	start = strings.Index(raw, "://") + len("://")
	end = len(raw)
	if i := strings.IndexAny(raw[start:], "/?#"); i >= 0 {
		end = start + i
	}
	return start, end
}

func checkPort(u *url.URL) error {
	port := u.Port()
	if port == "" && !strings.HasSuffix(u.Host, ":") {
		return nil
	}
	if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
		return models.Invalid("url", "must have a port between 1 and 65535")
	}
	return nil
}

func checkHost(u *url.URL, allow []netip.Prefix) error {
	host := strings.ToLower(u.Hostname())
	if addr, err := netip.ParseAddr(host); err == nil {
		return checkAddress(addr, host, allow)
	}
	if strings.Contains(host, ":") {
		return models.Invalid("url", "must have a valid host")
	}
	name, err := asciiName(host)
	if err != nil {
		return err
	}
	labels := strings.Split(name, ".")
	for _, label := range labels {
		if label == "" || len(label) > 63 || strings.Trim(label, "abcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
			return models.Invalid("url", "must have a valid host")
		}
	}
	switch last := labels[len(labels)-1]; {
	case len(name) > 253:
		return models.Invalid("url", "must have a valid host")
	case isNumber(last):
		return models.Invalid("url", "must write an IP address in its usual form")
	case last == "localhost" || last == "internal" || last == "local":
		return notPublic()
	}
	return nil
}

// checkAddress judges a literal address. Only the shortest spelling profits
// from allow, so that nothing unusual passes by it.
func checkAddress(addr netip.Addr, written string, allow []netip.Prefix) error {
	switch {
	case addr.Zone() != "" || addr.Is4In6():
		return models.Invalid("url", "must write an IP address in its usual form")
	case Public(addr), addr.String() == written && contains(allow, addr):
		return nil
	}
	return notPublic()
}

func notPublic() error {
	return models.Invalid("url", "must name a host on the public internet")
}

// asciiName is a name as it is looked up. International names pass in their
// encoded form; characters that turn into plain ASCII ones, such as full-width
// digits, do not.
func asciiName(host string) (string, error) {
	if strings.IndexFunc(host, func(r rune) bool { return r > 0x7f }) < 0 {
		return host, nil
	}
	name, err := idna.Lookup.ToASCII(host)
	if err != nil {
		return "", models.Invalid("url", "must have a valid host")
	}
	written := strings.FieldsFunc(host, func(r rune) bool { return strings.ContainsRune(".。．｡", r) })
	labels := strings.Split(name, ".")
	if len(written) != len(labels) {
		return "", models.Invalid("url", "must have a valid host")
	}
	for i, label := range labels {
		if label != written[i] && !strings.HasPrefix(label, "xn--") {
			return "", models.Invalid("url", "must write its host in plain letters")
		}
	}
	return name, nil
}

// isNumber tells whether a last label makes the whole host an IPv4 address in
// the eyes of browsers and system resolvers: 2130706433, 127.1, 0x7f.1, 0177.0.0.1.
func isNumber(label string) bool {
	if strings.Trim(label, "0123456789") == "" {
		return true
	}
	hex, ok := strings.CutPrefix(label, "0x")
	return ok && strings.Trim(hex, "0123456789abcdef") == ""
}

// NormalizeURL is the form in which two addresses are compared: scheme and
// host in lower case, without :443. The rest stays as it is written. raw must
// have passed CheckURL.
func NormalizeURL(raw string) string {
	start, end := authority(raw)
	host := strings.ToLower(raw[start:end])
	return strings.ToLower(raw[:start]) + strings.TrimSuffix(host, ":443") + raw[end:]
}

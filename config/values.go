package config

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/net/idna"

	"atelier/models"
)

func parseText(s string) (string, error) { return s, nil }

func parseHostPort(s string) (string, error) {
	_, port, err := net.SplitHostPort(s)
	if err != nil {
		return "", errors.New("must be host:port")
	}
	if n, err := strconv.Atoi(port); err != nil || n < 0 || n > 65535 {
		return "", errors.New("must end in a port from 0 to 65535")
	}
	return s, nil
}

// parseBaseURL wants http or https and takes a trailing slash off.
func parseBaseURL(s string) (string, error) {
	u, err := url.Parse(s)
	switch {
	case err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Hostname() == "":
		return "", errors.New("must be a URL starting with http:// or https://")
	case u.User != nil:
		return "", errors.New("must not hold a user or password")
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return "", errors.New("must not have a query or fragment")
	}
	return strings.TrimRight(s, "/"), nil
}

// parsePublicURL wants the root of a host, and writes it as browsers write an origin: in lower case, the host in ASCII,
// without the port that the scheme has anyway.
func parsePublicURL(s string) (string, error) {
	base, err := parseBaseURL(s)
	if err != nil {
		return "", err
	}
	u, err := url.Parse(base)
	if err != nil {
		return "", err
	}
	if u.Path != "" {
		return "", fmt.Errorf("must have no path, but has %q: the service is served at the root of a host name or port of its own, such as %s://atelier.%s", u.Path, u.Scheme, u.Hostname())
	}
	host := strings.ToLower(u.Hostname())
	if ascii, err := idna.Lookup.ToASCII(host); err == nil {
		host = ascii
	} else if strings.ContainsFunc(host, func(r rune) bool { return r > unicode.MaxASCII }) {
		return "", fmt.Errorf("names a host that is none: %w", err)
	}
	port := u.Port()
	if n, err := strconv.Atoi(port); port != "" && (err != nil || n < 1 || n > 65535) {
		return "", fmt.Errorf("%q is not a port", port)
	}
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	if port != "" && port != map[string]string{"http": "80", "https": "443"}[u.Scheme] {
		host += ":" + port
	}
	return u.Scheme + "://" + host, nil
}

func parseEmail(s string) (string, error) {
	email, err := models.ParseEmail(s)
	if err != nil {
		return "", fmt.Errorf("%q is not an e-mail address: it %w", s, err)
	}
	return email, nil
}

func parseEmails(s string) ([]string, error) { return eachOf(s, parseEmail) }

// eachOf parses a comma-separated list; empty entries are skipped.
func eachOf[T any](s string, parse func(string) (T, error)) ([]T, error) {
	var list []T
	var problems []error
	for entry := range strings.SplitSeq(s, ",") {
		if entry = strings.TrimSpace(entry); entry == "" {
			continue
		}
		value, err := parse(entry)
		if err != nil {
			problems = append(problems, err)
		}
		list = append(list, value)
	}
	return list, errors.Join(problems...)
}

func oneOf(allowed ...string) func(string) (string, error) {
	return func(s string) (string, error) {
		if !slices.Contains(allowed, s) {
			return "", fmt.Errorf("%q is not one of %s", s, strings.Join(allowed, ", "))
		}
		return s, nil
	}
}

func parseOnOff(s string) (bool, error) {
	_, err := oneOf("on", "off")(s)
	return s == "on", err
}

func parseBool(s string) (bool, error) {
	_, err := oneOf("true", "false", "1", "0")(s)
	return s == "true" || s == "1", err
}

func parseCredits(s string) (models.Credits, error) {
	credits, err := models.ParseCredits(s)
	if err == nil && credits < 0 {
		err = errors.New("must not be negative")
	}
	return credits, err
}

// parsePrefixes takes CIDRs, and a bare address as one of its own.
func parsePrefixes(s string) ([]netip.Prefix, error) {
	return eachOf(s, func(entry string) (netip.Prefix, error) {
		if address, err := netip.ParseAddr(entry); err == nil {
			address = address.Unmap().WithZone("")
			return netip.PrefixFrom(address, address.BitLen()), nil
		}
		prefix, err := netip.ParsePrefix(entry)
		if err != nil {
			return prefix, fmt.Errorf("%q is not a CIDR like 10.0.0.0/8", entry)
		}
		if at := prefix.Addr(); at.Is4In6() && prefix.Bits() >= 96 {
			prefix = netip.PrefixFrom(at.Unmap(), prefix.Bits()-96)
		}
		return prefix.Masked(), nil
	})
}

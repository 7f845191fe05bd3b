package config

import (
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"net/mail"
	"net/netip"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/jackc/pgx/v5/pgconn"

	"atelier/models"
)

func parseText(s string) (string, error) { return s, nil }

// parseKeyText takes what may stand in a header.
func parseKeyText(s string) (string, error) {
	if strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return "", errors.New("must be printable ASCII without blanks")
	}
	return s, nil
}

func parsePath(s string) (string, error) { return filepath.Abs(s) }

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

// parseDatabaseURL takes what pgx takes; its errors hide the password.
func parseDatabaseURL(s string) (string, error) {
	if _, err := pgconn.ParseConfig(s); err != nil {
		return "", fmt.Errorf("must be a PostgreSQL URL: %w", err)
	}
	return s, nil
}

func parseStorageURL(s string) (string, error) {
	u, err := url.Parse(s)
	switch {
	case err != nil:
	case u.Scheme == "s3" && u.Host != "", u.Scheme == "file" && u.Path != "":
		return s, nil
	}
	return "", errors.New("must be s3://bucket?... or file:///path")
}

func parseSMTPURL(c *Config, s string) error {
	u, err := url.Parse(s)
	if err != nil || (u.Scheme != "smtp" && u.Scheme != "smtps") || u.Hostname() == "" {
		return errors.New("must be smtp://user:pass@host:port, or the same with smtps")
	}
	c.SMTPURL = u
	return nil
}

func parseSender(s string) (string, error) {
	if _, err := mail.ParseAddress(s); err != nil {
		return "", errors.New("must be an address, or Name <address>")
	}
	return s, nil
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

// parseLenientBool is on for true and 1 alone, in any letter case (contract 3, "Authentication").
func parseLenientBool(s string) (bool, error) {
	return strings.EqualFold(s, "true") || s == "1", nil
}

func parseCredits(s string) (models.Credits, error) {
	credits, err := models.ParseCredits(s)
	if err == nil && credits < 0 {
		err = errors.New("must not be negative")
	}
	return credits, err
}

// parseKeys takes base64 in any of its alphabets, padded or not.
func parseKeys(s string) ([][]byte, error) {
	return eachOf(s, func(entry string) ([]byte, error) {
		entry = strings.NewReplacer("-", "+", "_", "/").Replace(strings.TrimRight(entry, "="))
		key, err := base64.RawStdEncoding.DecodeString(entry)
		if err != nil {
			return nil, errors.New("must be base64")
		}
		if len(key) != 32 {
			return nil, fmt.Errorf("must hold 32 bytes, has %d", len(key))
		}
		return key, nil
	})
}

// parseSessionKey takes the text of a generated key file as the key that it
// holds, and any other text as it is.
func parseSessionKey(s string) ([]byte, error) {
	if key, err := base64.StdEncoding.DecodeString(s); err == nil && len(key) == keyBytes {
		return key, nil
	}
	if err := checkSecretText(s, 16); err != nil {
		return nil, err
	}
	return []byte(s), nil
}

func parseOperatorCode(s string) (string, error) { return s, checkSecretText(s, 12) }

// checkSecretText wants a text that can be copied whole.
func checkSecretText(s string, least int) error {
	switch {
	case !utf8.ValidString(s) || strings.ContainsFunc(s, unicode.IsControl):
		return errors.New("must be one line of text")
	case utf8.RuneCountInString(s) < least:
		return fmt.Errorf("must be at least %d characters", least)
	}
	return nil
}

// parsePrefixes takes CIDRs, and a bare address as one of its own.
func parsePrefixes(s string) ([]netip.Prefix, error) {
	return eachOf(s, func(entry string) (netip.Prefix, error) {
		if address, err := netip.ParseAddr(entry); err == nil {
			return netip.PrefixFrom(address, address.BitLen()), nil
		}
		prefix, err := netip.ParsePrefix(entry)
		if err != nil {
			return prefix, fmt.Errorf("%q is not a CIDR like 10.0.0.0/8", entry)
		}
		return prefix.Masked(), nil
	})
}

func parseDurations(s string) ([]time.Duration, error) {
	list, err := eachOf(s, func(entry string) (time.Duration, error) {
		d, err := time.ParseDuration(entry)
		if err != nil || d < 0 {
			return 0, fmt.Errorf("%q is not a duration like 30s or 2m", entry)
		}
		return d, nil
	})
	if err == nil && len(list) == 0 {
		err = errors.New("must hold at least one duration")
	}
	return list, err
}

func parseRest(s string) (rest [2]time.Duration, err error) {
	list, err := parseDurations(s)
	switch {
	case err != nil:
		return rest, err
	case len(list) != 2:
		return rest, errors.New("must be two durations: the first and the longest rest")
	case list[0] <= 0 || list[1] < list[0]:
		return rest, errors.New("the first rest must be positive and not above the longest")
	}
	return [2]time.Duration(list), nil
}

func parseLogLevel(c *Config, s string) error {
	if _, err := oneOf("debug", "info", "warn", "error")(s); err != nil {
		return err
	}
	return c.LogLevel.UnmarshalText([]byte(s))
}

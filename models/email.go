package models

import (
	"errors"
	"net/mail"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"atelier/humantext"

	"golang.org/x/net/idna"
	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// An address has one form, in which it is kept, compared and mailed (open
// points, "Sign-in"): before the @ in NFKC and case-folded, behind it as the
// A-label of IDNA 2008. What folding makes of a domain is the same domain only
// where nothing but letter case changed: straße.de and strasse.de have two owners.

var (
	errNoAddress = errors.New("must be an e-mail address")
	errNoDomain  = errors.New("must be a domain such as example.com")
	errFolds     = errors.New("must have a domain of plain letters: write it in the form that its owner registered")
)

// maxAddress is how many bytes an address may have, in its one form.
const maxAddress = 254

// ParseEmail is the one form of an address, or why it is none.
func ParseEmail(s string) (string, error) {
	s = strings.TrimSpace(s)
	local, domain, ok := strings.Cut(s, "@")
	if !ok || len(s) > 4*maxAddress || !utf8.ValidString(s) || strings.ContainsFunc(s, hidden) {
		return "", errNoAddress
	}
	domain, err := parseHost(domain)
	if err != nil {
		return "", err
	}
	normal := foldLocal(local) + "@" + domain
	parsed, err := mail.ParseAddress(normal)
	if err != nil || parsed.Address != normal || len(normal) > maxAddress || strings.ContainsAny(normal, " \t\"") {
		return "", errNoAddress
	}
	if again, _, _ := strings.Cut(normal, "@"); foldLocal(again) != again || strings.ContainsFunc(again, hidden) {
		return "", errNoAddress
	}
	return normal, nil
}

// ParseDomain is the one form of a domain of addresses, or why it is none.
func ParseDomain(s string) (string, error) {
	domain, err := parseHost(strings.TrimSpace(s))
	if err == errNoAddress || err == nil && domain == "localhost" {
		err = errNoDomain
	}
	return domain, err
}

// NormalizeEmail is the form in which a typed address is looked for. What is
// no address keeps a form of its own, which is no one's.
func NormalizeEmail(s string) string {
	s = strings.TrimSpace(s)
	if normal, err := ParseEmail(s); err == nil {
		return normal
	}
	local, domain, ok := strings.Cut(s, "@")
	if !ok {
		return strings.ToLower(s)
	}
	if host, err := parseHost(domain); err == nil {
		domain = host
	} else if lower, err := lowerDomain(domain); err == nil {
		domain = lower
	}
	return foldLocal(local) + "@" + domain
}

// TypedEmail is the form in which an address is looked for that was typed
// or pasted: without what is invisible and what stands around it.
func TypedEmail(s string) string { return NormalizeEmail(humantext.Address(s)) }

// ParseTypedEmail is ParseEmail of an address that was typed or pasted.
// What programs send, such as the assertions of providers, is read by ParseEmail.
func ParseTypedEmail(s string) (string, error) { return ParseEmail(humantext.Address(s)) }

func foldLocal(s string) string { return cases.Fold().String(norm.NFKC.String(s)) }

// parseHost is the A-label form of a domain of at least two labels, or of localhost.
func parseHost(s string) (string, error) {
	lower, err := lowerDomain(s)
	if err != nil {
		return "", err
	}
	ascii, err := idna.Registration.ToASCII(lower)
	if err != nil || strings.HasSuffix(ascii, ".") || !strings.Contains(ascii, ".") && ascii != "localhost" {
		return "", errNoAddress
	}
	shown, err := idna.Registration.ToUnicode(ascii)
	if err != nil || strings.ContainsFunc(shown, foreign) {
		return "", errNoAddress
	}
	// A label that only pretends to be one of IDNA does not come back as it was.
	again, err := idna.Registration.ToASCII(shown)
	if err != nil || again != ascii || slices.ContainsFunc(strings.Split(lower, "."), pretended) {
		return "", errNoAddress
	}
	return ascii, nil
}

func pretended(label string) bool {
	return strings.HasPrefix(label, "xn--") && strings.ContainsFunc(label, func(r rune) bool { return r > unicode.MaxASCII })
}

// foreign tells what IDNA 2008 keeps out of domains although UTS 46 lets it
// pass, such as pictures: all but letters, digits, marks and a few signs.
func foreign(r rune) bool {
	return !unicode.In(r, unicode.Ll, unicode.Lo, unicode.Lm, unicode.Mn, unicode.Mc, unicode.Nd) && !strings.ContainsRune("-.·͵׳״・〇", r)
}

// lowerDomain is a domain in lower case and NFC; one that folding changes
// beyond that is refused.
func lowerDomain(s string) (string, error) {
	lower := norm.NFC.String(strings.Map(unicode.ToLower, s))
	if lower != norm.NFC.String(foldLocal(s)) {
		return "", errFolds
	}
	for _, r := range s {
		if one := string(r); hidden(r) || norm.NFC.String(one) != one {
			return "", errFolds
		}
	}
	return lower, nil
}

// hidden tells characters that no one sees, or that another one is written for.
func hidden(r rune) bool {
	return unicode.In(r, unicode.C, unicode.Zl, unicode.Zp, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
}

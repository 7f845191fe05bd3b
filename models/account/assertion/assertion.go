// Package assertion checks the signed assertions of identity providers
// (contract 3, "Assertion contract"). It knows no database: whether an
// assertion was used before, its caller remembers.
//
// What is checked, in this order; the first that fails is the answer:
//
//  1. The form: three parts in canonical base64url, a header that is a JSON
//     object, alg exactly HS256, neither crit nor b64, typ absent or JWT; then
//     the signature, and that the payload is a JSON object that no two readers
//     can take for two things: invalid_signature.
//  2. aud is the provider's audience as one text, exp is a number, iat and nbf
//     are numbers where they are there, nbf is not to come, and the subject is a
//     text that is not blank: invalid_claims.
//  3. exp is not past: expired.
//  4. exp less iat is at most the provider's longest lifetime: too_long_lived.
//  5. jti is a text that is not blank: missing_jti.
//  6. The address is an e-mail address: missing_email.
//
// The names that a claimMap gives are those of claims at the top; a dot in one
// is a part of it.
package assertion

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"time"
	"unicode"

	"atelier/jsontext"
	"atelier/models"

	"github.com/golang-jwt/jwt/v5"
)

const (
	// MaxSize is how many bytes an assertion may have.
	MaxSize = 16 << 10
	// Tolerance is how much clocks may differ (contract 3, "Limits").
	Tolerance = 5 * time.Second
	// maxSubject is how many bytes a subject may have.
	maxSubject = 1_000
	// farthest bounds the moments that are told of an assertion that is refused.
	farthest = 24 * time.Hour
	// signatureSize is how many bytes a signature of HS256 has.
	signatureSize = 32
)

// Provider is what its checking needs of an identity provider of the kind assertion.
type Provider struct {
	Secret, Audience string
	// EmailClaim, VerifiedClaim and SubjectClaim name the claims that carry the identity.
	EmailClaim, VerifiedClaim, SubjectClaim string
	// MaxLifetime is the longest exp less iat.
	MaxLifetime time.Duration
}

// Claims are what an assertion says. Of one that was refused although its
// signature was right, JTI, ExpiresAt and ClockOffset are what could be read.
type Claims struct {
	Subject string
	// Email is as the provider wrote it.
	Email         string
	EmailVerified bool
	Name          string // empty without
	JTI           string
	// ExpiresAt is when it can be used no more, Tolerance included.
	ExpiresAt time.Time
	// ClockOffset is the provider's clock less ours, as far as iat tells; nil without one.
	ClockOffset *time.Duration
}

var (
	errSignature = models.Err(models.CodeInvalidSignature, "The assertion is malformed, or was not signed by the identity provider")
	errClaims    = models.Err(models.CodeInvalidClaims, "The assertion was not made for this service, or lacks a claim")
	errExpired   = models.Err(models.CodeExpired, "The assertion has expired. Sign in once more.")
	errTooLong   = models.Err(models.CodeTooLongLived, "The assertion is valid for longer than is accepted here")
	errNoJTI     = models.Err(models.CodeMissingJTI, "The assertion has no jti, by which it is used once")
	errNoEmail   = models.Err(models.CodeMissingEmail, "The assertion names no e-mail address")
)

// Check reads an assertion in compact form at the time now. Its errors are the
// refusals above.
func Check(p Provider, compact string, now time.Time) (Claims, error) {
	payload, err := verified(p.Secret, compact)
	if err != nil {
		return Claims{}, err
	}
	var c claims
	switch err := jsontext.ReadUnique(payload, &c); {
	case errors.Is(err, jsontext.ErrNumber):
		return Claims{}, errClaims
	case err != nil || c == nil:
		return Claims{}, errSignature
	}
	return c.check(p, now)
}

// verified is the payload of an assertion whose form and signature are right.
func verified(secret, compact string) ([]byte, error) {
	if len(compact) > MaxSize || strings.ContainsFunc(compact, foreign) {
		return nil, errSignature
	}
	parts := strings.Split(compact, ".")
	if len(parts) != 3 {
		return nil, errSignature
	}
	var decoded [3][]byte
	for i, part := range parts {
		var err error
		if decoded[i], err = base64.RawURLEncoding.Strict().DecodeString(part); err != nil || len(part) == 0 {
			return nil, errSignature
		}
	}
	if !acceptable(decoded[0]) || len(decoded[2]) != signatureSize {
		return nil, errSignature
	}
	if jwt.SigningMethodHS256.Verify(parts[0]+"."+parts[1], decoded[2], []byte(secret)) != nil {
		return nil, errSignature
	}
	return decoded[1], nil
}

// foreign tells what no assertion holds: Go's decoder would skip line ends.
func foreign(r rune) bool {
	return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-' && r != '_' && r != '.'
}

// acceptable tells whether a header names HS256 and asks for nothing else to be understood.
func acceptable(raw []byte) bool {
	var header map[string]any
	if jsontext.ReadUnique(raw, &header) != nil || header["alg"] != "HS256" {
		return false
	}
	for _, name := range []string{"crit", "b64", "zip", "enc"} {
		if _, there := header[name]; there {
			return false
		}
	}
	typ, there := header["typ"]
	text, _ := typ.(string)
	return !there || strings.EqualFold(text, "JWT")
}

// claims are those of a payload by their names.
type claims map[string]any

func (c claims) check(p Provider, now time.Time) (Claims, error) {
	clock := float64(now.UnixMicro()) / 1e6
	tolerance := Tolerance.Seconds()
	exp, expSound := c.moment("exp")
	iat, iatSound := c.moment("iat")
	nbf, nbfSound := c.moment("nbf")
	read := Claims{ExpiresAt: at(exp, now).Add(Tolerance)}
	read.JTI, _ = c.text("jti")
	if iat != nil {
		offset := at(iat, now).Sub(now)
		read.ClockOffset = &offset
	}
	subject, there := c.text(p.SubjectClaim)
	switch {
	case c["aud"] != p.Audience, exp == nil, !expSound, !iatSound, !nbfSound, nbf != nil && *nbf > clock+tolerance:
		return read, errClaims
	case !there, len(subject) > maxSubject, strings.ContainsFunc(subject, unkept):
		return read, errClaims
	case clock > *exp+tolerance:
		return read, errExpired
	case *exp-issued(iat, clock) > p.MaxLifetime.Seconds():
		return read, errTooLong
	case read.JTI == "":
		return read, errNoJTI
	}
	email, _ := c.text(p.EmailClaim)
	if _, err := models.ParseEmail(email); err != nil {
		return read, errNoEmail
	}
	read.Subject, read.Email, read.EmailVerified = subject, email, c[p.VerifiedClaim] == true
	read.Name, _ = c.text("name")
	return read, nil
}

// issued is iat on the service's clock: one that is more than the tolerance
// ahead, or missing, is now.
func issued(iat *float64, clock float64) float64 {
	if iat == nil || *iat > clock+Tolerance.Seconds() {
		return clock
	}
	return *iat
}

// text is a claim that is a text and not blank.
func (c claims) text(name string) (string, bool) {
	text, ok := c[name].(string)
	if !ok || strings.TrimSpace(text) == "" {
		return "", false
	}
	return text, true
}

// moment is a claim in seconds since 1970; nil without. sound is false for one
// that is there and no number.
func (c claims) moment(name string) (seconds *float64, sound bool) {
	value, there := c[name]
	if !there {
		return nil, true
	}
	number, ok := value.(json.Number)
	if !ok {
		return nil, false
	}
	f, err := number.Float64()
	return &f, err == nil
}

// at is a moment as a time, at most a day from now.
func at(seconds *float64, now time.Time) time.Time {
	if seconds == nil {
		return now
	}
	away := *seconds - float64(now.UnixMicro())/1e6
	away = math.Max(-farthest.Seconds(), math.Min(away, farthest.Seconds()))
	return now.Add(time.Duration(away * float64(time.Second)))
}

// unkept tells characters that no subject has: those that stand for one that
// could not be read, so that two subjects could look like one, and those that
// the database does not keep.
func unkept(r rune) bool { return r == unicode.ReplacementChar || unicode.IsControl(r) }

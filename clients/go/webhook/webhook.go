// Code generated from webhook/webhook.go (scripts/generate); DO NOT EDIT.

// Package webhook is for receivers: it verifies the signed events that the
// service sends, and reads them. It needs nothing but the standard library and
// nothing of the service, so that the folder can be copied into any program;
// docs/webhooks.md tells how.
//
//	event, err := webhook.Verify(request.Header, body, secret)
//
// The body must be the bytes as they arrived. JSON that was read and written
// again has other bytes, and no signature fits it.
package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// SignatureHeader carries the time of sending and the signatures.
const SignatureHeader = "Service-Signature"

// DefaultTolerance is how far the time of sending may be from now, either way.
const DefaultTolerance = 5 * time.Minute

const (
	// maxHeader is the longest signature header that is looked at, in bytes.
	maxHeader = 4096
	// maxSignatures is how many v1 signatures are compared; the service sends two at most.
	maxSignatures = 16
	// maxBody is the most that Receive reads. Events are at most 64 KB.
	maxBody = 256 << 10
)

// Code tells why an event was not accepted.
type Code string

// The reasons, in the order in which they are looked at.
const (
	// MissingSecret: there is no secret to verify with.
	MissingSecret Code = "missing_secret"
	// CryptoUnavailable: the platform has no HMAC-SHA256. In Go it never
	// arises, because the standard library has it on every platform; it is here
	// so that the codes are the same in every language.
	CryptoUnavailable Code = "crypto_unavailable"
	// MissingHeader: the request has no signature.
	MissingHeader Code = "missing_header"
	// MalformedHeader: the signature is not of the form t=<seconds>,v1=<hex>.
	MalformedHeader Code = "malformed_header"
	// SignatureMismatch: no signature fits the bytes of the body and a secret.
	SignatureMismatch Code = "signature_mismatch"
	// TimestampOutsideTolerance: the signature is right, but too old, or of a
	// time to come.
	TimestampOutsideTolerance Code = "timestamp_outside_tolerance"
	// InvalidPayload: the signature is right, but the body is no event.
	InvalidPayload Code = "invalid_payload"
)

// Error is why an event was not accepted.
type Error struct {
	Code Code
	// Detail is for a log; it holds neither a secret nor a right signature.
	Detail string
}

func (e *Error) Error() string { return "webhook: " + string(e.Code) + ": " + e.Detail }

// Is tells whether target is an Error of the same code, for errors.Is.
func (e *Error) Is(target error) bool {
	other, ok := target.(*Error)
	return ok && other.Code == e.Code
}

func fail(code Code, format string, args ...any) error {
	return &Error{Code: code, Detail: fmt.Sprintf(format, args...)}
}

// Verifier verifies events. Only Secrets is needed.
type Verifier struct {
	// Secrets are the endpoint's signing secrets: one, or for the time of a
	// rotation the new and the old one. Empty ones are passed over.
	Secrets []string
	// Tolerance is how far the time of sending may be from now, either way;
	// zero is DefaultTolerance.
	Tolerance time.Duration
	// Now is the clock; nil is time.Now.
	Now func() time.Time
}

// Verify verifies an event by its headers and the exact bytes of its body, with
// one secret or several. Every error that it returns is an *Error.
func Verify(header http.Header, body []byte, secrets ...string) (*Event, error) {
	return Verifier{Secrets: secrets}.Verify(header, body)
}

// Verify verifies an event by its headers and the exact bytes of its body.
func (v Verifier) Verify(header http.Header, body []byte) (*Event, error) {
	return v.VerifySignature(strings.Join(header.Values(SignatureHeader), ","), body)
}

// VerifySignature verifies an event by the value of its signature header.
func (v Verifier) VerifySignature(signature string, body []byte) (*Event, error) {
	secrets := slices.DeleteFunc(slices.Clone(v.Secrets), func(secret string) bool { return secret == "" })
	if len(secrets) == 0 {
		return nil, fail(MissingSecret, "there is no signing secret to verify with")
	}
	parsed, err := Parse(signature)
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(secrets, func(secret string) bool { return parsed.Fits(body, secret) }) {
		return nil, fail(SignatureMismatch, "no signature fits the body; it must be the exact bytes that arrived")
	}
	if err := v.timely(parsed.At); err != nil {
		return nil, err
	}
	return read(body)
}

func (v Verifier) timely(at time.Time) error {
	now, tolerance := time.Now, v.Tolerance
	if v.Now != nil {
		now = v.Now
	}
	if tolerance <= 0 {
		tolerance = DefaultTolerance
	}
	if age := now().Sub(at); age > tolerance || age < -tolerance {
		return fail(TimestampOutsideTolerance, "sent %s from now; at most %s are accepted", age.Abs().Round(time.Second), tolerance)
	}
	return nil
}

// Receive verifies the event of a request, whose body it reads. A body that
// cannot be read, or is larger than any event, is an InvalidPayload.
func (v Verifier) Receive(request *http.Request) (*Event, error) {
	body, err := io.ReadAll(io.LimitReader(request.Body, maxBody+1))
	if err != nil {
		return nil, fail(InvalidPayload, "the body could not be read: %v", err)
	}
	if len(body) > maxBody {
		return nil, fail(InvalidPayload, "the body is larger than %d bytes", maxBody)
	}
	return v.Verify(request.Header, body)
}

// Signature is a signature header that was read and not yet verified.
type Signature struct {
	// At is the time of sending.
	At time.Time
	// stamp is t as it was written, which is what was signed.
	stamp string
	v1    [][]byte
}

// Parse reads a signature header: one t in Unix seconds and at least one v1, in
// any order; what else is in it is passed over. MissingHeader, MalformedHeader.
func Parse(header string) (*Signature, error) {
	if strings.Trim(header, " \t") == "" {
		return nil, fail(MissingHeader, "the request has no %s", SignatureHeader)
	}
	if len(header) > maxHeader {
		return nil, fail(MalformedHeader, "the header is longer than %d bytes", maxHeader)
	}
	parsed := &Signature{}
	for part := range strings.SplitSeq(header, ",") {
		name, value, _ := strings.Cut(strings.Trim(part, " \t"), "=")
		switch {
		case name == "t" && parsed.stamp != "":
			return nil, fail(MalformedHeader, "t is there twice")
		case name == "t":
			seconds, err := unixSeconds(value)
			if err != nil {
				return nil, err
			}
			parsed.stamp, parsed.At = value, time.Unix(seconds, 0).UTC()
		case name == "v1" && len(parsed.v1) == maxSignatures:
			return nil, fail(MalformedHeader, "there are more than %d signatures", maxSignatures)
		case name == "v1":
			sum, err := hex.DecodeString(value)
			if err != nil {
				sum = nil // it fits nothing
			}
			parsed.v1 = append(parsed.v1, sum)
		}
	}
	switch {
	case parsed.stamp == "":
		return nil, fail(MalformedHeader, "there is no t")
	case len(parsed.v1) == 0:
		return nil, fail(MalformedHeader, "there is no v1")
	}
	return parsed, nil
}

// Count is how many signatures there are.
func (s *Signature) Count() int { return len(s.v1) }

func unixSeconds(text string) (int64, error) {
	seconds, err := strconv.ParseUint(text, 10, 64)
	// 11 digits reach beyond the year 5000, and no clock overflows.
	if err != nil || len(text) > 11 {
		return 0, fail(MalformedHeader, "t is no time in seconds")
	}
	return int64(seconds), nil
}

// Fits tells whether one of the signatures is that of the body, made with the
// secret: the HMAC-SHA256 of "<t>.<body>". It takes as long whichever does. It
// says nothing of the time; nothing fits an empty secret.
func (s *Signature) Fits(body []byte, secret string) bool {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(s.stamp))
	mac.Write([]byte{'.'})
	mac.Write(body)
	want, fits := mac.Sum(nil), false
	for _, given := range s.v1 {
		if hmac.Equal(given, want) {
			fits = true
		}
	}
	return fits && secret != ""
}

package event

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"atelier/models"
	"atelier/webhook"
)

// maxChecked is the largest body that a signature is checked against, in
// bytes: an event, written with a line for each value.
const maxChecked = 256 << 10

// maxHeaderLines is the most that is looked at for a signature header.
const maxHeaderLines = 16 << 10

var checkLimit = models.Limit{Name: "webhook-check", Max: 30, Per: time.Minute}

// CheckSignatureInput is what a receiver got, as far as a person has it.
type CheckSignatureInput struct {
	// Header is the signature, or all header lines.
	Header string
	// Body is the bytes of the body.
	Body string
	// DeliveryID names a delivery of the endpoint, whose body is taken where
	// Body is empty.
	DeliveryID *models.ID
}

// SignatureCheck is what a signature turned out to be.
type SignatureCheck struct {
	// Code is what a receiver with the endpoint's secrets reports (contract 2,
	// "Authentication"); nil when it accepts the event.
	Code *string
	// Finding is what is the matter.
	Finding SignatureFinding
	// Secret is the secret that fits, nil when none does.
	Secret *SignatureSecret
	// SentAt is t, and ClockOffSeconds how long ago that is: negative when it is
	// still to come.
	SentAt          *time.Time
	ClockOffSeconds *int
	// Signatures is how many the header holds.
	Signatures int
	// OtherEndpoint is the endpoint of the account whose secret fits instead.
	OtherEndpoint *Endpoint
}

// SignatureFinding is what is the matter with a signature and a body.
type SignatureFinding string

const (
	FindingAccepted        SignatureFinding = "accepted"
	FindingNoHeader        SignatureFinding = "no_header"
	FindingMalformed       SignatureFinding = "malformed_header"
	FindingTooOld          SignatureFinding = "too_old"
	FindingAhead           SignatureFinding = "ahead"
	FindingNoEvent         SignatureFinding = "no_event"
	FindingWhitespace      SignatureFinding = "whitespace_changed"
	FindingRewritten       SignatureFinding = "json_rewritten"
	FindingContentChanged  SignatureFinding = "content_changed"
	FindingExpiredSecret   SignatureFinding = "expired_secret"
	FindingAnotherEndpoint SignatureFinding = "another_endpoint"
	FindingUnknown         SignatureFinding = "unknown"
)

// SignatureSecret is one of an endpoint's secrets.
type SignatureSecret string

const (
	SecretCurrent  SignatureSecret = "current"
	SecretPrevious SignatureSecret = "previous"
	SecretExpired  SignatureSecret = "expired"
)

// CheckSignature tells the one who registered an endpoint why its receiver does or
// does not accept a request: by the library for receivers, with the endpoint's
// secrets, which no one sees. 30 a minute. not_found; validation_error for a
// body of more than 256 KiB, or one that a delivery no longer has.
func (s *Service) CheckSignature(ctx context.Context, endpointID models.ID, in CheckSignatureInput) (*SignatureCheck, error) {
	if _, err := s.admitChange(ctx, checkLimit); err != nil {
		return nil, err
	}
	if len(in.Body) > maxChecked {
		return nil, models.Invalid("body", "may have at most %d bytes", maxChecked)
	}
	if len(in.Header) > maxHeaderLines {
		return nil, models.Invalid("header", "may have at most %d bytes", maxHeaderLines)
	}
	endpoints, err := s.ListEndpoints(ctx) // ten at most; another one's secret is a finding
	if err != nil {
		return nil, err
	}
	c := &checking{service: s, ctx: ctx, now: s.DB.Clock.Now(), header: signatureLine(in.Header), body: []byte(in.Body)}
	for _, e := range endpoints {
		if e.ID == endpointID {
			c.endpoint = e
		} else if ownedBy(models.ActorFrom(ctx), e) {
			c.others = append(c.others, e)
		}
	}
	if c.endpoint == nil {
		return nil, errNoEndpoint
	}
	if !ownedBy(models.ActorFrom(ctx), c.endpoint) {
		return nil, errOfApp
	}
	if c.endpoint.Secret == nil {
		return nil, models.Err(models.CodeSecretRequired, "The endpoint has no signing secret; rotate the secret first")
	}
	if err := c.findSent(in); err != nil {
		return nil, err
	}
	return c.check()
}

// checking is a check under way.
type checking struct {
	service  *Service
	ctx      context.Context
	now      time.Time
	endpoint *Endpoint
	others   []*Endpoint
	header   string
	body     []byte
	// sent is the body that was sent, as far as it is kept.
	sent []byte
}

// findSent takes the body of the delivery that is named, or that the body names.
func (c *checking) findSent(in CheckSignatureInput) error {
	id := in.DeliveryID
	if id == nil {
		var event struct{ ID models.ID }
		if models.ReadJSON(c.body, &event) != nil {
			return nil
		}
		id = &event.ID
	}
	delivery, err := c.service.FindDelivery(c.ctx, c.endpoint.ID, *id)
	switch {
	case err != nil && in.DeliveryID == nil:
		if refusal, known := models.AsError(err); known && refusal.Code == models.CodeNotFound {
			return nil
		}
		return err
	case err != nil:
		return err
	}
	c.sent = delivery.RequestBody
	if len(c.body) > 0 {
		return nil
	}
	if c.sent == nil {
		return models.Invalid("body", "is needed: the body of this delivery is no longer kept")
	}
	c.body = c.sent
	return nil
}

func (c *checking) check() (*SignatureCheck, error) {
	result := &SignatureCheck{}
	parsed, err := webhook.Parse(c.header)
	if err != nil {
		result.report(err)
		return result, nil
	}
	off := int(c.now.Sub(parsed.At).Round(time.Second) / time.Second)
	result.SentAt, result.ClockOffSeconds, result.Signatures = &parsed.At, &off, parsed.Count()
	secrets, err := c.secrets(c.endpoint)
	if err != nil {
		return nil, err
	}
	var valid []string
	for _, one := range secrets {
		if one.kind != SecretExpired {
			valid = append(valid, one.secret)
		}
	}
	_, failure := webhook.Verifier{Secrets: valid, Now: func() time.Time { return c.now }}.VerifySignature(c.header, c.body)
	result.report(failure)
	for _, one := range secrets {
		if parsed.Fits(c.body, one.secret) {
			result.Secret = &one.kind
			break
		}
	}
	if result.Finding == FindingUnknown {
		return result, c.explain(result, parsed, secrets)
	}
	return result, nil
}

// report takes over what a receiver reports.
func (r *SignatureCheck) report(err error) {
	r.Finding = FindingAccepted
	var failure *webhook.Error
	if !errors.As(err, &failure) {
		return
	}
	code := string(failure.Code)
	r.Code, r.Finding = &code, FindingUnknown
	switch failure.Code {
	case webhook.MissingHeader:
		r.Finding = FindingNoHeader
	case webhook.MalformedHeader:
		r.Finding = FindingMalformed
	case webhook.InvalidPayload:
		r.Finding = FindingNoEvent
	case webhook.TimestampOutsideTolerance:
		if r.Finding = FindingTooOld; *r.ClockOffSeconds < 0 {
			r.Finding = FindingAhead
		}
	}
}

// explain finds out why no signature fits the body.
func (c *checking) explain(result *SignatureCheck, parsed *webhook.Signature, secrets []ownSecret) error {
	if result.Secret != nil { // of the endpoint, and no longer in force
		result.Finding = FindingExpiredSecret
		return nil
	}
	if finding, secret := c.changed(parsed, secrets); finding != "" {
		result.Finding, result.Secret = finding, &secret
		return nil
	}
	for _, other := range c.others {
		if other.Secret == nil {
			continue
		}
		theirs, err := c.secrets(other)
		if err != nil {
			return err
		}
		for _, one := range theirs {
			if parsed.Fits(c.body, one.secret) {
				result.Finding, result.OtherEndpoint = FindingAnotherEndpoint, other
				return nil
			}
		}
	}
	return nil
}

// changed tells how the body differs from the bytes that were signed, when
// those can be found: from what was sent, or by undoing what programs do to JSON.
func (c *checking) changed(parsed *webhook.Signature, secrets []ownSecret) (SignatureFinding, SignatureSecret) {
	for _, variant := range []struct {
		body    []byte
		finding SignatureFinding
	}{
		{bytes.TrimSpace(c.body), FindingWhitespace},
		{compacted(c.body), FindingRewritten},
		{respelled(c.body), FindingRewritten},
		{c.sent, difference(c.body, c.sent)},
	} {
		for _, one := range secrets {
			if len(variant.body) > 0 && parsed.Fits(variant.body, one.secret) {
				return variant.finding, one.kind
			}
		}
	}
	return "", ""
}

// compacted is JSON without blanks between its parts; nil of what is no JSON.
func compacted(body []byte) []byte {
	var b bytes.Buffer
	if json.Compact(&b, body) != nil {
		return nil
	}
	return b.Bytes()
}

// respelled is compacted, with the characters that some programs escape written
// as the service writes them.
func respelled(body []byte) []byte {
	return bytes.ReplaceAll(withoutHTMLEscapes.replace(compacted(body)), []byte(`\/`), []byte(`/`))
}

type replacements []string

var withoutHTMLEscapes = replacements{`\u003c`, `<`, `\u003C`, `<`, `\u003e`, `>`, `\u003E`, `>`, `\u0026`, `&`}

func (r replacements) replace(body []byte) []byte {
	for i := 0; i < len(r); i += 2 {
		body = bytes.ReplaceAll(body, []byte(r[i]), []byte(r[i+1]))
	}
	return body
}

// difference tells whether two texts are the same JSON, written otherwise.
func difference(body, sent []byte) SignatureFinding {
	var a, b any
	if models.ReadJSON(body, &a) != nil || models.ReadJSON(sent, &b) != nil {
		return FindingContentChanged
	}
	one, errOne := json.Marshal(a)
	two, errTwo := json.Marshal(b)
	if errOne == nil && errTwo == nil && bytes.Equal(one, two) {
		return FindingRewritten
	}
	return FindingContentChanged
}

// ownSecret is a secret of an endpoint, and what it is worth now.
type ownSecret struct {
	secret string
	kind   SignatureSecret
}

// secrets are the endpoint's secrets, also the one before when its grace is over.
func (c *checking) secrets(endpoint *Endpoint) ([]ownSecret, error) {
	kinds := []SignatureSecret{SecretCurrent}
	sealed := []*string{endpoint.Secret}
	if endpoint.PreviousSecret != nil {
		kind := SecretExpired
		if endpoint.PreviousSecretExpiresAt != nil && c.now.Before(*endpoint.PreviousSecretExpiresAt) {
			kind = SecretPrevious
		}
		kinds, sealed = append(kinds, kind), append(sealed, endpoint.PreviousSecret)
	}
	var secrets []ownSecret
	for i, one := range sealed {
		secret, err := c.service.Vault.Open("webhook:"+endpoint.ID.String(), *one)
		if err != nil {
			return nil, err
		}
		secrets = append(secrets, ownSecret{secret, kinds[i]})
	}
	return secrets, nil
}

// signatureLine is the signature among header lines; a text without the name of
// the header is the signature itself.
func signatureLine(text string) string {
	for line := range strings.Lines(text) {
		name, value, found := strings.Cut(line, ":")
		if found && strings.EqualFold(strings.TrimSpace(name), webhook.SignatureHeader) {
			return strings.TrimSpace(value)
		}
	}
	return strings.TrimSpace(text)
}

package event

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"atelier/models"
	"atelier/models/lane"
)

// serviceWait is how long a delivery waits that trouble on the service's side
// kept from being sent; it uses no attempt.
const serviceWait = time.Minute

// Deliver is the work of a dispatcher of Lane: one attempt of the leased
// delivery. The attempt is counted before anything is sent, so that one cut off
// by a crash counts; what came of it is written in one transaction that the
// lease fences.
func (s *Service) Deliver(ctx context.Context, lease lane.Lease) error {
	_, err := s.attempt(ctx, lease, nil, (*directWriter)(s))
	return err
}

// writer is how an attempt reaches the database: by itself, or with others.
type writer interface {
	// single runs what has a transaction for itself.
	single(ctx context.Context, fn func() error) error
	settle(ctx context.Context, lease lane.Lease, p *prepared, r result) error
}

// directWriter writes each attempt in a transaction of its own.
type directWriter Service

func (a *directWriter) single(_ context.Context, fn func() error) error { return fn() }

func (a *directWriter) settle(ctx context.Context, lease lane.Lease, p *prepared, r result) error {
	return (*Service)(a).settle(ctx, lease, p, r)
}

// attempt makes one attempt, and says how long the receiver took; p is nil when
// it is not prepared yet.
func (s *Service) attempt(ctx context.Context, lease lane.Lease, p *prepared, w writer) (sent time.Duration, err error) {
	ctx = models.WithLog(ctx, slog.Any("delivery", lease.ID), slog.Any("endpoint", lease.LaneID))
	if p == nil {
		err = w.single(ctx, func() (err error) {
			p, err = s.prepare(ctx, lease)
			return err
		})
	}
	if err != nil || p == nil {
		return 0, err
	}
	if ended := s.skipOrPostpone(ctx, lease, p); ended != nil {
		return 0, w.single(context.WithoutCancel(ctx), ended)
	}
	ctx, span := traceAttempt(ctx, p)
	defer span.End()
	r := s.send(ctx, p)
	s.told(ctx, span, r)
	if errors.Is(context.Cause(ctx), lane.ErrLost) {
		return r.full, lane.ErrLost
	}
	if !r.answered() && ctx.Err() != nil {
		return r.full, w.single(context.WithoutCancel(ctx), func() error { return s.interrupt(ctx, lease, p) })
	}
	if r.unsent {
		return r.full, w.single(context.WithoutCancel(ctx), func() error { return s.takeBack(ctx, lease, r) })
	}
	return r.full, w.settle(ctx, lease, p, r)
}

// skipOrPostpone returns what ends or postpones a delivery that must not be sent; nil if it may be.
func (s *Service) skipOrPostpone(ctx context.Context, lease lane.Lease, p *prepared) func() error {
	switch {
	case p.refused != "":
		return func() error { return s.refuse(ctx, lease, p) }
	case p.trouble != "":
		return func() error { return s.postpone(ctx, lease, p) }
	}
	return nil
}

// prepared is an attempt that may be made, or the reason why it is not.
type prepared struct {
	endpoint *Endpoint
	delivery *Delivery
	secrets  []string
	at       time.Time
	// refused ends the delivery without an attempt; trouble makes it wait.
	refused, trouble string
}

// once tells whether the delivery has this one attempt only: a ping, or a
// failed delivery that a person sends again.
func (p *prepared) once() bool { return p.delivery.Event == Ping || p.delivery.FinishedAt != nil }

// prepare reads what is to be sent and counts the attempt. nil: there is
// nothing to do any more.
func (s *Service) prepare(ctx context.Context, lease lane.Lease) (p *prepared, err error) {
	err = s.DB.Write(ctx, func(tx *models.Tx) error {
		p, err = s.load(tx, lease)
		if err != nil || p == nil || p.refused != "" || p.trouble != "" {
			return err
		}
		p.delivery.Attempts++
		return tx.Model(&Delivery{}).Where("id = ? AND endpoint_id = ?", lease.ID, lease.LaneID).
			UpdateColumn("attempts", p.delivery.Attempts).Error
	})
	return p, err
}

func (s *Service) load(tx *models.Tx, lease lane.Lease) (*prepared, error) {
	endpoint, err := models.First[Endpoint](tx.Select("webhook_endpoints.*", approved).Where("id = ? AND account_id = ?", lease.LaneID, lease.OwnerID).
		Clauses(clause.Locking{Strength: "KEY SHARE"}), gorm.ErrRecordNotFound)
	var delivery *Delivery
	if err == nil {
		delivery, err = models.First[Delivery](tx.Where("id = ? AND endpoint_id = ?", lease.ID, lease.LaneID).
			Clauses(clause.Locking{Strength: "NO KEY UPDATE"}), gorm.ErrRecordNotFound)
	}
	gone := errors.Is(err, gorm.ErrRecordNotFound)
	if err != nil && !gone {
		return nil, err
	}
	if err := lane.Hold(tx, lease); err != nil {
		return nil, err
	}
	if gone || delivery.Status != DeliveryPending {
		return nil, lane.Finish(tx, lease)
	}
	p := &prepared{endpoint: endpoint, delivery: delivery, at: tx.Now}
	if p.refused = s.refusal(p, lease); p.refused != "" {
		return p, nil
	}
	p.secrets, p.trouble = s.readiness(tx.Context(), p)
	return p, nil
}

// refusal is why the delivery ends without a further attempt; "" lets it go on.
func (s *Service) refusal(p *prepared, lease lane.Lease) string {
	switch {
	case !p.endpoint.Approved:
		return errorAppRevoked
	case !p.endpoint.IsActive && p.delivery.Event != Ping:
		return errorEndpointDisabled
	case p.once() && lease.Attempt > 1, !p.once() && p.delivery.Attempts >= s.attempts():
		return errorAttemptsExhausted
	}
	return ""
}

// readiness opens the secrets that sign, or names the trouble on the service's side.
func (s *Service) readiness(ctx context.Context, p *prepared) (secrets []string, trouble string) {
	if !json.Valid(p.delivery.RequestBody) {
		return nil, errorJobUnreadable
	}
	secrets, err := s.signingSecrets(p.endpoint, p.at)
	if err != nil {
		slog.ErrorContext(ctx, "a delivery cannot be signed", "endpoint", p.endpoint.ID, "delivery", p.delivery.ID, "error", err)
		return nil, errorSigningUnavailable
	}
	return secrets, ""
}

package event

import (
	"context"
	"net/url"
	"time"

	"gorm.io/gorm/clause"

	"atelier/models"
	"atelier/models/lane"
	"atelier/models/notice"
)

// finishing is how long the writing of a result may take once its context has ended.
const finishing = 4 * time.Second

// write runs the transaction that ends a lease, also when the dispatcher is
// ending meanwhile; the fence keeps late writers out.
func (s *Service) write(ctx context.Context, fn func(tx *models.Tx) error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), finishing)
	defer cancel()
	return s.DB.Write(ctx, fn)
}

// settle writes what came of an attempt: the delivery, the attempt's line, the
// endpoint's count of failures, and its lane's health.
func (s *Service) settle(ctx context.Context, lease lane.Lease, p *prepared, r result) error {
	return s.write(ctx, func(tx *models.Tx) error {
		number := p.delivery.Attempts
		final := r.delivered() || p.once() || number >= s.attempts()
		counts := final && !r.delivered() && !p.once()
		if err := lockForResult(tx, p, r.delivered(), counts); err != nil {
			return err
		}
		values := map[string]any{
			"response_status": nullInt(r.status), "response_body": r.body,
			"duration_ms": r.full.Milliseconds(), "error": r.error(),
		}
		due := tx.Now
		switch {
		case r.delivered():
			values["status"], values["finished_at"], values["next_attempt_at"], values["request_body"] = DeliveryDelivered, tx.Now, nil, nil
		case final:
			values["status"], values["finished_at"], values["next_attempt_at"] = DeliveryFailed, tx.Now, nil
		default:
			due = tx.Now.Add(s.wait(number))
			values["next_attempt_at"] = due
		}
		if err := updatePending(tx, lease, values); err != nil {
			return err
		}
		if err := s.logAttempt(tx, p, r); err != nil {
			return err
		}
		if counts {
			if err := s.countFailure(tx, p); err != nil {
				return err
			}
		}
		if err := endLease(tx, lease, final, due); err != nil || p.delivery.Event == Ping {
			return err
		}
		return lane.NoteAttempt(tx, Lane, lease.LaneID, s.rest(), r.answered())
	})
}

// lockForResult takes the endpoint's lock first, the weakest that will do. Any
// success of a job's event ends the count of consecutive failures.
func lockForResult(tx *models.Tx, p *prepared, delivered, counts bool) error {
	strength := "KEY SHARE"
	if counts {
		strength = "NO KEY UPDATE"
	}
	if delivered && p.delivery.Event != Ping {
		err := tx.Model(&Endpoint{}).Where("id = ? AND account_id = ? AND consecutive_failures > 0", p.endpoint.ID, p.endpoint.AccountID).
			UpdateColumn("consecutive_failures", 0).Error
		if err != nil {
			return err
		}
	}
	endpoint, err := models.First[Endpoint](tx.Select("id", "is_active", "consecutive_failures").
		Where("id = ? AND account_id = ?", p.endpoint.ID, p.endpoint.AccountID).
		Clauses(clause.Locking{Strength: strength}), lane.ErrLost)
	if err != nil || !counts || !endpoint.turnsOff() {
		return err
	}
	// What waits besides is going to fail too. Were this delivery changed first,
	// its place in the order of locks would be before those with smaller ids.
	_, err = tx.Run(`SELECT FROM webhook_deliveries WHERE endpoint_id = $1 AND status = $2 ORDER BY id FOR NO KEY UPDATE`,
		endpoint.ID, DeliveryPending)
	return err
}

// turnsOff tells whether one more final failure turns the endpoint off.
func (e *Endpoint) turnsOff() bool {
	return e.IsActive && e.ConsecutiveFailures+1 >= failuresToDisable
}

// updatePending changes the delivery while it still waits for this result.
func updatePending(tx *models.Tx, lease lane.Lease, values map[string]any) error {
	n, err := models.Affected(tx.Model(&Delivery{}).
		Where("id = ? AND endpoint_id = ? AND status = ?", lease.ID, lease.LaneID, DeliveryPending).UpdateColumns(values))
	if err == nil && n == 0 {
		return lane.ErrLost
	}
	return err
}

func (s *Service) logAttempt(tx *models.Tx, p *prepared, r result) error {
	return tx.Create(s.attemptOf(tx.NewID(), p, r)).Error
}

// attemptOf is the line of an attempt.
func (s *Service) attemptOf(id models.ID, p *prepared, r result) *Attempt {
	attempt := Attempt{
		ID: id, DeliveryID: p.delivery.ID, EndpointID: p.endpoint.ID, Number: p.delivery.Attempts,
		ResponseStatus: nullInt(r.status), ResponseBody: r.body, Error: r.attemptError(),
		DurationMs: int(r.full.Milliseconds()), DNSMs: int(r.dns.Milliseconds()), ConnectMs: int(r.connect.Milliseconds()),
		CreatedAt: p.at,
	}
	if r.address != "" {
		attempt.Address = &r.address
	}
	if r.head != "" {
		attempt.ResponseHeader = &r.head
	}
	return &attempt
}

// countFailure counts a delivery that failed finally; the fiftieth in a row
// turns the endpoint off. Pings, and deliveries that were sent again by hand,
// do not count.
func (s *Service) countFailure(tx *models.Tx, p *prepared) error {
	endpoint, err := models.First[Endpoint](tx.Where("id = ? AND account_id = ?", p.endpoint.ID, p.endpoint.AccountID), lane.ErrLost)
	if err != nil {
		return err
	}
	values := map[string]any{"consecutive_failures": endpoint.ConsecutiveFailures + 1}
	off := endpoint.turnsOff()
	if off {
		values["is_active"], values["disabled_reason"] = false, disabledByFailures
		values["disabled_at"], values["updated_at"] = tx.Now, tx.Now
	}
	err = tx.Model(&Endpoint{}).Where("id = ? AND account_id = ?", endpoint.ID, endpoint.AccountID).UpdateColumns(values).Error
	if err != nil || !off {
		return err
	}
	if err := failWaiting(tx, endpoint.ID, errorEndpointDisabled); err != nil {
		return err
	}
	return s.Notices.Tell(tx, notice.News{
		Kind: notice.EndpointOff, Needs: notice.Nothing, SubjectID: &endpoint.ID,
		Facts: notice.Facts{Thing: endpoint.name()}, Key: endpoint.ID.String() + ":" + tx.Now.UTC().Format(time.RFC3339),
	}, endpoint.AccountID)
}

// name is what an endpoint is called: its description, else the host that it sends to.
func (e *Endpoint) name() string {
	if e.Description != "" {
		return e.Description
	}
	if address, err := url.Parse(e.URL); err == nil && address.Host != "" {
		return address.Host
	}
	return e.URL
}

func endLease(tx *models.Tx, lease lane.Lease, final bool, due time.Time) error {
	if final {
		return lane.Finish(tx, lease)
	}
	return lane.Retry(tx, lease, due)
}

// refuse ends a delivery without a further attempt. One whose last attempt was
// cut off counts as a final failure.
func (s *Service) refuse(ctx context.Context, lease lane.Lease, p *prepared) error {
	return s.write(ctx, func(tx *models.Tx) error {
		exhausted := p.refused == errorAttemptsExhausted
		counts := exhausted && !p.once()
		if err := lockForResult(tx, p, false, counts); err != nil {
			return err
		}
		values := map[string]any{"status": DeliveryFailed, "error": p.refused, "finished_at": tx.Now, "next_attempt_at": nil}
		if p.refused == errorAppRevoked {
			values["request_body"] = nil
		}
		if exhausted {
			values["response_status"], values["response_body"], values["duration_ms"] = nil, nil, nil
		}
		if err := updatePending(tx, lease, values); err != nil {
			return err
		}
		if counts {
			if err := s.countFailure(tx, p); err != nil {
				return err
			}
		}
		return lane.Finish(tx, lease)
	})
}

// postpone has a delivery wait for the service's own trouble to pass.
func (s *Service) postpone(ctx context.Context, lease lane.Lease, p *prepared) error {
	return s.write(ctx, func(tx *models.Tx) error {
		due := tx.Now.Add(serviceWait)
		if err := updatePending(tx, lease, map[string]any{"error": p.trouble, "next_attempt_at": due}); err != nil {
			return err
		}
		return lane.Release(tx, lease, due)
	})
}

// interrupt gives back a delivery whose attempt the service itself cut off. It
// has counted, and the next follows at once.
func (s *Service) interrupt(ctx context.Context, lease lane.Lease, p *prepared) error {
	if p.once() || p.delivery.Attempts >= s.attempts() {
		p.refused = errorAttemptsExhausted
		return s.refuse(ctx, lease, p)
	}
	return s.write(ctx, func(tx *models.Tx) error {
		if err := updatePending(tx, lease, map[string]any{"next_attempt_at": tx.Now}); err != nil {
			return err
		}
		return lane.Retry(tx, lease, tx.Now)
	})
}

func nullInt(n int) *int {
	if n == 0 {
		return nil
	}
	return &n
}

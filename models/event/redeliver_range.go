package event

import (
	"context"
	"time"

	"gorm.io/gorm"

	"atelier/models"
	"atelier/models/lane"
)

const (
	// maxAgain is how many deliveries one call sends again.
	maxAgain = 1000
	// maxCounted is how many failed deliveries are looked at for a count.
	maxCounted = 10_000
)

var redeliverRangeLimit = models.Limit{Name: "webhook-redeliver-range", Max: 10, Per: time.Minute}

// Redeliverable is what has failed between two moments, of the oldest 10,000.
type Redeliverable struct {
	// Count is how many can be sent again.
	Count int
	// Now is how many of them one call sends, the oldest first: 1,000 at most.
	Now int
	// Lost is how many cannot, for their jobs were deleted.
	Lost int
}

// RedeliveredRange is what a call did.
type RedeliveredRange struct {
	// Queued are sent again now; Remaining is how many were left for another
	// call, counted up to 10,000.
	Queued, Remaining int
}

// FindRedeliverable counts what RedeliverRange would send again: deliveries of
// job events that were made between the moments, from inclusive and to
// exclusive, and that failed.
func (s *Service) FindRedeliverable(ctx context.Context, endpointID models.ID, from, to time.Time) (*Redeliverable, error) {
	endpoint, err := s.FindEndpoint(ctx, endpointID)
	if err != nil {
		return nil, err
	}
	if err := checkRange(from, to); err != nil {
		return nil, err
	}
	found := &Redeliverable{}
	looked := failedBetween(s.DB.Read(ctx), endpoint, from, to, s.DB.Clock.Now()).Model(&Delivery{}).
		Select("request_body IS NULL AS lost").Order("id").Limit(maxCounted)
	err = s.DB.Read(ctx).Raw(`SELECT count(*) FILTER (WHERE NOT lost) AS count, count(*) FILTER (WHERE lost) AS lost FROM (?) AS looked`, looked).
		Scan(found).Error
	found.Now = min(found.Count, maxAgain)
	return found, err
}

// RedeliverRange sends again what failed between two moments, the oldest first
// and 1,000 at most, each as Redeliver sends a failed one. Unlike there they
// wait for the end of a rest and behind what is due already, so that new events
// are not held up; deliveries that still wait keep their time. Two calls at once
// send nothing twice. not_found; validation_error when the endpoint is off.
func (s *Service) RedeliverRange(ctx context.Context, endpointID models.ID, from, to time.Time) (*RedeliveredRange, error) {
	actor, err := s.admitChange(ctx, redeliverRangeLimit)
	if err != nil {
		return nil, err
	}
	if err := checkRange(from, to); err != nil {
		return nil, err
	}
	done := &RedeliveredRange{}
	err = s.DB.Write(ctx, func(tx *models.Tx) error {
		*done = RedeliveredRange{}
		endpoint, err := lockOwnEndpoint(tx, actor, endpointID)
		if err != nil {
			return err
		}
		if !endpoint.IsActive {
			return models.Err(models.CodeValidation, "The endpoint is off; turn it on first")
		}
		if err := s.ready(endpoint); err != nil {
			return err
		}
		failed := func() *gorm.DB {
			return failedBetween(tx.DB, endpoint, from, to, tx.Now).Where("request_body IS NOT NULL")
		}
		done.Queued, err = requeueAll(tx, endpoint, failed())
		if err != nil || done.Queued < maxAgain {
			return err
		}
		done.Remaining, err = countUpTo(tx.DB, failed())
		return err
	})
	return done, err
}

// requeueAll has the oldest of the failed deliveries wait to be sent.
func requeueAll(tx *models.Tx, endpoint *Endpoint, failed *gorm.DB) (int, error) {
	var ids []models.ID
	err := tx.Raw(`UPDATE webhook_deliveries SET status = ?, next_attempt_at = ?
		WHERE endpoint_id = ? AND status = ? AND id IN (?) RETURNING id`, DeliveryPending, tx.Now, endpoint.ID, DeliveryFailed,
		failed.Model(&Delivery{}).Select("id").Order("id").Limit(maxAgain)).Scan(&ids).Error
	if err != nil || len(ids) == 0 {
		return 0, err
	}
	items := make([]lane.Item, len(ids))
	for i, id := range ids {
		items[i] = lane.Item{ID: id, LaneID: endpoint.ID, OwnerID: endpoint.AccountID}
	}
	return len(ids), lane.Add(tx, Lane, items...)
}

// failedBetween are the endpoint's failed deliveries of job events, by when
// they were made, which their ids tell.
func failedBetween(query *gorm.DB, endpoint *Endpoint, from, to, now time.Time) *gorm.DB {
	return kept(query, endpoint, now).Where("status = ? AND event <> ? AND id >= ? AND id < ?",
		DeliveryFailed, Ping, models.FirstID(from), models.FirstID(to))
}

func checkRange(from, to time.Time) error {
	if !from.Before(to) {
		return models.Invalid("to", "must be later than the beginning")
	}
	return nil
}

func countUpTo(db *gorm.DB, rows *gorm.DB) (n int, err error) {
	err = db.Raw(`SELECT count(*) FROM (?) AS counted`, rows.Model(&Delivery{}).Select("1").Limit(maxCounted)).Scan(&n).Error
	return n, err
}

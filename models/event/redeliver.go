package event

import (
	"context"

	"gorm.io/gorm/clause"

	"atelier/models"
	"atelier/models/lane"
)

// Redeliver sends a waiting delivery now, or a failed one once more: with the
// same id and body, tried once, its attempts counted on, and without a further
// count toward the automatic shut-off. While a worker is at
// the delivery nothing changes. A delivered one is already_finished; one of an
// endpoint that is off, or about a job that was deleted, validation_error.
func (s *Service) Redeliver(ctx context.Context, endpointID, id models.ID) (*Delivery, error) {
	actor, err := s.admitChange(ctx, redeliverLimit)
	if err != nil {
		return nil, err
	}
	var delivery *Delivery
	err = s.DB.Write(ctx, func(tx *models.Tx) error {
		endpoint, err := lockOwnEndpoint(tx, actor, endpointID)
		if err != nil {
			return err
		}
		delivery, err = models.First[Delivery](kept(tx.DB, endpoint, tx.Now).Where("id = ?", id).
			Clauses(clause.Locking{Strength: "NO KEY UPDATE"}), errNoDelivery)
		if err != nil {
			return err
		}
		if delivery.Status == DeliveryDelivered {
			return models.Err(models.CodeAlreadyFinished, "The delivery has reached its receiver")
		}
		if delivery.RequestBody == nil {
			return models.Err(models.CodeValidation, "What was to be sent is not kept any more: the job was deleted, or the app's approval ended")
		}
		if !endpoint.IsActive && delivery.Event != Ping {
			return models.Err(models.CodeValidation, "The endpoint is off; turn it on first")
		}
		if err := s.ready(endpoint); err != nil {
			return err
		}
		return requeue(tx, delivery)
	})
	return delivery, err
}

// requeue has a pending delivery taken as soon as its endpoint's rest and caps
// allow, and a failed one even while the endpoint rests.
func requeue(tx *models.Tx, d *Delivery) error {
	now := tx.Now
	if d.Status == DeliveryPending {
		waiting, err := lane.MakeDue(tx, d.ID)
		if err != nil || !waiting {
			return err
		}
	} else {
		err := lane.Add(tx, Lane, lane.Item{ID: d.ID, LaneID: d.EndpointID, OwnerID: d.AccountID, Priority: urgent})
		if err != nil {
			return err
		}
	}
	d.Status, d.NextAttemptAt = DeliveryPending, &now
	return tx.Model(&Delivery{}).Where("id = ? AND endpoint_id = ?", d.ID, d.EndpointID).
		UpdateColumns(map[string]any{"status": d.Status, "next_attempt_at": now}).Error
}

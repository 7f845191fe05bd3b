package event

import (
	"context"

	"atelier/models"
)

// TestEndpoint queues a ping: tried once, sent also while the endpoint is off
// or rests, and counting toward nothing. not_found, url_invalid, secret_required.
func (s *Service) TestEndpoint(ctx context.Context, id models.ID) (*Delivery, error) {
	actor, err := s.admitChange(ctx, testLimit)
	if err != nil {
		return nil, err
	}
	var ping *Delivery
	err = s.DB.Write(ctx, func(tx *models.Tx) error {
		endpoint, err := lockOwnEndpoint(tx, actor, id)
		if err != nil {
			return err
		}
		if err := s.ready(endpoint); err != nil {
			return err
		}
		ping = newDelivery(tx, endpoint.AccountID, endpoint.ID, Ping)
		if ping.RequestBody, err = encode(ping.ID, Ping, tx.Now, pingData{WebhookID: endpoint.ID}); err != nil {
			return err
		}
		return queue(tx, urgent, ping)
	})
	return ping, err
}

// urgent is the priority of what a person asked for by hand; it does not wait
// for the end of a rest.
const urgent = 1

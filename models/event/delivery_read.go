package event

import (
	"context"
	"strings"
	"time"

	"gorm.io/gorm"

	"atelier/models"
)

// The sizes of a page of deliveries (contract 2, "Event endpoints", rule 1).
const standardPage, maxPage = 20, 100

var errNoDelivery = models.NotFound("Delivery")

// ListDeliveries are an endpoint's deliveries of the last 30 days, newest
// first, 20 a page and at most 100; a nil status lists all.
func (s *Service) ListDeliveries(ctx context.Context, endpointID models.ID, status *DeliveryStatus, page models.Page) (*models.Connection[*Delivery], error) {
	if err := status.check(); err != nil {
		return nil, err
	}
	if _, err := page.Size(standardPage, maxPage); err != nil {
		return nil, err
	}
	endpoint, err := s.FindEndpoint(ctx, endpointID)
	if err != nil {
		return nil, err
	}
	name, query := "deliveries:"+endpointID.String(), kept(s.DB.Read(ctx), endpoint, s.DB.Clock.Now())
	if status != nil {
		name, query = name+":"+string(*status), query.Where("status = ?", *status)
	}
	list := models.List[*Delivery]{Name: name, Standard: standardPage, Most: maxPage, Position: func(d *Delivery) string { return d.ID.String() }}
	return models.ListPage(s.DB, list, page, query, models.NewestFirst("id"))
}

// check refuses an unknown status; nil is none.
func (status *DeliveryStatus) check() error {
	if status == nil {
		return nil
	}
	switch *status {
	case DeliveryPending, DeliveryDelivered, DeliveryFailed:
		return nil
	}
	return models.Invalid("status", "must be one of pending, delivered, failed")
}

// FindDelivery is one delivery of an endpoint of the account.
func (s *Service) FindDelivery(ctx context.Context, endpointID, id models.ID) (*Delivery, error) {
	endpoint, err := s.FindEndpoint(ctx, endpointID)
	if err != nil {
		return nil, err
	}
	return models.First[Delivery](kept(s.DB.Read(ctx), endpoint, s.DB.Clock.Now()).Where("id = ?", id), errNoDelivery)
}

// kept are the endpoint's deliveries that are not too old to be shown.
func kept(query *gorm.DB, endpoint *Endpoint, now time.Time) *gorm.DB {
	return query.Where("endpoint_id = ? AND account_id = ? AND id >= ?",
		endpoint.ID, endpoint.AccountID, models.FirstID(now.Add(-Retention)))
}

// ListAttempts are the attempts of several deliveries, by delivery, oldest
// first. An attempt that was cut off on the service's side has no line. The
// deliveries must have been read on the actor's behalf before.
func (s *Service) ListAttempts(ctx context.Context, deliveryIDs []models.ID) (map[models.ID][]*Attempt, error) {
	actor, err := s.admit(ctx)
	if err != nil {
		return nil, err
	}
	var attempts []*Attempt
	err = s.DB.Read(ctx).Where("delivery_id IN ?", deliveryIDs).
		Where("endpoint_id IN (?)", visible(s.DB.Read(ctx).Model(&Endpoint{}).Select("id"), actor)).
		Order("id").Find(&attempts).Error
	byDelivery := make(map[models.ID][]*Attempt, len(deliveryIDs))
	for _, id := range deliveryIDs {
		byDelivery[id] = []*Attempt{}
	}
	for _, a := range attempts {
		byDelivery[a.DeliveryID] = append(byDelivery[a.DeliveryID], a)
	}
	return byDelivery, err
}

// BodyText is what a receiver answered as a text; nil when it did not answer.
// Bytes that are no UTF-8 are replaced.
func BodyText(body []byte) *string {
	if body == nil {
		return nil
	}
	text := strings.ToValidUTF8(string(body), "\uFFFD")
	return &text
}

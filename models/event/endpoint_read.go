package event

import (
	"context"
	"time"

	"gorm.io/gorm"

	"atelier/models"
	"atelier/models/lane"
)

// ListEndpoints are the account's endpoints, newest first; a connected app
// sees its own.
func (s *Service) ListEndpoints(ctx context.Context) ([]*Endpoint, error) {
	actor, err := s.admit(ctx)
	if err != nil {
		return nil, err
	}
	endpoints := []*Endpoint{}
	err = withRest(visible(s.DB.Read(ctx), actor), s.DB.Clock.Now()).Order("webhook_endpoints.id DESC").Find(&endpoints).Error
	return endpoints, err
}

// FindEndpoint is one endpoint of the account.
func (s *Service) FindEndpoint(ctx context.Context, id models.ID) (*Endpoint, error) {
	actor, err := s.admit(ctx)
	if err != nil {
		return nil, err
	}
	return models.First[Endpoint](withRest(visible(s.DB.Read(ctx), actor), s.DB.Clock.Now()).
		Where("webhook_endpoints.id = ?", id), errNoEndpoint)
}

// withRest reads the end of a rest along from the endpoint's lane.
func withRest(query *gorm.DB, now time.Time) *gorm.DB {
	return query.Select("webhook_endpoints.*, "+lane.RestUntil+" AS rest_until", now).
		Joins(lane.Join("webhook_endpoints.id"), Lane.Name)
}

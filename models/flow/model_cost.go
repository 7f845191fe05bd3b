package flow

import (
	"context"

	"atelier/models"
)

// maxModels is how many models one question may name (contract 1, "Limits").
const maxModels = 50

// ModelCost is what one run of a model costs.
type ModelCost struct {
	// Model is an id of GET /v1/models, or any other node type.
	Model   string
	Credits models.Credits
}

// ModelCosts says what up to 50 models cost, in the order in which they are
// first named; unknown ones are left out.
func (s *Service) ModelCosts(ctx context.Context, names []string) ([]*ModelCost, error) {
	if err := models.ActorFrom(ctx).RequireUser(models.Unscoped); err != nil {
		return nil, err
	}
	if len(names) > maxModels {
		return nil, models.Invalid("models", "must be at most %d", maxModels)
	}
	costs, seen := []*ModelCost{}, map[string]bool{}
	for _, name := range names {
		if price, known := s.Catalogue.PriceOf(name); known && !seen[name] {
			seen[name] = true
			costs = append(costs, &ModelCost{Model: name, Credits: price})
		}
	}
	return costs, nil
}

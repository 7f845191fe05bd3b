// Package trigger holds what starts workflows by itself: addresses that others call, schedules, and
// the runs that they begin.
package trigger

import (
	"context"

	"atelier/models"
	"atelier/models/account"
	"atelier/models/flow"
	"atelier/models/org"
	"atelier/models/run"
)

// Service holds the use cases of triggers.
type Service struct {
	DB       *models.DB
	Accounts *account.Service
	Orgs     *org.Service
	Flows    *flow.Service
	Runs     *run.Service
	// Vault seals the tokens of addresses; nil mints none.
	Vault *models.Vault
	// PublicURL is the base of every link.
	PublicURL string

	fired firedCounts
}

// Sweep removes what became of the minutes of schedules long ago.
func (s *Service) Sweep(ctx context.Context) error {
	return s.DB.SweepRows(ctx, "schedule_fires", "created_at < $1", s.DB.Clock.Now().Add(-keepFires))
}

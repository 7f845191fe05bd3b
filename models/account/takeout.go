package account

import (
	"context"
	"time"

	"atelier/models"
)

// TakeoutsPerUser bounds how often a person takes everything along that is theirs, or their organizations'.
var TakeoutsPerUser = models.Limit{Name: "takeouts", Max: 5, Per: 24 * time.Hour}

// AdmitTakeout says whose everything the caller may take along: their own, from a session that was confirmed within the hour.
func (s *Service) AdmitTakeout(ctx context.Context) (models.ID, error) {
	actor := models.ActorFrom(ctx)
	if err := actor.RequireSession(); err != nil {
		return models.ID{}, err
	}
	if err := actor.RequireConfirmed(s.DB.Clock.Now()); err != nil {
		return models.ID{}, err
	}
	return actor.UserID, s.DB.CountCall(ctx, TakeoutsPerUser, actor.UserID.String())
}

package flow

import (
	"context"
	"time"

	"atelier/models"
)

// standardCallsPerMinute is the calls a minute of a token without a setting of its own.
const standardCallsPerMinute = 30

// CountTokenCall counts one call against the budget of the token that the
// caller uses: a fixed minute, shared by the routes that start and list
// workflows; sessions have none. The call beyond it is rate_limited, and
// rate_limit_unavailable when it cannot be counted (contract 1, "Limits").
func (s *Service) CountTokenCall(ctx context.Context) error {
	actor := models.ActorFrom(ctx)
	if actor.Kind != models.ByToken && actor.Kind != models.ByOAuth {
		return nil
	}
	most := actor.RunsPerMinute
	if most == 0 {
		most = standardCallsPerMinute
	}
	limit := models.Limit{Name: "token.calls", Max: most, Per: time.Minute}
	err := s.DB.CountCall(ctx, limit, actor.TokenID.String())
	if err == nil {
		return nil
	}
	exceeded, known := models.AsError(err)
	if !known || exceeded.Code != models.CodeRateLimitExceeded {
		refusal := models.Err(models.CodeRateLimitUnavailable, "The token's budget cannot be checked now. Try again in a moment.")
		refusal.RetryAfter = models.ConnectionWait
		return refusal
	}
	refusal := models.Err(models.CodeRateLimited, "Too many requests. Max %d per minute.", most)
	refusal.RetryAfter = exceeded.RetryAfter
	return refusal
}

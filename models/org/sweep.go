package org

import (
	"context"
	"errors"
	"time"
)

// batchRetention is how long a call of invitations can be looked at.
const batchRetention = 30 * 24 * time.Hour

// Sweep removes calls of invitations that are too old to be looked at and have
// nothing left to send, and what sessions of agents selected long ago.
func (s *Service) Sweep(ctx context.Context) error {
	now := s.DB.Clock.Now()
	return errors.Join(
		s.DB.SweepRows(ctx, "invitation_batches", `id < first_id($1) AND NOT EXISTS (
			SELECT FROM invitation_sends s WHERE s.batch_id = invitation_batches.id AND s.status = 'queued')`, now.Add(-batchRetention)),
		s.DB.SweepRows(ctx, "agent_workspaces", "selected_at < $1", now.Add(-agentSelectionLasts)))
}

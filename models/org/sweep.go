package org

import (
	"context"
	"time"
)

// batchRetention is how long a call of invitations can be looked at.
const batchRetention = 30 * 24 * time.Hour

// Sweep removes calls of invitations that are too old to be looked at and have
// nothing left to send.
func (s *Service) Sweep(ctx context.Context) error {
	return s.DB.SweepRows(ctx, "invitation_batches", `id < first_id($1) AND NOT EXISTS (
		SELECT FROM invitation_sends s WHERE s.batch_id = invitation_batches.id AND s.status = 'queued')`,
		s.DB.Clock.Now().Add(-batchRetention))
}

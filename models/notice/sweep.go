package notice

import (
	"context"
	"time"
)

// How long notifications are kept, and how many of one person.
const (
	Kept    = 90 * 24 * time.Hour
	MaxKept = 500
)

// Sweep removes notifications that are old, and the oldest of who has too many,
// those that were read first.
func (s *Service) Sweep(ctx context.Context) error {
	if err := s.DB.SweepRows(ctx, "notifications", "happened_at < $1", s.DB.Clock.Now().Add(-Kept)); err != nil {
		return err
	}
	_, err := s.DB.Work.Exec(ctx, `
		DELETE FROM notifications WHERE id IN (
			SELECT n.id FROM (SELECT recipient_id FROM notifications GROUP BY recipient_id HAVING count(*) > $1) many,
				LATERAL (SELECT id FROM notifications n WHERE n.recipient_id = many.recipient_id
					ORDER BY (n.read_at IS NULL) DESC, n.happened_at DESC, n.id DESC OFFSET $1 LIMIT 5000) n)`, MaxKept)
	return err
}

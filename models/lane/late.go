package lane

import (
	"context"
	"time"

	"atelier/models"
)

// lateFor is how long a worker's word on its lateness holds; a process that
// died is late no longer.
const lateFor = 3 * time.Second

// NoteLate says how long work of a worker waits for the service itself.
func NoteLate(ctx context.Context, db *models.DB, worker string, late time.Duration) error {
	_, err := db.Background(ctx).Exec(ctx, `UPDATE workers SET late_ms = $2, late_at = $3 WHERE name = $1`,
		worker, late.Milliseconds(), db.Clock.Now())
	return err
}

// FindLate is how long work waits for the service itself, where it does longest.
func FindLate(ctx context.Context, db *models.DB) (time.Duration, error) {
	var ms int64
	err := db.Background(ctx).QueryRow(ctx, `SELECT COALESCE(max(late_ms), 0) FROM workers WHERE late_at > $1`,
		db.Clock.Now().Add(-lateFor)).Scan(&ms)
	return time.Duration(ms) * time.Millisecond, err
}

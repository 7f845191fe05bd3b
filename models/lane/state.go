package lane

import (
	"context"
	"log/slog"
	"time"

	"atelier/models"
)

// How often a worker says that it is there, and after how long without that it counts as gone.
const (
	beatEvery = 15 * time.Second
	goneAfter = time.Minute
)

// KeepBeating says that a worker is there until the context ends.
func KeepBeating(ctx context.Context, db *models.DB, worker string) {
	again := time.NewTicker(beatEvery)
	defer again.Stop()
	for {
		if err := beat(ctx, db, worker); err != nil && ctx.Err() == nil {
			slog.WarnContext(ctx, "the worker could not say that it is there", "error", err)
		}
		select {
		case <-ctx.Done():
			ended := models.FromReserve(context.WithoutCancel(ctx))
			_ = db.Read(ended).Exec(`DELETE FROM workers WHERE name = ?`, worker).Error
			return
		case <-again.C:
		}
	}
}

func beat(ctx context.Context, db *models.DB, worker string) error {
	now := db.Clock.Now()
	err := db.Read(ctx).Exec(`INSERT INTO workers (name, started_at, seen_at) VALUES (?, ?, ?)
		ON CONFLICT (name) DO UPDATE SET seen_at = EXCLUDED.seen_at`, worker, now, now).Error
	if err != nil {
		return err
	}
	return db.Read(ctx).Exec(`DELETE FROM workers WHERE seen_at < ?`, now.Add(-24*time.Hour)).Error
}

// State is how the work of all lanes stands.
type State struct {
	// Waiting is what could begin now, OldestDue since when the longest of it
	// could; AtWork is what is under way, Later what waits for its time.
	Waiting, AtWork, Later int
	OldestDue              *time.Time
	Workers                int
}

// FindState looks at all lanes at once.
func FindState(ctx context.Context, db *models.DB) (*State, error) {
	now := db.Clock.Now()
	s := &State{}
	err := db.Read(ctx).Raw(`
		SELECT count(*) FILTER (WHERE lease_until IS NULL AND due_at <= ?) AS waiting,
			count(*) FILTER (WHERE lease_until IS NOT NULL) AS at_work,
			count(*) FILTER (WHERE lease_until IS NULL AND due_at > ?) AS later,
			min(due_at) FILTER (WHERE lease_until IS NULL AND due_at <= ?) AS oldest_due,
			(SELECT count(*) FROM workers WHERE seen_at > ?) AS workers
		FROM lane_items`, now, now, now, now.Add(-goneAfter)).Scan(s).Error
	return s, err
}

// CountResting is how many lanes of a kind get nothing for a while.
func CountResting(ctx context.Context, db *models.DB, kind Kind) (n int, err error) {
	err = db.Read(ctx).Raw(`SELECT count(*) FROM lanes WHERE kind = ? AND rest_until > ?`, kind.Name, db.Clock.Now()).Scan(&n).Error
	return n, err
}

// KindState is how the work of all lanes of a kind stands.
type KindState struct {
	Kind            string
	Waiting, AtWork int
	OldestDue       *time.Time
}

// FindKinds looks at all lanes at once, a row for each kind that has work.
func FindKinds(ctx context.Context, db *models.DB) (all []KindState, err error) {
	now := db.Clock.Now()
	err = db.Read(ctx).Raw(`
		SELECT kind, count(*) FILTER (WHERE lease_until IS NULL AND due_at <= ?) AS waiting,
			count(*) FILTER (WHERE lease_until IS NOT NULL) AS at_work,
			min(due_at) FILTER (WHERE lease_until IS NULL AND due_at <= ?) AS oldest_due
		FROM lane_items GROUP BY kind ORDER BY kind`, now, now).Scan(&all).Error
	return all, err
}

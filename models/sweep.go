package models

import (
	"context"
	"time"
)

// PartitionedTables grow without end; they are partitioned by the month of
// their ids.
var PartitionedTables = []string{"executions", "jobs", "webhook_deliveries", "webhook_attempts", "audit_entries"}

// sweepBatch is how many rows one statement removes, so that no lock lasts.
const sweepBatch = 5_000

// SweepRows removes the rows of a table whose time is over, batch by batch.
// The condition is the program's own SQL about $1, the moment before which a
// row is too old.
func (db *DB) SweepRows(ctx context.Context, table, over string, before time.Time) error {
	for {
		tag, err := db.Work.Exec(ctx, `DELETE FROM `+table+` WHERE ctid IN (SELECT ctid FROM `+table+` WHERE `+over+` LIMIT $2)`, before, sweepBatch)
		if err != nil || tag.RowsAffected() < sweepBatch {
			return err
		}
	}
}

// Sweep removes windows of limits that have ended and answers that are
// remembered no more.
func (db *DB) Sweep(ctx context.Context) error {
	dayAgo := db.Clock.Now().Add(-24 * time.Hour)
	if err := db.SweepRows(ctx, "rate_windows", "ends_at < $1", dayAgo); err != nil {
		return err
	}
	return db.SweepRows(ctx, "idempotency_keys", "created_at < $1", db.Clock.Now().Add(-IdempotencyWindow))
}

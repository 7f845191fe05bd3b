package models

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// PartitionedTables grow without end; they are partitioned by the month of
// their ids.
var PartitionedTables = []string{"executions", "jobs", "webhook_deliveries", "webhook_attempts", "audit_entries"}

// PartitionName is the partition of one of them for a month; the function ensure_month makes it.
func PartitionName(table string, month time.Time) string { return table + "_" + month.Format("200601") }

// sweepBatch is how many rows one statement removes, so that no lock lasts.
const sweepBatch = 5_000

// SweepRows removes the rows of a table whose time is over, batch by batch. The condition is the program's own SQL about
// the parameters, such as $1, the moment before which a row is too old.
func (db *DB) SweepRows(ctx context.Context, table, over string, args ...any) error {
	// Rows of two partitions may have the same ctid.
	return db.InBatches(ctx, fmt.Sprintf(`DELETE FROM %[1]s WHERE (tableoid, ctid) IN (SELECT tableoid, ctid FROM %[1]s WHERE %[2]s LIMIT $%[3]d)`,
		table, over, len(args)+1), args...)
}

// InBatches makes a statement again until it finds no more rows; its last parameter is how many it may change at once.
func (db *DB) InBatches(ctx context.Context, statement string, args ...any) error {
	args = append(slices.Clone(args), sweepBatch)
	for {
		tag, err := db.Work.Exec(ctx, statement, args...)
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

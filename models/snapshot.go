package models

import (
	"context"
	"database/sql"

	"gorm.io/gorm"
)

// Snapshot runs fn with a context in which everything that is read, by however
// many statements, is as it was at one moment; nothing can be written in it.
// Anyone who writes meanwhile is neither seen nor held up. It is for background
// work that reads whole tables: the connection is one of those set apart for it.
func (db *DB) Snapshot(ctx context.Context, fn func(ctx context.Context) error) error {
	ctx = ForWork(ctx)
	return db.gorm.WithContext(ctx).Transaction(func(g *gorm.DB) error {
		// Whole tables are read in the order in which they lie, and what is sorted goes to disk.
		const settings = `SET LOCAL enable_seqscan = on; SET LOCAL work_mem = '32MB'; SET LOCAL max_parallel_workers_per_gather = 0`
		if err := g.Exec(settings).Error; err != nil {
			return err
		}
		var after afterCommit
		return fn(db.newTx(ctx, g, &after).Context())
	}, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
}

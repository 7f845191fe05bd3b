package models

import (
	"context"
	"database/sql"
	"sync/atomic"
	"time"
)

// Clock is where time comes from. Nothing below main calls time.Now for a
// rule, so that every rule about minutes, hours and retries can be tested.
type Clock interface {
	Now() time.Time
}

// DatabaseClock tells the database's time, so that replicas whose own clocks
// differ agree. It keeps the offset to the local clock and measures it again
// on Sync.
type DatabaseClock struct {
	offset atomic.Int64 // nanoseconds to add to the local clock
}

// Now is the database's current time in UTC, in microseconds as PostgreSQL keeps it.
func (c *DatabaseClock) Now() time.Time {
	return time.Now().Add(time.Duration(c.offset.Load())).UTC().Truncate(time.Microsecond)
}

// Sync measures the offset between the local clock and the database's.
func (c *DatabaseClock) Sync(ctx context.Context, db *sql.DB) error {
	before := time.Now()
	var there time.Time
	if err := db.QueryRowContext(ctx, `SELECT clock_timestamp()`).Scan(&there); err != nil {
		return err
	}
	middle := before.Add(time.Since(before) / 2)
	c.offset.Store(int64(there.Sub(middle)))
	return nil
}

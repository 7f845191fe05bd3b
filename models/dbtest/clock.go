package dbtest

import (
	"sync"
	"time"
)

// Start is when a Clock begins: a Monday morning.
var Start = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)

// Clock is a models.Clock that moves only when told to.
type Clock struct {
	mu  sync.Mutex
	now time.Time
}

// NewClock is a clock that shows Start.
func NewClock() *Clock { return &Clock{now: Start} }

// Now is the time that the clock shows.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Set moves the clock to t, backwards too; microseconds, as PostgreSQL keeps them.
func (c *Clock) Set(t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = t.UTC().Truncate(time.Microsecond)
}

// Advance moves the clock by d and returns the new time.
func (c *Clock) Advance(d time.Duration) time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d).Truncate(time.Microsecond)
	return c.now
}

package models

import (
	"context"
	"database/sql/driver"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
)

// A connection that was just opened is slow: opening it and planning its first statements take PostgreSQL some 25 ms of
// processor time, as much as twenty requests on one that has been used. A class that begins at one moment would open
// all that the pool may have and wait for them; by turns on the few that are there it is done sooner. So a pool
// grows only for callers who have waited for growAfter, by at most maxGrowing connections at once that are opened and used for the
// first time, and by maxGrowingLate for those who have waited for lateAfter. A first use that takes longer than firstUse is no
// longer one, and beyond growthWait a connection is opened all the same.
const (
	freelyOpened   = 2
	maxGrowing     = 2
	growAfter      = 30 * time.Millisecond
	maxGrowingLate = 6
	lateAfter      = 100 * time.Millisecond
	firstUse       = 75 * time.Millisecond
	growthWait     = 400 * time.Millisecond
)

// growth bounds how a pool grows. A pool that has all of its connections has a queue of its own.
type growth struct {
	// stat is how many connections of the pool are free, how many it has and may have.
	stat func() (free, all, most int)

	mu       sync.Mutex
	promised int // free connections for callers who were let in and have not taken theirs yet
	growing  int
	waiting  []*arrival
}

func newGrowth(pool *pgxpool.Pool) *growth {
	return &growth{stat: func() (free, all, most int) {
		stat := pool.Stat()
		return int(stat.IdleConns()), int(stat.TotalConns()), int(stat.MaxConns())
	}}
}

// arrival is a caller who waits for a connection.
type arrival struct {
	since time.Time
	let   chan admission
}

// admission is what a caller who asks for a connection was let in for.
type admission int

const (
	toQueue admission = iota // in the pool, or to open one
	toReuse
	toGrow
)

// enter waits until there is a free connection or one may be opened; end must be called with what it returns.
func (g *growth) enter(ctx context.Context) (admission, error) {
	me := &arrival{since: time.Now(), let: make(chan admission, 1)}
	g.mu.Lock()
	if len(g.waiting) == 0 {
		if a, ok := g.admit(me); ok {
			g.mu.Unlock()
			return a, nil
		}
	}
	g.waiting = append(g.waiting, me)
	g.mu.Unlock()
	ripe, late, end := time.NewTimer(growAfter), time.NewTimer(lateAfter), time.NewTimer(growthWait)
	defer ripe.Stop()
	defer late.Stop()
	defer end.Stop()
	for {
		select {
		case a := <-me.let:
			return a, nil
		case <-ripe.C:
			g.end(toQueue)
		case <-late.C:
			g.end(toQueue)
		case <-end.C:
			return g.giveUp(me), nil
		case <-ctx.Done():
			g.end(g.giveUp(me))
			return toQueue, ctx.Err()
		}
	}
}

// admit decides for a caller; false has it wait.
func (g *growth) admit(who *arrival) (admission, bool) {
	free, all, most := g.stat()
	switch {
	case free > g.promised:
		g.promised++
		return toReuse, true
	case all >= most:
		return toQueue, true
	case g.growing < maxGrowing && (all < freelyOpened || time.Since(who.since) >= growAfter),
		g.growing < maxGrowingLate && time.Since(who.since) >= lateAfter:
		g.growing++
		return toGrow, true
	}
	return toQueue, false
}

// giveUp is toQueue for one who waits no longer, or what they were let in for in that same moment.
func (g *growth) giveUp(who *arrival) admission {
	g.mu.Lock()
	defer g.mu.Unlock()
	if i := slices.Index(g.waiting, who); i >= 0 {
		g.waiting = slices.Delete(g.waiting, i, i+1)
		return toQueue
	}
	return <-who.let
}

// end ends an admission: toReuse once the connection is taken, toGrow once it is given back for the first time, each also
// when there was none. It lets in those who wait, and is called besides whenever that may have become possible.
func (g *growth) end(a admission) {
	g.mu.Lock()
	defer g.mu.Unlock()
	switch a {
	case toReuse:
		g.promised--
	case toGrow:
		g.growing--
	}
	for len(g.waiting) > 0 {
		next, ok := g.admit(g.waiting[0])
		if !ok {
			return
		}
		g.waiting[0].let <- next
		g.waiting = slices.Delete(g.waiting, 0, 1)
	}
}

// connect takes a connection of the pool once it may.
func (g *growth) connect(ctx context.Context, pool driver.Connector) (driver.Conn, error) {
	a, err := g.enter(ctx)
	if err != nil {
		return nil, err
	}
	conn, err := pool.Connect(ctx)
	known, ok := conn.(*stdlib.Conn)
	if err != nil || !ok {
		g.end(a)
		return conn, err
	}
	if a == toReuse {
		g.end(a)
		a = toQueue
	}
	return &grownConn{known, g.held(a)}, nil
}

// held is what has to be called when a connection is given back.
func (g *growth) held(a admission) (back func()) {
	if a != toGrow {
		return func() { g.end(toQueue) }
	}
	grown := sync.OnceFunc(func() { g.end(toGrow) })
	timer := time.AfterFunc(firstUse, grown)
	return func() {
		timer.Stop()
		grown()
		g.end(toQueue)
	}
}

// grownConn is a connection that tells when it is given back.
type grownConn struct {
	*stdlib.Conn
	back func()
}

func (c *grownConn) Close() error {
	err := c.Conn.Close()
	c.back()
	return err
}

package models

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/multitracer"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
)

// The connections of one process are divided, so that no kind of work starves
// another: requests have the pool that the configuration sizes, background work
// half as many, deliveries a few, for they work in batches, and a reserve serves
// what must answer while the others are taken - limits, readiness, signing out.
const (
	reservedConnections = 3
	deliveryConnections = 3
	minWork             = 2
)

// How long a connection is waited for; beyond it the answer is
// service_unavailable.
const (
	ConnectionWait = 2 * time.Second
	// workWait is patient: no one waits for background work.
	workWait = 30 * time.Second
)

// What a request's connection may spend on one statement, on waiting for a row
// that another transaction holds, and idle within a transaction. Background
// work has no such bounds.
const (
	StatementTime       = 30 * time.Second
	LockTime            = 10 * time.Second
	IdleTransactionTime = 30 * time.Second
)

// share is a part of the connections.
type share int

const (
	ofRequests share = iota
	ofWork
	ofReserve
	ofDeliveries
	ofStandby // of another server; see OnStandby
	shares    = iota
)

type shareKey struct{}

// ForWork marks background work: it uses the connections set apart for it.
func ForWork(ctx context.Context) context.Context { return context.WithValue(ctx, shareKey{}, ofWork) }

// ForDeliveries marks the work of sending events: it uses the connections set
// apart for it, so that runs do not hold it up.
func ForDeliveries(ctx context.Context) context.Context {
	return context.WithValue(ctx, shareKey{}, ofDeliveries)
}

// FromReserve marks what must be answered also while all connections of
// requests are taken.
func FromReserve(ctx context.Context) context.Context {
	return context.WithValue(ctx, shareKey{}, ofReserve)
}

func shareOf(ctx context.Context) share {
	s, _ := ctx.Value(shareKey{}).(share)
	return s
}

// pools are the connections of the process by share; there may be none of the standby.
type pools [shares]*pgxpool.Pool

// Background has the connections of background work that the context belongs
// to: those of deliveries, else Work.
func (db *DB) Background(ctx context.Context) *pgxpool.Pool {
	if shareOf(ctx) == ofDeliveries {
		return db.Deliveries
	}
	return db.Work
}

// openPools prepares the pools of a configuration, whose MaxConns are those of
// requests. Connections are made when they are first needed.
func openPools(config, standby *pgxpool.Config, wait time.Duration, pooled bool) (p pools, err error) {
	sizes := [shares]int32{
		ofRequests: config.MaxConns, ofWork: max(minWork, config.MaxConns/2),
		ofReserve: reservedConnections, ofDeliveries: deliveryConnections,
	}
	for s, size := range sizes {
		c, pooled := config.Copy(), pooled
		gate := turnstile{share: share(s), wait: wait}
		if gate.share == ofStandby {
			if standby == nil {
				continue
			}
			// A pooler may stand before it or not: nothing is left on a connection.
			c, size, pooled = standby.Copy(), standby.MaxConns, true
			gate.wait = min(wait, standbyWait)
		}
		c.MaxConns, c.MinConns, c.MinIdleConns = size, 0, 0
		settings := requestSettings
		switch gate.share {
		case ofWork, ofDeliveries:
			gate.wait, settings = max(wait, workWait), queueSettings
		default:
			if pooled {
				gate.limit = StatementTime
			}
		}
		if pooled {
			settings = "" // what they set would be left for the next user of the connection
			c.AfterConnect = nil
		}
		c.AfterConnect = setting(c.AfterConnect, settings)
		c.ConnConfig.Tracer = gate
		if other := config.ConnConfig.Tracer; other != nil {
			c.ConnConfig.Tracer = multitracer.New(gate, other)
		}
		if p[s], err = pgxpool.NewWithConfig(context.Background(), c); err != nil {
			p.close()
			return p, err
		}
	}
	return p, nil
}

func (p pools) close() {
	for _, pool := range p {
		if pool != nil {
			pool.Close()
		}
	}
}

// requestSettings are the bounds of a request's connection.
var requestSettings = fmt.Sprintf(`SET statement_timeout = %d; SET lock_timeout = %d; SET idle_in_transaction_session_timeout = %d`,
	StatementTime.Milliseconds(), LockTime.Milliseconds(), IdleTransactionTime.Milliseconds())

// queueSettings keep the statements of background work on indexes. The tables
// of queues are empty one moment and full of dead rows the next: a plan that was
// made while reading all of such a table was cheapest stays in use long after.
const queueSettings = `SET enable_seqscan = off; SET jit = off; SET default_transaction_isolation = 'read committed'`

// setting prepares a new connection, with settings that are made by a statement and not by startup
// parameters, which poolers refuse.
func setting(before func(context.Context, *pgx.Conn) error, settings string) func(context.Context, *pgx.Conn) error {
	return func(ctx context.Context, conn *pgx.Conn) error {
		if before != nil {
			if err := before(ctx, conn); err != nil {
				return err
			}
		}
		knowIDs(conn)
		if settings == "" {
			return nil
		}
		_, err := conn.Exec(ctx, settings)
		return err
	}
}

// errSecond stops code that asks for a second connection while it holds one:
// enough of it at once would wait for itself for ever.
var errSecond = errors.New("a second connection was asked for within a transaction: use tx.Context()")

// turnstile stands before a pool: it bounds the waiting, and lets no one in who
// is within a transaction. Only the reserve may be used from a transaction on
// another share, for no one who holds one of its connections waits for another.
type turnstile struct {
	share share
	wait  time.Duration
	// limit ends statements where no setting does; 0 is none.
	limit time.Duration
}

type (
	endWaitKey  struct{}
	endLimitKey struct{}
)

// TraceAcquireStart begins the wait.
func (t turnstile) TraceAcquireStart(ctx context.Context, _ *pgxpool.Pool, _ pgxpool.TraceAcquireStartData) context.Context {
	if !mayAcquire(ctx, t.share) {
		slog.ErrorContext(ctx, errSecond.Error())
		ended, end := context.WithCancel(ctx)
		end()
		return ended
	}
	limited, end := context.WithTimeout(ctx, t.wait)
	return context.WithValue(limited, endWaitKey{}, end)
}

// TraceAcquireEnd ends it.
func (t turnstile) TraceAcquireEnd(ctx context.Context, _ *pgxpool.Pool, _ pgxpool.TraceAcquireEndData) {
	if end, ok := ctx.Value(endWaitKey{}).(context.CancelFunc); ok {
		end()
	}
}

// TraceQueryStart begins the time that a statement has, where there is a limit. It is there without one too, for pgx takes a
// tracer of pools only among those of queries.
func (t turnstile) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	if t.limit == 0 {
		return ctx
	}
	limited, end := context.WithTimeout(ctx, t.limit)
	return context.WithValue(limited, endLimitKey{}, end)
}

// TraceQueryEnd ends it.
func (t turnstile) TraceQueryEnd(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryEndData) {
	if end, ok := ctx.Value(endLimitKey{}).(context.CancelFunc); ok {
		end()
	}
}

func mayAcquire(ctx context.Context, wanted share) bool {
	tx := transactionIn(ctx)
	return tx == nil || wanted == ofReserve && tx.share != ofReserve
}

// connector gives database/sql, and with it gorm, the connections of the share
// that a context belongs to.
type connector struct {
	of     [shares]driver.Connector
	growth [shares]*growth
	spread *spreading
}

func (p pools) connector() connector {
	c := connector{spread: &spreading{}}
	for s, pool := range p {
		if pool != nil {
			c.of[s], c.growth[s] = stdlib.GetPoolConnector(pool), newGrowth(pool)
		}
	}
	return c
}

// Connect takes a connection. When none is to be had in time, AsError makes
// service_unavailable of it.
func (c connector) Connect(ctx context.Context) (driver.Conn, error) {
	wanted := shareOf(ctx)
	if !mayAcquire(ctx, wanted) {
		return nil, errSecond
	}
	conn, err := c.growth[wanted].connect(ctx, c.of[wanted])
	if wanted == ofStandby {
		return conn, err // the primary answers
	}
	known, ok := conn.(*grownConn)
	if err != nil || !ok {
		return conn, noConnection(ctx, err)
	}
	if err := c.spread.find(ctx, known.Conn.Conn()); err != nil {
		return nil, errors.Join(err, known.Close())
	}
	if c.spread.on() {
		return &spreadConn{replanning: replanning{known}}, nil
	}
	return replanning{known}, nil
}

// replanning is a connection that asks again where a statement had been prepared before a migration added a column to what it
// reads: a program that is being replaced goes on working beside the next one. Within a transaction it is Write that begins again.
type replanning struct{ *grownConn }

// QueryContext asks once more at most: pgx forgets a statement that PostgreSQL refuses.
func (c replanning) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	rows, err := c.grownConn.QueryContext(ctx, query, args)
	if outdated(err) && c.Conn.Conn().PgConn().TxStatus() == idle {
		return c.grownConn.QueryContext(ctx, query, args)
	}
	return rows, err
}

// idle is the status of a connection that is in no transaction.
const idle = 'I'

// outdated tells whether a statement was prepared when its tables had other columns.
func outdated(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && pg.Code == "0A000" && pg.Routine == "RevalidateCachedQuery"
}

func (c connector) Driver() driver.Driver { return c.of[ofRequests].Driver() }

// noConnection marks the failure to get a connection; the caller's own end
// stays what it is.
func noConnection(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil {
		return err
	}
	if !errors.Is(err, context.DeadlineExceeded) {
		slog.ErrorContext(ctx, "the database cannot be reached", "error", err)
	}
	return &busy{err}
}

// busy says that no connection was to be had.
type busy struct{ cause error }

func (b *busy) Error() string { return "no connection to the database: " + b.cause.Error() }
func (b *busy) Unwrap() error { return b.cause }

package models

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

// Limit is a rule of at most Max calls in each fixed window of length Per.
// The counters live in PostgreSQL and are shared by replicas and faces; a use
// case counts, not the HTTP layer, so that each aliased GraphQL field counts.
type Limit struct {
	Name string
	Max  int
	Per  time.Duration
}

// Allowance is what is left of a limit after a call.
type Allowance struct {
	Limit     int
	Remaining int
	Reset     time.Duration // until the window ends
}

// CountCall counts one call against the limit for key (an account, an address,
// an endpoint) and refuses the one beyond it with rate_limit_exceeded. The
// count stays also when the use case fails afterwards: it is made on a
// connection of the reserve, apart from the transaction that the context is in.
func (db *DB) CountCall(ctx context.Context, limit Limit, key string) error {
	return db.CountCalls(ctx, limit, key, 1)
}

// CountCalls counts n at once; when they do not all fit, none is admitted.
func (db *DB) CountCalls(ctx context.Context, limit Limit, key string, n int) error {
	now := db.Clock.Now()
	start := now.Truncate(limit.Per)
	var count int
	// The two are one transaction. A crash may forget the last moment's counts; in
	// return no one waits for the disk while others wait for the same counter.
	counting := &pgx.Batch{}
	counting.Queue(`SELECT set_config('synchronous_commit', 'off', true)`)
	counting.Queue(`
		INSERT INTO rate_windows (name, key, started_at, ends_at, count) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (name, key, started_at) DO UPDATE SET count = rate_windows.count + EXCLUDED.count
		RETURNING count`, limit.Name, key, start, start.Add(limit.Per), n).QueryRow(func(row pgx.Row) error { return row.Scan(&count) })
	err := db.Reserve.SendBatch(ctx, counting).Close()
	if err != nil {
		return uncounted(ctx, err)
	}
	allowance := Allowance{Limit: limit.Max, Remaining: max(limit.Max-count, 0), Reset: start.Add(limit.Per).Sub(now)}
	RecordAllowance(ctx, allowance)
	if count <= limit.Max {
		return nil
	}
	return limit.refusal(allowance.Reset)
}

// Counted is what CountFound found.
type Counted struct {
	db    *DB
	ctx   context.Context
	limit Limit
	start time.Time
	row   pgx.Row
}

// CountFound counts a call against the limit for what it is about, which a query
// finds: one row, whose first column is the key, as text by the name of key. Both
// are one statement, for callers who show nothing else than what is looked up.
func (db *DB) CountFound(ctx context.Context, limit Limit, query string, args ...any) *Counted {
	start := db.Clock.Now().Truncate(limit.Per)
	n := len(args)
	statement := fmt.Sprintf(`
		WITH found AS (%s), counted AS (
			INSERT INTO rate_windows (name, key, started_at, ends_at, count) SELECT $%d, key, $%d, $%d, 1 FROM found
			ON CONFLICT (name, key, started_at) DO UPDATE SET count = rate_windows.count + 1 RETURNING count
		)
		SELECT counted.count, set_config('synchronous_commit', 'off', true), found.* FROM found, counted`, query, n+1, n+2, n+3)
	args = append(args, limit.Name, start, start.Add(limit.Per))
	return &Counted{db, ctx, limit, start, db.Reserve.QueryRow(ctx, statement, args...)}
}

// Scan reads what follows the key. Without a row it is sql.ErrNoRows; the call
// beyond the limit is rate_limit_exceeded.
func (c *Counted) Scan(dest ...any) error {
	var count int
	var set, key string
	err := c.row.Scan(append([]any{&count, &set, &key}, dest...)...)
	if errors.Is(err, pgx.ErrNoRows) {
		return sql.ErrNoRows
	}
	if err != nil {
		return uncounted(c.ctx, err)
	}
	left := Allowance{Limit: c.limit.Max, Remaining: max(c.limit.Max-count, 0), Reset: c.start.Add(c.limit.Per).Sub(c.db.Clock.Now())}
	RecordAllowance(c.ctx, left)
	if count > c.limit.Max {
		return c.limit.refusal(left.Reset)
	}
	return nil
}

// RetrySeconds rounds a wait up to whole seconds, at least one.
func RetrySeconds(d time.Duration) int { return max(1, int((d+time.Second-1)/time.Second)) }

func words(d time.Duration) string {
	switch d {
	case time.Minute:
		return "a minute"
	case time.Hour:
		return "an hour"
	case 24 * time.Hour:
		return "a day"
	}
	if d%time.Minute == 0 {
		return Several(int(d/time.Minute), "minute")
	}
	return Several(int(d/time.Second), "second")
}

type allowanceKey struct{}

type allowanceRecord struct {
	mu       sync.Mutex
	tightest *Allowance
}

// WithAllowances makes the context remember the tightest limit that a request
// met, for the RateLimit headers; read it with TightestAllowance.
func WithAllowances(ctx context.Context) context.Context {
	return context.WithValue(ctx, allowanceKey{}, &allowanceRecord{})
}

// TightestAllowance is the limit with the least left; nil when none was met.
func TightestAllowance(ctx context.Context) *Allowance {
	record, ok := ctx.Value(allowanceKey{}).(*allowanceRecord)
	if !ok {
		return nil
	}
	record.mu.Lock()
	defer record.mu.Unlock()
	return record.tightest
}

// RecordAllowance notes what is left of a limit that a use case counts itself.
func RecordAllowance(ctx context.Context, a Allowance) {
	record, ok := ctx.Value(allowanceKey{}).(*allowanceRecord)
	if !ok {
		return
	}
	record.mu.Lock()
	defer record.mu.Unlock()
	if record.tightest == nil || a.Remaining < record.tightest.Remaining {
		record.tightest = &a
	}
}

// CheckLimit refuses a key that used its limit up, without counting this call:
// for limits on failures.
func (db *DB) CheckLimit(ctx context.Context, limit Limit, key string) error {
	now := db.Clock.Now()
	start := now.Truncate(limit.Per)
	var count int
	err := db.Reserve.QueryRow(ctx, `SELECT coalesce(sum(count), 0) FROM rate_windows WHERE name = $1 AND key = $2 AND started_at = $3`,
		limit.Name, key, start).Scan(&count)
	if err != nil {
		return uncounted(ctx, err)
	}
	if count < limit.Max {
		return nil
	}
	return limit.refusal(start.Add(limit.Per).Sub(now))
}

// uncounted is what a limit answers that could not be looked at:
// rate_limit_unavailable, for nothing passes uncounted.
func uncounted(ctx context.Context, err error) error {
	if err = noConnection(ctx, err); !passing(err) {
		return err
	}
	refusal := Unavailable(ConnectionWait)
	refusal.Code = CodeRateLimitUnavailable
	return refusal
}

func (limit Limit) refusal(wait time.Duration) *Error {
	refusal := Err(CodeRateLimitExceeded, "Too many requests. At most %d in %s; try again in %s.",
		limit.Max, words(limit.Per), Several(RetrySeconds(wait), "second"))
	refusal.RetryAfter = wait
	return refusal
}

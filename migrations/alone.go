package migrations

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/pressly/goose/v3/lock"
)

const (
	// askAgain is how often a process that waits for another one's migrations asks whether they are over.
	askAgain = 200 * time.Millisecond
	// tellAgain is how often it says that it waits.
	tellAgain = 5 * time.Second
	// maxWait is how long it waits.
	maxWait = 10 * time.Minute
	// deadlocks is how many times in a row a migration may meet one.
	deadlocks = 20
)

// alone runs fn while no other process migrates the database. The locks belong to a transaction on a connection of their own:
// a pooler of transactions would keep the lock of a session when the session is over. Earlier versions take the same ones.
func alone(ctx context.Context, databaseURL string, fn func(pgx.Tx) error) error {
	config, err := connection(databaseURL)
	if err != nil {
		return err
	}
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	began, told := time.Now(), time.Now()
	for {
		tx, mine, err := take(ctx, conn)
		if err != nil {
			return err
		}
		if mine {
			defer func() { _ = tx.Rollback(context.WithoutCancel(ctx)) }()
			return fn(tx)
		}
		if time.Since(began) > maxWait {
			return fmt.Errorf("another process has been migrating the database for %s, or a pooler keeps its lock: "+
				"SELECT pid, granted FROM pg_locks WHERE locktype = 'advisory' names the connection", maxWait)
		}
		if time.Since(told) > tellAgain {
			told = time.Now()
			slog.InfoContext(ctx, "waiting for another process that migrates the database", "seconds", int(time.Since(began).Seconds()))
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(askAgain):
		}
	}
}

// take begins a transaction that holds the locks; mine is false where another process has one of them.
func take(ctx context.Context, conn *pgx.Conn) (tx pgx.Tx, mine bool, err error) {
	if tx, err = conn.Begin(ctx); err != nil {
		return nil, false, err
	}
	_, err = tx.Exec(ctx, `SET LOCAL idle_in_transaction_session_timeout = 0`)
	if err == nil {
		err = tx.QueryRow(ctx, `SELECT pg_try_advisory_xact_lock($1::bigint) AND pg_try_advisory_xact_lock(hashtextextended('atelier river migration', 0))`,
			int64(lock.DefaultLockID)).Scan(&mine)
	}
	if err != nil || !mine {
		_ = tx.Rollback(context.WithoutCancel(ctx))
		return nil, false, err
	}
	return tx, true, nil
}

// despiteDeadlocks runs fn again when a running service and a migration waited for each other's locks and PostgreSQL ended the
// migration: a migration that did not come to its end changed nothing.
func despiteDeadlocks(ctx context.Context, fn func() error) error {
	for met := 0; ; met++ {
		err := fn()
		var refused *pgconn.PgError
		if !errors.As(err, &refused) || refused.Code != "40P01" || met == deadlocks {
			return err
		}
		slog.InfoContext(ctx, "a migration and the running service waited for each other: trying again", "deadlocks", met+1)
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(askAgain):
		}
	}
}

package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// poolerTime is how long each question to a pooler may take; one whose only connection is taken does not answer.
const poolerTime = 3 * time.Second

// behindPooler finds out whether a pooler hands out connections of the database by the transaction, such as PgBouncer does.
// Then it prepares no statements, unless the address says how they are sent: a statement that is prepared in one
// transaction is not there in the next. A pooler by the statement is an error, for nothing works there.
func behindPooler(ctx context.Context, config *pgxpool.Config, databaseURL string) (pooled bool, err error) {
	if pooled, err = askPooler(ctx, config.ConnConfig); err != nil || !pooled {
		return pooled, err
	}
	if !strings.Contains(databaseURL, "default_query_exec_mode") {
		config.ConnConfig.DefaultQueryExecMode = pgx.QueryExecModeCacheDescribe
	}
	slog.InfoContext(ctx, "the database is behind a pooler of transactions: statements are not prepared, and wake-ups from other processes come by polling",
		"mode", config.ConnConfig.DefaultQueryExecMode.String())
	return true, nil
}

// askPooler compares the process of the database that a connection was promised with the one that works for it. Poolers make
// promises of their own; whether they keep to one process for a connection shows when another transaction takes it away.
func askPooler(ctx context.Context, config *pgx.ConnConfig) (byTransaction bool, err error) {
	first, err := connectPlainly(ctx, config)
	if err != nil {
		return false, err
	}
	defer first.Close(context.WithoutCancel(ctx))
	before, err := backendOf(ctx, first)
	if err != nil || before == first.PgConn().PID() {
		return false, err
	}
	for range 4 { // a pooler that takes turns may keep the process by chance
		other, err := connectPlainly(ctx, config)
		if err != nil {
			return false, err
		}
		after, err := besides(ctx, first, other)
		other.Close(context.WithoutCancel(ctx))
		switch {
		case errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil:
			return true, nil // the other transaction has the only connection
		case err != nil:
			return false, err
		case after != before:
			return true, nil
		}
	}
	return false, nil
}

// besides is the process that works for a connection while a transaction of another one holds its own.
func besides(ctx context.Context, first, other *pgx.Conn) (uint32, error) {
	tx, err := other.Begin(ctx)
	if err != nil {
		return 0, fmt.Errorf("the pooler before the database allows no transactions (pool_mode = statement): set it to transaction or session: %w", err)
	}
	defer func() { _ = tx.Rollback(context.WithoutCancel(ctx)) }()
	if _, err := tx.Exec(ctx, "SELECT"); err != nil {
		return 0, err
	}
	return backendOf(ctx, first)
}

func backendOf(ctx context.Context, conn *pgx.Conn) (pid uint32, err error) {
	limited, cancel := context.WithTimeout(ctx, poolerTime)
	defer cancel()
	err = conn.QueryRow(limited, "SELECT pg_backend_pid()").Scan(&pid)
	return pid, err
}

// connectPlainly connects without preparing anything.
func connectPlainly(ctx context.Context, config *pgx.ConnConfig) (*pgx.Conn, error) {
	plain := config.Copy()
	plain.DefaultQueryExecMode = pgx.QueryExecModeSimpleProtocol
	return pgx.ConnectConfig(ctx, plain)
}

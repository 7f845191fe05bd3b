package server

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// demoLast is the organization that the demo makes last: where it is, the demo was finished.
const demoLast = "Riverside Evening School"

// onlyDemo keeps other processes from making the demo at the same time, until release. The lock is that of a transaction,
// which holds behind a pooler of connections as well.
func (i *install) onlyDemo(ctx context.Context) (release func(), err error) {
	conn, err := i.DB.Work.Acquire(ctx)
	if err != nil {
		return nil, err
	}
	tx, err := conn.Begin(ctx)
	// A try that was just cut off holds the lock until the database sees that its connection has ended.
	for mine, tries := false, 0; err == nil && !mine; tries++ {
		err = tx.QueryRow(ctx, `SELECT pg_try_advisory_xact_lock(hashtextextended('atelier demo', 0))`).Scan(&mine)
		if err == nil && !mine {
			if tries == 15 {
				err = errors.New("the demo is being made by another process")
			}
			time.Sleep(200 * time.Millisecond)
		}
	}
	release = func() {
		if tx != nil {
			_ = tx.Rollback(context.WithoutCancel(ctx))
		}
		conn.Release()
	}
	if err != nil {
		release()
		return nil, err
	}
	return release, nil
}

// readyForDemo makes sure that the install is empty: what a try left that was not finished is cleared away. there: the
// demo was finished before. An install with accounts of others is an error, and stays as it is.
func (i *install) readyForDemo(ctx context.Context, s *Server) (there bool, err error) {
	anybody, err := s.Accounts.AnyUser(ctx)
	if err != nil || !anybody {
		return false, err
	}
	var addresses []string
	for _, p := range everybody() {
		addresses = append(addresses, address(p.name))
	}
	others, err := s.Accounts.AnyUserBut(ctx, addresses)
	if err != nil {
		return false, err
	}
	if there, err = s.Orgs.AnyNamed(ctx, demoLast); err != nil || there && !others {
		return there, err
	}
	if others {
		return false, errors.New("demo needs an empty install: this one has accounts already")
	}
	fmt.Fprintln(i.out, "An earlier try of the demo was not finished: what it made is cleared away, and it begins again.")
	return false, i.clear(ctx)
}

// stays are the tables that an empty install has rows in.
var stays = []string{"key_fingerprints", "storage_quotas", "workers", "content_removals"}

// clear empties all tables of the install but those that an empty one has rows in, and those of migrations and of River.
// Files that nothing names any more are used again by the next try, which makes the same ones.
func (i *install) clear(ctx context.Context) error {
	return pgx.BeginFunc(ctx, i.DB.Work, func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, `
			SELECT format('%I.%I', n.nspname, c.relname) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
			WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'p') AND NOT c.relispartition
				AND c.relname <> ALL($1) AND c.relname NOT LIKE 'goose%' AND c.relname NOT LIKE 'river%'
			ORDER BY c.relname`, stays)
		if err != nil {
			return err
		}
		tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, "TRUNCATE "+strings.Join(tables, ", ")+" RESTART IDENTITY")
		return err
	})
}

package models

import (
	"bytes"
	"context"
	"database/sql/driver"
	"regexp"
	"sync/atomic"

	"github.com/jackc/pgx/v5"

	"atelier/migrations"
)

// spreading is how the runs of the database lie; the first connections find it out, and it stays, for `atelier distribute` asks
// for the processes to be stopped.
type spreading struct {
	found atomic.Pointer[migrations.Distribution]
}

func (s *spreading) find(ctx context.Context, conn *pgx.Conn) error {
	if s.found.Load() != nil {
		return nil
	}
	found, err := migrations.ReadDistribution(ctx, conn)
	if err == nil {
		s.found.Store(&found)
	}
	return err
}

func (s *spreading) on() bool {
	found := s.found.Load()
	return found != nil && found.Spread
}

// Spread is Tx.Spread; before the first connection was made it is false.
func (db *DB) Spread() bool { return db.spread.on() }

// Spread tells whether runs lie on several servers, where no trigger of a run reaches other tables.
func (tx *Tx) Spread() bool { return tx.db.spread.on() }

// CarriesShard tells whether an id of a run or a job says on which shard its row lies, as all do on one server.
func (tx *Tx) CarriesShard(id ID) bool {
	return !tx.Spread() || bytes.Compare(id[:], tx.db.spread.found.Load().Last[:]) > 0
}

// spreadConn is a connection to a coordinator of Citus, which keeps account of what its transaction wrote on workers.
type spreadConn struct {
	replanning
	wrote bool
}

// spreadWrite is a statement that writes what lies on workers.
var spreadWrite = regexp.MustCompile(`(?i)\b(insert\s+into|update|delete\s+from)\s+"?(executions|jobs|results)"?\s`)

func (c *spreadConn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	c.wrote = c.wrote || spreadWrite.MatchString(query)
	return c.replanning.QueryContext(ctx, query, args)
}

func (c *spreadConn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	c.wrote = c.wrote || spreadWrite.MatchString(query)
	return c.replanning.ExecContext(ctx, query, args)
}

func (c *spreadConn) BeginTx(ctx context.Context, options driver.TxOptions) (driver.Tx, error) {
	tx, err := c.replanning.BeginTx(ctx, options)
	c.wrote = false
	return &spreadTx{tx, c, ctx}, err
}

// spreadTx is a transaction that commits on all servers or on none.
type spreadTx struct {
	driver.Tx
	conn *spreadConn
	ctx  context.Context
}

// Commit makes Citus commit in two phases where a worker was written to: without, what was written here and what was written
// there commit one after the other, and a coordinator that dies between the two loses one of them. Runs move credits, which
// are kept here, so that nearly all that write to a worker write here too.
func (tx *spreadTx) Commit() error {
	if tx.conn.wrote {
		if _, err := tx.conn.replanning.ExecContext(tx.ctx, `DELETE FROM commit_everywhere WHERE id = 0`, nil); err != nil {
			_ = tx.Rollback()
			return err
		}
	}
	return tx.Tx.Commit()
}

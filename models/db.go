package models

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverdatabasesql"
	"gorm.io/driver/postgres"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"
)

// DB is the database as the areas see it: reads, transactions, time, wake-ups,
// and the keys that authenticate cursors.
type DB struct {
	Pool  *pgxpool.Pool
	SQL   *sql.DB
	Clock Clock
	Bus   *Bus

	gorm      *gorm.DB
	river     *river.Client[*sql.Tx]
	ids       idSource
	cursorKey [32]byte
	answers   *Vault // of remembered answers, which may carry secrets
}

// Open prepares gorm and the insert-only River client on the pool. secret
// keys the cursors and must be the same on every replica.
func Open(pool *pgxpool.Pool, clock Clock, secret []byte) (*DB, error) {
	sqlDB := stdlib.OpenDBFromPool(pool)
	orm, err := gorm.Open(postgres.New(postgres.Config{Conn: sqlDB}), &gorm.Config{
		SkipDefaultTransaction: true,
		Logger:                 logger.Discard,
		NowFunc:                clock.Now,
	})
	if err != nil {
		return nil, err
	}
	enqueuer, err := river.NewClient(riverdatabasesql.New(sqlDB), &river.Config{
		Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		return nil, err
	}
	answerKey := sha256.Sum256(append([]byte("answers:"), secret...))
	answers, err := NewVault(answerKey[:])
	if err != nil {
		return nil, err
	}
	return &DB{
		Pool: pool, SQL: sqlDB, Clock: clock, Bus: NewBus(pool),
		gorm: orm, river: enqueuer,
		cursorKey: sha256.Sum256(append([]byte("cursor:"), secret...)),
		answers:   answers,
	}, nil
}

// Tx is one transaction of one use case: all its rows have the time Now and
// the actor Actor.
type Tx struct {
	*gorm.DB
	Now   time.Time
	Actor Actor

	ctx    context.Context
	db     *DB
	topics *[]string
}

type txKey struct{}

// Read is a query on the database, or on the transaction that the context is
// in. Read-only use cases need no transaction of their own.
func (db *DB) Read(ctx context.Context) *gorm.DB {
	if tx, ok := ctx.Value(txKey{}).(*Tx); ok {
		return tx.DB.WithContext(ctx)
	}
	return db.gorm.WithContext(ctx)
}

// Write runs fn in one transaction and commits when it returns nil. A
// deadlock or serialization failure is tried again, up to three times in all.
// Within a transaction that the context is in already, fn joins it behind a
// savepoint. Wake-ups go out after the commit. A constraint that a race hit
// comes back as its refusal.
func (db *DB) Write(ctx context.Context, fn func(*Tx) error) error {
	if outer, ok := ctx.Value(txKey{}).(*Tx); ok {
		return outer.DB.Transaction(func(g *gorm.DB) error {
			inner := *outer
			inner.DB = g.WithContext(ctx)
			inner.Actor = ActorFrom(ctx)
			return fn(&inner)
		})
	}
	var err error
	for attempt := range 3 {
		if attempt > 0 {
			time.Sleep(time.Duration(attempt) * 10 * time.Millisecond)
		}
		var topics []string
		err = db.gorm.WithContext(ctx).Transaction(func(g *gorm.DB) error {
			tx := &Tx{DB: g, Now: db.Clock.Now(), Actor: ActorFrom(ctx), db: db, topics: &topics}
			tx.ctx = context.WithValue(ctx, txKey{}, tx)
			tx.DB = g.WithContext(tx.ctx)
			return fn(tx)
		})
		if err == nil {
			db.Bus.Publish(topics...)
			return nil
		}
		if !transient(err) {
			break
		}
	}
	if refusal := fromPostgres(err); refusal != nil {
		return refusal
	}
	return err
}

// transient tells whether the database asks to try the transaction again.
func transient(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && (pg.Code == "40001" || pg.Code == "40P01")
}

// Context carries the transaction: use cases called with it join it.
func (tx *Tx) Context() context.Context { return tx.ctx }

// NewID makes an id at the transaction's time; later ones sort after earlier ones.
func (tx *Tx) NewID() ID { return tx.db.ids.next(tx.Now) }

// Notify wakes the listeners of a topic once the transaction has committed.
func (tx *Tx) Notify(topic string) { *tx.topics = append(*tx.topics, topic) }

// Enqueue adds a River job that exists exactly when the transaction commits.
func (tx *Tx) Enqueue(args river.JobArgs, opts *river.InsertOpts) error {
	sqlTx, ok := tx.Statement.ConnPool.(*sql.Tx)
	if !ok {
		return fmt.Errorf("enqueue %s: not in a transaction", args.Kind())
	}
	_, err := tx.db.river.InsertTx(tx.ctx, sqlTx, args, opts)
	return err
}

// Run is a statement with numbered parameters, arrays among them, on the
// transaction's connection; it returns how many rows it changed.
func (tx *Tx) Run(query string, args ...any) (int64, error) {
	result, err := tx.DB.Statement.ConnPool.ExecContext(tx.ctx, query, args...)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// Row makes a statement with numbered parameters that reads one row, on the
// transaction that the context is in, or on the database: for what is read with
// every request. Without a row, Scan returns sql.ErrNoRows.
func (db *DB) Row(ctx context.Context, query string, args ...any) *sql.Row {
	return db.connection(ctx).QueryRowContext(ctx, query, args...)
}

// Rows is Row for any number of rows; columns are where a row's values go.
func Rows[T any](ctx context.Context, db *DB, columns func(*T) []any, query string, args ...any) (all []T, err error) {
	rows, err := db.connection(ctx).QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var one T
		if err := rows.Scan(columns(&one)...); err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, rows.Err()
}

// InTransaction tells whether the context is in a transaction: whoever waits for
// others must not hold one.
func InTransaction(ctx context.Context) bool { return ctx.Value(txKey{}) != nil }

func (db *DB) connection(ctx context.Context) gorm.ConnPool {
	if tx, ok := ctx.Value(txKey{}).(*Tx); ok {
		return tx.Statement.ConnPool
	}
	return db.SQL
}

// Affected is the number of rows a statement changed, for conditional updates.
func Affected(result *gorm.DB) (int64, error) { return result.RowsAffected, result.Error }

// First reads one row into dest; none is notFound.
func First[T any](query *gorm.DB, notFound error) (*T, error) {
	var row T
	err := query.Take(&row).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return nil, notFound
	}
	if err != nil {
		return nil, err
	}
	return &row, nil
}

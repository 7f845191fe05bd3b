package models

import (
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverdatabasesql"
	"gorm.io/driver/postgres"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"

	"atelier/models/tracing"
)

// DB is the database as the areas see it: reads, transactions, time, wake-ups,
// and the keys that authenticate cursors.
type DB struct {
	// Pool has the connections of requests, Work those of background work,
	// Deliveries those that send events, and Reserve the few that answer while
	// the others are taken.
	Pool, Work, Reserve, Deliveries *pgxpool.Pool
	// SQL uses the pool that the context names; see ForWork and FromReserve.
	SQL   *sql.DB
	Clock Clock
	Bus   *Bus
	// Pooled is Config.Pooled.
	Pooled bool
	// StillStands refuses to repeat a remembered answer to an account that stands no more
	// where it stood; nil repeats it.
	StillStands func(ctx context.Context, userID ID, all []Standing) error

	gorm      *gorm.DB
	river     *river.Client[*sql.Tx]
	ids       idSource
	cursorKey [32]byte
	secret    [32]byte  // of DerivedKey
	answers   *Vault    // of remembered answers, which may carry secrets
	atWork    *sync.Map // the keys of requests that this process is at
	pools     pools
	standby   *standby // nil where none is set
	spread    *spreading
}

// Config is how to reach the database.
type Config struct {
	// Database is where it is; its MaxConns are the connections of requests.
	Database *pgxpool.Config
	// Standby is a server that follows Database, or nil; its MaxConns are the connections of reports.
	Standby *pgxpool.Config
	Clock   Clock
	// Secret keys the cursors and must be the same on every replica.
	Secret []byte
	// Wait is how long a request waits for a connection; ConnectionWait when 0.
	Wait time.Duration
	// Pooled says that a pooler of transactions stands before the database: each transaction may be on another connection
	// of the database, so that nothing is left on one - no settings, no prepared statements, no listening.
	Pooled bool
}

// Open prepares the pools, gorm and the insert-only River client; Close ends them.
func Open(config Config) (*DB, error) {
	p, err := openPools(config.Database, config.Standby, cmp.Or(config.Wait, ConnectionWait), config.Pooled)
	if err != nil {
		return nil, err
	}
	db, err := p.open(config.Clock, config.Secret, config.Pooled)
	if err != nil {
		p.close()
	} else if config.Standby != nil {
		db.standby = &standby{}
	}
	return db, err
}

func (p pools) open(clock Clock, secret []byte, pooled bool) (*DB, error) {
	connections := p.connector()
	sqlDB := sql.OpenDB(connections)
	sqlDB.SetMaxIdleConns(0) // the pools keep them
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
	bus := NewBus(p[ofWork])
	bus.deaf = pooled
	return &DB{
		Pool: p[ofRequests], Work: p[ofWork], Reserve: p[ofReserve], Deliveries: p[ofDeliveries], SQL: sqlDB, Clock: clock, Bus: bus, Pooled: pooled,
		gorm: orm, river: enqueuer,
		cursorKey: sha256.Sum256(append([]byte("cursor:"), secret...)),
		secret:    sha256.Sum256(append([]byte("derived:"), secret...)),
		answers:   answers,
		atWork:    &sync.Map{},
		pools:     p,
		spread:    connections.spread,
	}, nil
}

// At is the same database, by the same connections, at another clock.
func (db *DB) At(clock Clock, secret []byte) (*DB, error) {
	other, err := db.pools.open(clock, secret, db.Pooled)
	if err == nil {
		other.standby = db.standby
	}
	return other, err
}

func (db *DB) Close() {
	_ = db.SQL.Close()
	db.pools.close()
}

// Tx is one transaction of one use case: all its rows have the time Now and
// the actor Actor.
type Tx struct {
	*gorm.DB
	Now   time.Time
	Actor Actor

	ctx   context.Context
	db    *DB
	after *afterCommit
	share share // whose connection it holds
	memo  memo  // see Remember
}

type txKey struct{}

// transactionIn is the transaction that the context is in, nil when none.
func transactionIn(ctx context.Context) *Tx {
	if tx, ok := ctx.Value(txKey{}).(*Tx); ok {
		return tx
	}
	if once, ok := ctx.Value(idempotentTxKey{}).(*idempotentTx); ok {
		return once.transaction()
	}
	return nil
}

// Read is a query on the database, or on the transaction that the context is
// in. Read-only use cases need no transaction of their own.
func (db *DB) Read(ctx context.Context) *gorm.DB {
	if tx := transactionIn(ctx); tx != nil {
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
	if ctx.Value(onlyConfirmedKey{}) != nil {
		fn = refusingOld(fn)
	}
	if outer, ok := ctx.Value(txKey{}).(*Tx); ok {
		return outer.join(ctx, fn)
	}
	if once, ok := ctx.Value(idempotentTxKey{}).(*idempotentTx); ok {
		return once.write(ctx, fn)
	}
	err := retried(func() error {
		var after afterCommit
		err := db.gorm.WithContext(ctx).Transaction(func(g *gorm.DB) error {
			return fn(db.newTx(ctx, g, &after))
		})
		if err == nil {
			after.run(ctx, db)
		}
		return err
	})
	if refusal := fromPostgres(err); refusal != nil {
		return refusal
	}
	if lost(err) {
		return &away{err}
	}
	return err
}

type onlyConfirmedKey struct{}

// OnlyConfirmed is a context in which no write of a session is committed that was not
// confirmed within the hour: reauthentication_required.
func OnlyConfirmed(ctx context.Context) context.Context {
	return context.WithValue(ctx, onlyConfirmedKey{}, true)
}

func refusingOld(fn func(*Tx) error) func(*Tx) error {
	return func(tx *Tx) error {
		if err := fn(tx); err != nil {
			return err
		}
		return tx.Actor.RequireConfirmed(tx.Now)
	}
}

// newTx is the transaction that gorm began with ctx.
func (db *DB) newTx(ctx context.Context, g *gorm.DB, after *afterCommit) *Tx {
	tx := &Tx{Now: db.Clock.Now(), Actor: ActorFrom(ctx), db: db, after: after, share: shareOf(ctx)}
	tx.ctx = context.WithValue(ctx, txKey{}, tx)
	tx.DB = g.WithContext(tx.ctx)
	return tx
}

// join runs fn behind a savepoint of the transaction.
func (tx *Tx) join(ctx context.Context, fn func(*Tx) error) error {
	return tx.DB.Transaction(func(g *gorm.DB) error {
		inner := *tx
		inner.Actor = ActorFrom(ctx)
		inner.ctx = context.WithValue(ctx, txKey{}, &inner)
		inner.DB = g.WithContext(inner.ctx)
		return fn(&inner)
	})
}

// As is the transaction for another person: the actor of the context, which
// describes who acts. Work for several is done in one transaction so.
func (tx *Tx) As(ctx context.Context) *Tx {
	inner := *tx
	inner.Actor = ActorFrom(ctx)
	inner.ctx = context.WithValue(ctx, txKey{}, &inner)
	inner.DB = tx.DB.WithContext(inner.ctx)
	return &inner
}

// Within is the transaction in a context that was made of its own: what is done by it
// belongs to the span of that.
func (tx *Tx) Within(ctx context.Context) *Tx {
	inner := *tx
	inner.ctx = context.WithValue(ctx, txKey{}, &inner)
	inner.DB = tx.DB.WithContext(inner.ctx)
	return &inner
}

// retried tries a transaction up to three times, as long as the database asks for it.
func retried(try func() error) (err error) {
	for attempt := range 3 {
		if attempt > 0 {
			time.Sleep(time.Duration(attempt) * 10 * time.Millisecond)
		}
		if err = try(); !transient(err) {
			break
		}
	}
	return err
}

// transient tells whether the database asks to try the transaction again.
func transient(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && (pg.Code == "40001" || pg.Code == "40P01") || outdated(err)
}

// Database is where the transaction is.
func (tx *Tx) Database() *DB { return tx.db }

// Context carries the transaction: use cases called with it join it.
func (tx *Tx) Context() context.Context { return tx.ctx }

// NewID makes an id at the transaction's time; later ones sort after earlier ones.
func (tx *Tx) NewID() ID { return tx.db.ids.next(tx.Now) }

// NewIDIn is NewID for a row that lies on a shard: the one of an id that is the space's, or that of another such row of it.
func (tx *Tx) NewIDIn(space ID) ID { return InShardOf(tx.NewID(), space) }

// NewRunID is NewIDIn for a run that a space pays: that of the request which starts it, where that is
// traced, so that both are one trace.
func (tx *Tx) NewRunID(space ID) ID {
	if id, ok := tracing.RunID(tx.ctx, tx.Now); ok {
		return InShardOf(id, space)
	}
	return tx.NewIDIn(space)
}

// NewID is Tx.NewID for what is written without a Tx, at a time.
func (db *DB) NewID(at time.Time) ID { return db.ids.next(at) }

// Notify wakes the listeners of a topic once the transaction has committed.
func (tx *Tx) Notify(topic string) { tx.after.topics = append(tx.after.topics, topic) }

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

// HasOwnTransaction tells whether what is written with the context is a transaction by itself, to which
// nothing is added: what it writes may be written along with that of others as well.
func HasOwnTransaction(ctx context.Context) bool {
	once, _ := ctx.Value(idempotentTxKey{}).(*idempotentTx)
	return !InTransaction(ctx) && once == nil && ctx.Value(onlyConfirmedKey{}) == nil
}

// InTransaction tells whether the context is in a transaction: the one who waits for
// others must not hold one.
func InTransaction(ctx context.Context) bool { return ctx.Value(txKey{}) != nil }

func (db *DB) connection(ctx context.Context) gorm.ConnPool {
	if tx := transactionIn(ctx); tx != nil {
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

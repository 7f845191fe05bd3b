// Package dbtest gives tests a real PostgreSQL: each test gets its own
// database, cloned within milliseconds from one that was migrated once.
//
// The server is the one that TEST_DATABASE_URL names (a URL whose user may
// create databases), else a throwaway cluster that all test processes of this
// machine's user share and that ends by itself soon after the last of them.
// It needs PostgreSQL's programs in PATH or below /usr/lib/postgresql.
package dbtest

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"atelier/models"
)

// secret keys the cursors of test databases.
var secret = []byte("a secret that only tests use, 32b")

var databases atomic.Int64

// New is a migrated, otherwise empty database with a Clock of its own
// (db.Clock.(*dbtest.Clock)); it is dropped when the test ends. Wake-ups of
// the bus reach listeners of the same DB; call db.Bus.Run for others.
func New(t testing.TB) *models.DB {
	t.Helper()
	return NewWithClock(t, NewClock())
}

// NewWithClock is New with the given clock.
func NewWithClock(t testing.TB, clock models.Clock) *models.DB {
	t.Helper()
	return Open(t, NewURL(t), clock)
}

// Open is one more models.DB on a database that NewURL made: a second replica.
func Open(t testing.TB, databaseURL string, clock models.Clock) *models.DB {
	t.Helper()
	config, err := pgxpool.ParseConfig(databaseURL)
	if err != nil {
		t.Fatal(err)
	}
	config.MaxConns = 20
	watch := WatchConnections(t, config)
	db, err := models.Open(models.Config{Database: config, Clock: clock, Secret: secret, Wait: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	watch(db)
	t.Cleanup(db.Close)
	return db
}

// NewURL is the address of a migrated, otherwise empty database, for tests
// that start the program itself; it is dropped when the test ends.
func NewURL(t testing.TB) string {
	t.Helper()
	kind := strict
	if _, measured := t.(*testing.B); measured {
		kind = plain
	}
	if OnCitus() {
		kind = spread
	}
	return newURL(t, kind)
}

// NewPlainURL is NewURL for a database as installs on one server have it, where no row needs a shard.
func NewPlainURL(t testing.TB) string { return newURL(t, plain) }

func newURL(t testing.TB, kind templateKind) string {
	t.Helper()
	server, err := serverURL()
	if err != nil {
		t.Fatal(err)
	}
	template, err := migratedTemplate(t.Context(), server, kind)
	if err != nil {
		t.Fatal(err)
	}
	return cloneFor(t, server, template)
}

// NewEmptyURL is the address of a database with nothing in it; it is dropped when the test ends.
func NewEmptyURL(t testing.TB) string {
	t.Helper()
	server, err := serverURL()
	if err != nil {
		t.Fatal(err)
	}
	return cloneFor(t, server, "template0")
}

// cloneFor makes a database for a test.
func cloneFor(t testing.TB, server, template string) string {
	t.Helper()
	name := fmt.Sprintf("atelier_test_%d_%d", os.Getpid(), databases.Add(1))
	if err := clone(t.Context(), server, template, name); err != nil {
		t.Fatalf("cloning the test database: %v", err)
	}
	t.Cleanup(func() {
		err := whenUnused(func() error {
			return onAll(context.Background(), nodesOf(server), `DROP DATABASE IF EXISTS `+name+` WITH (FORCE)`)
		})
		if err != nil {
			t.Errorf("dropping the test database: %v", err)
		}
	})
	return withDatabase(server, name)
}

// serverURL is the server on which the test databases are made.
func serverURL() (string, error) {
	if given := os.Getenv("TEST_DATABASE_URL"); given != "" {
		return given, nil
	}
	return sharedCluster()
}

func withDatabase(server, name string) string {
	u, err := url.Parse(server)
	if err != nil {
		panic("TEST_DATABASE_URL must be a postgres:// URL: " + err.Error())
	}
	u.Path = "/" + name
	return u.String()
}

func execute(ctx context.Context, databaseURL, sql string) error {
	conn, err := pgx.Connect(ctx, databaseURL)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, sql)
	return err
}

// administrators are connections to servers on which databases are made and dropped, a few per process: a connection of its own
// for each statement takes PostgreSQL as long as a third of the copying.
var administrators struct {
	sync.Mutex
	of map[string]*pgxpool.Pool
}

// administer makes a statement on a server.
func administer(ctx context.Context, server, sql string) error {
	administrators.Lock()
	pool := administrators.of[server]
	if pool == nil {
		config, err := pgxpool.ParseConfig(server)
		if err == nil {
			config.MaxConns = 4
			pool, err = pgxpool.NewWithConfig(context.Background(), config)
		}
		if err != nil {
			administrators.Unlock()
			return err
		}
		if administrators.of == nil {
			administrators.of = map[string]*pgxpool.Pool{}
		}
		administrators.of[server] = pool
	}
	administrators.Unlock()
	_, err := pool.Exec(ctx, sql)
	return err
}

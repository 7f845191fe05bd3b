package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"atelier/config"
	"atelier/migrations"
	"atelier/models"
	"atelier/models/cluster"
)

// install is a configuration with its database and keys at hand.
type install struct {
	config.Config
	out   io.Writer
	DB    *models.DB
	clock *models.DatabaseClock
	// program is where the program lies; empty: no job has a process of its own.
	program string
}

// access is how a command uses the install's own PostgreSQL: alone, or beside
// a service that may be running.
type access bool

const (
	alone  access = false
	beside access = true
)

// withInstall opens the install - its own PostgreSQL when no other is named,
// the schema, the keys - runs fn and closes everything again.
func withInstall(ctx context.Context, c config.Config, use access, out io.Writer, fn func(*install) error) (err error) {
	databaseURL, release, err := openDatabase(ctx, c, use)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, release()) }()
	if err := c.LoadKeys(); err != nil {
		return err
	}
	if err := migrations.Up(ctx, databaseURL); err != nil {
		return err
	}
	pool, err := PoolConfig(databaseURL)
	if err != nil {
		return fmt.Errorf("DATABASE_URL: %w", err)
	}
	clock := &models.DatabaseClock{}
	db, err := models.Open(models.Config{Database: pool, Clock: clock, Secret: c.SessionKey})
	if err != nil {
		return err
	}
	defer db.Close()
	if err := clock.Sync(models.FromReserve(ctx), db.SQL); err != nil {
		return err
	}
	program, _ := os.Executable()
	return fn(&install{Config: c, out: out, DB: db, clock: clock, program: program})
}

// openDatabase is the address of the database: the named one, or that of the
// install's own PostgreSQL, which it starts. A second service on one data
// directory is an error; commands beside a running service use its server.
func openDatabase(ctx context.Context, c config.Config, use access) (databaseURL string, release func() error, err error) {
	keep := func() error { return nil }
	if c.DatabaseURL != "" {
		return c.DatabaseURL, keep, os.MkdirAll(c.DataDir, 0o700)
	}
	if databaseURL, running := cluster.Running(c.DataDir); running && use == beside {
		return databaseURL, keep, nil
	}
	server, err := cluster.Start(ctx, c.DataDir, slog.Default())
	if err != nil {
		return "", nil, err
	}
	return server.URL(), server.Stop, nil
}

// requestConnections are those of requests; with those of background work, of
// deliveries, the reserve and two that listen a process has 32, which leaves room for three
// replicas under PostgreSQL's default of 100.
const requestConnections = 16

// PoolConfig is how the service connects. Statements are planned once for each
// connection: on partitioned tables PostgreSQL finds such a plan dearer than one
// for each execution, and would plan anew every time. It is set by a statement
// and not by a startup parameter, which poolers refuse.
func PoolConfig(databaseURL string) (*pgxpool.Config, error) {
	config, err := pgxpool.ParseConfig(databaseURL)
	if err != nil {
		return nil, err
	}
	if !strings.Contains(databaseURL, "pool_max_conns") {
		config.MaxConns = requestConnections
	}
	config.AfterConnect = func(ctx context.Context, conn *pgx.Conn) error {
		// Compiling a plan costs more than any statement here takes: a report over a month would spend half its time on it.
		_, err := conn.Exec(ctx, `SET plan_cache_mode = force_generic_plan; SET jit = off`)
		return err
	}
	return config, nil
}

// Migrate applies, takes back or lists migrations.
func Migrate(ctx context.Context, c config.Config, args []string, out io.Writer) (err error) {
	if len(args) != 1 {
		return errors.New("migrate needs one of up, down, status")
	}
	databaseURL, release, err := openDatabase(ctx, c, beside)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, release()) }()
	switch args[0] {
	case "up":
		return migrations.Up(ctx, databaseURL)
	case "down":
		return migrations.Down(ctx, databaseURL)
	case "status":
		states, err := migrations.Status(ctx, databaseURL)
		for _, state := range states {
			mark := "pending"
			if state.Applied {
				mark = "applied"
			}
			fmt.Fprintf(out, "%-8s %s\n", mark, state.Name)
		}
		return err
	}
	return errors.New("migrate needs one of up, down, status")
}

package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"atelier/config"
	"atelier/migrations"
	"atelier/models"
	"atelier/models/cluster"
	"atelier/models/tracing"
)

// install is a configuration with its database and keys at hand.
type install struct {
	config.Config
	out   io.Writer
	DB    *models.DB
	clock *models.DatabaseClock
	// program is where the program lies; empty: no job has a process of its own.
	program string
	// unwell tells the install's own PostgreSQL that it must be started again, and why; nil where it is not the install's own.
	unwell func(why string)
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
	databaseURL, own, err := openDatabase(ctx, c, use)
	if err != nil {
		return err
	}
	i := &install{Config: c, out: out}
	if own != nil {
		defer func() { err = errors.Join(err, own.Stop()) }()
		own.Keep()
		i.unwell = own.Unwell
	}
	if err := c.LoadKeys(); err != nil {
		return err
	}
	pool, err := PoolConfig(databaseURL)
	if err != nil {
		return fmt.Errorf("DATABASE_URL: %w", err)
	}
	if c.Traces.Endpoint != "" {
		pool.ConnConfig.Tracer = tracing.Statements{}
	}
	pooled := false // nothing stands before a PostgreSQL of the install's own
	if c.DatabaseURL != "" {
		if pooled, err = behindPooler(ctx, pool, databaseURL); err != nil {
			return fmt.Errorf("DATABASE_URL: %w", err)
		}
	}
	if err := migrations.Up(ctx, databaseURL); err != nil {
		return err
	}
	i.Config, i.clock = c, &models.DatabaseClock{}
	standby, err := standbyConfig(c.DatabaseReadURL)
	if err != nil {
		return err
	}
	if i.DB, err = models.Open(models.Config{Database: pool, Standby: standby, Clock: i.clock, Secret: c.SessionKey, Pooled: pooled}); err != nil {
		return err
	}
	defer i.DB.Close()
	if err := i.clock.Sync(models.FromReserve(ctx), i.DB.SQL); err != nil {
		return err
	}
	i.program, _ = os.Executable()
	return fn(i)
}

// openDatabase is the address of the database: the named one, or that of the
// install's own PostgreSQL, which it starts and which own then is. A second service on one data
// directory is an error; commands beside a running service use its server.
func openDatabase(ctx context.Context, c config.Config, use access) (databaseURL string, own *cluster.Cluster, err error) {
	if c.DatabaseURL != "" {
		return c.DatabaseURL, nil, os.MkdirAll(c.DataDir, 0o700)
	}
	if databaseURL, running := cluster.Running(c.DataDir); running && use == beside {
		return databaseURL, nil, nil
	}
	if own, err = cluster.Start(ctx, c.DataDir, slog.Default()); err != nil {
		return "", nil, err
	}
	return own.URL(), own, nil
}

// requestConnections are those of requests; with those of background work, of
// deliveries, the reserve and two that listen a process has 32, which leaves room for three
// replicas under PostgreSQL's default of 100.
const requestConnections = 16

// PoolConfig is how the service connects. Statements are planned once for each
// connection: on partitioned tables PostgreSQL finds such a plan dearer than one
// for each execution, and would plan again every time. It is set by a statement
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
		// Where runs are spread over servers, a plan has to say on which.
		_, err := conn.Exec(ctx, `SELECT set_config('plan_cache_mode', CASE WHEN to_regclass('`+migrations.CommitEverywhere+`') IS NULL
			THEN 'force_generic_plan' ELSE 'auto' END, false); SET jit = off`)
		return err
	}
	return config, nil
}

// standbyConnections are those of reports.
const standbyConnections = 8

// standbyConfig is how the service reads from the standby, nil without one. It may be behind a pooler or not: nothing is
// prepared there, and a report has its plan made each time.
func standbyConfig(address string) (*pgxpool.Config, error) {
	if address == "" {
		return nil, nil
	}
	config, err := pgxpool.ParseConfig(address)
	if err != nil {
		return nil, fmt.Errorf("DATABASE_READ_URL: %w", err)
	}
	if !strings.Contains(address, "pool_max_conns") {
		config.MaxConns = standbyConnections
	}
	if !strings.Contains(address, "default_query_exec_mode") {
		config.ConnConfig.DefaultQueryExecMode = pgx.QueryExecModeCacheDescribe
	}
	if config.ConnConfig.ConnectTimeout == 0 {
		config.ConnConfig.ConnectTimeout = standbyConnectTime
	}
	return config, nil
}

// standbyConnectTime is how long a connection may take to begin; those who want one do not wait for so long.
const standbyConnectTime = 5 * time.Second

// Migrate applies, takes back or lists migrations.
func Migrate(ctx context.Context, c config.Config, args []string, out io.Writer) (err error) {
	if len(args) != 1 {
		return errors.New("migrate needs one of up, down, status")
	}
	databaseURL, own, err := openDatabase(ctx, c, beside)
	if err != nil {
		return err
	}
	if own != nil {
		defer func() { err = errors.Join(err, own.Stop()) }()
	}
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

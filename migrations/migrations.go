// Package migrations holds the schema as embedded SQL and applies it: the
// service's own tables with goose, River's with its own migrator.
//
// The first line of a migration says what it is for. goose records the number
// alone, so comments of migrations that were applied may change, statements may
// not. Numbers are missing between 8 and 76: they were reserved by work that went
// on side by side and needed fewer. None of them was ever applied to a database,
// and none is taken later: goose refuses a number below the latest applied one.
//
// A migration that makes a table says with COMMENT ON TABLE what a row is, what
// the table grows with and what ends its rows (docs/schema.md).
package migrations

import (
	"cmp"
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/riverqueue/river/riverdriver/riverdatabasesql"
	"github.com/riverqueue/river/rivermigrate"
)

// Files are the migrations, in the order of their names.
//
//go:embed *.sql
var Files embed.FS

// State is one migration and whether it is applied.
type State struct {
	Version int64
	Name    string
	Applied bool
}

// Up applies what is missing. Replicas that start at once wait for each other.
func Up(ctx context.Context, databaseURL string) error {
	return alone(ctx, databaseURL, func(tx pgx.Tx) error {
		if unfinished, err := Unfinished(ctx, tx); err != nil || unfinished {
			return cmp.Or(err, ErrUnfinished)
		}
		if _, err := ReadDistribution(ctx, tx); err != nil {
			return err
		}
		return with(databaseURL, func(db *sql.DB, provider *goose.Provider) error {
			err := despiteDeadlocks(ctx, func() error { _, err := provider.Up(ctx); return err })
			if err != nil {
				return fmt.Errorf("migrate up: %w", err)
			}
			return river(ctx, db, rivermigrate.DirectionUp, 0)
		})
	})
}

// Down takes the latest migration back; before the first one goes, River's tables go too.
func Down(ctx context.Context, databaseURL string) error {
	return alone(ctx, databaseURL, func(tx pgx.Tx) error {
		if d, err := ReadDistribution(ctx, tx); err != nil || d.Spread {
			return cmp.Or(err, errors.New("the runs of this database lie on several servers: no migration is taken back there"))
		}
		return with(databaseURL, func(db *sql.DB, provider *goose.Provider) error {
			version, err := provider.GetDBVersion(ctx)
			if err != nil {
				return err
			}
			if version == 1 {
				if err := river(ctx, db, rivermigrate.DirectionDown, -1); err != nil {
					return err
				}
			}
			return despiteDeadlocks(ctx, func() error { _, err := provider.Down(ctx); return err })
		})
	})
}

// Status lists the migrations.
func Status(ctx context.Context, databaseURL string) (states []State, err error) {
	err = with(databaseURL, func(_ *sql.DB, provider *goose.Provider) error {
		rows, err := provider.Status(ctx)
		for _, row := range rows {
			states = append(states, State{Version: row.Source.Version, Name: nameOf(row.Source), Applied: row.State == goose.StateApplied})
		}
		return err
	})
	return states, err
}

// nameOf is the file of a migration; one in Go says its own.
func nameOf(source *goose.Source) string {
	if source.Type == goose.TypeGo {
		return "00011_addresses.go"
	}
	return source.Path
}

// Pending tells whether a migration is missing: the service is not ready then.
func Pending(ctx context.Context, db *sql.DB) (bool, error) {
	provider, err := newProvider(db)
	if err != nil {
		return false, err
	}
	return provider.HasPending(ctx)
}

func with(databaseURL string, fn func(*sql.DB, *goose.Provider) error) error {
	config, err := connection(databaseURL)
	if err != nil {
		return err
	}
	db := stdlib.OpenDB(*config)
	defer db.Close()
	provider, err := newProvider(db)
	if err != nil {
		return err
	}
	return fn(db, provider)
}

// connection is how migrations connect. Nothing is prepared, unless the address asks for it: behind a pooler of transactions
// it would not be there when it is used.
func connection(databaseURL string) (*pgx.ConnConfig, error) {
	config, err := pgx.ParseConfig(databaseURL)
	if err == nil && !strings.Contains(databaseURL, "default_query_exec_mode") {
		config.DefaultQueryExecMode = pgx.QueryExecModeCacheDescribe
	}
	return config, err
}

// newProvider knows the migrations that are SQL and those that are Go.
func newProvider(db *sql.DB) (*goose.Provider, error) {
	return goose.NewProvider(goose.DialectPostgres, db, Files, goose.WithGoMigrations(addresses))
}

// river migrates River's tables to a version; 0 is the latest, -1 none.
func river(ctx context.Context, db *sql.DB, direction rivermigrate.Direction, version int) error {
	migrator, err := rivermigrate.New(riverdatabasesql.New(db), nil)
	if err != nil {
		return err
	}
	_, err = migrator.Migrate(ctx, direction, &rivermigrate.MigrateOpts{TargetVersion: version})
	return err
}

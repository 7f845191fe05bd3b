package migrations

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/pressly/goose/v3"
	"github.com/riverqueue/river/riverdriver/riverdatabasesql"
	"github.com/riverqueue/river/rivermigrate"
)

// Versions are those of a schema: the service's own, and River's.
type Versions struct {
	Schema int64 `json:"schema"`
	River  int   `json:"river"`
}

// Tables are those in which the versions are kept; restoring makes them itself.
var Tables = []string{"goose_db_version", "river_migration"}

// Of reads the versions of a database.
func Of(ctx context.Context, tx pgx.Tx) (v Versions, err error) {
	err = tx.QueryRow(ctx, `SELECT (SELECT max(version_id) FROM goose_db_version WHERE is_applied), (SELECT max(version) FROM river_migration WHERE line = 'main')`).
		Scan(&v.Schema, &v.River)
	return v, err
}

// Latest are the versions that this program brings a database to.
func Latest() (v Versions, err error) {
	provider, err := newProvider(&sql.DB{})
	if err != nil {
		return v, err
	}
	for _, source := range provider.ListSources() {
		v.Schema = max(v.Schema, source.Version)
	}
	migrator, err := rivermigrate.New(riverdatabasesql.New(nil), nil)
	if err != nil {
		return v, err
	}
	for _, migration := range migrator.AllVersions() {
		v.River = max(v.River, migration.Version)
	}
	return v, nil
}

// Knows is whether this program can bring an empty database to the versions.
func Knows(v Versions) (bool, error) {
	latest, err := Latest()
	if err != nil {
		return false, err
	}
	provider, err := newProvider(&sql.DB{})
	if err != nil {
		return false, err
	}
	has := slices.ContainsFunc(provider.ListSources(), func(s *goose.Source) bool { return s.Version == v.Schema })
	return has && v.River >= 1 && v.River <= latest.River, nil
}

// Newer is whether a newer program has migrated the database.
func Newer(ctx context.Context, db *sql.DB) (newer bool, err error) {
	latest, err := Latest()
	if err != nil {
		return false, err
	}
	err = db.QueryRowContext(ctx, `SELECT max(version_id) > $1 FROM goose_db_version WHERE is_applied`, latest.Schema).Scan(&newer)
	return newer, err
}

// The marker of a restore is a table, which is there from before the first migration until the transaction that fills all tables.
const marker = "unfinished_restore"

// ErrUnfinished is the refusal to work with a database whose restore was not finished.
var ErrUnfinished = errors.New("a restore into this database was not finished: run atelier restore again, which begins it once more")

// Unfinished is whether a restore into the database was begun and not finished.
func Unfinished(ctx context.Context, tx pgx.Tx) (unfinished bool, err error) {
	err = tx.QueryRow(ctx, `SELECT to_regclass($1) IS NOT NULL`, marker).Scan(&unfinished)
	return unfinished, err
}

// Finished is ErrUnfinished while a restore into the database was not finished.
func Finished(ctx context.Context, db *sql.DB) error {
	var finished bool
	err := db.QueryRowContext(ctx, `SELECT to_regclass($1) IS NULL`, marker).Scan(&finished)
	if err == nil && !finished {
		err = ErrUnfinished
	}
	return err
}

// BeginRestore marks the database; EndRestore takes the mark away.
func BeginRestore(ctx context.Context, conn *pgx.Conn) error {
	_, err := conn.Exec(ctx, `CREATE TABLE IF NOT EXISTS `+marker+` ()`)
	return err
}

func EndRestore(ctx context.Context, tx pgx.Tx) error {
	_, err := tx.Exec(ctx, `DROP TABLE `+marker)
	return err
}

// UpTo brings an empty database, or one whose restore was not finished, to the versions.
func UpTo(ctx context.Context, databaseURL string, v Versions) error {
	return alone(ctx, databaseURL, func(tx pgx.Tx) error {
		return with(databaseURL, func(db *sql.DB, provider *goose.Provider) error {
			if _, err := provider.UpTo(ctx, v.Schema); err != nil {
				return fmt.Errorf("migrate up: %w", err)
			}
			if there, err := riverIsAt(ctx, tx, v.River); err != nil || there {
				return err // asked for once more, it is an error
			}
			return river(ctx, db, rivermigrate.DirectionUp, v.River)
		})
	})
}

func riverIsAt(ctx context.Context, tx pgx.Tx, version int) (there bool, err error) {
	err = tx.QueryRow(ctx, `SELECT to_regclass('river_migration') IS NOT NULL`).Scan(&there)
	if err != nil || !there {
		return false, err
	}
	err = tx.QueryRow(ctx, `SELECT EXISTS (SELECT FROM river_migration WHERE line = 'main' AND version >= $1)`, version).Scan(&there)
	return there, err
}

package tests

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// database is the one behind a service, seen by SQL.
type database struct {
	t    *testing.T
	ctx  context.Context
	conn *pgx.Conn
}

// openDatabase connects with the database of a service.
func openDatabase(t *testing.T, databaseURL string) database {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), databaseURL)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close(context.Background()) })
	return database{t: t, ctx: t.Context(), conn: conn}
}

// exec changes the database; where it meets the service's own work in a
// deadlock it is tried again.
func (db *database) exec(sql string, args ...any) {
	db.t.Helper()
	for try := 0; ; try++ {
		_, err := db.conn.Exec(db.ctx, sql, args...)
		var refused *pgconn.PgError
		if errors.As(err, &refused) && refused.Code == "40P01" && try < 50 {
			continue
		}
		if err != nil {
			db.t.Fatalf("%s: %v", sql, err)
		}
		return
	}
}

func (db *database) strings(sql string, args ...any) []string {
	db.t.Helper()
	rows, err := db.conn.Query(db.ctx, sql, args...)
	if err != nil {
		db.t.Fatalf("%s: %v", sql, err)
	}
	all, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		db.t.Fatalf("%s: %v", sql, err)
	}
	return all
}

// tables are the tables with rows of tenants, partitions left out.
func (db *database) tables() (tables []string) {
	all := db.strings(`SELECT c.relname::text FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition ORDER BY 1`)
	return slices.DeleteFunc(all, func(name string) bool {
		return strings.HasPrefix(name, "river") || strings.HasPrefix(name, "goose") || slices.Contains(machinery, name)
	})
}

// machinery are tables that no answer is made of.
var machinery = []string{"lanes", "lane_items", "lane_owners", "rate_windows", "idempotency_keys", "audit_heads", "sessions", "email_tokens", "sign_ups",
	"storage_quotas", "storage_usage", "kept_outputs"}

// key is how a row of a table is named.
func (db *database) key(table string) string {
	columns := db.strings(`SELECT a.attname::text FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)
		WHERE i.indrelid = $1::regclass AND i.indisprimary ORDER BY 1`, table)
	return strings.Join(columns, "::text || ' ' || ") + "::text"
}

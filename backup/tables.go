package backup

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"atelier/migrations"
)

// settings give a transaction as long as it needs, and make COPY write values in the one form that is read back alike.
const settings = `SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0;
	SET LOCAL "TimeZone" = 'UTC'; SET LOCAL "DateStyle" = 'ISO, MDY'; SET LOCAL "IntervalStyle" = 'postgres'; SET LOCAL extra_float_digits = 1;
	SET LOCAL bytea_output = 'hex'; SET LOCAL client_encoding = 'UTF8'; SET LOCAL jit = off;
	SELECT set_config(name, '0', true) FROM pg_settings WHERE name = 'transaction_timeout'`

// open begins a transaction with the settings on a connection that prepares nothing, so that a pooler may stand between.
func open(ctx context.Context, config *pgx.ConnConfig, options pgx.TxOptions) (*pgx.Conn, pgx.Tx, error) {
	config = config.Copy()
	config.DefaultQueryExecMode = pgx.QueryExecModeSimpleProtocol
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return nil, nil, err
	}
	tx, err := conn.BeginTx(ctx, options)
	if err == nil {
		_, err = tx.Exec(ctx, settings)
	}
	if err != nil {
		conn.Close(context.WithoutCancel(ctx))
		return nil, nil, err
	}
	return conn, tx, nil
}

// describe reads which tables, partitions and sequences there are.
func (a *About) describe(ctx context.Context, tx pgx.Tx) (err error) {
	if a.Versions, err = migrations.Of(ctx, tx); err != nil {
		return err
	}
	if err = tx.QueryRow(ctx, `SELECT current_setting('server_version'), now()`).Scan(&a.Database, &a.MadeAt); err != nil {
		return err
	}
	if a.Tables, err = tables(ctx, tx); err != nil {
		return err
	}
	if a.Partitions, err = partitions(ctx, tx); err != nil {
		return err
	}
	rows, err := tx.Query(ctx, `SELECT sequencename, last_value FROM pg_sequences WHERE schemaname = current_schema() AND last_value IS NOT NULL`)
	if err != nil {
		return err
	}
	a.Sequences = map[string]int64{}
	var name string
	var last int64
	_, err = pgx.ForEachRow(rows, []any{&name, &last}, func() error { a.Sequences[name] = last; return nil })
	return err
}

// tables are those with rows of their own, without those that migrations fill.
func tables(ctx context.Context, tx pgx.Tx) ([]Table, error) {
	rows, err := tx.Query(ctx, `SELECT c.relname::text, array_agg(a.attname::text ORDER BY a.attnum)
		FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
		WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
		GROUP BY 1 ORDER BY 1`)
	if err != nil {
		return nil, err
	}
	all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[Table])
	return slices.DeleteFunc(all, func(t Table) bool { return slices.Contains(migrations.Tables, t.Name) }), err
}

func partitions(ctx context.Context, tx pgx.Tx) ([]Partition, error) {
	rows, err := tx.Query(ctx, `SELECT c.relname::text, p.relname::text, pg_get_expr(c.relpartbound, c.oid)
		FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid JOIN pg_class p ON p.oid = i.inhparent
		WHERE p.relnamespace = current_schema()::regnamespace AND p.relkind = 'p' ORDER BY 1`)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Partition])
}

func quoted(name string) string { return pgx.Identifier{name}.Sanitize() }

func (t Table) columns() string {
	names := make([]string, len(t.Columns))
	for i, name := range t.Columns {
		names[i] = quoted(name)
	}
	return strings.Join(names, ", ")
}

func (t Table) copyOut() string {
	return fmt.Sprintf(`COPY (SELECT %s FROM %s) TO STDOUT`, t.columns(), quoted(t.Name))
}

func (t Table) copyIn() string {
	return fmt.Sprintf(`COPY %s (%s) FROM STDIN`, quoted(t.Name), t.columns())
}

package migrations_test

import (
	"context"
	"testing"

	"atelier/migrations"
	"atelier/models/dbtest"

	"github.com/jackc/pgx/v5"
)

// Months that are over go where nothing is in them; one with a row stays, with the row, and so do the months to come.
func TestEmptyMonthsGo(t *testing.T) {
	ctx, url := context.Background(), dbtest.NewPlainURL(t)
	tables := []string{"executions", "jobs", "webhook_deliveries", "webhook_attempts", "audit_entries"} // of this version
	downBefore(t, url, 92)
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	exec := func(statement string, args ...any) {
		t.Helper()
		if _, err := conn.Exec(ctx, statement, args...); err != nil {
			t.Fatal(err)
		}
	}
	for _, table := range tables {
		exec(`SELECT ensure_month($1, now() + month * interval '1 month') FROM generate_series(-4, 3) month`, table)
	}
	exec(`SET session_replication_role = replica`) // a row by itself
	exec(`INSERT INTO webhook_attempts (id, delivery_id, endpoint_id, number, duration_ms, created_at)
		SELECT first_id(now() - interval '2 months'), gen_random_uuid(), gen_random_uuid(), 1, 1, now()`)
	if err := migrations.Up(ctx, url); err != nil {
		t.Fatal(err)
	}
	months := `SELECT count(*), count(*) FILTER (WHERE right(c.relname, 6) < to_char(now() AT TIME ZONE 'UTC', 'YYYYMM'))
		FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = $1::regclass AND c.relname ~ '_[0-9]{6}$'`
	for _, table := range tables {
		kept := 0
		if table == "webhook_attempts" {
			kept = 1
		}
		var all, past int
		if err := conn.QueryRow(ctx, months, table).Scan(&all, &past); err != nil || all != 4+kept || past != kept {
			t.Errorf("%s has %d months, %d of them over: %v", table, all, past, err)
		}
	}
	var rows, elsewhere int
	if err := conn.QueryRow(ctx, `SELECT (SELECT count(*) FROM webhook_attempts), (SELECT count(*) FROM webhook_attempts_default)`).Scan(&rows, &elsewhere); err != nil || rows != 1 || elsewhere != 0 {
		t.Errorf("%d rows are left, %d of them in no month: %v", rows, elsewhere, err)
	}
}

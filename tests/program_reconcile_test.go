//go:build !race

package tests

import (
	"context"
	"strings"
	"testing"

	"atelier/models/dbtest"

	"github.com/jackc/pgx/v5"
)

// TestReconcileCommand compares the books of a running service: it says nothing
// but how many lines there are, or names what differs and fails.
func TestReconcileCommand(t *testing.T) {
	t.Parallel()
	databaseURL, dir := dbtest.NewURL(t), t.TempDir()
	metrics := freeAddress(t)
	url := startOn(t, databaseURL, dir, []string{"serve"}, "TRUSTED_PROXIES=127.0.0.1/32", "LOG_LEVEL=error", "METRICS_ADDR="+metrics).URL
	c := newCast(t, url, "school", 20)
	run := c.pupil.in(c.room).post("/v1/workflows", failing).want(201).text("data.id")
	c.pupil.post("/v1/workflows/"+run+"/run?wait=true", object{}).want(200)
	conn, err := pgx.Connect(context.Background(), databaseURL)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	exec := func(sql string) {
		t.Helper()
		if tag, err := conn.Exec(context.Background(), sql); err != nil || tag.RowsAffected() == 0 {
			t.Fatalf("%s: %v, %v", sql, tag, err)
		}
	}
	reconcile := func(args ...string) (string, error) {
		t.Helper()
		return runCommand(t, append([]string{"reconcile"}, args...), "DATABASE_URL="+databaseURL, "DATA_DIR="+dir)
	}
	figure := func(want string) {
		t.Helper()
		if shown := string(client{t: t}.do("GET", "http://"+metrics+"/metrics", nil).Body); !strings.Contains(shown, "\natelier_ledger_differences "+want+"\n") {
			t.Errorf("the figures do not say %s: %s", want, shown)
		}
	}
	if said, err := reconcile(); err != nil || !strings.Contains(said, "Every counter is what the ledger adds up to") {
		t.Fatalf("%v: %s", err, said)
	}
	figure("0")
	for _, fault := range []struct{ does, undoes, names string }{
		{`UPDATE organization_pools SET balance = balance + 1000`, `UPDATE organization_pools SET balance = balance - 1000`, "organization_pools.balance"},
		{`UPDATE workspace_budgets SET spent = spent + 1 WHERE spent > 0`, `UPDATE workspace_budgets SET spent = spent - 1 WHERE spent > 0`, "workspace_budgets.spent"},
		{`UPDATE wallets SET balance = balance + 1`, `UPDATE wallets SET balance = balance - 1`, "wallets.balance"},
		{`UPDATE executions SET charged = charged - 1 WHERE charged > 0`, `UPDATE executions SET charged = charged + 1 WHERE charged > 0`, "executions.charged"},
		{`UPDATE executions SET settled_at = NULL WHERE hold > 0`, `UPDATE executions SET settled_at = completed_at WHERE hold > 0`, "executions.settled_at"},
		{`UPDATE ledger_entries SET balance_after = balance_after + 1 WHERE kind = 'allocation'`,
			`UPDATE ledger_entries SET balance_after = balance_after - 1 WHERE kind = 'allocation'`, "ledger_entries.balance_after"},
	} {
		exec(fault.does)
		if said, err := reconcile(); err == nil || !strings.Contains(said, fault.names) || !strings.Contains(said, "COUNTER") {
			t.Errorf("%s: %v: %s", fault.does, err, said)
		}
		if again, err := reconcile("--repair"); err == nil || !strings.Contains(again, fault.names) {
			t.Errorf("money was repaired: %s", again)
		}
		exec(fault.undoes)
	}
	if said, err := reconcile(); err != nil {
		t.Errorf("%v: %s", err, said)
	}
	exec(`INSERT INTO spending_folded (ends_at) VALUES (date_trunc('hour', now())) ON CONFLICT (only_row) DO UPDATE SET ends_at = EXCLUDED.ends_at`)
	exec(`INSERT INTO spending_hours (scope_id, starts_at, credits, absorbed) VALUES (gen_random_uuid(), '2020-01-01Z', 5, 0)`)
	if said, err := reconcile("--repair"); err != nil {
		t.Errorf("%v: %s", err, said)
	}
	var hours int
	if err := conn.QueryRow(context.Background(), `SELECT count(*) FROM spending_hours WHERE starts_at = '2020-01-01Z'`).Scan(&hours); err != nil || hours != 0 {
		t.Errorf("hours in which nothing was spent are kept: %d, %v", hours, err)
	}
	exec(`UPDATE organization_pools SET balance = balance + 1000`)
	_, _ = reconcile()
	figure("2") // of both organizations
	if said, err := reconcile("--everything"); err == nil {
		t.Errorf("an unknown word was taken: %s", said)
	}
}

package credit_test

import (
	"context"
	"os"
	"runtime"
	"strconv"
	"syscall"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/credit"
)

// BenchmarkReconcile compares the books of RECONCILE_ENTRIES lines (100,000),
// four fifths of them of runs that workspaces pay, the others of wallets.
func BenchmarkReconcile(b *testing.B) {
	w := newBank(b)
	entries := 100_000
	if wanted := os.Getenv("RECONCILE_ENTRIES"); wanted != "" {
		entries, _ = strconv.Atoi(wanted)
	}
	fillLedger(w, entries)
	b.ResetTimer()
	for range b.N {
		differences, err := credit.Reconcile(context.Background(), w.DB)
		w.NoError(err)
		if len(differences) > 0 {
			b.Fatalf("the books differ: %v", differences[0])
		}
	}
	b.StopTimer()
	var used syscall.Rusage
	w.NoError(syscall.Getrusage(syscall.RUSAGE_SELF, &used))
	var heap runtime.MemStats
	runtime.ReadMemStats(&heap)
	b.ReportMetric(float64(used.Maxrss)/1024, "MiB-peak")
	b.ReportMetric(float64(entries)*float64(b.N)/b.Elapsed().Seconds(), "lines/s")
}

// fillLedger writes lines with the counters that they add up to: 40 workspaces
// of 50 members each, and 1,000 wallets. Runs are two charges between a hold and
// a release; a thousandth of them is at work.
func fillLedger(w *bank, entries int) {
	w.Helper()
	exec := func(sql string, args ...any) {
		w.Helper()
		w.NoError(w.DB.Read(models.ForWork(context.Background())).Exec(sql, args...).Error)
	}
	ada, operator := w.Person("ada"), w.Operator()
	o := w.Team(ada, "Large")
	w.grant(operator, o, 1_000_000*models.Credit)
	for range 40 {
		room := w.Workspace(ada, o, "Room")
		_, err := w.credits.AllocateCredits(ada, o.ID, room.ID, 20_000*models.Credit)
		w.NoError(err)
	}
	start := w.Clock.Now().Add(time.Hour)
	exec(`INSERT INTO users (id, email, address, display_name, created_at, updated_at)
		SELECT first_id(?::timestamptz + n * interval '1 ms'), 'u' || n || '@example.com', 'u' || n || '@example.com', 'U', now(), now() FROM generate_series(1, 1000) n`, start)
	exec(`CREATE TABLE people AS SELECT id, row_number() OVER (ORDER BY id) - 1 AS n FROM users WHERE email LIKE 'u%@example.com'`)
	exec(`CREATE TABLE rooms AS SELECT workspace_id, organization_id, row_number() OVER (ORDER BY workspace_id) - 1 AS n FROM workspace_budgets`)
	runs := entries * 4 / 5 / 4
	exec(`INSERT INTO ledger_entries (id, kind, from_book, from_id, to_book, to_id, amount, organization_id, workspace_id, user_id, execution_id, node_id, created_at)
		SELECT overlay(first_id(r.at)::text placing lpad(to_hex(k.n), 4, '0') from 20 for 4)::uuid, k.kind, k.f, w.workspace_id, k.t, w.workspace_id, k.amount,
			w.organization_id, w.workspace_id, p.id, first_id(r.at), k.node, r.at
		FROM (SELECT n, ?::timestamptz + n * interval '2 ms' AS at FROM generate_series(1, ?) n) r
		JOIN rooms w ON w.n = r.n % 40 JOIN people p ON p.n = (r.n / 40) % 50
		CROSS JOIN (VALUES (1, 'hold', 'headroom', 'held', 7, ''), (2, 'charge', 'held', 'spent', 3, 'a'), (3, 'charge', 'held', 'spent', 2, 'b'),
			(4, 'release', 'held', 'headroom', 2, '')) k (n, kind, f, t, amount, node)
		WHERE k.kind <> 'release' OR r.n % 1000 <> 0`, start.Add(time.Hour), runs)
	exec(`INSERT INTO ledger_entries (id, kind, from_book, to_book, to_id, amount, user_id, balance_after, created_at)
		SELECT first_id(?::timestamptz + n * interval '1 ms'), 'grant', 'issued', 'wallet', id, 1000000000, id, 1000000000, now() FROM people`, start.Add(30*time.Minute))
	exec(`INSERT INTO ledger_entries (id, kind, from_book, from_id, to_book, to_id, amount, user_id, execution_id, node_id, balance_after, created_at)
		SELECT overlay(first_id(r.at)::text placing lpad(to_hex(k.n), 4, '0') from 20 for 4)::uuid, k.kind, k.f, p.id, k.t, p.id, 5, p.id, first_id(r.at), k.node,
			CASE k.kind WHEN 'charge' THEN 1000000000 - 5 * ((r.n - 1) / 1000 + 1) END, r.at
		FROM (SELECT n, ?::timestamptz + n * interval '2 ms' AS at FROM generate_series(1, ?) n) r
		JOIN people p ON p.n = r.n % 1000
		CROSS JOIN (VALUES (1, 'hold', 'wallet', 'wallet_held', ''), (2, 'charge', 'wallet_held', 'wallet_spent', 'a')) k (n, kind, f, t, node)`,
		start.Add(100*24*time.Hour), entries/5/2)
	exec(`UPDATE workspace_budgets b SET reserved = s.reserved, spent = s.spent FROM (
		SELECT workspace_id, count(*) FILTER (WHERE open) * 7 AS reserved, count(*) FILTER (WHERE NOT open) * 5 AS spent FROM (
			SELECT workspace_id, execution_id, NOT bool_or(kind = 'release') AS open FROM ledger_entries WHERE workspace_id IS NOT NULL AND execution_id IS NOT NULL
			GROUP BY 1, 2) r GROUP BY 1) s WHERE s.workspace_id = b.workspace_id`)
	exec(`INSERT INTO member_budgets (workspace_id, user_id, reserved, spent)
		SELECT workspace_id, user_id, count(*) FILTER (WHERE open) * 7, count(*) FILTER (WHERE NOT open) * 5 FROM (
			SELECT workspace_id, user_id, execution_id, NOT bool_or(kind = 'release') AS open FROM ledger_entries WHERE workspace_id IS NOT NULL AND execution_id IS NOT NULL
			GROUP BY 1, 2, 3) r GROUP BY 1, 2`)
	exec(`INSERT INTO wallets (user_id, balance) SELECT id, 1000000000 - 5 * (SELECT count(*) FROM ledger_entries WHERE user_id = p.id AND kind = 'charge' AND workspace_id IS NULL) FROM people p`)
	exec(`ANALYZE`)
}

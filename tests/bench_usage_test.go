package tests

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/org"
)

// yearOfRuns is how many runs benchUsage reports; USAGE_RUNS takes another number.
const yearOfRuns = 5_000_000

// benchUsage is a year of runs by day, beside the bare GROUP BY over the charges
// of the ledger, which knows nothing of runs that are still at work. The ledger has
// one charge for each run, in 40 workspaces of 25 members, with six models.
func benchUsage(b testing.TB) {
	runs := times(yearOfRuns)
	if n, err := strconv.Atoi(os.Getenv("USAGE_RUNS")); err == nil {
		runs = n
	}
	h := newTestServer(b)
	s := h.school()
	db := h.Usage.DB.Work
	ctx := context.Background()
	exec := func(sql string, args ...any) {
		b.Helper()
		_, err := db.Exec(ctx, sql, args...)
		h.must(err)
	}
	for _, table := range []string{"ledger_entries", "usage_sums", "usage_quarters"} {
		exec(`ALTER TABLE ` + table + ` SET UNLOGGED`)
	}
	for _, index := range []string{"once", "organization", "workspace", "personal"} {
		exec(`DROP INDEX IF EXISTS ledger_entries_` + index)
	}
	exec(`CREATE TABLE people (n int PRIMARY KEY, room uuid, person uuid)`)
	exec(`INSERT INTO people SELECT n, md5('room' || n % 40)::uuid, md5('person' || n)::uuid FROM generate_series(0, 999) n`)
	exec(`INSERT INTO ledger_entries (id, kind, from_book, to_book, amount, organization_id, workspace_id, user_id, execution_id, node_id, model, created_at)
		SELECT gen_random_uuid(), 'charge', 'held', 'spent', 500 + i % 4000, $1, p.room, p.person, gen_random_uuid(), 'n', 'model-' || (i / 7) % 6,
			timestamptz '2025-01-01 00:00:00+00' + i * (interval '365 days' / $2::int)
		FROM generate_series(0, $2::int - 1) i JOIN people p ON p.n = (i::bigint * 7919 + i / 1000) % 1000`, s.school, runs)
	exec(`CREATE INDEX ledger_entries_organization ON ledger_entries (organization_id, id DESC) WHERE organization_id IS NOT NULL`)
	exec(`CREATE UNLOGGED TABLE by_quarter AS
		SELECT organization_id, workspace_id, user_id, model, date_bin('15 minutes', created_at, '2000-01-01 00:00:00+00') AS at, count(*) AS runs, sum(amount)::bigint AS settled
		FROM ledger_entries WHERE kind = 'charge' GROUP BY 1, 2, 3, 4, 5`)
	for grain, at := range map[string]string{"quarter": "at", "day": "date_trunc('day', at, 'UTC')", "month": "date_trunc('month', at, 'UTC')"} {
		exec(`INSERT INTO usage_sums SELECT organization_id, '` + grain + `', ` + at + `, workspace_id, user_id, model, sum(runs), sum(runs), sum(settled), 0, 0
			FROM by_quarter GROUP BY 1, 3, 4, 5, 6`)
	}
	for _, scope := range []string{"organization_id", "workspace_id"} {
		for _, of := range []string{"''", "model"} {
			exec(`INSERT INTO usage_quarters SELECT ` + scope + `, at, ` + of + `, sum(runs), sum(runs), sum(settled), 0, 0 FROM by_quarter GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`)
		}
	}
	exec(`DROP TABLE by_quarter`)
	for _, table := range []string{"ledger_entries", "usage_sums", "usage_quarters"} {
		exec(`VACUUM ANALYZE ` + table)
	}

	ask := func(groupBy, zone string) func() {
		request := get(b, h.server.URL+"/v1/orgs/"+s.school+"/usage?from=2025-01-01&to=2025-12-31&groupBy="+groupBy+"&tz="+zone,
			http.Header{"Authorization": {"Bearer " + s.owner.token}})
		return func() { fetch(b, manyConnections, request(), http.StatusOK) }
	}
	bare := func(key string) func() {
		return func() {
			rows, err := db.Query(ctx, `SELECT `+key+`, sum(amount) FROM ledger_entries WHERE organization_id = $1 AND kind = 'charge'
				AND created_at >= '2025-01-01' AND created_at < '2026-01-01' GROUP BY 1`, s.school)
			h.must(err)
			for rows.Next() {
			}
			h.must(rows.Err())
		}
	}
	for _, c := range []struct{ what, groupBy, zone, key string }{
		{"by day", "day", "UTC", "date_trunc('day', created_at)"},
		{"by day of Kathmandu", "day", "Asia/Kathmandu", "date_trunc('day', created_at AT TIME ZONE 'Asia/Kathmandu')"},
		{"by member", "member", "Europe/Berlin", "user_id"},
		{"by model", "model", "Europe/Berlin", "model"},
	} {
		ours, theirs := ask(c.groupBy, c.zone), bare(c.key)
		ours()
		o, r := alternate(times(5), ours, theirs)
		o.statements = h.tracer.perOperation(2, ours)
		row(b, fmt.Sprintf("Usage of %d runs %s", runs, c.what), o, r, "the bare GROUP BY, without runs at work")
	}
}

// benchUsageExports is how long runs of a workspace take to be accepted while ten
// clients export all runs as tables, beside the same without exports.
func benchUsageExports(b testing.TB) {
	most := org.ExportsPerUser.Max
	org.ExportsPerUser.Max = 1 << 30
	b.Cleanup(func() { org.ExportsPerUser.Max = most })
	priced(b, "template-text", models.Credit/1000)
	h := newTestServer(b)
	s := h.school()
	defer h.work()()
	s.operator.graphql(`mutation($in: GrantCreditsInput!) { grantCredits(input: $in) { amount } }`,
		object{"in": object{"organizationId": s.school, "amount": 900000, "reason": "A benchmark"}})
	s.owner.post("/v1/orgs/"+s.school+"/workspaces/"+s.class+"/allocate", object{"delta": 900000}).want(200)
	owner := s.owner.in(s.class)
	flow := owner.post("/v1/workflows", threeSteps).want(201).text("data.id")
	start := h.post("/v1/workflows/"+flow+"/run", owner.token, object{})
	accept := func() { fetch(b, manyConnections, start(), http.StatusAccepted) }
	for range times(1500) { // what is exported
		accept()
	}
	export := get(b, h.server.URL+"/v1/orgs/"+s.school+"/usage?groupBy=none&format=csv", http.Header{"Authorization": {"Bearer " + s.owner.token}})
	var alone, beside []time.Duration
	var files atomic.Int64
	for range times(3) {
		for range times(250) {
			alone = append(alone, took(accept))
		}
		stopped, exports := make(chan struct{}), sync.WaitGroup{}
		for range times(10) {
			exports.Go(func() {
				for {
					select {
					case <-stopped:
						return
					default:
						fetch(b, manyConnections, export(), http.StatusOK)
						files.Add(1)
					}
				}
			})
		}
		for range times(250) {
			beside = append(beside, took(accept))
		}
		close(stopped)
		exports.Wait()
	}
	var o, r figure
	o.p50, o.p99 = quantiles(beside)
	r.p50, r.p99 = quantiles(alone)
	report(b, float64(o.p99)/float64(r.p99), "p99-ratio")
	row(b, fmt.Sprintf("Run accepted while 10 clients export tables (%d files)", files.Load()), o, r, fmt.Sprintf("the same without exports, p99 %.2f ms", float64(r.p99)/1e6))
}

//go:build !race

package tests

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"atelier/models/dbtest"
)

// largeServer is a school on a server, beside a class of it with a workflow, as
// its owner sees them.
type largeServer struct {
	*testServer
	owner                    person
	org, room, workflow, app string
	selected                 string // the workspace in which /v1 is asked, or none
	explained                int    // statements whose plans were looked at
}

// newLargeServer is a school with one class.
func newLargeServer(b testing.TB) *largeServer {
	b.Helper()
	h := &largeServer{testServer: newTestServer(b)}
	operator := operatorOf(b, h.server.URL)
	h.owner = newPerson(b, h.server.URL, "Head")
	h.org = newOrganization(b, h.owner.client, operator, "school")
	h.room = newWorkspace(h.owner.client, h.org, "First room")
	codeOf(h.owner.client, h.room)
	in := h.owner.in(h.room)
	h.workflow = in.post("/v1/workflows", object{"name": "W", "visibility": "workspace", "edges": []object{},
		"nodes": []object{{"id": "a", "type": "text", "data": object{"text": "x"}}}}).want(201).text("data.id")
	h.app = in.post("/v1/workflows/"+h.workflow+"/publish", object{"slug": "large", "name": "Large"}).want(201).text("data.id")
	return h
}

// grow fills the school by SQL: members, all of them also in the first room,
// workspaces with members of their own, invitations, ledger and audit entries.
func (h *largeServer) grow(from, members, workspaces int) {
	h.b.Helper()
	for _, sql := range []string{
		`INSERT INTO users (id, email, address, display_name, email_verified_at, created_at, updated_at)
			SELECT gen_random_uuid(), 'm' || n || '@example.com', 'm' || n || '@example.com', 'Member ' || n, now(), now(), now() FROM generate_series($3::int + 1, $4::int) n`,
		`INSERT INTO organization_members (organization_id, user_id, role, status, joined_at, updated_at)
			SELECT $1::uuid, id, CASE WHEN substr(email, 2, 3) = '17@' THEN 'admin' ELSE 'member' END, 'active', now() - random() * interval '300 days', now()
			FROM users WHERE email ~ '^m\d+@' ON CONFLICT DO NOTHING`,
		`INSERT INTO workspaces (id, organization_id, name, slug, created_at, updated_at)
			SELECT gen_random_uuid(), $1::uuid, 'Class ' || n, 'class-' || n, now(), now() FROM generate_series($3::int + 1, $5::int) n WHERE $2::uuid IS NOT NULL`,
		`INSERT INTO workspace_budgets (workspace_id, organization_id, allocated) SELECT id, organization_id, 100000 FROM workspaces
			WHERE organization_id = $1::uuid ON CONFLICT DO NOTHING`,
		`INSERT INTO workspace_members (workspace_id, user_id, organization_id, role, status, added_at, updated_at)
			SELECT $2::uuid, user_id, organization_id, 'member', 'active', joined_at, now() FROM organization_members
			WHERE organization_id = $1::uuid AND role = 'member' ON CONFLICT DO NOTHING`,
		`INSERT INTO workspace_members (workspace_id, user_id, organization_id, role, status, added_at, updated_at)
			SELECT w.id, m.user_id, m.organization_id, 'member', 'active', m.joined_at, now()
			FROM (SELECT id, row_number() OVER (ORDER BY id) n FROM workspaces WHERE organization_id = $1::uuid AND slug LIKE 'class-%') w
			JOIN (SELECT *, row_number() OVER (ORDER BY user_id) n FROM organization_members WHERE organization_id = $1::uuid AND role = 'member') m
				ON m.n % $5::int = w.n % $5::int ON CONFLICT DO NOTHING`,
		`INSERT INTO join_codes (workspace_id, code, enabled, rotated_at, rotated_by)
			SELECT id, upper(substr(md5(id::text), 1, 8)), true, now(), $6::uuid FROM workspaces WHERE organization_id = $1::uuid ON CONFLICT DO NOTHING`,
		`INSERT INTO member_budgets (workspace_id, user_id, cap, spent)
			SELECT workspace_id, user_id, 5000, 1000 FROM workspace_members WHERE organization_id = $1::uuid ON CONFLICT DO NOTHING`,
		`INSERT INTO invitations (id, organization_id, email, address, org_role, send_id, invited_by, created_at, sent_at, expires_at)
			SELECT gen_random_uuid(), $1::uuid, 'i' || n || '@example.com', 'i' || n || '@example.com', 'member', gen_random_uuid(), $6::uuid, now(), now(), now() + interval '10 days'
			FROM generate_series($3::int + 1, $4::int) n`,
		`INSERT INTO ledger_entries (id, kind, from_book, to_book, amount, organization_id, workspace_id, user_id, execution_id, node_id, created_at)
			SELECT (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7' || substr(md5(random()::text), 1, 3) || '8' || substr(md5(random()::text), 1, 15))::uuid,
				'charge', 'held', 'spent', 1000, organization_id, workspace_id, user_id, gen_random_uuid(), 'a', at
			FROM (SELECT *, now() - random() * interval '29 days' AS at FROM workspace_members WHERE organization_id = $1::uuid OFFSET 0) m`,
		`INSERT INTO audit_entries (id, organization_id, action, target_type, target_id, details, actor_id, actor_name, created_at, sequence, hash)
			SELECT gen_random_uuid(), $1::uuid, 'member.joined', 'user', user_id, '{}', user_id, 'Member', joined_at, 1000000 + row_number() OVER (), 'x'
			FROM organization_members WHERE organization_id = $1::uuid`,
	} {
		used := []any{h.org, h.room, from, members, workspaces, h.owner.id}
		h.exec(withAll(sql), used...)
	}
	h.exec(`ANALYZE`)
}

// growRuns gives the first room runs of its owner and of other members, which have ended: each with a job, a charge and a result.
func (h *largeServer) growRuns(n int) {
	h.b.Helper()
	h.exec(`CREATE TABLE made AS
		SELECT n, at, coalesce(m.user_id, $2::uuid) AS account, (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7000' || '8000' || lpad(to_hex(n), 12, '0'))::uuid AS id
		FROM (SELECT n, now() - (now() - date_trunc('month', now())) * n / $1::int AS at FROM generate_series(1, $1::int) n) one
			LEFT JOIN (SELECT user_id, row_number() OVER (ORDER BY user_id) AS k FROM workspace_members WHERE workspace_id = $3::uuid) m ON m.k = n % 500`, n, h.owner.id, h.room)
	if !dbtest.OnCitus() { // where executions have none
		h.exec(`ALTER TABLE executions DISABLE TRIGGER USER; ALTER TABLE jobs DISABLE TRIGGER ALL`)
	}
	for _, sql := range []string{
		`INSERT INTO executions (id, account_id, organization_id, workspace_id, workflow_id, workflow_version, trigger, status, nodes, edges, total_nodes, completed_nodes,
			open_nodes, hold, charged, settled_at, source, revision, created_at, started_at, completed_at, shard)
			SELECT id, account, $1::uuid, $2::uuid, $3::uuid, 1, 'api', 'completed', '[]', '[]', 1, 1, 0, 1000, 1000, at, 'api', 2, at, at, at, shard_of(id) FROM made`,
		`INSERT INTO jobs (id, account_id, execution_id, workspace_id, node_id, node_index, job_type, status, progress, input_data, output_data, cost, credit_status,
			credits_charged, source, created_at, started_at, completed_at, shard)
			SELECT id, account, id, $2::uuid, 'a', 0, 'text', 'completed', 100, '{}', '{"text": "x"}', 1000, 'committed', 1000, 'api', at, at, at, shard_of(id) FROM made
			WHERE $1::uuid IS NOT NULL AND $3::uuid IS NOT NULL`,
		`INSERT INTO ledger_entries (id, kind, from_book, to_book, amount, organization_id, workspace_id, user_id, execution_id, node_id, created_at)
			SELECT id, 'charge', 'held', 'spent', 1000, $1::uuid, $2::uuid, account, id, 'a', at FROM made WHERE $3::uuid IS NOT NULL`,
		`INSERT INTO results (execution_id, account_id, workspace_id, node_id, kind, excerpt, created_at, shard)
			SELECT id, account, $2::uuid, 'a', 'text', 'x', at, shard_of(id) FROM made WHERE $1::uuid IS NOT NULL AND $3::uuid IS NOT NULL`,
	} {
		h.exec(sql, h.org, h.room, h.workflow)
	}
	if !dbtest.OnCitus() {
		h.exec(`ALTER TABLE executions ENABLE TRIGGER USER; ALTER TABLE jobs ENABLE TRIGGER ALL`)
	}
	h.must(h.Credits.FoldSpending(context.Background()))
	h.exec(`ANALYZE`)
}

// maxBuffers is how much of the database's memory one statement may look at: a page of rows and their indexes, in pages of 8 KiB.
const maxBuffers = 2_000

// readsOf are statements of an address that look at more than maxBuffers.
func (h *largeServer) readsOf(address string) (all []string) {
	h.b.Helper()
	changes := regexp.MustCompile(`(?i)\b(INSERT|UPDATE|DELETE|pg_notify|pg_advisory\w*)\b`)
	made := h.tracer.during(func() {
		if status := h.visit(address); status != http.StatusOK && status/100 != 3 {
			h.b.Errorf("%s: %d", address, status)
		}
	})
	for _, made := range made {
		if sql := strings.TrimSpace(made.sql); !strings.HasPrefix(sql, "SELECT") && !strings.HasPrefix(sql, "WITH") || changes.MatchString(sql) ||
			len(made.args) == 0 && strings.Contains(strings.TrimRight(sql, ";"), ";") { // no statement of a page: those are prepared
			continue
		}
		var plans []struct {
			Plan struct {
				Hit  int `json:"Shared Hit Blocks"`
				Read int `json:"Shared Read Blocks"`
			}
		}
		var text []byte
		if err := h.DB.Pool.QueryRow(context.Background(), `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) `+made.sql, made.args...).Scan(&text); err != nil {
			h.b.Fatalf("%s: %v: %s", address, err, made.sql)
		}
		h.must(json.Unmarshal(text, &plans))
		h.explained++
		if n := plans[0].Plan.Hit + plans[0].Plan.Read; n > maxBuffers {
			all = append(all, fmt.Sprintf("%6d pages: %s: %.1500s", n, address, strings.Join(strings.Fields(made.sql), " ")))
		}
	}
	return all
}

// withAll mentions every parameter once, so that all statements take the same ones.
func withAll(sql string) string {
	return `WITH given AS (SELECT $1::uuid, $2::uuid, $3::int, $4::int, $5::int, $6::uuid) ` + sql
}

// addresses are the pages of the console and the routes of /v1 that concern
// organizations and their workspaces, filled in.
func (h *largeServer) addresses() (all []string) {
	h.b.Helper()
	replace := func(template string) string {
		id := map[bool]string{true: h.org, false: h.room}[strings.HasPrefix(template, "/orgs/") || strings.HasPrefix(template, "/v1/orgs/")]
		return strings.NewReplacer("{id}", id, "{wsId}", h.room, "{userId}", h.owner.id).Replace(template)
	}
	for _, template := range slices.Concat(consolePages(h.b), routesOf(h.b, h.visitor())) {
		template = parameterForm.ReplaceAllString(strings.TrimPrefix(template, "GET "), "$1}")
		concerns := false
		for _, prefix := range []string{"/orgs", "/workspaces", "/v1/orgs", "/v1/workspaces", "/v1/me"} {
			concerns = concerns || template == prefix || strings.HasPrefix(template, prefix+"/")
		}
		address := replace(template)
		if !concerns || strings.Contains(address, " ") || strings.Contains(address, "{") || endless(template) || strings.HasSuffix(template, "/archive") {
			continue
		}
		all = append(all, address)
	}
	slices.Sort(all)
	return append(slices.Compact(all), "/")
}

// visit reads an address as the owner, a page as a browser does.
func (h *largeServer) visit(address string) int {
	h.b.Helper()
	request, err := http.NewRequestWithContext(context.Background(), "GET", h.server.URL+address, nil)
	h.must(err)
	if strings.HasPrefix(address, "/v1") {
		request.Header.Set("Authorization", "Bearer "+h.owner.token)
		if h.selected != "" {
			request.Header.Set("X-Service-Workspace", h.selected)
		}
	} else {
		request.AddCookie(&http.Cookie{Name: "atelier_session", Value: h.owner.token})
	}
	response, err := http.DefaultTransport.RoundTrip(request)
	h.must(err)
	readAll(response.Body)
	response.Body.Close()
	return response.StatusCode
}

// cost is how many statements an address takes when nothing is new to it. It
// is asked for again while it is above enough: what is gathered for one
// statement within a millisecond becomes two of them on a busy machine.
func (h *largeServer) cost(address string, enough int64) int64 {
	h.b.Helper()
	least := int64(1 << 40)
	for try := 0; try < 2 || try < times(50) && least > enough; try++ {
		before := h.tracer.n.Load()
		if status := h.visit(address); status != 200 && status != 303 && status != 302 {
			h.b.Fatalf("%s: %d", address, status)
		}
		least = min(least, h.tracer.n.Load()-before)
	}
	return least
}

// TestStatementsAreConstant reads every page and route of a small organization
// and of one with 10,000 members and 1,000 workspaces: each takes as many
// statements as before, and none of these reads more than it shows, with as many runs besides.
func TestStatementsAreConstant(t *testing.T) {
	h := newLargeServer(t)
	h.grow(0, 60, 55) // more than a page of everything
	small := map[string]int64{}
	for _, address := range h.addresses() {
		small[address] = h.cost(address, 0)
	}
	h.grow(60, 10_000, 1_000)
	var slow []string
	for _, address := range h.addresses() {
		large := h.cost(address, small[address])
		if large > small[address] {
			t.Errorf("%s takes %d statements instead of %d", address, large, small[address])
		}
		began := time.Now()
		h.visit(address)
		slow = append(slow, fmt.Sprintf("%6d ms %3d statements %s", time.Since(began).Milliseconds(), large, address))
	}
	h.growRuns(50_000)
	read := append(h.addresses(), "/runs", "/jobs", "/v1/jobs", "/v1/workflows/"+h.workflow+"/executions")
	for _, address := range read {
		for _, much := range h.readsOf(address) {
			t.Error(much)
		}
	}
	if h.explained < len(read) {
		t.Errorf("%d statements of %d addresses were explained", h.explained, len(read))
	}
	slices.Sort(slow)
	slices.Reverse(slow)
	t.Logf("slowest of %d:\n%s", len(slow), strings.Join(slow[:min(25, len(slow))], "\n"))
}

// benchLargeOrganization measures the pages of an organization with 10,000
// members and 1,000 workspaces.
func benchLargeOrganization(b testing.TB) {
	h := newLargeServer(b)
	h.grow(0, times(10_000), times(1_000))
	for _, page := range []struct{ what, address string }{
		{"overview", "/orgs/" + h.org}, {"members", "/orgs/" + h.org + "/members"}, {"workspaces", "/orgs/" + h.org + "/workspaces"},
		{"credits", "/orgs/" + h.org + "/credits"}, {"audit log", "/orgs/" + h.org + "/audit"}, {"members of a class", "/workspaces/" + h.room + "/members"},
		{"GET /v1/me", "/v1/me"}, {"GET /v1/orgs/{id}/members", "/v1/orgs/" + h.org + "/members"},
	} {
		var all []time.Duration
		for range times(60) {
			all = append(all, took(func() { h.visit(page.address) }))
		}
		var f figure
		f.p50, f.p99 = quantiles(all)
		f.statements = float64(h.cost(page.address, 0))
		row(b, "10,000 members, 1,000 workspaces: "+page.what, f, figure{}, "goal: 50 ms")
	}
}

// benchMillionRuns is how much longer pages and lists take in a class with a million runs than in one with a hundred.
func benchMillionRuns(b testing.TB) {
	runs := times(1_000_000)
	many, few := newLargeServer(b), newLargeServer(b)
	many.growRuns(runs)
	few.growRuns(100)
	many.selected, few.selected = many.room, few.room
	for _, page := range []struct{ what, address string }{
		{"overview of the organization", "/orgs/{org}"}, {"home of the class", "/workspaces/{room}"}, {"list of runs", "/workspaces/{room}/runs"},
		{"results", "/workspaces/{room}/results"}, {"usage of the organization", "/orgs/{org}/usage"},
		{"GET /v1/jobs", "/v1/jobs"}, {"GET /v1/workflows/{id}/executions", "/v1/workflows/{workflow}/executions"},
		{"GET /v1/orgs/{id}/usage", "/v1/orgs/{org}/usage"},
	} {
		in := func(h *largeServer) func() {
			address := strings.NewReplacer("{org}", h.org, "{room}", h.room, "{workflow}", h.workflow).Replace(page.address)
			if status := h.visit(address); status != http.StatusOK {
				b.Fatalf("%s: %d", address, status)
			}
			return func() { h.visit(address) }
		}
		o, r := alternate(times(60), in(many), in(few))
		row(b, fmt.Sprintf("%d runs: %s", runs, page.what), o, r, "with a hundred runs")
	}
}

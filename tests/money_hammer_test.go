package tests

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/dbtest"

	"github.com/jackc/pgx/v5"
)

// hammerProcesses are at it at once.
const hammerProcesses = 20

// TestMoneyHammer has twenty processes move credits in every way and run what
// costs them, each second one of them killed; then the books are compared line
// by line.
func TestMoneyHammer(t *testing.T) { hammerMoney(t) }

func hammerMoney(t *testing.T) {
	length := hammerTime
	if wanted, err := time.ParseDuration(os.Getenv("HAMMER_TIME")); err == nil {
		length = wanted
	}
	databaseURL, dir := dbtest.NewURL(t), t.TempDir()
	h := newTestServerOn(t, nil, databaseURL)
	m := newHammer(t, h, databaseURL, dir)

	workers := make([]*hammerWorker, hammerProcesses)
	for i := range workers {
		workers[i] = m.start(i)
	}
	t.Cleanup(func() {
		for _, w := range workers {
			w.end()
		}
	})
	watched := m.watch()
	kills, wantedKills := 0, int(length/time.Second)*9/10
	begun := time.Now()
	// A busy machine takes longer for as much.
	for time.Since(begun) < length || time.Since(begun) < 6*length && (m.done.Load()+m.refused.Load() < hammerOperations || kills < wantedKills) {
		time.Sleep(time.Second)
		i := rand.IntN(len(workers))
		workers[i].end()
		workers[i] = m.start(hammerProcesses + kills)
		kills++
	}
	length = time.Since(begun).Round(time.Second)
	for _, w := range workers {
		w.end()
	}
	looks := watched()
	m.drain(workers)
	m.compare()
	t.Logf("%d operations (%d refused, %d more waited too long) in %s by %d processes, %d killed; %d runs, %d lines in the ledger, looked at %d times meanwhile",
		m.done.Load()+m.refused.Load(), m.refused.Load(), m.busy.Load(), length, hammerProcesses, kills,
		h.count(`SELECT count(*) FROM executions`), h.count(`SELECT count(*) FROM ledger_entries`), looks)
	if all := m.done.Load() + m.refused.Load(); all < hammerOperations || kills < wantedKills || m.done.Load() < all/4 || m.busy.Load() > all/50 {
		t.Errorf("only %d operations, %d of them refused, %d waited too long, and %d processes killed", all, m.refused.Load(), m.busy.Load(), kills)
	}
}

// moneyHammer is the install that is hammered at.
type moneyHammer struct {
	*testServer
	t             *testing.T
	child         hammerChild
	done, refused atomic.Int64
	busy          atomic.Int64 // waited too long for a row
}

// hammerWorker is one of the processes.
type hammerWorker struct {
	cmd *exec.Cmd
	end func()
}

func newHammer(t *testing.T, h *testServer, databaseURL, dir string) *moneyHammer {
	c := newCast(t, h.server.URL, "school", 100)
	c.grant(200)
	m := &moneyHammer{testServer: h, t: t}
	m.child = hammerChild{Database: databaseURL, DataDir: dir, Organization: c.org, Owner: c.owner.id}
	for _, p := range []person{c.admin, c.head, c.pupil, c.demoted} {
		m.child.People = append(m.child.People, p.id)
	}
	m.child.Operator = c.operator.get("/v1/me").want(200).text("data.id")
	for n, room := range []string{c.room, c.lobby, newWorkspace(c.owner.client, c.org, "Attic")} {
		if n == 2 {
			for _, p := range []person{c.head, c.pupil, c.demoted} {
				c.owner.post("/v1/workspaces/"+room+"/members", object{"userId": p.id, "role": "member"}).want(201)
			}
		}
		c.owner.post("/v1/orgs/"+c.org+"/workspaces/"+room+"/allocate", object{"delta": 50}).want(200)
		for _, flow := range hammerFlows {
			m.child.Workflows = append(m.child.Workflows, hammerFlow{room, c.owner.in(room).post("/v1/workflows", flow).want(201).text("data.id"), c.owner.id})
		}
		m.child.Rooms = append(m.child.Rooms, room)
	}
	for _, p := range []person{c.owner, c.admin, c.head, c.pupil} {
		m.child.Workflows = append(m.child.Workflows, hammerFlow{"", p.post("/v1/workflows", hammerFlows[0]).want(201).text("data.id"), p.id})
	}
	return m
}

// start starts a process; seed makes it another than the others.
func (m *moneyHammer) start(seed int) *hammerWorker {
	c := m.child
	c.Seed = uint64(seed)
	settings, err := json.Marshal(c)
	m.must(err)
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), hammerVariable+"="+string(settings))
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	said, err := cmd.StdoutPipe()
	m.must(err)
	log := &logBuffer{}
	cmd.Stderr = log
	m.must(cmd.Start())
	read := make(chan struct{})
	go func() {
		defer close(read)
		m.read(said)
	}()
	return &hammerWorker{cmd, sync.OnceFunc(func() {
		_ = cmd.Process.Kill()
		<-read
		_ = cmd.Wait()
		if status := cmd.ProcessState.Sys().(syscall.WaitStatus); !status.Signaled() {
			m.t.Errorf("a process ended by itself: %v\n%s", cmd.ProcessState, tail(log.String(), 30))
		}
		if strings.Contains(log.String(), "DATA RACE") {
			m.t.Errorf("data race:\n%s", log)
		}
	})}
}

// read counts what a process says of its operations: one line each.
func (m *moneyHammer) read(said io.Reader) {
	for lines := bufio.NewScanner(said); lines.Scan(); {
		switch line := lines.Text(); {
		case line == "done":
			m.done.Add(1)
		case line == "refused":
			m.refused.Add(1)
		case line == "busy":
			m.busy.Add(1)
		default:
			m.t.Errorf("an operation failed: %s", line)
		}
	}
}

// watch looks at all counters again and again while they change, each time at
// one moment; the returned function ends it and says how often.
func (m *moneyHammer) watch() (stop func() int) {
	ctx, cancel := context.WithCancel(m.t.Context())
	looked, ended := 0, make(chan struct{})
	go func() {
		defer close(ended)
		for ctx.Err() == nil {
			var pools, issued, allocated, headroom, apart int64
			err := m.DB.Pool.QueryRow(context.Background(), `
				SELECT (SELECT sum(balance) FROM organization_pools),
					(SELECT sum(CASE to_book WHEN 'pool' THEN amount ELSE -amount END) FROM ledger_entries
						WHERE (to_book = 'pool' AND from_book = 'issued') OR (from_book = 'pool' AND to_book = 'issued')),
					(SELECT sum(allocated) FROM workspace_budgets),
					(SELECT min(allocated - reserved - spent) FROM workspace_budgets),
					(SELECT count(*) FROM workspace_budgets b WHERE (reserved, spent) <>
						(SELECT coalesce(sum(reserved), 0), coalesce(sum(spent), 0) FROM member_budgets m WHERE m.workspace_id = b.workspace_id))`).
				Scan(&pools, &issued, &allocated, &headroom, &apart)
			if err != nil || pools+allocated != issued || headroom < 0 || apart != 0 {
				m.t.Errorf("meanwhile %v: pools %d and allocations %d of %d issued, smallest headroom %d, %d workspaces differ from their members",
					err, pools, allocated, issued, headroom, apart)
				return
			}
			looked++
			time.Sleep(100 * time.Millisecond)
		}
	}()
	return func() int { cancel(); <-ended; return looked }
}

// drain has a few processes do what is left.
func (m *moneyHammer) drain(workers []*hammerWorker) {
	m.child.Only = true
	for i := range 3 {
		workers[i] = m.start(i)
		defer workers[i].end()
	}
	eventually(m.t, func() error {
		if n := m.count(`SELECT count(*) FROM executions WHERE completed_at IS NULL`); n > 0 {
			return fmt.Errorf("%d runs have not ended", n)
		}
		return nil
	})
}

// compare holds the books against what the program says of them, and against a
// replay of every line.
func (m *moneyHammer) compare() {
	said, err := runCommand(m.t, []string{"reconcile"}, "DATABASE_URL="+m.child.Database, "DATA_DIR="+m.child.DataDir, "SESSION_KEY="+hammerSessionKey)
	if err != nil {
		m.t.Errorf("atelier reconcile: %v\n%s", err, said)
	}
	conn, err := pgx.Connect(context.Background(), m.child.Database)
	m.must(err)
	defer conn.Close(context.Background())
	m.replay(conn)
	for what, sql := range map[string]string{
		"reserved of workspaces":    `SELECT coalesce(sum(reserved), 0) FROM workspace_budgets`,
		"reserved of members":       `SELECT coalesce(sum(reserved), 0) FROM member_budgets`,
		"reserved of wallets":       `SELECT coalesce(sum(reserved), 0) FROM wallets`,
		"pieces of work":            `SELECT count(*) FROM lane_items WHERE kind LIKE 'node.%'`,
		"runs that are not settled": `SELECT count(*) FROM executions WHERE hold > 0 AND settled_at IS NULL`,
		"completed nodes that were not paid": `WITH retries AS MATERIALIZED (SELECT id FROM executions WHERE retry_of IS NOT NULL),
			done AS MATERIALIZED (SELECT execution_id FROM jobs WHERE status = 'completed' AND cost > 0 AND coalesce(credits_charged, 0) <> cost)
			SELECT count(*) FROM done WHERE execution_id NOT IN (SELECT id FROM retries)`,
		"nodes that did nothing and were": `SELECT count(*) FROM jobs WHERE status = 'skipped' AND coalesce(credits_charged, 0) <> 0`,
		"executions with other sums of nodes": `WITH e AS MATERIALIZED (SELECT id, charged FROM executions),
			j AS MATERIALIZED (SELECT execution_id, sum(credits_charged) AS charged FROM jobs GROUP BY execution_id)
			SELECT count(*) FROM e LEFT JOIN j ON j.execution_id = e.id WHERE e.charged <> coalesce(j.charged, 0)`,
	} {
		if n := m.count(sql); n != 0 {
			m.t.Errorf("%s: %d are left", what, n)
			m.describe(what)
		}
	}
}

// replay adds the ledger up line by line, by itself.
func (m *moneyHammer) replay(conn *pgx.Conn) {
	rows, err := conn.Query(context.Background(), `SELECT id, kind, from_book, from_id, to_book, to_id, amount, workspace_id, user_id, execution_id, node_id FROM ledger_entries ORDER BY id`)
	m.must(err)
	type key struct {
		book string
		id   models.ID
	}
	type run struct {
		room, user             *models.ID
		hold, charged, release int64
		released               int
	}
	books, runs := map[key]int64{}, map[models.ID]*run{}
	seen := map[string]bool{}
	for rows.Next() {
		var id models.ID
		var kind, from, to string
		var fromID, toID, room, user, execution *models.ID
		var node *string
		var amount int64
		m.must(rows.Scan(&id, &kind, &from, &fromID, &to, &toID, &amount, &room, &user, &execution, &node))
		if fromID != nil {
			books[key{from, *fromID}] -= amount
		}
		if toID != nil {
			books[key{to, *toID}] += amount
		}
		if execution == nil {
			continue
		}
		if once := fmt.Sprint(*execution, *node, kind); seen[once] {
			m.t.Errorf("line %s is there twice", id)
		} else {
			seen[once] = true
		}
		r := runs[*execution]
		if r == nil {
			r = &run{room: room, user: user}
			runs[*execution] = r
		}
		switch kind {
		case "hold":
			r.hold += amount
		case "charge", "markup":
			r.charged += amount
		case "release":
			r.release += amount
			r.released++
		}
	}
	m.must(rows.Err())
	spent := map[key]int64{} // by workspace and member
	for id, r := range runs {
		if r.hold != r.charged+r.release || r.released != 1 {
			m.t.Errorf("run %s: of %d held %d were charged and %d released, %d times", id, r.hold, r.charged, r.release, r.released)
		}
		if r.room != nil {
			spent[key{r.room.String(), *r.user}] += r.charged
		}
	}
	check := func(what string, stored, want int64) {
		if stored != want {
			m.t.Errorf("%s: %d is stored, the lines add up to %d", what, stored, want)
		}
	}
	each := func(sql string, row func(a, b models.ID, first, second, third int64)) {
		rows, err := conn.Query(context.Background(), sql)
		m.must(err)
		for rows.Next() {
			var a, b models.ID
			var first, second, third int64
			m.must(rows.Scan(&a, &b, &first, &second, &third))
			row(a, b, first, second, third)
		}
		m.must(rows.Err())
	}
	each(`SELECT organization_id, organization_id, balance, 0, 0 FROM organization_pools`, func(id, _ models.ID, balance, _, _ int64) {
		check("pool", balance, books[key{"pool", id}])
	})
	each(`SELECT user_id, user_id, balance, reserved, 0 FROM wallets`, func(id, _ models.ID, balance, reserved, _ int64) {
		check("wallet", balance, books[key{"wallet", id}]+books[key{"wallet_held", id}])
		check("held of a wallet", reserved, books[key{"wallet_held", id}])
	})
	each(`SELECT workspace_id, workspace_id, allocated, reserved, spent FROM workspace_budgets`, func(id, _ models.ID, allocated, reserved, used int64) {
		check("allocated", allocated, books[key{"headroom", id}]+books[key{"held", id}]+books[key{"spent", id}])
		check("reserved", reserved, books[key{"held", id}])
		check("spent", used, books[key{"spent", id}])
	})
	each(`SELECT workspace_id, user_id, reserved, spent, 0 FROM member_budgets`, func(room, user models.ID, reserved, used, _ int64) {
		check("reserved of a member", reserved, 0)
		check("spent of a member", used, spent[key{room.String(), user}])
	})
}

// describe shows one of the runs whose nodes were paid otherwise.
func (m *moneyHammer) describe(what string) {
	var shown string
	err := m.DB.Pool.QueryRow(context.Background(), `
		SELECT jsonb_build_object('run', to_jsonb(e) - 'nodes' - 'edges', 'jobs', (SELECT jsonb_agg(to_jsonb(j) - 'input_data' - 'output_data') FROM jobs j WHERE j.execution_id = e.id),
			'lines', (SELECT jsonb_agg(to_jsonb(l) ORDER BY l.id) FROM ledger_entries l WHERE l.execution_id = e.id))::text
		FROM executions e WHERE charged <> (SELECT coalesce(sum(credits_charged), 0) FROM jobs j WHERE j.execution_id = e.id) LIMIT 1`).Scan(&shown)
	m.t.Logf("%s: %s, %v", what, shown, err)
}

package run

import (
	"context"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"sync"
	"syscall"
	"testing"
	"time"

	"pgregory.net/rapid"

	"atelier/models"
	"atelier/models/credit"
	"atelier/models/dbtest"
	"atelier/models/lane"
	"atelier/models/nodegraph"
	"atelier/nodes/kit"
)

// provider counts the calls of each node, and answers with the node's name.
type provider struct {
	*httptest.Server
	mu    sync.Mutex
	calls map[string]int
	// hold, when set, is what a call waits for after it said so on called.
	called, hold chan struct{}
}

func newProvider(t *testing.T) *provider {
	p := &provider{calls: map[string]int{}}
	p.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := r.URL.Query().Get("node")
		p.mu.Lock()
		p.calls[name]++
		hold := p.hold
		p.mu.Unlock()
		if hold != nil {
			p.called <- struct{}{}
			<-hold
		}
		io.WriteString(w, name)
	}))
	t.Cleanup(p.Close)
	return p
}

// take returns the calls so far and forgets them.
func (p *provider) take() map[string]int {
	p.mu.Lock()
	defer p.mu.Unlock()
	calls := p.calls
	p.calls = map[string]int{}
	return calls
}

// useProvider restores the node types after the test.
func useProvider(t *testing.T, p *provider) {
	change(t, "combine-text", func(*kit.Node) {})
	providerNodes(p.URL)
}

func asking(id string) *nodegraph.Node {
	return &nodegraph.Node{ID: id, Type: "combine-text", Data: map[string]any{"label": id}}
}

// TestKillAtEachCommit kills a worker with SIGKILL before and after each commit
// of a diamond. Anyone who takes over ends the run as if nothing had been: each
// node is charged once, and only the node that was under way is called again.
func TestKillAtEachCommit(t *testing.T) {
	// By turns before and after; the long form does both at each.
	killAtCommits(t, 10, func(commit int) []bool { return []bool{commit%2 == 0} })
}

func killAtCommits(t *testing.T, least int, sides func(commit int) []bool) {
	e, p := newEngine(t), newProvider(t)
	useProvider(t, p)
	boundaries := 0
	killed := true
	for kill := 1; killed; kill++ {
		for _, after := range sides(kill) {
			run := e.start(
				nodegraph.Nodes{text("a", "x"), asking("b"), asking("c"), asking("d"), {ID: "e", Type: "split-text", Data: map[string]any{}}},
				nodegraph.Edges{edge("a", "b"), edge("a", "c"), edge("b", "d"), edge("c", "d"), edge("d", "e")})
			killed = wasKilled(t, child{
				Database: e.DB.Pool.Config().ConnString(), Provider: p.URL, Now: e.clock.Now(), Kill: kill, After: after,
			}.start(t))
			if killed {
				e.clock.Advance(lane.DefaultLease + time.Second)
				e.work()
				boundaries++
			}
			what := fmt.Sprintf("killed at commit %d, after: %v", kill, after)
			done := e.execution(run.ID)
			if done.Status != ExecutionCompleted || done.Charged != 4500 || done.OpenNodes != 0 || done.SettledAt == nil {
				t.Errorf("%s: ended as %+v", what, done)
			}
			if got := e.charges(run.ID); !maps.Equal(got, map[string]models.Credits{"b": 1500, "c": 1500, "d": 1500}) {
				t.Errorf("%s: charged %v", what, got)
			}
			if _, reserved := e.wallet(); reserved != 0 || e.Count(`SELECT count(*) FROM lane_items`) != 0 {
				t.Errorf("%s: %d are left reserved", what, reserved)
			}
			calls, total := p.take(), 0
			for _, name := range []string{"b", "c", "d"} {
				total += calls[name]
				if calls[name] < 1 {
					t.Errorf("%s: %s was never called", what, name)
				}
			}
			if most := 3; total > most+1 || !killed && total > most {
				t.Errorf("%s: calls %v", what, calls)
			}
		}
	}
	if boundaries < least {
		t.Errorf("only %d boundaries", boundaries)
	}
	if differences, err := credit.Reconcile(context.Background(), e.DB); err != nil || len(differences) > 0 {
		t.Errorf("the books differ: %+v, %v", differences, err)
	}
}

// wasKilled waits for a child's end, and fails when it ended otherwise than by
// being killed or without an error.
func wasKilled(t testing.TB, cmd *exec.Cmd) bool {
	t.Helper()
	if err := cmd.Wait(); err == nil {
		return false
	}
	if status := cmd.ProcessState.Sys().(syscall.WaitStatus); !status.Signaled() || status.Signal() != syscall.SIGKILL {
		t.Fatalf("the child ended with %v", cmd.ProcessState)
	}
	return true
}

// TestKilledWhileRunsAreAskedFor kills a process again and again in which many ask for runs at once, who share
// transactions. Of each run all is there: of the app, of the count of the day, of the books, of what is to be done.
func TestKilledWhileRunsAreAskedFor(t *testing.T) {
	e := newEngine(t)
	app := e.published(nil)
	c := child{Database: e.DB.Pool.Config().ConnString(), App: app.Slug}
	for range 12 {
		c.People = append(c.People, e.AddUser(10_000*models.Credit))
	}
	shared := 0
	for kill := range 8 {
		before := e.Count(`SELECT count(*) FROM executions`)
		cmd := c.start(t)
		for deadline := time.Now().Add(time.Minute); e.Count(`SELECT count(*) FROM executions`) < before+40 && time.Now().Before(deadline); {
			time.Sleep(time.Millisecond)
		}
		time.Sleep(time.Duration(rand.IntN(20_000)) * time.Microsecond)
		_ = cmd.Process.Kill()
		if !wasKilled(t, cmd) {
			t.Fatal("the child ended by itself")
		}
		e.noSessions()
		runs := e.Count(`SELECT count(*) FROM executions`)
		for what, sql := range map[string]string{
			"runs of the app": `SELECT count(*) FROM app_runs r JOIN executions e ON e.id = r.execution_id AND e.account_id = r.account_id`,
			"counted":         `SELECT coalesce(sum(count), 0) FROM app_daily_runs`,
			"holds":           `SELECT count(*) FROM ledger_entries l JOIN executions e ON e.id = l.execution_id WHERE l.kind = 'hold'`,
			"thirds of jobs":  `SELECT count(*) / 3 FROM jobs`,
			"to be done":      `SELECT count(DISTINCT execution_id) FROM lane_items i JOIN jobs j ON j.id = i.id`,
		} {
			if n := e.Count(sql); n != runs {
				t.Errorf("kill %d: %d of %d runs are %s", kill, n, runs, what)
			}
		}
		shared = e.Count(`SELECT count(*) FROM (SELECT created_at FROM executions GROUP BY created_at HAVING count(*) > 1) x`)
		e.settled()
	}
	if shared < 8 {
		t.Errorf("only %d transactions were of several runs", shared)
	}
}

// noSessions waits until the sessions of a killed process have ended.
func (e *engine) noSessions() {
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		if e.Count(`SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND state <> 'idle' AND pid <> pg_backend_pid()`) == 0 {
			return
		}
	}
}

// TestStoppedWorker stops a worker with SIGSTOP in the middle of its node until
// its lease is over and another has done the work. Once it goes on, its write
// is ignored.
func TestStoppedWorker(t *testing.T) {
	e, p := newEngine(t), newProvider(t)
	useProvider(t, p)
	p.called, p.hold = make(chan struct{}), make(chan struct{})
	run := e.start(nodegraph.Nodes{asking("a"), asking("b")}, nodegraph.Edges{edge("a", "b")})
	worker := child{Database: e.DB.Pool.Config().ConnString(), Provider: p.URL, Now: e.clock.Now()}.start(t)
	<-p.called
	if err := worker.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	p.mu.Lock()
	stopped := p.hold
	p.hold = nil
	p.mu.Unlock()
	e.clock.Advance(lane.DefaultLease + time.Second)
	e.work()
	before := e.execution(run.ID)
	close(stopped)
	if err := worker.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	if err := worker.Wait(); err == nil || worker.ProcessState.ExitCode() != lostLease {
		t.Errorf("the stopped worker ended with %v", worker.ProcessState)
	}
	if after := e.execution(run.ID); after.Status != ExecutionCompleted || after.Revision != before.Revision {
		t.Errorf("the stopped worker changed %+v to %+v", before, after)
	}
	if got := e.charges(run.ID); !maps.Equal(got, map[string]models.Credits{"a": 1500, "b": 1500}) {
		t.Errorf("charged %v", got)
	}
	if calls := p.take(); calls["a"] != 2 || calls["b"] != 1 {
		t.Errorf("calls %v", calls)
	}
}

// TestChaos compares runs with the interpreter, and the books with the runs,
// after workers were killed and connections cut at random.
func TestChaos(t *testing.T) { chaos(t, 20, 2, 4) }

func chaos(t *testing.T, runs, workers, times int) {
	for _, name := range []string{"text", "combine-text", "template-text"} {
		change(t, name, func(*kit.Node) {})
	}
	before := maps.Clone(Pools)
	t.Cleanup(func() { Pools = before })
	chaosNodes()
	e := newEngineOn(t, dbtest.NewWithClock(t, &models.DatabaseClock{}))
	e.Grant(e.user, 1_000_000*models.Credit)
	type started struct {
		exec  *Execution
		all   nodegraph.Nodes
		edges nodegraph.Edges
	}
	random := rapid.Custom(func(r *rapid.T) started {
		all, edges := randomGraph(r)
		return started{all: all, edges: edges}
	})
	all := make([]started, runs)
	for i := range all {
		all[i] = random.Example(i)
		all[i].exec = e.start(all[i].all, all[i].edges)
	}
	url := e.DB.Pool.Config().ConnString()
	pool := make([]*supervised, workers)
	for i := range pool {
		pool[i] = child{Database: url}.supervise(t)
	}
	kills, cut := 0, 0
	left := func() int { return e.Count(`SELECT count(*) FROM lane_items`) }
	await := func(condition func() bool) {
		t.Helper()
		for deadline := time.Now().Add(5 * time.Minute); !condition(); time.Sleep(10 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("%d pieces of work are left", left())
			}
		}
	}
	for (kills < times || cut < 2*times) && left() > 0 {
		await(func() bool { // a person is at work
			return e.Count(`SELECT count(*) FROM lane_items WHERE lease_until > now()`) > 0 || left() == 0
		})
		time.Sleep(time.Duration(rand.IntN(60)) * time.Millisecond)
		most := 2
		if rand.IntN(4) == 0 {
			most = 1000 // all, as when the server starts again
		}
		cut += e.Count(`SELECT count(pg_terminate_backend(pid)) FROM (
			SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() ORDER BY random() LIMIT ?) picked`, most)
		if kills < times {
			pool[rand.IntN(workers)].kill()
			kills++
		}
	}
	if kills == 0 || cut == 0 {
		t.Error("all was done before anything happened")
	}
	await(func() bool { return left() == 0 })
	t.Logf("%d runs, %d workers killed, %d connections cut", runs, kills, cut)
	for _, run := range all {
		cutOff := map[string]bool{}
		for id, job := range e.jobs(run.exec.ID) {
			cutOff[id] = job.ErrorMessage != nil && *job.ErrorMessage == errCutOff.Message
		}
		interpret(run.all, run.edges, cutOff).compare(t, e, e.execution(run.exec.ID))
	}
	if _, reserved := e.wallet(); reserved != 0 {
		t.Errorf("%d are left reserved", reserved)
	}
	if differences, err := credit.Reconcile(context.Background(), e.DB); err != nil || len(differences) > 0 {
		t.Errorf("the books differ: %+v, %v", differences, err)
	}
}

// TestWaitersHoldNothing has 200 callers wait for one run: they hold neither
// workers nor connections, and all are told of its end.
func TestWaitersHoldNothing(t *testing.T) {
	e := newEngine(t)
	run := e.start(nodegraph.Nodes{{ID: "d", Type: "delay", Data: map[string]any{"seconds": 60.0}}}, nil)
	if err := e.RunJob(context.Background(), *e.claim()); err != nil { // it waits from here on
		t.Fatal(err)
	}
	var all sync.WaitGroup
	var mu sync.Mutex
	ended := map[ExecutionStatus]int{}
	for range 200 {
		all.Go(func() {
			got, err := e.Executions().Await(e.As(e.user), run.ID, 5*time.Minute)
			if err != nil {
				t.Error(err)
				return
			}
			mu.Lock()
			defer mu.Unlock()
			ended[got.Status]++
		})
	}
	free := func() bool { // one moment in which all have looked and none has a connection shows it
		stat := e.DB.Pool.Stat()
		return stat.AcquireCount() > 200 && stat.AcquiredConns() == 0
	}
	for deadline := time.Now().Add(4 * time.Minute); !free(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Errorf("of %d connections, %d are in use", e.DB.Pool.Stat().MaxConns(), e.DB.Pool.Stat().AcquiredConns())
			break
		}
	}
	if n := e.Count(`SELECT count(*) FROM lane_items WHERE lease_until IS NOT NULL`); n != 0 {
		t.Errorf("%d leases are held", n)
	}
	other := e.again(t)
	if done := other.execution(other.runAlone().ID); done.Status != ExecutionCompleted {
		t.Errorf("beside the waiters a run ended as %+v", done)
	}
	e.work()
	all.Wait()
	if ended[ExecutionCompleted] != 200 {
		t.Errorf("the waiters got %v", ended)
	}
}

// runAlone starts a run and does the next job, which must be its.
func (e *engine) runAlone() *Execution {
	run := e.start(nodegraph.Nodes{text("a", "x")}, nil)
	if err := e.RunJob(context.Background(), *e.claim()); err != nil {
		e.t.Fatal(err)
	}
	return run
}

// TestQueuedRunsDelayOthersByOneSlot queues 10,000 runs of an account: the run
// of another is taken up with the first slot that is free.
func TestQueuedRunsDelayOthersByOneSlot(t *testing.T) {
	const queued, slots = 10_000, 4
	e := newEngine(t)
	slow(t, "combine-text", nil)
	e.start(nodegraph.Nodes{combine("a")}, nil)
	e.cloneRun(queued)
	var busy []lane.Lease
	for range slots {
		busy = append(busy, *e.claim())
	}
	e.clock.Advance(time.Second)
	other := e.again(t)
	run := other.start(nodegraph.Nodes{combine("a")}, nil)
	if err := e.RunJob(context.Background(), busy[0]); err != nil {
		t.Fatal(err)
	}
	lease := e.claim()
	if lease.LaneID != other.user {
		t.Fatal("the free slot went to the account with 10,000 queued runs")
	}
	if err := e.RunJob(context.Background(), *lease); err != nil {
		t.Fatal(err)
	}
	if done := other.execution(run.ID); done.Status != ExecutionCompleted {
		t.Errorf("ended as %+v", done)
	}
	if left := e.Count(`SELECT count(*) FROM lane_items`); left != queued-1 {
		t.Errorf("%d of %d are queued", left, queued)
	}
}

// cloneRun makes n runs of the account's only one.
func (e *engine) cloneRun(n int) {
	e.t.Helper()
	ids := make([]string, n-1)
	var items []lane.Item
	for i := range ids {
		id := models.InShardOf(models.NewID(e.clock.Now()), e.user)
		ids[i] = id.String()
		items = append(items, lane.Item{ID: id, LaneID: e.user, OwnerID: e.user})
	}
	err := e.DB.Write(context.Background(), func(tx *models.Tx) error {
		// The ids of a run and of its only job are the same here.
		for _, c := range []struct{ table, reference string }{{"executions", "id"}, {"jobs", "execution_id"}} {
			_, err := tx.Run(fmt.Sprintf(`
				INSERT INTO %[1]s SELECT copy.* FROM %[1]s t CROSS JOIN unnest($1::uuid[]) AS c(id)
				CROSS JOIN LATERAL jsonb_populate_record(t, jsonb_build_object('id', c.id, '%[2]s', c.id)) copy
				WHERE t.account_id = $2`, c.table, c.reference), ids, e.user)
			if err != nil {
				return err
			}
		}
		return lane.Add(tx, Pools[kit.Cheap].Kind, items...)
	})
	if err != nil {
		e.t.Fatal(err)
	}
}

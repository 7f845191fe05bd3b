package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"atelier/models"
	"atelier/models/lane"
	"atelier/models/nodegraph"
	"atelier/nodes/kit"
)

// testCutOffAtCommit breaks the transaction that ends a node at its very
// commit; a second worker takes over and everything happens once.
func testCutOffAtCommit(t *testing.T, e *engine) {
	costs(t, "combine-text", 700)
	e.Exec(`CREATE OR REPLACE FUNCTION break_commit() RETURNS trigger LANGUAGE plpgsql AS $$
		BEGIN RAISE EXCEPTION 'the server went away'; END $$`)
	e.Exec(`CREATE CONSTRAINT TRIGGER break_commit AFTER DELETE ON lane_items DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION break_commit()`)
	exec := e.start(nodegraph.Nodes{combine("a"), combine("b")}, nodegraph.Edges{edge("a", "b")})
	for attempt := range 2 {
		lease := e.claim()
		if lease == nil {
			t.Fatal("nothing to take up")
		}
		if lease.Attempt != attempt+1 {
			t.Errorf("attempt %d is counted as %d", attempt+1, lease.Attempt)
		}
		if err := e.RunJob(context.Background(), *lease); err == nil {
			t.Fatal("the commit went through")
		}
		if e.claim() != nil {
			t.Fatal("taken up while the lease lasts")
		}
		e.clock.Advance(lane.DefaultLease + time.Second)
	}
	if got := e.statuses(exec.ID); !maps.Equal(got, map[string]JobStatus{"a": JobProcessing, "b": JobWaiting}) {
		t.Errorf("after the crash: %v", got)
	}
	if n := e.jobs(exec.ID)["a"].Attempts; n != 2 {
		t.Errorf("the job tells of %d attempts, want 2", n)
	}
	e.Exec(`DROP TRIGGER break_commit ON lane_items`)
	e.work()
	if done := e.execution(exec.ID); done.Status != ExecutionCompleted || done.Charged != 1400 {
		t.Errorf("ended as %+v", done)
	}
	if got := e.charges(exec.ID); !maps.Equal(got, map[string]models.Credits{"a": 700, "b": 700}) {
		t.Errorf("charged %v", got)
	}
}

// testLateWorker stops a worker in the middle of its node past its lease; its
// late result changes nothing.
func testLateWorker(t *testing.T, e *engine) {
	costs(t, "combine-text", 700)
	started, goOn := make(chan struct{}), make(chan struct{})
	var once sync.Once
	slow(t, "combine-text", func(context.Context, *kit.Call) (kit.Output, error) {
		late := false
		once.Do(func() { late = true })
		if late {
			close(started)
			<-goOn
			return kit.Output{"text": "late"}, nil
		}
		return kit.Output{"text": "in time"}, nil
	})
	exec := e.start(nodegraph.Nodes{combine("a")}, nil)
	lease := e.claim()
	ended := make(chan error)
	go func() { ended <- e.RunJob(context.Background(), *lease) }()
	<-started
	e.clock.Advance(lane.DefaultLease + time.Second)
	e.work()
	before := e.execution(exec.ID)
	close(goOn)
	if err := <-ended; !errors.Is(err, lane.ErrLost) {
		t.Errorf("the late worker got %v", err)
	}
	if after := e.execution(exec.ID); after.Revision != before.Revision || after.Status != ExecutionCompleted {
		t.Errorf("the late worker changed %+v to %+v", before, after)
	}
	if got := e.jobs(exec.ID)["a"].OutputData["text"]; got != "in time" {
		t.Errorf("the result is %q", got)
	}
	if got := e.charges(exec.ID); got["a"] != 700 {
		t.Errorf("charged %v", got)
	}
}

// testPoison gives up on a job that takes its workers down.
func testPoison(t *testing.T, e *engine) {
	exec := e.start(nodegraph.Nodes{combine("a"), combine("b")}, nodegraph.Edges{edge("a", "b")})
	for range maxAttempts {
		if e.claim() == nil {
			t.Fatal("not taken up again")
		}
		e.clock.Advance(lane.DefaultLease + time.Second)
	}
	e.work()
	if got := e.statuses(exec.ID); !maps.Equal(got, map[string]JobStatus{"a": JobFailed, "b": JobSkipped}) {
		t.Errorf("ended as %v", got)
	}
}

// testDraining gives a job back whose worker ends; another takes it up at once.
func testDraining(t *testing.T, e *engine) {
	ctx, cancel := context.WithCancelCause(context.WithValue(context.Background(), drainKey{}, true))
	slow(t, "combine-text", func(ctx context.Context, in *kit.Call) (kit.Output, error) {
		if in.Attempt == 1 && in.Input["separator"] == "+" && ctx.Err() == nil && ctx.Value(drainKey{}) != nil {
			cancel(lane.ErrDraining) // now that the node is at work
			<-ctx.Done()
			return nil, ctx.Err()
		}
		return kit.Output{"text": "done"}, nil
	})
	exec := e.start(nodegraph.Nodes{combine("a")}, nil)
	if err := e.RunJob(ctx, *e.claim()); err != nil {
		t.Fatal(err)
	}
	lease := e.claim()
	if lease == nil || lease.Attempt != 1 {
		t.Fatalf("given back as %+v", lease)
	}
	if err := e.RunJob(context.Background(), *lease); err != nil {
		t.Fatal(err)
	}
	if done := e.execution(exec.ID); done.Status != ExecutionCompleted {
		t.Errorf("ended as %+v", done)
	}
}

type drainKey struct{}

// testCancelRacesFinish ends runs in two ways at once: exactly one wins each
// time, and the books agree.
func testCancelRacesFinish(t *testing.T, e *engine) { cancelRacesFinish(t, e, 200) }

func cancelRacesFinish(t *testing.T, e *engine, times int) {
	costs(t, "combine-text", 1000)
	costs(t, "template-text", 500)
	e.Grant(e.user, 1_000_000*models.Credit)
	hurry := make(chan struct{})
	slow(t, "combine-text", func(context.Context, *kit.Call) (kit.Output, error) {
		hurry <- struct{}{} // from here on both are on their way to the same lock
		return kit.Output{"text": "x"}, nil
	})
	won := map[ExecutionStatus]int{}
	for i := range times {
		exec := e.start(nodegraph.Nodes{combine("a"), {ID: "b", Type: "template-text", Data: map[string]any{"template": "x"}}}, nodegraph.Edges{handle(edge("a", "b"), "", "values.a")})
		lease := e.claim()
		var both sync.WaitGroup
		var cancelled, ran error
		both.Go(func() { ran = e.RunJob(context.Background(), *lease) })
		both.Go(func() {
			<-hurry
			for range i % 8 * 40 { // neither should win every time
				runtime.Gosched()
			}
			cancelled = e.Executions().Cancel(e.As(e.user), exec.ID)
		})
		both.Wait()
		done := e.execution(exec.ID)
		won[done.Status]++
		switch done.Status {
		case ExecutionCompleted:
			wantCode(t, cancelled, models.CodeAlreadyFinished)
			if got := e.charges(exec.ID); ran != nil || !maps.Equal(got, map[string]models.Credits{"a": 1000, "b": 500}) {
				t.Errorf("completed, and the worker got %v, charges %v", ran, got)
			}
		case ExecutionFailed:
			if got := e.charges(exec.ID); cancelled != nil || ran != nil && !errors.Is(ran, lane.ErrLost) || len(got) != 0 {
				t.Errorf("cancelled with %v, the worker got %v, charges %v", cancelled, ran, got)
			}
		default:
			t.Errorf("ended as %+v", done)
		}
	}
	if _, reserved := e.wallet(); reserved != 0 || e.Count(`SELECT count(*) FROM lane_items`) != 0 {
		t.Errorf("%d are left reserved, %d items queued", reserved, e.Count(`SELECT count(*) FROM lane_items`))
	}
	t.Logf("won: %v", won)
}

// testManyWorkers lets workers race for the nodes of many runs.
func testManyWorkers(t *testing.T, e *engine) {
	costs(t, "combine-text", 100)
	slow(t, "combine-text", nil)
	var executions []*Execution
	for range 12 {
		executions = append(executions, e.start(nodegraph.Nodes{combine("a"), combine("b"), combine("c"), combine("d")},
			nodegraph.Edges{edge("a", "b"), edge("a", "c"), edge("b", "d"), edge("c", "d")}))
	}
	var all sync.WaitGroup
	for range 6 {
		all.Go(func() {
			for e.Count(`SELECT count(*) FROM lane_items`) > 0 {
				if lease := e.claim(); lease != nil {
					if err := e.RunJob(context.Background(), *lease); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	all.Wait()
	for _, exec := range executions {
		if done := e.execution(exec.ID); done.Status != ExecutionCompleted || done.Charged != 400 || len(e.charges(exec.ID)) != 4 {
			t.Errorf("ended as %+v", done)
		}
	}
}

// testRandomGraphs compares the engine with a small interpreter on random
// graphs, with and without workers to spare when they are accepted, while
// workers die at random and come back late.
func testRandomGraphs(t *testing.T, e *engine) {
	costs(t, "text", 250)
	costs(t, "combine-text", 1500)
	costs(t, "template-text", 400)
	slow(t, "combine-text", nil)
	slow(t, "template-text", func(context.Context, *kit.Call) (kit.Output, error) {
		return nil, &kit.Failure{Message: "no"}
	})
	e.Grant(e.user, 1_000_000*models.Credit)
	runs := 0
	rapid.Check(t, func(r *rapid.T) {
		change(t, "combine-text", func(n *kit.Node) { n.Inline = rapid.Bool().Draw(r, "inline") })
		change(t, "template-text", func(n *kit.Node) { n.Inline = rapid.Bool().Draw(r, "inline") })
		spare(t, e, rapid.Bool().Draw(r, "spare"))
		all, edges := randomGraph(r)
		want := interpret(all, edges, nil)
		exec := e.start(all, edges)
		var dead []lane.Lease
		for step := 0; ; step++ {
			lease := e.claim()
			if lease == nil {
				if e.Count(`SELECT count(*) FROM lane_items`) == 0 {
					break
				}
				e.clock.Advance(lane.DefaultLease + time.Second)
				continue
			}
			if lease.Attempt < maxAttempts && rapid.IntRange(0, 3).Draw(r, "dies") == 0 {
				dead = append(dead, *lease)
				continue
			}
			if err := e.RunJob(context.Background(), *lease); err != nil {
				r.Fatal(err)
			}
		}
		done := e.execution(exec.ID)
		for _, lease := range dead { // they wake up, far too late
			if err := e.RunJob(context.Background(), lease); err != nil && !errors.Is(err, lane.ErrLost) {
				r.Fatal(err)
			}
		}
		if again := e.execution(exec.ID); again.Revision != done.Revision {
			r.Fatalf("late workers changed revision %d to %d", done.Revision, again.Revision)
		}
		want.compare(r, e, done)
		if _, reserved := e.wallet(); reserved != 0 {
			r.Fatalf("%d are left reserved", reserved)
		}
		runs++
	})
	if runs < 50 {
		t.Errorf("only %d graphs ran", runs)
	}
}

// maxNodes bounds the random graphs.
var maxNodes = 7

// maxSources of a node: texts that are joined of ever more others would
// outgrow what a node may pass on.
const maxSources = 6

// randomGraph has edges from earlier nodes to later ones alone.
func randomGraph(r *rapid.T) (nodegraph.Nodes, nodegraph.Edges) {
	var all nodegraph.Nodes
	var edges nodegraph.Edges
	n := rapid.IntRange(1, maxNodes).Draw(r, "nodes")
	for i := range n {
		id := fmt.Sprintf("n%d", i)
		switch kind := rapid.IntRange(0, 9).Draw(r, "kind"); {
		case kind < 3:
			all = append(all, text(id, id))
			continue // takes nothing
		case kind == 3:
			all = append(all, &nodegraph.Node{ID: id, Type: "template-text", Data: map[string]any{"template": "x"}})
		default:
			all = append(all, combine(id))
		}
		sources := rapid.Permutation(all[:i]).Draw(r, "sources")
		for _, source := range sources[:min(i, maxSources)] {
			if rapid.Bool().Draw(r, "edge") {
				e := edge(source.ID, id)
				if all[i].Type == "template-text" {
					handle(e, "", "values."+source.ID)
				}
				edges = append(edges, e)
			}
		}
	}
	return all, edges
}

// expected is what the interpreter says.
type expected struct {
	statuses map[string]JobStatus
	texts    map[string]string
	charges  map[string]models.Credits
	failed   int
}

// interpret runs a graph in which the workers of some nodes were cut off for good.
func interpret(all nodegraph.Nodes, edges nodegraph.Edges, cutOff map[string]bool) expected {
	want := expected{map[string]JobStatus{}, map[string]string{}, map[string]models.Credits{}, 0}
	for _, n := range all {
		var parts []string
		blocked := false
		for _, e := range edges {
			if e.Target != n.ID {
				continue
			}
			blocked = blocked || want.statuses[e.Source] != JobCompleted
			parts = append(parts, want.texts[e.Source])
		}
		switch {
		case blocked:
			want.statuses[n.ID] = JobSkipped
		case n.Type == "template-text" || cutOff[n.ID]:
			want.statuses[n.ID] = JobFailed
			want.failed++
		case n.Type == "text":
			want.statuses[n.ID], want.texts[n.ID], want.charges[n.ID] = JobCompleted, n.ID, 250
		default:
			joined := ""
			for i, part := range parts {
				if i > 0 {
					joined += "+"
				}
				joined += part
			}
			want.statuses[n.ID], want.texts[n.ID], want.charges[n.ID] = JobCompleted, joined, 1500
		}
	}
	return want
}

func (want expected) compare(r interface{ Fatalf(string, ...any) }, e *engine, done *Execution) {
	if got := e.statuses(done.ID); !maps.Equal(got, want.statuses) {
		for id, job := range e.jobs(done.ID) {
			if job.Status != want.statuses[id] {
				r.Fatalf("node %s is %s, want %s: %s", id, job.Status, want.statuses[id], *cmp.Or(job.ErrorMessage, new(string)))
			}
		}
		r.Fatalf("the jobs are %v, want %v", got, want.statuses)
	}
	for id, job := range e.jobs(done.ID) {
		if job.Status == JobCompleted && job.OutputData["text"] != want.texts[id] {
			r.Fatalf("node %s yields %q, want %q", id, job.OutputData["text"], want.texts[id])
		}
	}
	if got := e.charges(done.ID); !maps.Equal(got, want.charges) {
		r.Fatalf("charged %v, want %v", got, want.charges)
	}
	var total models.Credits
	for _, c := range want.charges {
		total += c
	}
	status := ExecutionCompleted
	if len(want.charges) != len(want.statuses) {
		status = ExecutionFailed
	}
	if done.Status != status || done.FailedNodes != want.failed || done.CompletedNodes != len(want.charges) || done.Charged != total || done.OpenNodes != 0 {
		r.Fatalf("ended as %+v", done)
	}
}

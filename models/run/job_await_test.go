package run

import (
	"context"
	"sync"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/lane"
	"atelier/models/nodegraph"
	"atelier/nodes"
	"atelier/nodes/kit"
)

// TestNodeAnsweredWithItsResult: a node that no transaction does is waited for
// by the one who started it, with no connection in hand, and by a worker anywhere.
func TestNodeAnsweredWithItsResult(t *testing.T) {
	e := newEngine(t)
	run, err := e.Nodes().Run(e.As(e.user), "csv-parse", map[string]any{"text": "a\nb"})
	if err != nil {
		t.Fatal(err)
	}
	if run.Inline || run.Job.Status != JobPending || e.Count(`SELECT count(*) FROM lane_items WHERE kind = 'node.program'`) != 1 {
		t.Fatalf("accepted as %+v", run.Job)
	}
	err = e.DB.Write(e.As(e.user), func(tx *models.Tx) error { return e.Nodes().Await(tx.Context(), run) })
	if err != nil || run.Inline {
		t.Errorf("waited within a transaction: %v", err)
	}
	var working sync.WaitGroup
	working.Go(e.work)
	if err := e.Nodes().Await(e.As(e.user), run); err != nil || !run.Inline || run.Job.OutputData["count"] != 1.0 {
		t.Errorf("ended as %+v, %v", run.Job, err)
	}
	working.Wait()
	late, err := e.Nodes().Run(e.As(e.user), "csv-parse", map[string]any{"text": "a\nb", "holdForReview": true})
	if err != nil {
		t.Fatal(err)
	}
	if job, err := e.Jobs().Await(e.As(e.user), late.Job.ID, 50*time.Millisecond); err != nil || job.Status != JobPending {
		t.Errorf("without a worker %+v, %v", job, err)
	}
	e.work()
	if job, err := e.Jobs().Await(e.As(e.user), late.Job.ID, time.Minute); err != nil || job.Status != JobInReview {
		t.Errorf("what is held for review is %+v, %v", job, err)
	}
	_, err = e.Jobs().Await(e.As(e.AddUser(0)), run.Job.ID, time.Minute)
	wantCode(t, err, models.CodeNotFound)
}

// One account has no more users' programs at work than its slots, however many
// wait, and others' begin beside them.
func TestProgramsOfOneAccount(t *testing.T) {
	e := newEngine(t)
	greedy, other := e.user, e.AddUser(0)
	for range 20 {
		if _, err := e.Nodes().Run(e.As(greedy), "csv-parse", map[string]any{"text": "a"}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := e.Nodes().Run(e.As(other), "csv-parse", map[string]any{"text": "a"}); err != nil {
		t.Fatal(err)
	}
	leases, err := lane.Claim(context.Background(), e.DB, Pools[kit.Program].Kind, "test", 20)
	of := map[models.ID]int{}
	for _, lease := range leases {
		of[lease.LaneID]++
	}
	if err != nil || of[greedy] != maxPrograms || of[other] != 1 {
		t.Errorf("at work are %v, %v", of, err)
	}
}

// Nothing that no transaction does is begun by the one that accepts a run.
func TestAcceptingRunsNoPrograms(t *testing.T) {
	e := newEngine(t)
	spare(t, e, true)
	for _, kind := range nodes.Known() {
		if kind.Pool != kit.Program {
			continue
		}
		run := kind.Run
		change(t, kind.Type, func(n *kit.Node) {
			n.Run = func(ctx context.Context, in *kit.Call) (kit.Output, error) {
				if models.InTransaction(ctx) {
					t.Errorf("%s runs in a transaction", n.Type)
				}
				return run(ctx, in)
			}
		})
		exec := e.start(nodegraph.Nodes{text("a", "x"), {ID: "b", Type: kind.Type, Data: map[string]any{"pattern": "x", "expression": "true"}}}, nodegraph.Edges{edge("a", "b")})
		if got := e.statuses(exec.ID); got["a"] != JobCompleted || got["b"] != JobPending {
			t.Errorf("%s: accepted as %v", kind.Type, got)
		}
	}
}

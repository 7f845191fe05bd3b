package run

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/credit"
	"atelier/models/lane"
	"atelier/models/nodegraph"
)

// spare gives the engine a worker to spare, or none.
func spare(t testing.TB, e *engine, has bool) (lent *int) {
	lent = new(int)
	e.SpareWorker = func() (func(), bool) {
		*lent++
		return func() { *lent-- }, has
	}
	t.Cleanup(func() { e.SpareWorker = nil })
	return lent
}

// testDoneWhenAccepted: with a worker to spare, a run of inline nodes has ended
// in the transaction that accepts it, paid and settled; others are done as far
// as they go.
func testDoneWhenAccepted(t *testing.T, e *engine) {
	costs(t, "combine-text", 1500)
	lent := spare(t, e, true)
	exec := e.start(nodegraph.Nodes{text("a", "x"), combine("b"), combine("c")}, nodegraph.Edges{edge("a", "b"), edge("b", "c")})
	if *lent != 0 {
		t.Error("the worker was not given back")
	}
	if done := e.execution(exec.ID); done.Status != ExecutionCompleted || done.Charged != 3000 || done.SettledAt == nil || done.StartedAt == nil {
		t.Fatalf("accepted as %+v", done)
	}
	job := e.jobs(exec.ID)["c"]
	if job.OutputData["text"] != "x" || job.Attempts != 1 || job.StartedAt == nil || job.CompletedAt == nil || *job.CreditStatus != creditCommitted {
		t.Errorf("c is %+v", job)
	}
	if balance, reserved := e.wallet(); balance != 997*models.Credit || reserved != 0 {
		t.Errorf("the wallet holds %d, %d reserved", balance, reserved)
	}
	if lease := e.claim(); lease != nil {
		t.Errorf("there is work left: %+v", lease)
	}

	slow(t, "template-text", nil)
	exec = e.start(nodegraph.Nodes{text("a", "x"), {ID: "b", Type: "template-text", Data: map[string]any{"template": "{{a}}!"}}, combine("c")},
		nodegraph.Edges{handle(edge("a", "b"), "", "values.a"), edge("b", "c")})
	if got := e.statuses(exec.ID); got["a"] != JobCompleted || got["b"] != JobPending || got["c"] != JobWaiting {
		t.Fatalf("accepted as %v", got)
	}
	e.work()
	if got := e.jobs(exec.ID)["c"].OutputData["text"]; got != "x!" {
		t.Errorf("c is %q", got)
	}
}

// testOutputsAtHand: a run that ended when it was accepted has the outputs at hand that are stored; one that was read has none.
func testOutputsAtHand(t *testing.T, e *engine) {
	spare(t, e, true)
	words := "<b>&amp; \u2028 \"ü\" 1e3"
	exec := e.start(nodegraph.Nodes{text("a", words), combine("b"), text("empty", "")}, nodegraph.Edges{edge("a", "b")})
	same := func(exec *Execution, nodes int) {
		t.Helper()
		atHand, err := exec.outputsAtHand()
		if err != nil || len(atHand) != nodes {
			t.Fatalf("%d outputs are at hand: %v", len(atHand), err)
		}
		stored, err := e.Executions().NodeOutputs(context.Background(), e.execution(exec.ID))
		if err != nil || len(stored) != nodes {
			t.Fatalf("%d outputs are stored: %v", len(stored), err)
		}
		for node, want := range stored {
			var w, got any
			if err := errors.Join(json.Unmarshal(want, &w), json.Unmarshal(atHand[node], &got)); err != nil || !reflect.DeepEqual(w, got) || bytes.Contains(atHand[node], []byte(`\u003c`)) {
				t.Errorf("%s put out %s, stored is %s: %v", node, atHand[node], want, err)
			}
		}
	}
	same(exec, 3)
	if exec.endedJobs[0].OutputSize = maxOutputsShown; !t.Failed() {
		if atHand, err := exec.outputsAtHand(); atHand != nil || err != nil {
			t.Errorf("more than is shown is at hand: %d, %v", len(atHand), err)
		}
	}
	if outputs, err := e.execution(exec.ID).outputsAtHand(); outputs != nil || err != nil {
		t.Errorf("of an execution that was read %v is at hand: %v", outputs, err)
	}
}

// testTooFewCreditsWhenAccepted: what cannot be paid leaves nothing behind, also
// when its nodes were done already.
func testTooFewCreditsWhenAccepted(t *testing.T, e *engine) {
	costs(t, "combine-text", 1001*models.Credit)
	spare(t, e, true)
	_, err := e.tryStart(Request{Payer: credit.Payer{UserID: e.user}, Trigger: "api", Source: "api", Nodes: nodegraph.Nodes{combine("a")}})
	wantCode(t, err, models.CodeInsufficientCredits)
	if n := e.Count(`SELECT count(*) FROM executions WHERE account_id = ?`, e.user); n != 0 {
		t.Errorf("%d executions are left", n)
	}
	if n := e.Count(`SELECT count(*) FROM ledger_entries WHERE user_id = ? AND execution_id IS NOT NULL`, e.user); n != 0 {
		t.Errorf("%d entries are left", n)
	}
}

// testReadyTogether: inline nodes that are ready together are one piece of work.
func testReadyTogether(t *testing.T, e *engine) {
	var all nodegraph.Nodes
	for i := range maxInline + 10 {
		all = append(all, text(fmt.Sprintf("n%d", i), "x"))
	}
	exec := e.start(all, nil)
	for _, left := range []int{9, 0} { // the first, and as many as one transaction may do more
		if e.execution(exec.ID).OpenNodes == 0 {
			break // a slow machine stopped early before, and did the rest along with what was left
		}
		if n := e.Count(`SELECT count(*) FROM lane_items WHERE lane_id = ?`, e.user); n != 1 {
			t.Fatalf("%d items", n)
		}
		for done := 0; done < 20 && e.execution(exec.ID).OpenNodes > left; done++ { // more than once on a slow machine
			e.runOne()
		}
		if open := e.execution(exec.ID).OpenNodes; open > left {
			t.Fatalf("%d nodes are open", open)
		}
	}
	if lease := e.claim(); lease != nil {
		t.Errorf("there is work left: %+v", lease)
	}
}

// testPoisonIsFoundAlone: after a worker died with several nodes, they are taken
// up one by one, so that only the one that kills is given up.
func testPoisonIsFoundAlone(t *testing.T, e *engine) {
	exec := e.start(nodegraph.Nodes{text("a", "x"), text("poison", "x"), combine("c")}, nodegraph.Edges{edge("a", "c")})
	jobs := e.jobs(exec.ID)
	e.claim() // and dies
	e.clock.Advance(lane.DefaultLease + time.Second)
	if lease := e.runOne(); lease.ID != jobs["a"].ID {
		t.Fatalf("taken up by %+v", lease)
	}
	if got := e.statuses(exec.ID); got["a"] != JobCompleted || got["poison"] != JobPending || got["c"] != JobPending {
		t.Fatalf("after a: %v", got)
	}
	for range maxAttempts {
		if lease := e.claim(); lease.ID != jobs["poison"].ID {
			t.Fatalf("taken up by %+v", lease)
		}
		e.clock.Advance(lane.DefaultLease + time.Second)
	}
	e.work()
	if got := e.statuses(exec.ID); got["a"] != JobCompleted || got["poison"] != JobFailed || got["c"] != JobCompleted {
		t.Errorf("ended as %v", got)
	}
}

// runOne does the next job that is due.
func (e *engine) runOne() lane.Lease {
	e.t.Helper()
	lease := e.claim()
	if lease == nil {
		e.t.Fatal("nothing is due")
	}
	if err := e.RunJob(e.t.Context(), *lease); err != nil {
		e.t.Fatal(err)
	}
	return *lease
}

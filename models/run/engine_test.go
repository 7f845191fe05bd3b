package run

import (
	"context"
	"maps"
	"strings"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/credit"
	"atelier/models/lane"
	"atelier/models/nodegraph"
	"atelier/nodes/kit"
)

// TestEngine runs on one database; each test has an account of its own.
func TestEngine(t *testing.T) {
	shared := newEngine(t)
	for _, test := range []struct {
		name string
		run  func(*testing.T, *engine)
	}{
		{"Diamond", testDiamond},
		{"EdgesKeepTheirOrder", testEdgesKeepTheirOrder},
		{"FieldMappingsAndPaths", testFieldMappingsAndPaths},
		{"FailureSkipsWhatWaits", testFailureSkipsWhatWaits},
		{"FaultsOfNodesBecomeFailures", testFaultsOfNodesBecomeFailures},
		{"Timeout", testTimeout},
		{"PauseHoldsNoWorker", testPauseHoldsNoWorker},
		{"Review", testReview},
		{"TooFewCredits", testTooFewCredits},
		{"CancelExecution", testCancelExecution},
		{"CancelJob", testCancelJob},
		{"EmptyWorkflowCompletes", testEmptyWorkflowCompletes},
		{"TriggerHandsOnItsPayload", testTriggerHandsOnItsPayload},
		{"GroupsWaitAndAreWaitedFor", testGroupsWaitAndAreWaitedFor},
		{"CutOffAtCommit", testCutOffAtCommit},
		{"LateWorker", testLateWorker},
		{"Poison", testPoison},
		{"PoisonIsFoundAlone", testPoisonIsFoundAlone},
		{"ReadyTogether", testReadyTogether},
		{"DoneWhenAccepted", testDoneWhenAccepted},
		{"OutputsAtHand", testOutputsAtHand},
		{"TooFewCreditsWhenAccepted", testTooFewCreditsWhenAccepted},
		{"Draining", testDraining},
		{"CancelRacesFinish", testCancelRacesFinish},
		{"ManyWorkers", testManyWorkers},
		{"RandomGraphs", testRandomGraphs},
		{"Component", testComponent},
		{"ComponentRefusals", testComponentRefusals},
		{"RunNode", testRunNode},
		{"Watch", testWatch},
		{"AwaitEnds", testAwaitEnds},
		{"JobReads", testJobReads},
		{"ExecutionReads", testExecutionReads},
		{"Media", testMedia},
		{"MediaOfNodes", testMediaOfNodes},
		{"SaveToStorage", testSaveToStorage},
		{"Imports", testImports}, {"ImportsWait", testImportsWait}, {"ImportsOfComponents", testImportsOfComponents},
		{"NodeLimits", testNodeLimits},
		{"SweepMedia", testSweepMedia},
		{"Thumbnail", testThumbnail},
		{"WorkspaceRuns", testWorkspaceRuns},
		{"RevokedRuns", testRevokedRuns},
		{"RevokedUploads", testRevokedUploads},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(t, shared.again(t)) })
	}
	if differences, err := credit.Reconcile(context.Background(), shared.DB); err != nil || len(differences) > 0 {
		t.Errorf("the books differ: %+v, %v", differences, err)
	}
}

func testDiamond(t *testing.T, e *engine) {
	costs(t, "combine-text", 1500)
	exec := e.start(
		nodegraph.Nodes{text("a", "one"), combine("b"), combine("c"), combine("d")},
		nodegraph.Edges{edge("a", "b"), edge("a", "c"), edge("c", "d"), edge("b", "d"), edge("a", "d")},
	)
	if exec.Hold != 4500 || exec.Status != ExecutionPending || exec.TotalNodes != 4 {
		t.Fatalf("accepted as %+v", exec)
	}
	if _, reserved := e.wallet(); reserved != 4500 {
		t.Fatalf("reserved %d", reserved)
	}
	e.work()

	done := e.execution(exec.ID)
	if done.Status != ExecutionCompleted || done.CompletedNodes != 4 || done.FailedNodes != 0 || done.OpenNodes != 0 || done.Charged != 4500 || done.SettledAt == nil {
		t.Fatalf("ended as %+v", done)
	}
	if got := e.jobs(exec.ID)["d"].OutputData["text"]; got != "one+one+one" {
		t.Errorf("d is %q", got)
	}
	if balance, reserved := e.wallet(); balance != 1000*models.Credit-4500 || reserved != 0 {
		t.Errorf("the wallet holds %d, %d reserved", balance, reserved)
	}
	if got := e.charges(exec.ID); !maps.Equal(got, map[string]models.Credits{"b": 1500, "c": 1500, "d": 1500}) {
		t.Errorf("charged %v", got)
	}
}

func testEdgesKeepTheirOrder(t *testing.T, e *engine) {
	exec := e.start(
		nodegraph.Nodes{text("a", "1"), text("b", "2"), text("c", "3"), combine("d")},
		nodegraph.Edges{edge("c", "d"), edge("a", "d"), edge("b", "d")},
	)
	e.work()
	if got := e.jobs(exec.ID)["d"].OutputData["text"]; got != "3+1+2" {
		t.Errorf("d is %q", got)
	}
}

func testFieldMappingsAndPaths(t *testing.T, e *engine) {
	template := &nodegraph.Node{ID: "t", Type: "template-text", Data: map[string]any{
		"template":      "{{name}} and {{other}}",
		"values":        map[string]any{"name": "nobody", "other": "nobody"},
		"fieldMappings": map[string]any{"values.name": map[string]any{"nodeId": "a", "output": "text"}},
	}}
	exec := e.start(nodegraph.Nodes{text("a", "Ada"), text("b", "Bob"), template}, nodegraph.Edges{handle(edge("b", "t"), "text", "values.other")})
	e.work()
	if got := e.jobs(exec.ID)["t"].OutputData["text"]; got != "Ada and Bob" {
		t.Errorf("t is %q", got)
	}
}

func testFailureSkipsWhatWaits(t *testing.T, e *engine) {
	costs(t, "text", 1000)
	slow(t, "template-text", func(context.Context, *kit.Call) (kit.Output, error) {
		return nil, &kit.Failure{Message: "No paint left", Hint: "Buy some."}
	})
	bad := &nodegraph.Node{ID: "bad", Type: "template-text", Data: map[string]any{"template": "x", "label": "Painter"}}
	exec := e.start(
		nodegraph.Nodes{text("a", "x"), bad, combine("after"), combine("later"), combine("beside")},
		nodegraph.Edges{edge("a", "beside"), handle(edge("a", "bad"), "", "values.x"), edge("bad", "after"), edge("after", "later"), edge("a", "later")},
	)
	e.work()
	done := e.execution(exec.ID)
	if done.Status != ExecutionFailed || done.FailedNodes != 1 || done.CompletedNodes != 2 || *done.ErrorCode != "node_failed" {
		t.Fatalf("ended as %+v", done)
	}
	if want := "Node Painter (bad) failed: No paint left"; *done.ErrorMessage != want {
		t.Errorf("the message is %q", *done.ErrorMessage)
	}
	want := map[string]JobStatus{"a": JobCompleted, "bad": JobFailed, "after": JobSkipped, "later": JobSkipped, "beside": JobCompleted}
	if got := e.statuses(exec.ID); !maps.Equal(got, want) {
		t.Errorf("the jobs are %v", got)
	}
	job := e.jobs(exec.ID)["bad"]
	if *job.ErrorMessage != "No paint left" || *job.ErrorHint != "Buy some." || *job.CreditStatus != "released" {
		t.Errorf("the job is %+v", job)
	}
	if balance, reserved := e.wallet(); balance != 999*models.Credit || reserved != 0 {
		t.Errorf("the wallet holds %d, %d reserved", balance, reserved)
	}
}

func testFaultsOfNodesBecomeFailures(t *testing.T, e *engine) {
	for name, run := range map[string]func(context.Context, *kit.Call) (kit.Output, error){
		"panic": func(context.Context, *kit.Call) (kit.Output, error) { panic("oh no") },
		"error": func(context.Context, *kit.Call) (kit.Output, error) { return nil, context.DeadlineExceeded },
		"form":  func(context.Context, *kit.Call) (kit.Output, error) { return kit.Output{"x": func() {}}, nil },
	} {
		t.Run(name, func(t *testing.T) {
			slow(t, "template-text", run)
			exec := e.start(nodegraph.Nodes{{ID: "n", Type: "template-text", Data: map[string]any{"template": "x"}}}, nil)
			e.work()
			job := e.jobs(exec.ID)["n"]
			if job.Status != JobFailed || job.ErrorMessage == nil || job.ErrorHint == nil || strings.Contains(*job.ErrorMessage, "oh no") {
				t.Errorf("the job is %+v", job)
			}
		})
	}
}

func testTimeout(t *testing.T, e *engine) {
	limit := Pools[kit.Cheap]
	short := limit
	short.Timeout = 20 * time.Millisecond
	Pools[kit.Cheap] = short
	t.Cleanup(func() { Pools[kit.Cheap] = limit })
	slow(t, "template-text", func(ctx context.Context, _ *kit.Call) (kit.Output, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	})
	exec := e.start(nodegraph.Nodes{{ID: "n", Type: "template-text", Data: map[string]any{"template": "x"}}}, nil)
	e.work()
	if job := e.jobs(exec.ID)["n"]; job.Status != JobFailed || !strings.HasPrefix(*job.ErrorMessage, "The node did not finish within") {
		t.Errorf("the job is %+v", job)
	}
}

func testPauseHoldsNoWorker(t *testing.T, e *engine) {
	exec := e.start(nodegraph.Nodes{text("a", "x"), {ID: "d", Type: "delay", Data: map[string]any{"seconds": 60.0}}, combine("c")},
		nodegraph.Edges{edge("a", "d"), handle(edge("d", "c"), "text", "")})
	for lease := e.claim(); lease != nil; lease = e.claim() {
		if err := e.RunJob(context.Background(), *lease); err != nil {
			t.Fatal(err)
		}
	}
	if n := e.Count(`SELECT count(*) FROM lane_items WHERE lease_until IS NOT NULL`); n != 0 {
		t.Fatalf("%d leases are held by what waits", n)
	}
	if got := e.statuses(exec.ID)["d"]; got != JobProcessing {
		t.Errorf("the delay is %s", got)
	}
	e.clock.Advance(59 * time.Second)
	if e.claim() != nil {
		t.Fatal("taken up too early")
	}
	e.work()
	if got := e.jobs(exec.ID)["c"].OutputData["text"]; got != "x" {
		t.Errorf("the result is %q", got)
	}
}

func testReview(t *testing.T, e *engine) {
	costs(t, "text", 500)
	run := func() (*Execution, *Job) {
		held := text("a", "x")
		held.Data["holdForReview"] = true
		exec := e.start(nodegraph.Nodes{held, combine("b")}, nodegraph.Edges{edge("a", "b")})
		e.work()
		if done := e.execution(exec.ID); done.Status != ExecutionRunning {
			t.Fatalf("while in review it is %s", done.Status)
		}
		return exec, e.jobs(exec.ID)["a"]
	}
	t.Run("approved", func(t *testing.T) {
		exec, job := run()
		if job.Status != JobInReview || job.OutputData["text"] != "x" || *job.CreditStatus != "committed" || *job.CreditsCharged != 500 {
			t.Fatalf("held as %+v", job)
		}
		approved, err := e.Jobs().Approve(e.As(e.user), job.ID)
		if err != nil || approved.Status != JobCompleted {
			t.Fatal(approved, err)
		}
		e.work()
		if done := e.execution(exec.ID); done.Status != ExecutionCompleted || done.Charged != 500 {
			t.Errorf("ended as %+v", done)
		}
		e.wantCharges(exec, map[string]models.Credits{"a": 500})
		_, err = e.Jobs().Approve(e.As(e.user), job.ID)
		wantCode(t, err, models.CodeJobNotInReview)
	})
	for name, decide := range map[string]func(*Execution, *Job) error{
		"rejected": func(_ *Execution, job *Job) error {
			_, err := e.Jobs().Reject(e.As(e.user), job.ID)
			return err
		},
		"cancelled":      func(_ *Execution, job *Job) error { return e.Jobs().Cancel(e.As(e.user), job.ID) },
		"run cancelled":  func(exec *Execution, _ *Job) error { return e.Executions().Cancel(e.As(e.user), exec.ID) },
		"rejected again": func(exec *Execution, job *Job) error { return e.rejectAgain(exec, job) },
	} {
		t.Run(name, func(t *testing.T) {
			exec, job := run()
			if err := decide(exec, job); err != nil {
				t.Fatal(err)
			}
			ended := e.jobs(exec.ID)["a"]
			if ended.OutputData != nil || *ended.CreditStatus != "committed" || *ended.CreditsCharged != 500 {
				t.Errorf("the job ended as %+v", ended)
			}
			if done := e.execution(exec.ID); done.Status != ExecutionFailed || done.Charged != 500 {
				t.Errorf("ended as %+v", done)
			}
			e.wantCharges(exec, map[string]models.Credits{"a": 500})
		})
	}
	t.Run("somebody else", func(t *testing.T) {
		_, job := run()
		_, err := e.Jobs().Approve(e.As(e.AddUser(0)), job.ID)
		wantCode(t, err, models.CodeNotFound)
	})
}

// rejectAgain rejects a job, runs its execution again, which costs again, and
// rejects it then too.
func (e *engine) rejectAgain(exec *Execution, job *Job) error {
	if _, err := e.Jobs().Reject(e.As(e.user), job.ID); err != nil {
		return err
	}
	again, err := e.Executions().Retry(e.As(e.user), exec.ID)
	if err != nil {
		return err
	}
	e.work()
	if _, err = e.Jobs().Reject(e.As(e.user), e.jobs(again.ID)["a"].ID); err == nil {
		e.wantCharges(again, map[string]models.Credits{"a": 500})
	}
	return err
}

// wantCharges compares the ledger's charges of an execution, and asks whether
// the books agree with each other.
func (e *engine) wantCharges(exec *Execution, want map[string]models.Credits) {
	e.t.Helper()
	if got := e.charges(exec.ID); !maps.Equal(got, want) {
		e.t.Errorf("charged %v, want %v", got, want)
	}
	if differences, err := credit.Reconcile(context.Background(), e.DB); err != nil || len(differences) > 0 {
		e.t.Errorf("the books differ: %+v, %v", differences, err)
	}
}

func testTooFewCredits(t *testing.T, e *engine) {
	costs(t, "text", 1001*models.Credit)
	_, err := e.tryStart(Request{Payer: credit.Payer{UserID: e.user}, Trigger: "api", Source: "api", Nodes: nodegraph.Nodes{text("a", "x")}})
	wantCode(t, err, models.CodeInsufficientCredits)
	if n := e.Count(`SELECT (SELECT count(*) FROM executions WHERE account_id = ?) + (SELECT count(*) FROM jobs WHERE account_id = ?) + (SELECT count(*) FROM lane_items)`, e.user, e.user); n != 0 {
		t.Errorf("%d rows are left of a refused run", n)
	}
}

func testCancelExecution(t *testing.T, e *engine) {
	costs(t, "text", 1000)
	costs(t, "combine-text", 1000)
	slow(t, "combine-text", nil)
	exec := e.start(nodegraph.Nodes{text("a", "x"), combine("b"), combine("c")}, nodegraph.Edges{edge("a", "b"), edge("b", "c")})
	if err := e.RunJob(context.Background(), *e.claim()); err != nil {
		t.Fatal(err)
	}
	late := e.claim() // b is being worked at
	if err := e.Executions().Cancel(e.As(e.user), exec.ID); err != nil {
		t.Fatal(err)
	}
	done := e.execution(exec.ID)
	if done.Status != ExecutionFailed || *done.ErrorCode != "cancelled" || done.Charged != 1000 {
		t.Errorf("ended as %+v", done)
	}
	if err := e.RunJob(context.Background(), *late); err != lane.ErrLost {
		t.Errorf("the late worker got %v", err)
	}
	want := map[string]JobStatus{"a": JobCompleted, "b": JobCancelled, "c": JobCancelled}
	if got := e.statuses(exec.ID); !maps.Equal(got, want) {
		t.Errorf("the jobs are %v", got)
	}
	if balance, reserved := e.wallet(); balance != 999*models.Credit || reserved != 0 {
		t.Errorf("the wallet holds %d, %d reserved", balance, reserved)
	}
	wantCode(t, e.Executions().Cancel(e.As(e.user), exec.ID), models.CodeAlreadyFinished)
	wantCode(t, e.Executions().Cancel(e.As(e.AddUser(0)), exec.ID), models.CodeNotFound)
}

func testCancelJob(t *testing.T, e *engine) {
	exec := e.start(nodegraph.Nodes{text("a", "x"), combine("b"), text("z", "z")}, nodegraph.Edges{edge("a", "b")})
	job := e.jobs(exec.ID)["a"]
	if err := e.Jobs().Cancel(e.As(e.user), job.ID); err != nil {
		t.Fatal(err)
	}
	e.work()
	done := e.execution(exec.ID)
	if done.Status != ExecutionFailed || *done.ErrorCode != "cancelled" || done.FailedNodes != 0 || done.CompletedNodes != 1 {
		t.Errorf("ended as %+v", done)
	}
	wantCode(t, e.Jobs().Cancel(e.As(e.user), job.ID), models.CodeAlreadyFinished)
}

func testEmptyWorkflowCompletes(t *testing.T, e *engine) {
	exec := e.start(nodegraph.Nodes{{ID: "g", Type: "group", Data: map[string]any{}}}, nil)
	if done := e.execution(exec.ID); done.Status != ExecutionCompleted || done.TotalNodes != 0 {
		t.Errorf("ended as %+v", done)
	}
}

func testTriggerHandsOnItsPayload(t *testing.T, e *engine) {
	trigger := &nodegraph.Node{ID: "hook", Type: "webhook-trigger", Data: map[string]any{"parameters": []any{map[string]any{"name": "who", "type": "text"}}}}
	exec, err := e.tryStart(Request{
		Payer: credit.Payer{UserID: e.user}, Trigger: "webhook", Source: "webhook",
		Nodes: nodegraph.Nodes{trigger, combine("c")}, Edges: nodegraph.Edges{handle(edge("hook", "c"), "who", ""), handle(&nodegraph.Edge{ID: "2", Source: "hook", Target: "c"}, "missing", "")},
		Outputs: map[string]map[string]any{"hook": {"who": "Ada"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	e.work()
	if got := e.jobs(exec.ID)["c"].OutputData["text"]; got != "Ada" {
		t.Errorf("the result is %q", got)
	}
}

func testGroupsWaitAndAreWaitedFor(t *testing.T, e *engine) {
	group := "g"
	inside := combine("in")
	inside.ParentID = &group
	exec := e.start(nodegraph.Nodes{text("a", "x"), {ID: "g", Type: "group", Data: map[string]any{}}, inside, combine("after")}, nodegraph.Edges{edge("a", "g"), edge("g", "after")})
	want := map[string]JobStatus{"a": JobPending, "in": JobWaiting, "after": JobWaiting}
	if got := e.statuses(exec.ID); !maps.Equal(got, want) {
		t.Errorf("accepted as %v", got)
	}
	e.work()
	if done := e.execution(exec.ID); done.Status != ExecutionCompleted || done.TotalNodes != 3 {
		t.Errorf("ended as %+v", done)
	}
}

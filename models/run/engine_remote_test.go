package run

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/credit"
	"atelier/models/lane"
	"atelier/models/nodegraph"
	"atelier/nodes"
	"atelier/nodes/kit"
	"atelier/nodes/provider/providertest"
)

// TestRemote runs nodes at a provider whose requests are counted.
func TestRemote(t *testing.T) {
	shared := newEngine(t)
	for name, run := range map[string]func(*testing.T, *engine, *providertest.Server){
		"Text":                     testRemoteText,
		"PollingHoldsNoWorker":     testPolling,
		"CutOffBeforeTheCall":      testCutOffBeforeCall,
		"CutOffInTheCall":          testCutOffInCall,
		"CutOffBeforeTheIDIsKept":  testCutOffBeforeID,
		"CutOffBeforeTheResult":    testCutOffBeforeResult,
		"CancelIsForwarded":        testCancelForwarded,
		"CancelledWhileItIsMade":   testCancelledWhileMade,
		"LateResult":               testLateResult,
		"LateResultNeverComes":     testLateNever,
		"LateResultIsNotTaken":     testLateNotTaken,
		"Component":                testRemoteComponent,
		"PriceIsSetOnTheNode":      testPriceIsSet,
		"ProviderThatWasTakenAway": testProviderGone,
	} {
		t.Run(name, func(t *testing.T) {
			e := shared.again(t)
			e.withMedia(t)
			server := providertest.New(t)
			e.Flows.Catalogue = nodes.NewCatalogue(kit.Providers{OpenAI: server.OpenAI(), Replicate: server.Replicate(), Models: []kit.Model{
				{Provider: "openai", NodeType: "generate-text", ID: "small", Cost: 100, PerThousandTokens: 2000},
				{Provider: "openai", NodeType: "generate-text", ID: "large", Cost: 90_000},
				{Provider: "replicate", NodeType: "generate-image", ID: "a/flux", Cost: 2500},
			}})
			t.Cleanup(func() { e.Flows.Catalogue = catalogue })
			run(t, e, server)
		})
	}
	if differences, err := credit.Reconcile(context.Background(), shared.DB); err != nil || len(differences) > 0 {
		t.Errorf("the books differ: %+v, %v", differences, err)
	}
}

func remoteText(id string) *nodegraph.Node {
	return &nodegraph.Node{ID: id, Type: "generate-text", Data: map[string]any{"prompt": "Hello"}}
}

func remoteImage(id string) *nodegraph.Node {
	return &nodegraph.Node{ID: id, Type: "generate-image", Data: map[string]any{"prompt": "A heron", "provider": "replicate"}}
}

// wantEnd checks how a run of one node ended, with nothing left reserved.
func (e *engine) wantEnd(id models.ID, node string, status JobStatus, charged models.Credits, says string) *Job {
	e.t.Helper()
	job := e.jobs(id)[node]
	if job.Status != status || models.Deref(job.CreditsCharged) != charged {
		e.t.Errorf("the job is %+v", job)
	}
	if says != "" && (job.ErrorMessage == nil || !strings.Contains(*job.ErrorMessage, says) || job.ErrorHint == nil) {
		e.t.Errorf("it says %v", job.ErrorMessage)
	}
	if balance, reserved := e.wallet(); balance != 1000*models.Credit-charged || reserved != 0 {
		e.t.Errorf("the wallet holds %d, %d reserved", balance, reserved)
	}
	return job
}

// testRemoteText holds the price of the longest text and charges the one that came.
func testRemoteText(t *testing.T, e *engine, server *providertest.Server) {
	exec := e.start(nodegraph.Nodes{remoteText("a"), combine("b")}, nodegraph.Edges{edge("a", "b")})
	if exec.Hold != 2100 {
		t.Errorf("held %d", exec.Hold)
	}
	e.work()
	job := e.wantEnd(exec.ID, "a", JobCompleted, 600, "")
	if job.InputData["model"] != "small" || job.InputData["provider"] != "openai" || job.OutputData["text"] != "Said: Hello" {
		t.Errorf("the job is %+v", job)
	}
	if n := len(server.Calls("POST", "/chat/completions")); n != 1 {
		t.Errorf("%d requests", n)
	}
}

func testPolling(t *testing.T, e *engine, server *providertest.Server) {
	server.Polls = 3
	exec := e.start(nodegraph.Nodes{remoteImage("a")}, nil)
	for polls := range 4 {
		lease := e.claim()
		if lease == nil || lease.Kind != Pools[kit.Provider].Kind.Name || lease.Attempt != 1 {
			t.Fatalf("poll %d: %+v", polls, lease)
		}
		if err := e.RunJob(context.Background(), *lease); err != nil {
			t.Fatal(err)
		}
		if n := e.Count(`SELECT count(*) FROM lane_items WHERE lease_until IS NOT NULL AND kind LIKE 'node.%'`); n != 0 {
			t.Fatal("waiting holds a worker")
		}
		e.clock.Advance(30 * time.Second)
	}
	e.work()
	job := e.wantEnd(exec.ID, "a", JobCompleted, 2500, "")
	if url, _ := job.OutputData["imageUrl"].(string); !strings.HasPrefix(url, e.Flows.PublicURL+"/media/") {
		t.Errorf("the result is %v", job.OutputData)
	}
}

// testCutOffBeforeCall kills a worker between the intent and the call.
func testCutOffBeforeCall(t *testing.T, e *engine, server *providertest.Server) {
	killed := errors.New("killed")
	for _, node := range []*nodegraph.Node{remoteText("a"), remoteImage("a")} {
		exec := e.start(nodegraph.Nodes{node}, nil)
		lease := e.claim()
		var w *work
		err := e.DB.Write(context.Background(), func(tx *models.Tx) (err error) {
			if w, err = e.claimJob(tx, *lease); err != nil {
				return err
			}
			return e.markProcessing(tx, w)
		})
		if err != nil {
			t.Fatal(err)
		}
		w.price = exec.Hold
		w.saveState = func(ctx context.Context, state json.RawMessage) error {
			if err := e.saveState(ctx, w, state); err != nil {
				t.Error(err)
			}
			return killed
		}
		if _, err := e.callNode(context.Background(), w, node.Type, w.input, nil); !errors.Is(err, killed) {
			t.Fatal(err)
		}
		e.clock.Advance(lane.DefaultLease + time.Second)
		e.work()
		e.wantEnd(exec.ID, "a", JobFailed, 0, "uncertain")
	}
	if n := len(server.Calls("POST", "")); n != 0 {
		t.Errorf("%d requests", n)
	}
}

// testCutOffInCall kills a worker while a provider is answering: the one who takes
// over does not ask again, and the late worker's answer changes nothing.
func testCutOffInCall(t *testing.T, e *engine, server *providertest.Server) {
	arrived, goOn := make(chan struct{}), make(chan struct{})
	server.Answer(func(http.ResponseWriter, providertest.Call) bool { close(arrived); <-goOn; return false })
	exec := e.start(nodegraph.Nodes{remoteText("a")}, nil)
	lease := e.claim()
	ended := make(chan error, 1)
	go func() { ended <- e.RunJob(context.Background(), *lease) }()
	<-arrived
	e.clock.Advance(lane.DefaultLease + time.Second)
	e.work()
	close(goOn)
	if err := <-ended; !errors.Is(err, lane.ErrLost) {
		t.Errorf("the late worker got %v", err)
	}
	e.wantEnd(exec.ID, "a", JobFailed, 0, "uncertain")
	if n := len(server.Calls("POST", "")); n != 1 {
		t.Errorf("%d requests", n)
	}
}

// breakItems makes every transaction fail that ends or gives back a lease.
func (e *engine) breakItems(t *testing.T) (mend func()) {
	e.Exec(`CREATE OR REPLACE FUNCTION break_items() RETURNS trigger LANGUAGE plpgsql AS $$
		BEGIN
			IF TG_OP = 'UPDATE' THEN
				IF NEW.lease_until IS NOT NULL THEN RETURN NULL; END IF;
			END IF;
			RAISE EXCEPTION 'the server went away';
		END $$`)
	e.Exec(`CREATE CONSTRAINT TRIGGER break_items AFTER UPDATE OR DELETE ON lane_items DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION break_items()`)
	mend = sync.OnceFunc(func() { e.Exec(`DROP TRIGGER break_items ON lane_items`) })
	t.Cleanup(mend)
	return mend
}

// testCutOffBeforeID breaks the commit that stores a provider's job id.
func testCutOffBeforeID(t *testing.T, e *engine, server *providertest.Server) {
	exec := e.start(nodegraph.Nodes{remoteImage("a")}, nil)
	mend := e.breakItems(t)
	if err := e.RunJob(context.Background(), *e.claim()); err == nil {
		t.Fatal("the commit went through")
	}
	mend()
	e.clock.Advance(lane.DefaultLease + time.Second)
	e.work()
	e.wantEnd(exec.ID, "a", JobFailed, 0, "uncertain")
	if n := len(server.Calls("POST", "/predictions")); n != 1 {
		t.Errorf("%d predictions were made", n)
	}
}

// testCutOffBeforeResult kills workers again and again behind a stored id: the
// provider is asked for it, and given nothing new to do.
func testCutOffBeforeResult(t *testing.T, e *engine, server *providertest.Server) {
	server.Polls = 2
	exec := e.start(nodegraph.Nodes{remoteImage("a")}, nil)
	if err := e.RunJob(context.Background(), *e.claim()); err != nil {
		t.Fatal(err)
	}
	e.clock.Advance(time.Minute)
	mend := e.breakItems(t)
	for range maxAttempts - 1 {
		if err := e.RunJob(context.Background(), *e.claim()); err == nil {
			t.Fatal("the commit went through")
		}
		e.clock.Advance(lane.DefaultLease + time.Second)
	}
	mend()
	e.work()
	e.wantEnd(exec.ID, "a", JobCompleted, 2500, "")
	if n := len(server.Calls("POST", "/predictions")); n != 1 {
		t.Errorf("%d predictions were made", n)
	}
	if got := e.charges(exec.ID); !maps.Equal(got, map[string]models.Credits{"a": 2500}) {
		t.Errorf("charged %v", got)
	}
}

// follow does what is due at providers for jobs that have ended, and says how
// many items are left.
func (e *engine) follow() int {
	e.t.Helper()
	leases, err := lane.Claim(context.Background(), e.DB, FollowUps, "test", 64)
	if err != nil {
		e.t.Fatal(err)
	}
	for _, lease := range leases {
		if err := e.FollowUp(context.Background(), lease); err != nil {
			e.t.Fatal(err)
		}
	}
	return e.Count(`SELECT count(*) FROM lane_items WHERE kind = ?`, FollowUps.Name)
}

func testCancelForwarded(t *testing.T, e *engine, server *providertest.Server) {
	server.Polls = -1
	for name, cancel := range map[string]func(*Execution) error{
		"job":       func(exec *Execution) error { return e.Jobs().Cancel(e.As(e.user), e.jobs(exec.ID)["a"].ID) },
		"execution": func(exec *Execution) error { return e.Executions().Cancel(e.As(e.user), exec.ID) },
	} {
		before := len(server.Calls("POST", "/cancel"))
		exec := e.start(nodegraph.Nodes{remoteImage("a")}, nil)
		if err := e.RunJob(context.Background(), *e.claim()); err != nil {
			t.Fatal(err)
		}
		if err := cancel(exec); err != nil {
			t.Fatal(err)
		}
		e.wantEnd(exec.ID, "a", JobCancelled, 0, "")
		server.Answer(func(w http.ResponseWriter, _ providertest.Call) bool { w.WriteHeader(500); return true })
		if left := e.follow(); left != 1 {
			t.Errorf("%s: a provider that fails is told again: %d left", name, left)
		}
		server.Answer(nil)
		e.clock.Advance(time.Minute)
		if left := e.follow(); left != 0 {
			t.Errorf("%s: %d left", name, left)
		}
		if n := len(server.Calls("POST", "/cancel")) - before; n != 2 {
			t.Errorf("%s: told %d times", name, n)
		}
		if job := e.jobs(exec.ID)["a"]; job.State != nil || job.Status != JobCancelled {
			t.Errorf("%s: the job is %+v", name, job)
		}
	}
}

// testCancelledWhileMade cancels while a provider is taking the work on: its
// id is known to the worker alone, who tells it.
func testCancelledWhileMade(t *testing.T, e *engine, server *providertest.Server) {
	exec := e.start(nodegraph.Nodes{remoteImage("a")}, nil)
	server.Answer(func(_ http.ResponseWriter, c providertest.Call) bool {
		if strings.HasSuffix(c.Path, "/flux/predictions") {
			if err := e.Executions().Cancel(e.As(e.user), exec.ID); err != nil {
				t.Error(err)
			}
		}
		return false
	})
	if err := e.RunJob(context.Background(), *e.claim()); !errors.Is(err, lane.ErrLost) {
		t.Fatal(err)
	}
	if n := len(server.Calls("POST", "/p1/cancel")); n != 1 {
		t.Errorf("told %d times", n)
	}
	e.wantEnd(exec.ID, "a", JobCancelled, 0, "")
}

// failLate has a prediction not finish in time.
func (e *engine) failLate(server *providertest.Server) *Execution {
	e.t.Helper()
	server.Polls = -1
	exec := e.start(nodegraph.Nodes{remoteImage("a"), combine("b")}, nodegraph.Edges{edge("a", "b")})
	e.work()
	e.wantEnd(exec.ID, "a", JobFailed, 0, "did not finish")
	return exec
}

// testLateResult is the way from failed to completed: one event, no charge.
func testLateResult(t *testing.T, e *engine, server *providertest.Server) {
	exec := e.failLate(server)
	events := e.Count(`SELECT count(*) FROM webhook_deliveries WHERE account_id = ?`, e.user)
	e.Exec(`INSERT INTO webhook_endpoints (id, account_id, url, url_key, events, is_active, created_at, updated_at)
		VALUES (?, ?, 'https://hooks.example/', 'https://hooks.example/', '{job.completed}', true, now(), now())`, models.NewID(e.clock.Now()), e.user)
	for range 3 {
		e.clock.Advance(10 * time.Minute)
		if left := e.follow(); left != 1 {
			t.Fatalf("%d left while it is being made", left)
		}
	}
	server.End("succeeded")
	before := e.execution(exec.ID)
	var both sync.WaitGroup
	e.clock.Advance(time.Hour)
	leases, err := lane.Claim(context.Background(), e.DB, FollowUps, "test", 1)
	if err != nil || len(leases) != 1 {
		t.Fatal(leases, err)
	}
	for range 2 { // one worker's late twin
		both.Go(func() {
			if err := e.FollowUp(context.Background(), leases[0]); err != nil && !errors.Is(err, lane.ErrLost) {
				t.Error(err)
			}
		})
	}
	both.Wait()
	job := e.wantEnd(exec.ID, "a", JobCompleted, 0, "")
	if job.OutputData["imageUrl"] == nil || job.ErrorMessage != nil || job.ErrorHint != nil || job.State != nil || *job.CreditStatus != "released" {
		t.Errorf("the job is %+v", job)
	}
	if e.jobs(exec.ID)["b"].Status != JobSkipped {
		t.Error("what waited for it runs")
	}
	done := e.execution(exec.ID)
	if done.Status != ExecutionFailed || done.CompletedNodes != 1 || done.FailedNodes != 0 || done.Revision != before.Revision+1 {
		t.Errorf("the execution is %+v", done)
	}
	if n := e.Count(`SELECT count(*) FROM webhook_deliveries WHERE account_id = ? AND event = 'job.completed' AND job_id = ?`, e.user, job.ID) - events; n != 1 {
		t.Errorf("%d events", n)
	}
	if left := e.follow(); left != 0 || len(server.Calls("POST", "/predictions")) != 1 || len(e.charges(exec.ID)) != 0 {
		t.Errorf("%d left, %d predictions, charges %v", left, len(server.Calls("POST", "/predictions")), e.charges(exec.ID))
	}
}

func testLateNever(t *testing.T, e *engine, server *providertest.Server) {
	exec := e.failLate(server)
	for range 200 {
		e.clock.Advance(30 * time.Minute)
		if e.follow() == 0 {
			break
		}
	}
	job := e.wantEnd(exec.ID, "a", JobFailed, 0, "did not finish")
	if e.follow() != 0 || job.State != nil {
		t.Errorf("still followed up: %+v", job)
	}
}

// testLateNotTaken fails jobs that take no late result: a component, and one
// that was to be reviewed. Nothing is promised, and the provider is told to stop.
func testLateNotTaken(t *testing.T, e *engine, server *providertest.Server) {
	server.Polls = -1
	held := remoteImage("a")
	held.Data["holdForReview"] = true
	inner := e.addWorkflow(e.user, nodegraph.Nodes{remoteImage("p")}, nil)
	for name, node := range map[string]*nodegraph.Node{"held": held, "component": componentNode("a", inner, nil)} {
		before := len(server.Calls("POST", "/cancel"))
		exec := e.start(nodegraph.Nodes{node}, nil)
		e.work()
		job := e.wantEnd(exec.ID, "a", JobFailed, 0, "did not finish")
		if job.ErrorHint == nil || strings.Contains(*job.ErrorHint, "still come") {
			t.Errorf("%s: the hint is %v", name, job.ErrorHint)
		}
		if left, told := e.follow(), len(server.Calls("POST", "/cancel"))-before; left != 0 || told != 1 {
			t.Errorf("%s: %d left, %d told", name, left, told)
		}
		if job = e.jobs(exec.ID)["a"]; job.Status != JobFailed || name == "held" && job.State != nil {
			t.Errorf("%s: the job is %+v", name, job)
		}
	}
}

// testRemoteComponent waits for a provider within a component, in the pool of
// those who wait, with a worker that dies behind the stored id.
func testRemoteComponent(t *testing.T, e *engine, server *providertest.Server) {
	inner := e.addWorkflow(e.user, nodegraph.Nodes{remoteText("t"), remoteImage("p"), {ID: "r", Type: "resize-image", Data: map[string]any{"width": 2.0}}},
		nodegraph.Edges{handle(edge("t", "p"), "text", "prompt"), edge("p", "r")})
	exec := e.start(nodegraph.Nodes{componentNode("c", inner, nil)}, nil)
	if exec.Hold != 2100+2500+500 {
		t.Errorf("held %d", exec.Hold)
	}
	kinds := map[string]int{}
	for range 20 {
		lease := e.claim()
		if lease == nil {
			e.clock.Advance(30 * time.Second)
			continue
		}
		kinds[lease.Kind]++
		if len(server.Calls("POST", "/predictions")) == 1 && kinds["died"] == 0 {
			kinds["died"]++
			e.clock.Advance(lane.DefaultLease + time.Second)
			continue
		}
		if err := e.RunJob(context.Background(), *lease); err != nil {
			t.Fatal(err)
		}
	}
	e.wantEnd(exec.ID, "c", JobCompleted, 600+2500+500, "")
	want := map[string]models.Credits{"c/t": 600, "c/p": 2500, "c/r": 500}
	if got := e.charges(exec.ID); !maps.Equal(got, want) {
		t.Errorf("charged %v", got)
	}
	if len(server.Calls("POST", "/predictions")) != 1 || len(server.Calls("POST", "/chat/completions")) != 1 {
		t.Error("something was sent twice")
	}
	if kinds[Pools[kit.Provider].Kind.Name] < 3 || kinds[Pools[kit.Media].Kind.Name] < 2 {
		t.Errorf("it waited in %v", kinds)
	}
}

func testPriceIsSet(t *testing.T, e *engine, server *providertest.Server) {
	for _, field := range []string{"model", "provider", "maxTokens"} {
		wantCode(t, nodegraph.Validate(e.Flows.Catalogue, nodegraph.Nodes{text("x", "large"), remoteText("a")}, nodegraph.Edges{handle(edge("x", "a"), "", field)}), models.CodeValidation)
	}
	inner := e.addWorkflow(e.user, nodegraph.Nodes{remoteText("t")}, nil)
	exec := e.start(nodegraph.Nodes{componentNode("c", inner, map[string]any{"inputs": map[string]any{"t.model": "large"}})}, nil)
	e.work()
	e.wantEnd(exec.ID, "c", JobFailed, 0, "were reserved")
	if n := len(server.Calls("POST", "")); n != 0 {
		t.Errorf("%d requests", n)
	}
}

// testProviderGone has a provider taken away between the start and the run.
func testProviderGone(t *testing.T, e *engine, _ *providertest.Server) {
	exec := e.start(nodegraph.Nodes{remoteText("a")}, nil)
	e.Flows.Catalogue = nodes.NewCatalogue(kit.Providers{})
	e.work()
	e.wantEnd(exec.ID, "a", JobFailed, 0, "OPENAI_API_KEY")
	err := nodegraph.Validate(e.Flows.Catalogue, nodegraph.Nodes{remoteText("a")}, nil)
	if wantCode(t, err, models.CodeValidation); err != nil && !strings.Contains(err.Error(), "OPENAI_API_KEY") {
		t.Error(err)
	}
	_, err = e.Nodes().Run(e.As(e.user), "generate-text", map[string]any{"prompt": "x"})
	wantCode(t, err, models.CodeNotFound)
}

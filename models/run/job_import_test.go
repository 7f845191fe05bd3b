package run

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/dbtest"
	"atelier/models/lane"
	"atelier/models/nodegraph"
	"atelier/nodes/kit"
)

// testImports asks for twenty imports at once, through two replicas: four are
// let in, and another one as soon as one of them has ended.
func testImports(t *testing.T, e *engine) {
	replica := &Service{
		DB: dbtest.Open(t, e.DB.Pool.Config().ConnString(), e.clock), Accounts: e.Accounts, Orgs: e.Orgs, Spaces: e.Spaces, Credits: e.Credits, Events: e.Events, Flows: e.Flows,
	}
	var mu sync.Mutex
	var admitted []models.ID
	refused := 0
	var calls sync.WaitGroup
	for i := range 20 {
		service := []*Service{e.Service, replica}[i%2]
		calls.Go(func() {
			run, err := service.Nodes().Run(e.As(e.user), importType, map[string]any{"url": fmt.Sprintf("https://else.example/%d.mp4", i)})
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				admitted = append(admitted, run.Job.ID)
				return
			}
			refused++
			wantCode(t, err, models.CodeTooManyDownloads)
			if refusal, _ := models.AsError(err); refusal.RetryAfter <= 0 {
				t.Error("a refusal does not say when to come back")
			}
		})
	}
	calls.Wait()
	if len(admitted) != 4 || refused != 16 {
		t.Fatalf("%d were let in and %d refused", len(admitted), refused)
	}
	again := map[string]any{"url": "https://else.example/again.mp4"}
	if _, err := e.Nodes().Run(e.As(e.AddUser(0)), importType, again); err != nil {
		t.Errorf("another account: %v", err)
	}
	if err := e.Jobs().Cancel(e.As(e.user), admitted[0]); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Nodes().Run(e.As(e.user), importType, again); err != nil {
		t.Errorf("after one has ended: %v", err)
	}
	_, err := e.Nodes().Run(e.As(e.user), importType, again)
	wantCode(t, err, models.CodeTooManyDownloads)
	_, err = e.Nodes().Run(e.As(e.user), importType, map[string]any{"url": "no address"})
	wantCode(t, err, models.CodeValidation)
}

// takeImports takes as many of the user's imports as may run now.
func (e *engine) takeImports() []lane.Lease {
	e.t.Helper()
	e.clock.Advance(2 * time.Second) // a full lane is looked at again after a second
	leases, err := lane.Claim(context.Background(), e.DB, Pools[kit.Import].Kind, "test", 20)
	if err != nil {
		e.t.Fatal(err)
	}
	return slices.DeleteFunc(leases, func(lease lane.Lease) bool { return lease.LaneID != e.user })
}

// testImportsWait has a workflow import six videos: four run, two wait without
// a worker until another one has ended, and a single import is refused meanwhile.
func testImportsWait(t *testing.T, e *engine) {
	var all nodegraph.Nodes
	for i := range 6 {
		all = append(all, &nodegraph.Node{ID: fmt.Sprint("v", i), Type: importType, Data: map[string]any{"url": "http://else.example/refused.mp4"}})
	}
	exec := e.start(all, nil)
	leases := e.takeImports()
	if more := e.takeImports(); len(leases) != maxImports || len(more) != 0 {
		t.Fatalf("%d run, then %d more", len(leases), len(more))
	}
	_, err := e.Nodes().Run(e.As(e.user), importType, map[string]any{"url": "https://else.example/a.mp4"})
	wantCode(t, err, models.CodeTooManyDownloads)
	for _, lease := range leases[:3] {
		if err := e.RunJob(context.Background(), lease); err != nil {
			t.Fatal(err)
		}
	}
	if more := e.takeImports(); len(more) != 2 {
		t.Fatalf("%d run when three have ended", len(more))
	}
	if _, err := e.Nodes().Run(e.As(e.user), importType, map[string]any{"url": "https://else.example/a.mp4"}); err != nil {
		t.Errorf("three are under way: %v", err)
	}
	e.clock.Advance(lane.DefaultLease + time.Second)
	e.work()
	if done := e.execution(exec.ID); done.FailedNodes != 6 {
		t.Errorf("the execution is %+v", done)
	}
}

// testImportsOfComponents has five components import at once: an import within
// a component takes one of the account's slots, and gives it back for what follows.
func testImportsOfComponents(t *testing.T, e *engine) {
	inner := e.addWorkflow(e.user, nodegraph.Nodes{{ID: "t", Type: "text", Data: map[string]any{"text": "https://else.example/a.mp4"}},
		{ID: "v", Type: importType}}, nodegraph.Edges{edge("t", "v")})
	var all nodegraph.Nodes
	for i := range 5 {
		all = append(all, componentNode(fmt.Sprint("c", i), inner, nil))
	}
	e.start(all, nil)
	for lease := e.claimFrom(kit.Media); lease != nil; lease = e.claimFrom(kit.Media) {
		if err := e.RunJob(context.Background(), *lease); err != nil {
			t.Fatal(err)
		}
	}
	if leases := e.takeImports(); len(leases) != maxImports {
		t.Fatalf("%d run", len(leases))
	}
	if pool := e.poolToMoveTo("delay", nil, Pools[kit.Import].Kind.Name); pool != kit.Media {
		t.Errorf("what follows an import runs in %q", pool)
	}
}

// claimFrom takes a job of a pool; nil when there is none.
func (e *engine) claimFrom(pool kit.Pool) *lane.Lease {
	e.t.Helper()
	leases, err := lane.Claim(context.Background(), e.DB, Pools[pool].Kind, "test", 1)
	if err != nil {
		e.t.Fatal(err)
	}
	if len(leases) == 0 {
		return nil
	}
	return &leases[0]
}

// testNodeLimits counts refused calls of limited nodes, too, until the minute is over.
func testNodeLimits(t *testing.T, e *engine) {
	for nodeType, most := range map[string]int{"freecut-export": 10, "video-overlay": 30} {
		e.clock.Advance(time.Minute)
		for range most {
			_, err := e.Nodes().Run(e.As(e.user), nodeType, map[string]any{})
			wantCode(t, err, models.CodeValidation)
		}
		_, err := e.Nodes().Run(e.As(e.user), nodeType, map[string]any{})
		wantCode(t, err, models.CodeRateLimitExceeded)
		if refusal, _ := models.AsError(err); refusal.RetryAfter <= 0 || refusal.RetryAfter > time.Minute {
			t.Errorf("%s: come back in %v", nodeType, refusal.RetryAfter)
		}
		_, err = e.Nodes().Run(e.As(e.AddUser(0)), nodeType, map[string]any{})
		wantCode(t, err, models.CodeValidation)
		e.clock.Advance(time.Minute)
		_, err = e.Nodes().Run(e.As(e.user), nodeType, map[string]any{})
		wantCode(t, err, models.CodeValidation)
	}
}

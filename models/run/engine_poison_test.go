package run

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"runtime/debug"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/dbtest"
	"atelier/models/lane"
	"atelier/models/nodegraph"
	"atelier/nodes/kit"
)

// poisonNodes makes template-text a node that takes its process down: done
// within a transaction (inline), or by a worker (queued). combine-text takes a
// worker a while. Leases are short, for workers to die within a test.
func poisonNodes(how string) {
	for name, pool := range Pools {
		pool.Kind.Lease = 2 * time.Second
		Pools[name] = pool
	}
	combine, _ := catalogue.Find("combine-text")
	combine.Inline = false
	run := combine.Run
	combine.Run = func(ctx context.Context, in *kit.Call) (kit.Output, error) {
		time.Sleep(100 * time.Millisecond)
		return run(ctx, in)
	}
	poison, _ := catalogue.Find("template-text")
	poison.Inline = how == "inline"
	poison.Run = func(context.Context, *kit.Call) (kit.Output, error) {
		debug.SetMaxStack(1 << 20)
		return kit.Output{"depth": overflow(1)}, nil
	}
}

// overflow never comes to an end.
func overflow(n int) int {
	if n == 0 {
		return 0
	}
	return overflow(n+1) + n
}

// apart does a job in a child of the child.
func (c child) apart(ctx context.Context, lease lane.Lease) error {
	c.Lease = &lease
	settings, err := json.Marshal(c)
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, os.Args[0])
	cmd.Env = append(os.Environ(), childVariable+"="+string(settings))
	cmd.Stderr = &bytes.Buffer{}
	return cmd.Run()
}

// TestPoisonTakesNobodyAlong has a node among twenty good ones overflow the
// stack of the one who does it. It fails after its third try, the others complete,
// and the worker that made the third try works on.
func TestPoisonTakesNobodyAlong(t *testing.T) {
	before := maps.Clone(Pools)
	t.Cleanup(func() { Pools = before })
	for _, how := range []string{"inline", "queued"} {
		t.Run(how, func(t *testing.T) {
			change(t, "combine-text", func(*kit.Node) {})
			change(t, "template-text", func(*kit.Node) {})
			poisonNodes(how)
			e := newEngineOn(t, dbtest.NewWithClock(t, &models.DatabaseClock{}))
			all := nodegraph.Nodes{}
			for i := range 10 {
				all = append(all, text(fmt.Sprintf("t%d", i), "x"))
			}
			all = append(all, &nodegraph.Node{ID: "poison", Type: "template-text", Data: map[string]any{"template": "x"}})
			for i := range 10 {
				all = append(all, combine(fmt.Sprintf("c%d", i)))
			}
			run := e.start(all, nodegraph.Edges{edge("t0", "c0")})
			worker := child{Database: e.DB.Pool.Config().ConnString(), Poison: how}
			deaths := 0
			cmd, died := e.worker(worker)
			for deadline := time.Now().Add(3 * time.Minute); !e.execution(run.ID).Finished(); {
				select {
				case <-died:
					deaths++
					cmd, died = e.worker(worker)
				case <-time.After(50 * time.Millisecond):
				}
				if time.Now().After(deadline) {
					t.Fatalf("the run does not end: %v", e.statuses(run.ID))
				}
			}
			defer func() { _ = cmd.Process.Kill() }()
			if deaths != maxAttempts-1 {
				t.Errorf("%d workers died, want %d", deaths, maxAttempts-1)
			}
			for id, job := range e.jobs(run.ID) {
				switch {
				case id == "poison":
					if job.Status != JobFailed || *job.ErrorMessage != errCutOff.Message || job.Attempts != maxAttempts {
						t.Errorf("the poisoned job is %s after %d attempts", job.Status, job.Attempts)
					}
				case job.Status != JobCompleted:
					t.Errorf("%s is %s", id, job.Status)
				}
			}
			after := e.start(nodegraph.Nodes{text("a", "x"), combine("b")}, nodegraph.Edges{edge("a", "b")})
			for deadline := time.Now().Add(time.Minute); !e.execution(after.ID).Finished(); time.Sleep(20 * time.Millisecond) {
				if time.Now().After(deadline) {
					t.Fatal("the worker does not work on")
				}
			}
			select {
			case <-died:
				t.Error("the worker died of what it made apart")
			default:
			}
		})
	}
}

// worker starts a worker in a process of its own, and tells when it has died.
func (e *engine) worker(c child) (*exec.Cmd, chan struct{}) {
	cmd, died := c.start(e.t), make(chan struct{})
	go func() {
		_ = cmd.Wait()
		close(died)
	}()
	return cmd, died
}

package tests

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"

	"atelier/models"
)

// chain is a workflow of n text nodes, one after another.
func chain(n int) object {
	nodes, edges := []object{{"id": "s0", "type": "text", "data": object{"text": "x"}}}, []object{}
	for i := 1; i < n; i++ {
		id, before := "s"+strconv.Itoa(i), "s"+strconv.Itoa(i-1)
		nodes = append(nodes, object{"id": id, "type": "text", "data": object{}})
		edges = append(edges, object{"id": "e" + id, "source": before, "target": id})
	}
	return object{"name": "Chain", "nodes": nodes, "edges": edges}
}

// runWaiting runs a workflow and waits for its result, as an account.
func (h *testServer) runWaiting(who client, workflow object) func() {
	id := who.post("/v1/workflows", workflow).want(201).text("data.id")
	request := h.post("/v1/workflows/"+id+"/run?wait=true", who.token, object{})
	return func() { fetch(h.b, manyConnections, request(), 200) }
}

// bareRun is a run of n steps by hand, behind net/http: one transaction that
// writes the run and its steps, and one for each step. Nothing is queued,
// leased, charged, or told to anyone.
func (h *testServer) bareRun(n int) (run func(), stop func()) {
	h.exec(`CREATE TABLE IF NOT EXISTS bare_runs (id uuid PRIMARY KEY, done int NOT NULL)`)
	h.exec(`CREATE TABLE IF NOT EXISTS bare_steps (run_id uuid, number int, output jsonb, PRIMARY KEY (run_id, number))`)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := h.stepByStep(r.Context(), n); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	}))
	request := get(h.b, server.URL, nil)
	return func() { fetch(h.b, manyConnections, request(), 200) }, server.Close
}

func (h *testServer) stepByStep(ctx context.Context, n int) error {
	id := models.NewID(time.Now())
	err := pgx.BeginFunc(ctx, h.DB.Pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `INSERT INTO bare_runs VALUES ($1, 0)`, id); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `INSERT INTO bare_steps SELECT $1, generate_series(1, $2::int)`, id, n)
		return err
	})
	for step := 1; step <= n && err == nil; step++ {
		err = pgx.BeginFunc(ctx, h.DB.Pool, func(tx pgx.Tx) error {
			if _, err := tx.Exec(ctx, `UPDATE bare_steps SET output = $3 WHERE run_id = $1 AND number = $2`, id, step, `{"text": "x"}`); err != nil {
				return err
			}
			_, err := tx.Exec(ctx, `UPDATE bare_runs SET done = done + 1 WHERE id = $1`, id)
			return err
		})
	}
	return err
}

const bareSteps = "net/http + pgx: a transaction for each step, no queue"

// benchThreeStepRun is a run through HTTP, from the request to its result.
func benchThreeStepRun(b testing.TB) {
	priced(b, "template-text", models.Credit/10)
	h := newTestServer(b)
	people := h.people(times(50))
	each := make([]func(), len(people))
	for i, who := range people {
		each[i] = h.runWaiting(who, threeSteps)
	}
	bare, stopBare := h.bareRun(3)
	defer stopBare()
	defer h.work()()
	each[0]()
	o, r := alternate(times(200), each[0], bare)
	before := h.tracer.n.Load()
	for range times(100) {
		each[0]()
	}
	o.statements = float64(h.tracer.n.Load()-before) / float64(times(100))
	o.rate, r.rate = rates(len(people), times(5), func(i int) { each[i]() }, func(int) { bare() })
	row(b, "Three-step run with its result, 50 accounts", o, r, bareSteps)

	one := figure{statements: o.statements}
	one.rate, r.rate = rates(len(people), times(5), func(int) { each[0]() }, func(int) { bare() })
	row(b, "The same, 50 clients on one account", one, figure{rate: r.rate}, bareSteps)
}

// benchChain is one run of 400 steps, each waiting for the one before.
func benchChain(b testing.TB) {
	h := newTestServer(b)
	ours := h.runWaiting(h.people(1)[0], chain(times(400)))
	bare, stopBare := h.bareRun(times(400))
	defer stopBare()
	defer h.work()()
	ours()
	before := h.tracer.n.Load()
	ours()
	statements := float64(h.tracer.n.Load() - before)
	o, r := alternate(times(5), ours, bare)
	o.statements = statements
	row(b, "400 steps one after another", o, r, bareSteps)
}

type noop struct{}

func (noop) Kind() string { return "bench_noop" }

// benchNodeJobs is how fast queued text nodes are done, beside River's
// jobs that do nothing.
func benchNodeJobs(b testing.TB) {
	runs, width := times(300), times(10)
	h := newTestServer(b)
	wide := object{"name": "Wide", "edges": []object{}}
	var nodes []object
	for i := range width {
		nodes = append(nodes, object{"id": fmt.Sprintf("n%d", i), "type": "text", "data": object{"text": "x"}})
	}
	wide["nodes"] = nodes
	people := h.people(times(10))
	var each []func() *http.Request
	for _, who := range people {
		id := who.post("/v1/workflows", wide).want(201).text("data.id")
		each = append(each, h.post("/v1/workflows/"+id+"/run", who.token, object{}))
	}
	var o, r figure
	for range 2 {
		for i := range runs {
			fetch(b, manyConnections, each[i%len(each)](), http.StatusAccepted)
		}
		before, began := h.tracer.n.Load(), time.Now()
		stop := h.work()
		h.until(0, `SELECT count(*) FROM lane_items WHERE kind LIKE 'node.%'`)
		o.rate += float64(runs*width) / time.Since(began).Seconds() / 2
		o.statements += float64(h.tracer.n.Load()-before) / float64(runs*width) / 2
		stop()
		rate, statements := h.river(runs * width)
		r.rate += rate / 2
		r.statements += statements / 2
	}
	row(b, "Node jobs (text nodes, queued beforehand)", o, r, fmt.Sprintf("River, jobs that do nothing (%.1f statements each)", r.statements))
}

// river does n jobs that do nothing with River as fast as it goes.
func (h *testServer) river(n int) (rate, statements float64) {
	h.b.Helper()
	ctx := context.Background()
	var done atomic.Int64
	ended := make(chan struct{})
	workers := river.NewWorkers()
	river.AddWorker(workers, river.WorkFunc(func(context.Context, *river.Job[noop]) error {
		if done.Add(1) == int64(n) {
			close(ended)
		}
		return nil
	}))
	client, err := river.NewClient(riverpgxv5.New(h.DB.Pool), &river.Config{
		Queues: map[string]river.QueueConfig{"bench": {MaxWorkers: 100}}, Workers: workers,
		FetchCooldown: time.Millisecond, FetchPollInterval: 10 * time.Millisecond, Logger: slog.New(slog.DiscardHandler),
	})
	h.must(err)
	all := make([]river.InsertManyParams, n)
	for i := range all {
		all[i] = river.InsertManyParams{Args: noop{}, InsertOpts: &river.InsertOpts{Queue: "bench"}}
	}
	_, err = client.InsertManyFast(ctx, all)
	h.must(err)
	before, began := h.tracer.n.Load(), time.Now()
	h.must(client.Start(ctx))
	<-ended
	h.until(0, `SELECT count(*) FROM river_job WHERE queue = 'bench' AND state <> 'completed'`)
	rate, statements = float64(n)/time.Since(began).Seconds(), float64(h.tracer.n.Load()-before)/float64(n)
	h.must(client.Stop(ctx))
	return rate, statements
}

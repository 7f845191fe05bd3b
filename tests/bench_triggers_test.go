package tests

import (
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"atelier/models"
)

// benchTriggerCalls is 100 addresses called at once while runs go on: from
// the call to its 202, with queued runs of other accounts at work.
func benchTriggerCalls(b testing.TB) {
	addresses, waiting := times(100), times(10_000)
	priced(b, "template-text", models.Credit/1000) // of free runs an account may start 300 a minute
	h := newTestServer(b)
	people := h.people(times(10) + 1) // the last one has the queued runs
	calls, runs := make([]func() *http.Request, addresses), make([]func() *http.Request, addresses)
	tokens := make([]string, len(people))
	for i := range calls {
		n := i % (len(people) - 1)
		who := people[n]
		if tokens[n] == "" {
			tokens[n] = who.post("/v1/api-tokens", object{"name": "bench"}).want(201).text("token")
		}
		address, id := hookOf(who, hooked)
		calls[i], runs[i] = h.post(address, "", object{"say": "you"}), h.post("/v1/workflows/"+id+"/run", tokens[n], object{})
		fetch(b, manyConnections, calls[i](), http.StatusAccepted) // is known from now on
	}
	last := people[len(people)-1]
	id := last.post("/v1/workflows", threeSteps).want(201).text("data.id")
	run := h.post("/v1/workflows/"+id+"/run", last.token, object{})
	var queued sync.WaitGroup
	for range 8 {
		queued.Go(func() {
			for range max(waiting/8, 1) {
				fetch(b, manyConnections, run(), http.StatusAccepted)
			}
		})
	}
	queued.Wait()
	before := h.tracer.n.Load()
	fetch(b, manyConnections, calls[0](), http.StatusAccepted)
	o := figure{statements: float64(h.tracer.n.Load() - before)}
	stop := h.work()
	defer stop()
	var r figure
	o.p50, o.p99 = allAtOnce(b, calls)
	r.p50, r.p99 = allAtOnce(b, runs)
	row(b, fmt.Sprintf("%d triggers called at once while %d runs go on", addresses, waiting), o, r, fmt.Sprintf("as many runs by tokens (p99 %d ms); goal: p99 100 ms", r.p99.Milliseconds()))
}

// allAtOnce sends all requests at once, five times, and tells how long one took.
func allAtOnce(b testing.TB, all []func() *http.Request) (p50, p99 time.Duration) {
	var mu sync.Mutex
	var latencies []time.Duration
	for range times(5) {
		var sent sync.WaitGroup
		for _, request := range all {
			sent.Go(func() {
				one := took(func() { fetch(b, manyConnections, request(), http.StatusAccepted) })
				mu.Lock()
				defer mu.Unlock()
				latencies = append(latencies, one)
			})
		}
		sent.Wait()
		if !trial {
			time.Sleep(500 * time.Millisecond)
		}
	}
	return quantiles(latencies)
}

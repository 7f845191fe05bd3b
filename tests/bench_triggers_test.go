package tests

import (
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"
)

// BenchmarkTriggerCalls is 100 addresses called at once while runs go on: from
// the call to its 202, with queued runs of other accounts at work.
func BenchmarkTriggerCalls(b *testing.B) {
	const addresses, waiting = 100, 10_000
	h := newTestServer(b)
	people := h.people(20)
	calls := make([]func() *http.Request, addresses)
	for i := range calls {
		who := people[i%10]
		address, _ := hookOf(who, hooked)
		calls[i] = h.post(address, "", object{"say": "you"})
		fetch(b, manyConnections, calls[i](), http.StatusAccepted) // is known from now on
	}
	id := people[10].post("/v1/workflows", threeSteps).want(201).text("data.id")
	run := h.post("/v1/workflows/"+id+"/run", people[10].token, object{})
	var queued sync.WaitGroup
	for range 8 {
		queued.Go(func() {
			for range waiting / 8 {
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
	var mu sync.Mutex
	var latencies []time.Duration
	for range 5 {
		var all sync.WaitGroup
		for _, call := range calls {
			all.Go(func() {
				took := took(func() { fetch(b, manyConnections, call(), http.StatusAccepted) })
				mu.Lock()
				defer mu.Unlock()
				latencies = append(latencies, took)
			})
		}
		all.Wait()
		time.Sleep(500 * time.Millisecond)
	}
	o.p50, o.p99 = quantiles(latencies)
	row(b, fmt.Sprintf("%d triggers called at once while %d runs go on", addresses, waiting), o, figure{}, "goal: p99 100 ms")
}

package run

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"

	"atelier/models"
	"atelier/models/lane"
	"atelier/models/nodegraph"
	"atelier/models/org/orgtest"
	"atelier/nodes/kit"
)

// BenchmarkChain runs 400 text nodes one after another with one worker.
func BenchmarkChain(b *testing.B) {
	e := newEngine(b)
	all, edges := nodegraph.Nodes{text("n0", "x")}, nodegraph.Edges{}
	for i := 1; i < 400; i++ {
		all = append(all, combine(fmt.Sprintf("n%d", i)))
		edges = append(edges, edge(all[i-1].ID, all[i].ID))
	}
	for b.Loop() {
		exec := e.start(all, edges)
		e.work()
		if done := e.execution(exec.ID); done.Status != ExecutionCompleted {
			b.Fatalf("ended as %+v", done)
		}
	}
}

// BenchmarkRuns accepts and does runs of three nodes that cost, from 50
// accounts with 8 workers.
func BenchmarkRuns(b *testing.B) {
	e := newEngine(b)
	costs(b, "combine-text", 10)
	users := make([]models.ID, 50)
	for i := range users {
		users[i] = e.AddUser(1_000_000 * models.Credit)
	}
	var next atomic.Int64
	b.SetParallelism(4)
	b.RunParallel(func(p *testing.PB) {
		for p.Next() {
			one := &engine{Service: e.Service, People: orgtest.PeopleOn(b, e.DB), t: b, clock: e.clock, user: users[next.Add(1)%50]}
			one.start(nodegraph.Nodes{combine("a"), combine("b"), combine("c")}, nodegraph.Edges{edge("a", "b"), edge("b", "c")})
			leases, err := lane.Claim(context.Background(), e.DB, Pools[kit.Cheap].Kind, "bench", 4)
			if err != nil {
				b.Fatal(err)
			}
			for _, lease := range leases {
				if err := e.RunJob(context.Background(), lease); err != nil {
					b.Fatal(err)
				}
			}
		}
	})
}

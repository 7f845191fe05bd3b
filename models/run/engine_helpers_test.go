package run

import (
	"context"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/credit"
	"atelier/models/lane"
	"atelier/models/nodegraph"
	"atelier/models/org/orgtest"
	"atelier/nodes/kit"
)

// again is the same engine with another account.
func (e *engine) again(t testing.TB) *engine {
	fresh := &engine{Service: e.Service, People: orgtest.PeopleOn(t, e.DB), t: t, clock: e.clock}
	fresh.user = fresh.AddUser(1000 * models.Credit)
	return fresh
}

// start accepts a run of the engine's account.
func (e *engine) start(all nodegraph.Nodes, edges nodegraph.Edges) *Execution {
	e.t.Helper()
	exec, err := e.tryStart(Request{Payer: credit.Payer{UserID: e.user}, Trigger: "api", Source: "api", Nodes: all, Edges: edges})
	if err != nil {
		e.t.Fatal(err)
	}
	return exec
}

func (e *engine) tryStart(request Request) (exec *Execution, err error) {
	err = e.DB.Write(e.As(e.user), func(tx *models.Tx) (err error) {
		exec, err = e.AcceptRun(tx, request)
		return err
	})
	return exec, err
}

// claim takes one due job of any pool; nil when there is none.
func (e *engine) claim() *lane.Lease {
	e.t.Helper()
	for _, pool := range Pools {
		leases, err := lane.Claim(context.Background(), e.DB, pool.Kind, "test", 1)
		if err != nil {
			e.t.Fatal(err)
		}
		if len(leases) > 0 {
			return &leases[0]
		}
	}
	return nil
}

// work runs due jobs until there are none, then lets time pass for those that
// wait, until nothing is left.
func (e *engine) work() {
	e.t.Helper()
	for range 10_000 {
		lease := e.claim()
		if lease == nil {
			if e.Count(`SELECT count(*) FROM lane_items WHERE kind LIKE 'node.%'`) == 0 {
				return
			}
			e.clock.Advance(5 * time.Second)
			continue
		}
		if err := e.RunJob(context.Background(), *lease); err != nil {
			e.t.Fatal(err)
		}
	}
	e.t.Fatal("the work does not end")
}

func (e *engine) execution(id models.ID) *Execution {
	e.t.Helper()
	exec, err := e.Executions().Find(e.As(e.user), id)
	if err != nil {
		e.t.Fatal(err)
	}
	return exec
}

// jobs are an execution's jobs by node.
func (e *engine) jobs(id models.ID) map[string]*Job {
	e.t.Helper()
	var all []*Job
	if err := e.DB.Read(context.Background()).Where("execution_id = ?", id).Find(&all).Error; err != nil {
		e.t.Fatal(err)
	}
	byNode := map[string]*Job{}
	for _, job := range all {
		byNode[job.NodeID] = job
	}
	return byNode
}

// statuses are the jobs' statuses by node.
func (e *engine) statuses(id models.ID) map[string]JobStatus {
	found := map[string]JobStatus{}
	for node, job := range e.jobs(id) {
		found[node] = job.Status
	}
	return found
}

// charges are the ledger's charges of an execution by node.
func (e *engine) charges(id models.ID) map[string]models.Credits {
	e.t.Helper()
	var rows []struct {
		NodeID string
		Amount models.Credits
	}
	err := e.DB.Read(context.Background()).Raw(`SELECT node_id, amount FROM ledger_entries WHERE execution_id = ? AND kind = 'charge'`, id).Scan(&rows).Error
	if err != nil {
		e.t.Fatal(err)
	}
	found := map[string]models.Credits{}
	for _, row := range rows {
		if _, twice := found[row.NodeID]; twice {
			e.t.Fatalf("node %s was charged twice", row.NodeID)
		}
		found[row.NodeID] = row.Amount
	}
	return found
}

// wallet is the balance and what is reserved of it.
func (e *engine) wallet() (balance, reserved models.Credits) {
	e.t.Helper()
	row := e.DB.Read(context.Background()).Raw(`SELECT balance, reserved FROM wallets WHERE user_id = ?`, e.user).Row()
	if err := row.Scan(&balance, &reserved); err != nil {
		e.t.Fatal(err)
	}
	return balance, reserved
}

// costs gives a node type a price.
func costs(t testing.TB, nodeType string, cost models.Credits) {
	change(t, nodeType, func(n *kit.Node) { n.Cost = cost })
}

// slow makes a node type one that is not done inline.
func slow(t testing.TB, nodeType string, run func(ctx context.Context, in *kit.Call) (kit.Output, error)) {
	change(t, nodeType, func(n *kit.Node) {
		n.Inline = false
		if run != nil {
			n.Run = run
		}
	})
}

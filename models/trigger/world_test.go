package trigger

import (
	"context"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/account"
	"atelier/models/credit"
	"atelier/models/dbtest"
	"atelier/models/event"
	"atelier/models/flow"
	"atelier/models/lane"
	"atelier/models/nodegraph"
	"atelier/models/nodegraph/graphtest"
	"atelier/models/org"
	"atelier/models/org/orgtest"
	"atelier/models/run"
	"atelier/models/space"
	"atelier/nodes"
	"atelier/nodes/kit"
)

// engine is a service on a database of its own, with one account that has
// credits, and workers that run when told to.
type engine struct {
	*Service
	*orgtest.People
	t     testing.TB
	clock *dbtest.Clock
	user  models.ID
}

// catalogue is what the tests' install offers, which has no providers.
var catalogue = nodes.NewCatalogue(kit.Providers{})

func newEngine(t testing.TB) *engine {
	db := dbtest.New(t)
	e := &engine{Service: newService(db), People: orgtest.PeopleOn(t, db), t: t}
	e.clock, _ = db.Clock.(*dbtest.Clock)
	e.user = e.AddUser(1000 * models.Credit)
	return e
}

func newService(db *models.DB) *Service {
	accounts := &account.Service{DB: db}
	orgs := &org.Service{DB: db, Accounts: accounts}
	flows := &flow.Service{
		DB: db, Accounts: accounts, Orgs: orgs, Spaces: &space.Service{DB: db, Accounts: accounts, Orgs: orgs},
		Events:    &event.Service{DB: db},
		PublicURL: "https://atelier.example", Catalogue: catalogue,
	}
	runs := &run.Service{
		DB: db, Accounts: accounts, Orgs: orgs, Spaces: flows.Spaces, Credits: &credit.Service{DB: db, Orgs: orgs}, Events: flows.Events, Flows: flows,
	}
	runs.Credits.RegisterHooks()
	s := &Service{DB: db, Accounts: accounts, Orgs: orgs, Flows: flows, Runs: runs, PublicURL: flows.PublicURL}
	s.RegisterHooks()
	return s
}

// claim takes one due job of any pool; nil when there is none.
func (e *engine) claim() *lane.Lease {
	e.t.Helper()
	for _, pool := range run.Pools {
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
		if err := e.Runs.RunJob(context.Background(), *lease); err != nil {
			e.t.Fatal(err)
		}
	}
	e.t.Fatal("the work does not end")
}

func (e *engine) execution(id models.ID) *run.Execution {
	e.t.Helper()
	exec, err := e.Runs.Executions().Find(e.As(e.user), id)
	if err != nil {
		e.t.Fatal(err)
	}
	return exec
}

// jobs are an execution's jobs by node.
func (e *engine) jobs(id models.ID) map[string]*run.Job {
	e.t.Helper()
	var all []*run.Job
	if err := e.DB.Read(context.Background()).Where("execution_id = ?", id).Find(&all).Error; err != nil {
		e.t.Fatal(err)
	}
	byNode := map[string]*run.Job{}
	for _, job := range all {
		byNode[job.NodeID] = job
	}
	return byNode
}

// statuses are the jobs' statuses by node.
func (e *engine) statuses(id models.ID) map[string]run.JobStatus {
	found := map[string]run.JobStatus{}
	for node, job := range e.jobs(id) {
		found[node] = job.Status
	}
	return found
}

// costs gives a node type a price.
func costs(t testing.TB, nodeType string, cost models.Credits) {
	change(t, nodeType, func(n *kit.Node) { n.Cost = cost })
}

// change alters a node type for the length of a test.
func change(t testing.TB, nodeType string, alter func(*kit.Node)) {
	t.Helper()
	kind, ok := catalogue.Find(nodeType)
	if !ok {
		t.Fatalf("no node type %s", nodeType)
	}
	before := *kind
	t.Cleanup(func() { *kind = before })
	alter(kind)
}

// world is an engine with an organization: its owner, two members and an
// outsider, and one workspace.
type world struct {
	*engine
	*orgtest.House
}

func newWorld(t testing.TB, kind org.Kind) *world {
	t.Helper()
	e := newEngine(t)
	e.Flows.Spaces.RegisterHooks()
	e.Flows.RegisterHooks()
	e.Runs.RegisterHooks()
	return &world{e, orgtest.NewHouse(e.People, e.Orgs, kind, e.user)}
}

// save is a new workflow in the space of the context.
func (e *engine) save(ctx context.Context, all nodegraph.Nodes, edges ...*nodegraph.Edge) *flow.Workflow {
	e.t.Helper()
	w, err := e.Flows.CreateWorkflow(ctx, flow.CreateWorkflowInput{Name: "A workflow", Nodes: all, Edges: edges})
	if err != nil {
		e.t.Fatal(err)
	}
	return w
}

var (
	text = graphtest.Text
	edge = graphtest.Edge
)

func wantCode(t *testing.T, err error, code models.Code) {
	t.Helper()
	if !models.HasCode(err, code) {
		t.Errorf("the error is %v, want %s", err, code)
	}
}

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
	"atelier/models/org"
	"atelier/models/run"
	"atelier/models/space"
	"atelier/nodes"
	"atelier/nodes/kit"
)

// engine is a service on a database of its own, with one account that has
// credits, and workers that run when told to.
type engine struct {
	*Service
	t     testing.TB
	clock *dbtest.Clock
	user  models.ID
}

// catalogue is what the tests' install offers, which has no providers.
var catalogue = nodes.NewCatalogue(kit.Providers{})

func newEngine(t testing.TB) *engine {
	db := dbtest.New(t)
	e := &engine{Service: newService(db), t: t}
	e.clock, _ = db.Clock.(*dbtest.Clock)
	e.user = e.addUser(1000 * models.Credit)
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

func (e *engine) addUser(balance models.Credits) models.ID {
	e.t.Helper()
	id := models.NewID(e.DB.Clock.Now())
	e.exec(`INSERT INTO users (id, email, address, display_name, created_at, updated_at) VALUES (?, ?, ?, 'Somebody', now(), now())`,
		id, id.String()+"@example.com", id.String()+"@example.com")
	e.exec(`INSERT INTO sessions (id, user_id, origin, created_at, expires_at) VALUES (?, ?, 'password', now(), '2100-01-01')`, id, id)
	e.exec(`INSERT INTO wallets (user_id) VALUES (?)`, id)
	if balance > 0 {
		e.grant(id, balance)
	}
	return id
}

// grant adds to what the account has, in its wallet and in the ledger.
func (e *engine) grant(user models.ID, amount models.Credits) {
	e.t.Helper()
	e.exec(`UPDATE wallets SET balance = balance + ? WHERE user_id = ?`, amount, user)
	e.exec(`INSERT INTO ledger_entries (id, kind, from_book, to_book, to_id, amount, user_id, created_at, balance_after)
		VALUES (?, 'grant', 'issued', 'wallet', ?, ?, ?, ?, (SELECT balance FROM wallets WHERE user_id = ?))`,
		models.NewID(e.DB.Clock.Now()), user, amount, user, e.DB.Clock.Now(), user)
}

func (e *engine) exec(sql string, args ...any) {
	e.t.Helper()
	if err := e.DB.Read(context.Background()).Exec(sql, args...).Error; err != nil {
		e.t.Fatal(err)
	}
}

// as is a context in which the account acts, by a session.
func (e *engine) as(user models.ID) context.Context {
	return models.WithActor(context.Background(), models.Actor{Kind: models.BySession, UserID: user, SessionID: user, ConfirmedAt: alwaysConfirmed})
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
			if e.count(`SELECT count(*) FROM lane_items WHERE kind LIKE 'node.%'`) == 0 {
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

func (e *engine) count(sql string, args ...any) (n int) {
	e.t.Helper()
	if err := e.DB.Read(context.Background()).Raw(sql, args...).Scan(&n).Error; err != nil {
		e.t.Fatal(err)
	}
	return n
}

func (e *engine) execution(id models.ID) *run.Execution {
	e.t.Helper()
	exec, err := e.Runs.Executions().Find(e.as(e.user), id)
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
	owner, ann, bob, stranger models.ID
	org                       *org.Organization
	room                      *org.Workspace
}

func newWorld(t testing.TB, kind org.Kind) *world {
	t.Helper()
	e := newEngine(t)
	e.Orgs.AutoApprove = true
	e.Flows.Spaces.RegisterHooks()
	e.Flows.RegisterHooks()
	e.Runs.RegisterHooks()
	w := &world{engine: e, owner: e.addUser(models.Credit), stranger: e.user}
	w.ann, w.bob = e.addUser(0), e.addUser(0)
	yes := true
	o, err := e.Orgs.CreateOrganization(e.as(w.owner), org.CreateOrganizationInput{Name: "House", Kind: kind, AcceptTerms: &yes})
	if err != nil {
		t.Fatal(err)
	}
	w.org = o
	w.room = w.addRoom("Room")
	for _, id := range []models.ID{w.ann, w.bob} {
		w.join(w.room, id, "member")
	}
	return w
}

func (w *world) addRoom(name string) *org.Workspace {
	w.t.Helper()
	room, err := w.Orgs.Workspaces().Create(w.as(w.owner), w.org.ID, org.CreateWorkspaceInput{Name: name})
	if err != nil {
		w.t.Fatal(err)
	}
	w.exec(`INSERT INTO workspace_budgets (workspace_id, organization_id, allocated) VALUES (?, ?, 100000)
		ON CONFLICT (workspace_id) DO UPDATE SET allocated = 100000`, room.ID, w.org.ID)
	return room
}

func (w *world) join(room *org.Workspace, id models.ID, role string) {
	w.t.Helper()
	w.exec(`INSERT INTO organization_members (organization_id, user_id, role, status, joined_at, updated_at)
		VALUES (?, ?, 'member', 'active', now(), now()) ON CONFLICT DO NOTHING`, w.org.ID, id)
	w.exec(`INSERT INTO workspace_members (workspace_id, user_id, organization_id, role, status, added_at, updated_at)
		VALUES (?, ?, ?, ?, 'active', now(), now())`, room.ID, id, w.org.ID, role)
}

func (w *world) setting(key, value string) {
	w.t.Helper()
	w.exec(`UPDATE organizations SET settings = settings || jsonb_build_object(?::text, ?::jsonb) WHERE id = ?`, key, value, w.org.ID)
}

func (w *world) archive(room *org.Workspace, archived bool) {
	w.t.Helper()
	w.exec(`UPDATE workspaces SET archived_at = CASE WHEN ? THEN now() END WHERE id = ?`, archived, room.ID)
}

// alwaysConfirmed is a session that needs no confirmation: clocks of tests do not get there.
var alwaysConfirmed = time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC)

// in is a context in which the account has selected the room.
func (w *world) in(room *org.Workspace, user models.ID) context.Context {
	return models.WithActor(context.Background(), models.Actor{
		Kind: models.BySession, UserID: user, DisplayName: "Somebody", ConfirmedAt: alwaysConfirmed,
		WorkspaceID: &room.ID, OrganizationID: &w.org.ID,
	})
}

// byToken is a context of an API token, restricted to some workflows.
func (e *engine) byToken(user models.ID, workflows ...models.ID) context.Context {
	return models.WithActor(context.Background(), models.Actor{Kind: models.ByToken, UserID: user, TokenID: user, WorkflowIDs: workflows, RunsPerMinute: 3})
}

// byApp is a context of a connected app with some scopes.
func (e *engine) byApp(user models.ID, scopes ...models.Scope) context.Context {
	return models.WithActor(context.Background(), models.Actor{Kind: models.ByOAuth, UserID: user, TokenID: user, AppID: user, Scopes: scopes})
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

func text(id, value string) *nodegraph.Node {
	return &nodegraph.Node{ID: id, Type: "text", Data: map[string]any{"text": value}}
}

func edge(source, target string) *nodegraph.Edge {
	return &nodegraph.Edge{ID: source + ">" + target, Source: source, Target: target}
}

func wantCode(t *testing.T, err error, code models.Code) {
	t.Helper()
	if !models.HasCode(err, code) {
		t.Errorf("the error is %v, want %s", err, code)
	}
}

package run

import (
	"context"
	"encoding/json"
	"maps"
	"strings"
	"testing"

	"atelier/models"
	"atelier/models/account"
	"atelier/models/credit"
	"atelier/models/dbtest"
	"atelier/models/event"
	"atelier/models/flow"
	"atelier/models/nodegraph"
	"atelier/models/nodegraph/graphtest"
	"atelier/models/org"
	"atelier/models/org/orgtest"
	"atelier/models/space"
	"atelier/nodes"
	"atelier/nodes/kit"
)

// world is an engine with an organization: its owner, two members and an
// outsider, and one workspace.
type world struct {
	*engine
	*orgtest.House
}

func newWorld(t testing.TB, kind org.Kind) *world {
	t.Helper()
	e := newEngine(t)
	e.Spaces.RegisterHooks()
	e.Flows.RegisterHooks()
	e.RegisterHooks()
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

func newEngine(t testing.TB) *engine { return newEngineOn(t, dbtest.New(t)) }

func newEngineOn(t testing.TB, db *models.DB) *engine {
	e := &engine{Service: newService(db), People: orgtest.PeopleOn(t, db), t: t}
	e.clock, _ = db.Clock.(*dbtest.Clock)
	e.user = e.AddUser(1000 * models.Credit)
	return e
}

func newService(db *models.DB) *Service {
	accounts := &account.Service{DB: db}
	orgs := &org.Service{DB: db, Accounts: accounts}
	spaces, events := &space.Service{DB: db, Accounts: accounts, Orgs: orgs}, &event.Service{DB: db}
	flows := &flow.Service{
		DB: db, Accounts: accounts, Orgs: orgs, Spaces: spaces, Events: events, PublicURL: "https://atelier.example", Catalogue: catalogue,
	}
	s := &Service{DB: db, Accounts: accounts, Orgs: orgs, Spaces: spaces, Credits: &credit.Service{DB: db, Orgs: orgs}, Events: events, Flows: flows}
	s.Credits.RegisterHooks()
	flows.ComponentsCost = s.componentsCost
	return s
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

// wantError checks a refusal's code and a part of its message.
func wantError(t *testing.T, err error, code models.Code, part string) {
	t.Helper()
	refusal, known := models.AsError(err)
	if err == nil || !known || refusal.Code != code || !strings.Contains(refusal.Message, part) {
		t.Fatalf("got %v, want %s with %q", err, code, part)
	}
}

var (
	node    = graphtest.Node
	text    = graphtest.Text
	combine = graphtest.Combine
	edge    = graphtest.Edge
	handle  = graphtest.Handle
)

func override(id, field string, value any) map[string]any {
	return map[string]any{id: map[string]any{field: value}}
}

// field is a field of a node's data.
func field(all nodegraph.Nodes, id, name string) any { return all.Find(id).Data[name] }

func wantCode(t *testing.T, err error, code models.Code) {
	t.Helper()
	if !models.HasCode(err, code) {
		t.Errorf("the error is %v, want %s", err, code)
	}
}

func wantStatus(t *testing.T, err error, status int) {
	t.Helper()
	if refusal, _ := models.AsError(err); refusal.HTTPStatus() != status {
		t.Fatalf("status %d, want %d", refusal.HTTPStatus(), status)
	}
}

func form(items string) *flow.PresentationSettings {
	var raw []json.RawMessage
	if err := json.Unmarshal([]byte(items), &raw); err != nil {
		panic(err)
	}
	return &flow.PresentationSettings{InputItems: raw}
}

func componentNode(id string, workflow models.ID, data map[string]any) *nodegraph.Node {
	all := map[string]any{"workflowId": workflow.String()}
	maps.Copy(all, data)
	return &nodegraph.Node{ID: id, Type: "component", Data: all}
}

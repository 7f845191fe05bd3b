package flow

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"atelier/models"
	"atelier/models/account"
	"atelier/models/dbtest"
	"atelier/models/event"
	"atelier/models/nodegraph"
	"atelier/models/nodegraph/graphtest"
	"atelier/models/org"
	"atelier/models/org/orgtest"
	"atelier/models/space"
	"atelier/nodes"
	"atelier/nodes/kit"
)

// world is a service with an organization: its owner, two members and an
// outsider, and one workspace.
type world struct {
	*workshop
	*orgtest.House
}

func newWorld(t testing.TB, kind org.Kind) *world {
	t.Helper()
	e := newWorkshop(t)
	e.Spaces.RegisterHooks()
	e.RegisterHooks()
	return &world{e, orgtest.NewHouse(e.People, e.Orgs, kind, e.user)}
}

// save is a new workflow in the space of the context.
func (e *workshop) save(ctx context.Context, all nodegraph.Nodes, edges ...*nodegraph.Edge) *Workflow {
	e.t.Helper()
	w, err := e.CreateWorkflow(ctx, CreateWorkflowInput{Name: "A workflow", Nodes: all, Edges: edges})
	if err != nil {
		e.t.Fatal(err)
	}
	return w
}

// workshop is a service on a database of its own, with one account that has
// credits.
type workshop struct {
	*Service
	*orgtest.People
	t     testing.TB
	clock *dbtest.Clock
	user  models.ID
}

// catalogue is what the tests' install offers, which has no providers.
var catalogue = nodes.NewCatalogue(kit.Providers{})

func newWorkshop(t testing.TB) *workshop {
	db := dbtest.New(t)
	e := &workshop{Service: newService(db), People: orgtest.PeopleOn(t, db), t: t}
	e.clock, _ = db.Clock.(*dbtest.Clock)
	e.user = e.AddUser(1000 * models.Credit)
	return e
}

func newService(db *models.DB) *Service {
	accounts := &account.Service{DB: db}
	orgs := &org.Service{DB: db, Accounts: accounts}
	return &Service{
		DB: db, Accounts: accounts, Orgs: orgs, Spaces: &space.Service{DB: db, Accounts: accounts, Orgs: orgs}, Events: &event.Service{DB: db},
		PublicURL: "https://atelier.example", Catalogue: catalogue,
	}
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
	node   = graphtest.Node
	text   = graphtest.Text
	edge   = graphtest.Edge
	handle = graphtest.Handle
)

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

func form(items string) *PresentationSettings {
	var raw []json.RawMessage
	if err := json.Unmarshal([]byte(items), &raw); err != nil {
		panic(err)
	}
	return &PresentationSettings{InputItems: raw}
}

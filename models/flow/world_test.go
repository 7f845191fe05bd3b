package flow

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/account"
	"atelier/models/dbtest"
	"atelier/models/event"
	"atelier/models/nodegraph"
	"atelier/models/org"
	"atelier/models/space"
	"atelier/nodes"
	"atelier/nodes/kit"
)

// world is a service with an organization: its owner, two members and an
// outsider, and one workspace.
type world struct {
	*workshop
	owner, ann, bob, stranger models.ID
	org                       *org.Organization
	room                      *org.Workspace
}

func newWorld(t testing.TB, kind org.Kind) *world {
	t.Helper()
	e := newWorkshop(t)
	e.Orgs.AutoApprove = true
	e.Spaces.RegisterHooks()
	e.RegisterHooks()
	w := &world{workshop: e, owner: e.addUser(models.Credit), stranger: e.user}
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
		Kind: models.BySession, UserID: user, DisplayName: "A person", ConfirmedAt: alwaysConfirmed,
		WorkspaceID: &room.ID, OrganizationID: &w.org.ID,
	})
}

// byToken is a context of an API token, restricted to some workflows.
func (e *workshop) byToken(user models.ID, workflows ...models.ID) context.Context {
	return models.WithActor(context.Background(), models.Actor{Kind: models.ByToken, UserID: user, TokenID: user, WorkflowIDs: workflows, RunsPerMinute: 3})
}

// byApp is a context of a connected app with some scopes.
func (e *workshop) byApp(user models.ID, scopes ...models.Scope) context.Context {
	return models.WithActor(context.Background(), models.Actor{Kind: models.ByOAuth, UserID: user, TokenID: user, AppID: user, Scopes: scopes})
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
	t     testing.TB
	clock *dbtest.Clock
	user  models.ID
}

// catalogue is what the tests' install offers, which has no providers.
var catalogue = nodes.NewCatalogue(kit.Providers{})

func newWorkshop(t testing.TB) *workshop {
	db := dbtest.New(t)
	e := &workshop{Service: newService(db), t: t}
	e.clock, _ = db.Clock.(*dbtest.Clock)
	e.user = e.addUser(1000 * models.Credit)
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

func (e *workshop) addUser(balance models.Credits) models.ID {
	e.t.Helper()
	id := models.NewID(e.DB.Clock.Now())
	e.exec(`INSERT INTO users (id, email, address, display_name, created_at, updated_at) VALUES (?, ?, ?, 'A person', now(), now())`,
		id, id.String()+"@example.com", id.String()+"@example.com")
	e.exec(`INSERT INTO sessions (id, user_id, origin, created_at, expires_at) VALUES (?, ?, 'password', now(), '2100-01-01')`, id, id)
	e.exec(`INSERT INTO wallets (user_id) VALUES (?)`, id)
	if balance > 0 {
		e.grant(id, balance)
	}
	return id
}

// grant adds to what the account has, in its wallet and in the ledger.
func (e *workshop) grant(user models.ID, amount models.Credits) {
	e.t.Helper()
	e.exec(`UPDATE wallets SET balance = balance + ? WHERE user_id = ?`, amount, user)
	e.exec(`INSERT INTO ledger_entries (id, kind, from_book, to_book, to_id, amount, user_id, created_at, balance_after)
		VALUES (?, 'grant', 'issued', 'wallet', ?, ?, ?, ?, (SELECT balance FROM wallets WHERE user_id = ?))`,
		models.NewID(e.DB.Clock.Now()), user, amount, user, e.DB.Clock.Now(), user)
}

func (e *workshop) exec(sql string, args ...any) {
	e.t.Helper()
	if err := e.DB.Read(context.Background()).Exec(sql, args...).Error; err != nil {
		e.t.Fatal(err)
	}
}

// as is a context in which the account acts, by a session.
func (e *workshop) as(user models.ID) context.Context {
	return models.WithActor(context.Background(), models.Actor{Kind: models.BySession, UserID: user, SessionID: user, ConfirmedAt: alwaysConfirmed})
}

func (e *workshop) count(sql string, args ...any) (n int) {
	e.t.Helper()
	if err := e.DB.Read(context.Background()).Raw(sql, args...).Scan(&n).Error; err != nil {
		e.t.Fatal(err)
	}
	return n
}

// wantError checks a refusal's code and a part of its message.
func wantError(t *testing.T, err error, code models.Code, part string) {
	t.Helper()
	refusal, known := models.AsError(err)
	if err == nil || !known || refusal.Code != code || !strings.Contains(refusal.Message, part) {
		t.Fatalf("got %v, want %s with %q", err, code, part)
	}
}

func node(id, kind string, data map[string]any) *nodegraph.Node {
	return &nodegraph.Node{ID: id, Type: kind, Data: data}
}

func text(id, value string) *nodegraph.Node {
	return &nodegraph.Node{ID: id, Type: "text", Data: map[string]any{"text": value}}
}

func edge(source, target string) *nodegraph.Edge {
	return &nodegraph.Edge{ID: source + ">" + target, Source: source, Target: target}
}

func handle(e *nodegraph.Edge, source, target string) *nodegraph.Edge {
	if source != "" {
		e.SourceHandle = &source
	}
	if target != "" {
		e.TargetHandle = &target
	}
	return e
}

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

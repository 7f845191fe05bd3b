package flow

import (
	"context"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/account"
	"atelier/models/nodegraph"
	"atelier/models/org"
)

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
	e.Spaces.RegisterHooks()
	e.RegisterHooks()
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
	room, err := w.Orgs.CreateWorkspace(w.as(w.owner), w.org.ID, org.CreateWorkspaceInput{Name: name})
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
func (e *engine) save(ctx context.Context, all nodegraph.Nodes, edges ...*nodegraph.Edge) *Workflow {
	e.t.Helper()
	w, err := e.CreateWorkflow(ctx, CreateWorkflowInput{Name: "A workflow", Nodes: all, Edges: edges})
	if err != nil {
		e.t.Fatal(err)
	}
	return w
}

func TestHooksMakeDefaultProjects(t *testing.T) {
	w := newWorld(t, org.Team)
	projects, err := w.Spaces.ListProjects(w.in(w.room, w.ann), models.Page{})
	if err != nil || len(projects.Nodes) != 1 || !projects.Nodes[0].IsDefault {
		t.Fatalf("projects of a new workspace: %+v, %v", projects, err)
	}
	signedUp, err := w.Accounts.SignUp(context.Background(), account.SignUpInput{Email: "new@example.com", Password: "a long password", DisplayName: "New"})
	if err != nil {
		t.Fatal(err)
	}
	projects, err = w.Spaces.ListProjects(w.as(signedUp.SignedIn.User.ID), models.Page{})
	if err != nil || len(projects.Nodes) != 1 || !projects.Nodes[0].IsDefault {
		t.Fatalf("projects of a new account: %+v, %v", projects, err)
	}
}

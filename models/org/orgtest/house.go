package orgtest

import (
	"context"
	"testing"

	"atelier/models"
	"atelier/models/org"
)

// People are accounts with credits, whose rows are written beside the use cases, and the contexts in which they act.
type People struct {
	t  testing.TB
	db *models.DB
}

// PeopleOn are the people of a database.
func PeopleOn(t testing.TB, db *models.DB) *People { return &People{t, db} }

// AddUser is a new account that is signed in.
func (p *People) AddUser(balance models.Credits) models.ID {
	p.t.Helper()
	id := models.NewID(p.db.Clock.Now())
	p.Exec(`INSERT INTO users (id, email, address, display_name, created_at, updated_at) VALUES (?, ?, ?, 'A person', now(), now())`,
		id, id.String()+"@example.com", id.String()+"@example.com")
	p.Exec(`INSERT INTO sessions (id, user_id, origin, created_at, expires_at) VALUES (?, ?, 'password', now(), '2100-01-01')`, id, id)
	p.Exec(`INSERT INTO wallets (user_id) VALUES (?)`, id)
	if balance > 0 {
		p.Grant(id, balance)
	}
	return id
}

// Grant adds to what the account has, in its wallet and in the ledger.
func (p *People) Grant(user models.ID, amount models.Credits) {
	p.t.Helper()
	p.Exec(`UPDATE wallets SET balance = balance + ? WHERE user_id = ?`, amount, user)
	p.Exec(`INSERT INTO ledger_entries (id, kind, from_book, to_book, to_id, amount, user_id, created_at, balance_after)
		VALUES (?, 'grant', 'issued', 'wallet', ?, ?, ?, ?, (SELECT balance FROM wallets WHERE user_id = ?))`,
		models.NewID(p.db.Clock.Now()), user, amount, user, p.db.Clock.Now(), user)
}

// Exec changes rows.
func (p *People) Exec(sql string, args ...any) {
	p.t.Helper()
	if err := p.db.Read(context.Background()).Exec(sql, args...).Error; err != nil {
		p.t.Fatal(err)
	}
}

// Count reads a number.
func (p *People) Count(sql string, args ...any) (n int) {
	p.t.Helper()
	if err := p.db.Read(context.Background()).Raw(sql, args...).Scan(&n).Error; err != nil {
		p.t.Fatal(err)
	}
	return n
}

// NoRowHas fails the test for every table in which a row has a text.
func (p *People) NoRowHas(text string) {
	p.t.Helper()
	var tables []string
	err := p.db.Read(context.Background()).Raw(`SELECT c.relname FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace
		AND c.relkind IN ('r', 'p') AND NOT c.relispartition`).Scan(&tables).Error
	if err != nil || len(tables) < 20 {
		p.t.Fatal(len(tables), err)
	}
	for _, table := range tables {
		if n := p.Count(`SELECT count(*) FROM "`+table+`" t WHERE strpos(t::text, ?) > 0`, text); n > 0 {
			p.t.Errorf("%q is in %d rows of %s", text, n, table)
		}
	}
}

// As is a context in which the account acts, by a session.
func (p *People) As(user models.ID) context.Context {
	return models.WithActor(context.Background(), models.Actor{Kind: models.BySession, UserID: user, SessionID: user, ConfirmedAt: alwaysConfirmed})
}

// ByToken is a context of an API token, restricted to some workflows.
func (p *People) ByToken(user models.ID, workflows ...models.ID) context.Context {
	return models.WithActor(context.Background(), models.Actor{Kind: models.ByToken, UserID: user, TokenID: user, WorkflowIDs: workflows, RunsPerMinute: 3})
}

// ByApp is a context of a connected app with some scopes.
func (p *People) ByApp(user models.ID, scopes ...models.Scope) context.Context {
	return models.WithActor(context.Background(), models.Actor{Kind: models.ByOAuth, UserID: user, TokenID: user, ClientAppID: user, Scopes: scopes})
}

// House is an organization: its owner, two members and an outsider, and one workspace.
type House struct {
	Owner, Ann, Bob, Stranger models.ID
	Org                       *org.Organization
	Room                      *org.Workspace

	people *People
	orgs   *org.Service
}

// NewHouse makes an organization among people.
func NewHouse(p *People, orgs *org.Service, kind org.Kind, stranger models.ID) *House {
	p.t.Helper()
	h := &House{people: p, orgs: orgs, Owner: p.AddUser(models.Credit), Ann: p.AddUser(0), Bob: p.AddUser(0), Stranger: stranger}
	yes := true
	orgs.AutoApprove = true
	o, err := orgs.CreateOrganization(p.As(h.Owner), org.CreateOrganizationInput{Name: "House", Kind: kind, AcceptTerms: &yes})
	if err != nil {
		p.t.Fatal(err)
	}
	h.Org = o
	h.Room = h.AddRoom("Room")
	for _, id := range []models.ID{h.Ann, h.Bob} {
		h.Join(h.Room, id, "member")
	}
	return h
}

// AddRoom makes a workspace that has credits.
func (h *House) AddRoom(name string) *org.Workspace {
	h.people.t.Helper()
	room, err := h.orgs.Workspaces().Create(h.people.As(h.Owner), h.Org.ID, org.CreateWorkspaceInput{Name: name})
	if err != nil {
		h.people.t.Fatal(err)
	}
	h.people.Exec(`INSERT INTO workspace_budgets (workspace_id, organization_id, allocated) VALUES (?, ?, 100000)
		ON CONFLICT (workspace_id) DO UPDATE SET allocated = 100000`, room.ID, h.Org.ID)
	return room
}

// Join makes an account a listed member of a workspace.
func (h *House) Join(room *org.Workspace, id models.ID, role string) {
	h.people.t.Helper()
	h.people.Exec(`INSERT INTO organization_members (organization_id, user_id, role, status, joined_at, updated_at)
		VALUES (?, ?, 'member', 'active', now(), now()) ON CONFLICT DO NOTHING`, h.Org.ID, id)
	h.people.Exec(`INSERT INTO workspace_members (workspace_id, user_id, organization_id, role, status, added_at, updated_at)
		VALUES (?, ?, ?, ?, 'active', now(), now())`, room.ID, id, h.Org.ID, role)
}

// Set changes a setting of the organization.
func (h *House) Set(key, value string) {
	h.people.t.Helper()
	h.people.Exec(`UPDATE organizations SET settings = settings || jsonb_build_object(?::text, ?::jsonb) WHERE id = ?`, key, value, h.Org.ID)
}

// Archive closes a workspace to work, or opens it again.
func (h *House) Archive(room *org.Workspace, archived bool) {
	h.people.t.Helper()
	h.people.Exec(`UPDATE workspaces SET archived_at = CASE WHEN ? THEN now() END WHERE id = ?`, archived, room.ID)
}

// In is a context in which the account has selected the workspace.
func (h *House) In(room *org.Workspace, user models.ID) context.Context {
	return models.WithActor(context.Background(), models.Actor{
		Kind: models.BySession, UserID: user, DisplayName: "A person", ConfirmedAt: alwaysConfirmed,
		WorkspaceID: &room.ID, OrganizationID: &h.Org.ID,
	})
}

// FurtherPeople are people of every other standing: an admin of the workspace and one of the organization, a member suspended in
// the workspace and one in the organization, and a member of another workspace.
func (h *House) FurtherPeople() map[string]models.ID {
	h.people.t.Helper()
	all := map[string]models.ID{}
	for _, name := range []string{"admin", "orgadmin", "benched", "suspended", "outside"} {
		all[name] = h.people.AddUser(0)
	}
	lobby := h.AddRoom("Lobby")
	h.Join(h.Room, all["admin"], "admin")
	h.Join(h.Room, all["benched"], "member")
	h.Join(h.Room, all["suspended"], "member")
	h.Join(lobby, all["outside"], "member")
	h.Join(lobby, all["orgadmin"], "member")
	h.people.Exec(`UPDATE organization_members SET role = 'admin' WHERE user_id = ?`, all["orgadmin"])
	h.people.Exec(`UPDATE workspace_members SET status = 'suspended' WHERE user_id = ?`, all["benched"])
	h.people.Exec(`UPDATE organization_members SET status = 'suspended' WHERE user_id = ?`, all["suspended"])
	return all
}

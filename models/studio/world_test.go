package studio

import (
	"context"
	"encoding/json"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"gocloud.dev/blob/memblob"

	"atelier/models"
	"atelier/models/account"
	"atelier/models/credit"
	"atelier/models/dbtest"
	"atelier/models/event"
	"atelier/models/flow"
	"atelier/models/lane"
	"atelier/models/library"
	"atelier/models/media"
	"atelier/models/notice"
	"atelier/models/org"
	"atelier/models/run"
	"atelier/models/space"
	"atelier/nodes"
	"atelier/nodes/kit"
)

// world is a studio with a school: its owner, two members and an outsider, who have credits.
type world struct {
	*Service
	t                         testing.TB
	owner, ann, bob, stranger models.ID
	org                       *org.Organization
	room                      *org.Workspace
	calls                     map[string][]*kit.Call // by node type, of types that were watched
	counted                   *atomic.Int64
}

func newWorld(t testing.TB) *world { return newWorldWith(t, kit.Providers{}) }

func newWorldWith(t testing.TB, providers kit.Providers) *world {
	t.Helper()
	db := dbtest.New(t)
	accounts := &account.Service{DB: db}
	orgs := &org.Service{DB: db, Accounts: accounts, AutoApprove: true}
	bucket := memblob.OpenBucket(nil)
	t.Cleanup(func() { _ = bucket.Close() })
	spaces := &space.Service{DB: db, Accounts: accounts, Orgs: orgs}
	files := &media.Service{Store: &media.Store{DB: db, Bucket: bucket, PublicURL: "https://atelier.example"}, Accounts: accounts, Spaces: spaces}
	flows := &flow.Service{
		DB: db, Accounts: accounts, Orgs: orgs, Spaces: spaces, Events: &event.Service{DB: db},
		PublicURL: "https://atelier.example", Catalogue: nodes.NewCatalogue(providers),
	}
	runs := &run.Service{
		DB: db, Accounts: accounts, Orgs: orgs, Spaces: spaces, Credits: &credit.Service{DB: db, Orgs: orgs}, Events: flows.Events, Flows: flows, Media: files,
	}
	orgs.RegisterHooks()
	runs.Credits.RegisterHooks()
	spaces.RegisterHooks()
	flows.RegisterHooks()
	runs.RegisterHooks()
	kept := &library.Service{DB: db, Accounts: accounts, Orgs: orgs, Spaces: spaces, Media: files, Flows: flows, Runs: runs, Notices: &notice.Service{DB: db}}
	kept.RegisterHooks()
	w := &world{Service: &Service{DB: db, Accounts: accounts, Orgs: orgs, Spaces: spaces, Media: files, Flows: flows, Runs: runs, Library: kept}, t: t, calls: map[string][]*kit.Call{}}
	w.RegisterHooks()
	w.owner, w.ann, w.bob, w.stranger = w.addUser("Olga"), w.addUser("Ann"), w.addUser("Bob"), w.addUser("Sam")
	w.org, w.room = w.addRoom(w.owner, org.School, "North School")
	w.addMember(w.room, w.ann)
	w.addMember(w.room, w.bob)
	return w
}

func (w *world) addUser(name string) models.ID {
	w.t.Helper()
	id, now := models.NewID(w.DB.Clock.Now()), w.DB.Clock.Now()
	address := id.String() + "@example.com"
	w.exec(`INSERT INTO users (id, email, address, display_name, created_at, updated_at) VALUES (?, ?, ?, ?, now(), now())`, id, address, address, name)
	w.exec(`INSERT INTO sessions (id, user_id, origin, created_at, expires_at) VALUES (?, ?, 'password', now(), '2100-01-01')`, id, id)
	w.exec(`INSERT INTO wallets (user_id, balance) VALUES (?, ?)`, id, 1000*models.Credit)
	w.exec(`INSERT INTO ledger_entries (id, kind, from_book, to_book, to_id, amount, user_id, created_at, balance_after)
		VALUES (?, 'grant', 'issued', 'wallet', ?, ?, ?, ?, ?)`, models.NewID(now), id, 1000*models.Credit, id, now, 1000*models.Credit)
	return id
}

// addRoom makes an organization of a kind with a workspace that has credits and a default project.
func (w *world) addRoom(owner models.ID, kind org.Kind, name string) (*org.Organization, *org.Workspace) {
	w.t.Helper()
	yes := true
	o, err := w.Orgs.CreateOrganization(w.as(owner), org.CreateOrganizationInput{Name: name, Kind: kind, AcceptTerms: &yes})
	if err != nil {
		w.t.Fatal(err)
	}
	room, err := w.Orgs.Workspaces().Create(w.as(owner), o.ID, org.CreateWorkspaceInput{Name: "Room"})
	if err != nil {
		w.t.Fatal(err)
	}
	w.exec(`INSERT INTO workspace_budgets (workspace_id, organization_id, allocated) VALUES (?, ?, 1000000)
		ON CONFLICT (workspace_id) DO UPDATE SET allocated = 1000000`, room.ID, o.ID)
	return o, room
}

func (w *world) addMember(room *org.Workspace, user models.ID) {
	w.t.Helper()
	w.exec(`INSERT INTO organization_members (organization_id, user_id, role, status, joined_at, updated_at) VALUES (?, ?, 'member', 'active', now(), now())`, room.OrganizationID, user)
	w.exec(`INSERT INTO workspace_members (workspace_id, user_id, organization_id, role, status, added_at, updated_at) VALUES (?, ?, ?, 'member', 'active', now(), now())`, room.ID, user, room.OrganizationID)
}

func (w *world) exec(sql string, args ...any) {
	w.t.Helper()
	if err := w.DB.Read(context.Background()).Exec(sql, args...).Error; err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) count(sql string, args ...any) (n int) {
	w.t.Helper()
	if err := w.DB.Read(context.Background()).Raw(sql, args...).Scan(&n).Error; err != nil {
		w.t.Fatal(err)
	}
	return n
}

func (w *world) as(user models.ID) context.Context {
	return models.WithActor(context.Background(), models.Actor{Kind: models.BySession, UserID: user, SessionID: user, DisplayName: "Somebody"})
}

// in is the user in the school's room, inRoom in any.
func (w *world) in(user models.ID) context.Context { return w.inRoom(user, w.room) }

func (w *world) inRoom(user models.ID, room *org.Workspace) context.Context {
	return models.WithActor(context.Background(), models.Actor{
		Kind: models.BySession, UserID: user, SessionID: user, DisplayName: "Somebody", WorkspaceID: &room.ID, OrganizationID: &room.OrganizationID,
	})
}

// refused expects a refusal with a code that names a field; part is in its text.
func (w *world) refused(err error, code models.Code, field string, part ...string) {
	w.t.Helper()
	refusal, known := models.AsError(err)
	if !known || refusal.Code != code || refusal.Field != field {
		w.t.Errorf("refused with %v, expected %s of %q", err, code, field)
		return
	}
	for _, text := range part {
		if !strings.Contains(refusal.Message, text) {
			w.t.Errorf("%q does not say %q", refusal.Message, text)
		}
	}
}

// watchWith has a node type note its calls, and yield what it is told.
func (w *world) watchWith(nodeType string, run func(*kit.Call) (kit.Output, error)) {
	w.t.Helper()
	kind, ok := w.Flows.Catalogue.Find(nodeType)
	if !ok {
		w.t.Fatal(nodeType)
	}
	before := *kind
	kind.Run = func(_ context.Context, in *kit.Call) (kit.Output, error) {
		w.calls[nodeType] = append(w.calls[nodeType], in)
		return run(in)
	}
	w.t.Cleanup(func() { *kind = before })
}

// work runs due jobs until none is left.
func (w *world) work() {
	w.t.Helper()
	for range 1000 {
		var lease *lane.Lease
		for _, pool := range run.Pools {
			leases, err := lane.Claim(context.Background(), w.DB, pool.Kind, "test", 1)
			if err != nil {
				w.t.Fatal(err)
			}
			if len(leases) > 0 {
				lease = &leases[0]
				break
			}
		}
		if lease == nil {
			if w.count(`SELECT count(*) FROM lane_items WHERE kind LIKE 'node.%'`) == 0 {
				return
			}
			w.DB.Clock.(*dbtest.Clock).Advance(5 * time.Second)
			continue
		}
		if err := w.Runs.RunJob(context.Background(), *lease); err != nil {
			w.t.Fatal(err)
		}
	}
	w.t.Fatal("the work does not end")
}

// element makes an element of a kind, private unless it is shared.
func (w *world) element(ctx context.Context, kind library.Kind, name string, visibility space.Visibility) *library.Element {
	w.t.Helper()
	e, err := w.Library.Elements().Create(ctx, library.CreateElementInput{Kind: kind, Name: name, Visibility: &visibility, Attributes: map[string]any{"accessory": "glasses"}})
	if err != nil {
		w.t.Fatal(err)
	}
	return e
}

// production makes a production called Story.
func (w *world) production(ctx context.Context, in CreateProductionInput) *Production {
	w.t.Helper()
	if in.Name == "" {
		in.Name = "Story"
	}
	p, err := w.CreateProduction(ctx, in)
	if err != nil {
		w.t.Fatal(err)
	}
	return p
}

func (w *world) shot(ctx context.Context, production models.ID, in CreateShotInput) *Shot {
	w.t.Helper()
	shot, err := w.CreateShot(ctx, production, in)
	if err != nil {
		w.t.Fatal(err)
	}
	return shot
}

func (w *world) find(ctx context.Context, id models.ID) *Production {
	w.t.Helper()
	p, err := w.FindProduction(ctx, id)
	if err != nil {
		w.t.Fatal(err)
	}
	return p
}

func ptr[T any](v T) *T { return &v }

func jsonOf(t testing.TB, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// contextType is shorter where several contexts are listed.
type contextType = context.Context

// statementsOf counts what is asked of the database meanwhile.
func (w *world) statementsOf(do func()) int64 {
	w.t.Helper()
	if w.counted == nil {
		w.counted = dbtest.CountStatements(w.t, w.DB)
	}
	before := w.counted.Load()
	do()
	return w.counted.Load() - before
}

package community

import (
	"bytes"
	"context"
	"image"
	"image/png"
	"strings"
	"testing"
	"time"

	"gocloud.dev/blob/memblob"

	"atelier/models"
	"atelier/models/account"
	"atelier/models/credit"
	"atelier/models/dbtest"
	"atelier/models/event"
	"atelier/models/flow"
	"atelier/models/library"
	"atelier/models/media"
	"atelier/models/notice"
	"atelier/models/org"
	"atelier/models/run"
	"atelier/models/space"
	"atelier/models/studio"
	"atelier/nodes"
	"atelier/nodes/kit"
)

// world is a community with a school: its owner, two members and an outsider.
type world struct {
	*Service
	t                         testing.TB
	owner, ann, bob, stranger models.ID
	org                       *org.Organization
	room                      *org.Workspace
}

func newWorld(t testing.TB) *world {
	t.Helper()
	db := dbtest.New(t)
	accounts := &account.Service{DB: db}
	orgs := &org.Service{DB: db, Accounts: accounts, AutoApprove: true}
	spaces := &space.Service{DB: db, Accounts: accounts, Orgs: orgs}
	bucket := memblob.OpenBucket(nil)
	t.Cleanup(func() { _ = bucket.Close() })
	files := &media.Service{Store: &media.Store{DB: db, Bucket: bucket, PublicURL: "https://atelier.example"}, Accounts: accounts, Spaces: spaces}
	flows := &flow.Service{
		DB: db, Accounts: accounts, Orgs: orgs, Spaces: spaces, Events: &event.Service{DB: db},
		PublicURL: files.PublicURL, Catalogue: nodes.NewCatalogue(kit.Providers{}),
	}
	runs := &run.Service{
		DB: db, Accounts: accounts, Orgs: orgs, Spaces: spaces, Credits: &credit.Service{DB: db, Orgs: orgs}, Events: flows.Events, Flows: flows, Media: files,
	}
	notices := &notice.Service{DB: db}
	kept := &library.Service{DB: db, Accounts: accounts, Orgs: orgs, Notices: notices, Spaces: spaces, Media: files, Flows: flows, Runs: runs}
	films := &studio.Service{DB: db, Accounts: accounts, Orgs: orgs, Spaces: spaces, Media: files, Flows: flows, Runs: runs, Library: kept}
	w := &world{Service: &Service{
		DB: db, Accounts: accounts, Orgs: orgs, Notices: notices, Spaces: spaces, Media: files, Flows: flows, Runs: runs, Library: kept, Studio: films,
	}, t: t}
	runs.Credits.RegisterHooks()
	spaces.RegisterHooks()
	flows.RegisterHooks()
	runs.RegisterHooks()
	kept.RegisterHooks()
	films.RegisterHooks()
	w.RegisterHooks()
	w.owner, w.ann, w.bob, w.stranger = w.addUser(), w.addUser(), w.addUser(), w.addUser()
	yes := true
	o, err := orgs.CreateOrganization(w.as(w.owner), org.CreateOrganizationInput{Name: "School", Kind: org.School, AcceptTerms: &yes})
	if err != nil {
		t.Fatal(err)
	}
	w.org = o
	if w.room, err = orgs.Workspaces().Create(w.as(w.owner), o.ID, org.CreateWorkspaceInput{Name: "Room"}); err != nil {
		t.Fatal(err)
	}
	for _, id := range []models.ID{w.ann, w.bob} {
		w.exec(`INSERT INTO organization_members (organization_id, user_id, role, status, joined_at, updated_at) VALUES (?, ?, 'member', 'active', now(), now())`, o.ID, id)
		w.exec(`INSERT INTO workspace_members (workspace_id, user_id, organization_id, role, status, added_at, updated_at) VALUES (?, ?, ?, 'member', 'active', now(), now())`, w.room.ID, id, o.ID)
	}
	w.exec(`INSERT INTO workspace_budgets (workspace_id, organization_id, allocated) VALUES (?, ?, 100000)
		ON CONFLICT (workspace_id) DO UPDATE SET allocated = 100000`, w.room.ID, w.org.ID)
	return w
}

// makeTeam makes the school a team, whose members post without a review.
func (w *world) makeTeam() {
	w.exec(`UPDATE organizations SET kind = 'team' WHERE id = ?`, w.org.ID)
}

func (w *world) addElement(ctx context.Context, in library.CreateElementInput) *library.Element {
	w.t.Helper()
	e, err := w.Library.Elements().Create(ctx, in)
	if err != nil {
		w.t.Fatal(err)
	}
	return e
}

func (w *world) addPicture(ctx context.Context, id models.ID, content []byte) {
	w.t.Helper()
	if _, err := w.Library.Images().AddFile(ctx, id, bytes.NewReader(content), library.AddImageInput{}); err != nil {
		w.t.Fatal(err)
	}
}

func smallPNG(t testing.TB) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewNRGBA(image.Rect(0, 0, 40, 40))); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func (w *world) addUser() models.ID {
	id := models.NewID(w.DB.Clock.Now())
	w.exec(`INSERT INTO users (id, email, address, display_name, created_at, updated_at) VALUES (?, ?, ?, 'Somebody', now(), now())`, id, id.String()+"@example.com", id.String()+"@example.com")
	w.exec(`INSERT INTO sessions (id, user_id, origin, created_at, expires_at) VALUES (?, ?, 'password', now(), '2100-01-01')`, id, id)
	w.exec(`INSERT INTO wallets (user_id) VALUES (?)`, id)
	return id
}

func (w *world) exec(sql string, args ...any) {
	w.t.Helper()
	if err := w.DB.Read(context.Background()).Exec(sql, args...).Error; err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) as(user models.ID) context.Context {
	return models.WithActor(context.Background(), models.Actor{Kind: models.BySession, UserID: user, SessionID: user})
}

func (w *world) in(user models.ID) context.Context {
	return models.WithActor(context.Background(), models.Actor{Kind: models.BySession, UserID: user, SessionID: user, DisplayName: "Somebody", WorkspaceID: &w.room.ID, OrganizationID: &w.org.ID})
}

// wait lets time pass, so that what is told later is later.
func (w *world) wait() { w.DB.Clock.(*dbtest.Clock).Advance(time.Minute) }

// refused expects a refusal with a code whose text has a part.
func (w *world) refused(err error, code models.Code, part string) {
	w.t.Helper()
	if !models.HasCode(err, code) || !strings.Contains(err.Error(), part) {
		w.t.Errorf("%v, not %s with %q", err, code, part)
	}
}

func (w *world) count(sql string, args ...any) (n int) {
	w.t.Helper()
	if err := w.DB.Read(context.Background()).Raw(sql, args...).Scan(&n).Error; err != nil {
		w.t.Fatal(err)
	}
	return n
}

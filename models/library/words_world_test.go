//go:build !race

package library

import (
	"context"
	"strings"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/account"
	"atelier/models/credit"
	"atelier/models/dbtest"
	"atelier/models/event"
	"atelier/models/flow"
	"atelier/models/notice"
	"atelier/models/org"
	"atelier/models/run"
	"atelier/models/space"
	"atelier/nodes"
	"atelier/nodes/kit"
)

// wordsWorld is a library with a school: its owner, two members and an outsider.
type wordsWorld struct {
	*Service
	t                         testing.TB
	owner, ann, bob, stranger models.ID
	org                       *org.Organization
	room                      *org.Workspace
}

func newWordsWorld(t testing.TB, providers kit.Providers) *wordsWorld {
	t.Helper()
	db := dbtest.New(t)
	accounts := &account.Service{DB: db}
	orgs := &org.Service{DB: db, Accounts: accounts, AutoApprove: true}
	spaces := &space.Service{DB: db, Accounts: accounts, Orgs: orgs}
	flows := &flow.Service{
		DB: db, Accounts: accounts, Orgs: orgs, Spaces: spaces, Events: &event.Service{DB: db},
		PublicURL: "https://atelier.example", Catalogue: nodes.NewCatalogue(providers),
	}
	runs := &run.Service{DB: db, Accounts: accounts, Orgs: orgs, Spaces: spaces, Credits: &credit.Service{DB: db, Orgs: orgs}, Events: flows.Events, Flows: flows}
	runs.Credits.RegisterHooks()
	spaces.RegisterHooks()
	flows.RegisterHooks()
	runs.RegisterHooks()
	w := &wordsWorld{Service: &Service{DB: db, Accounts: accounts, Orgs: orgs, Spaces: spaces, Flows: flows, Runs: runs, Notices: &notice.Service{DB: db}}, t: t}
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
	return w
}

func (w *wordsWorld) addUser() models.ID {
	id := models.NewID(w.DB.Clock.Now())
	w.exec(`INSERT INTO users (id, email, address, display_name, created_at, updated_at) VALUES (?, ?, ?, 'Somebody', now(), now())`, id, id.String()+"@example.com", id.String()+"@example.com")
	w.exec(`INSERT INTO sessions (id, user_id, origin, created_at, expires_at) VALUES (?, ?, 'password', now(), '2100-01-01')`, id, id)
	w.exec(`INSERT INTO wallets (user_id) VALUES (?)`, id)
	return id
}

func (w *wordsWorld) exec(sql string, args ...any) {
	w.t.Helper()
	if err := w.DB.Read(context.Background()).Exec(sql, args...).Error; err != nil {
		w.t.Fatal(err)
	}
}

func (w *wordsWorld) as(user models.ID) context.Context {
	return models.WithActor(context.Background(), models.Actor{Kind: models.BySession, UserID: user, SessionID: user})
}

func (w *wordsWorld) in(user models.ID) context.Context {
	return models.WithActor(context.Background(), models.Actor{Kind: models.BySession, UserID: user, SessionID: user, DisplayName: "Somebody", WorkspaceID: &w.room.ID, OrganizationID: &w.org.ID})
}

// wait lets time pass, so that what is told later is later.
func (w *wordsWorld) wait() { w.DB.Clock.(*dbtest.Clock).Advance(time.Minute) }

// refused expects a refusal with a code whose text has a part.
func (w *wordsWorld) refused(err error, code models.Code, part string) {
	w.t.Helper()
	if !models.HasCode(err, code) || !strings.Contains(err.Error(), part) {
		w.t.Errorf("%v, not %s with %q", err, code, part)
	}
}

func (w *wordsWorld) count(sql string, args ...any) (n int) {
	w.t.Helper()
	if err := w.DB.Read(context.Background()).Raw(sql, args...).Scan(&n).Error; err != nil {
		w.t.Fatal(err)
	}
	return n
}

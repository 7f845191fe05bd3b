// Package orgtest gives tests accounts, organizations and workspaces.
package orgtest

import (
	"context"
	"fmt"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/account"
	"atelier/models/dbtest"
	"atelier/models/org"
)

// World is an install with its people and organizations.
type World struct {
	testing.TB
	DB       *models.DB
	Clock    *dbtest.Clock
	Accounts *account.Service
	Orgs     *org.Service
}

// New is an empty install whose organizations start active.
func New(t testing.TB) *World {
	t.Helper()
	return On(t, dbtest.New(t))
}

// On is an install on a database.
func On(t testing.TB, db *models.DB) *World {
	accounts := &account.Service{DB: db, SignUpMode: "open"}
	return &World{
		TB: t, DB: db, Clock: db.Clock.(*dbtest.Clock), Accounts: accounts,
		Orgs: &org.Service{DB: db, Accounts: accounts, AutoApprove: true},
	}
}

// Person makes an account without a password and returns a context in which
// it acts, signed in; its address is name@example.com, confirmed.
func (w *World) Person(name string) context.Context { return w.PersonAt(name, "example.com") }

// alwaysConfirmed is a session that needs no confirmation: clocks of tests do not get there.
var alwaysConfirmed = time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC)

// PersonAt is Person with an address of a domain.
func (w *World) PersonAt(name, domain string) context.Context {
	w.Helper()
	email := name + "@" + domain
	user := account.User{Email: email, Address: email, DisplayName: name}
	err := w.DB.Write(context.Background(), func(tx *models.Tx) error {
		user.ID, user.CreatedAt, user.UpdatedAt, user.EmailVerifiedAt = tx.NewID(), tx.Now, tx.Now, &tx.Now
		return tx.Create(&user).Error
	})
	w.NoError(err)
	return models.WithActor(context.Background(), models.Actor{
		Kind: models.BySession, UserID: user.ID, DisplayName: name, Email: email, EmailVerified: true, ConfirmedAt: alwaysConfirmed,
	})
}

// Operator is a platform operator.
func (w *World) Operator() context.Context {
	w.Helper()
	ctx := w.Person("operator")
	actor := models.ActorFrom(ctx)
	actor.Operator = true
	return models.WithActor(ctx, actor)
}

// School makes a school that ctx owns.
func (w *World) School(ctx context.Context, name string) *org.Organization {
	return w.organization(ctx, org.School, name)
}

// Team makes a team that ctx owns.
func (w *World) Team(ctx context.Context, name string) *org.Organization {
	return w.organization(ctx, org.Team, name)
}

func (w *World) organization(ctx context.Context, kind org.Kind, name string) *org.Organization {
	w.Helper()
	yes := true
	o, err := w.Orgs.CreateOrganization(ctx, org.CreateOrganizationInput{Name: name, Kind: kind, AcceptTerms: &yes})
	w.NoError(err)
	return o
}

// Workspace makes a workspace in an organization.
func (w *World) Workspace(ctx context.Context, o *org.Organization, name string) *org.Workspace {
	w.Helper()
	workspace, err := w.Orgs.Workspaces().Create(ctx, o.ID, org.CreateWorkspaceInput{Name: name})
	w.NoError(err)
	return workspace
}

// Enroll makes a person a member of an organization with a role.
func (w *World) Enroll(ctx context.Context, o *org.Organization, role org.Role) {
	w.Helper()
	now := w.Clock.Now()
	w.Insert(&org.OrganizationMember{
		OrganizationID: o.ID, UserID: ID(ctx), Role: role, Status: org.MemberActive, JoinedAt: now, UpdatedAt: now,
	})
}

// Assign makes a person a member of a workspace, and of its organization if need be.
func (w *World) Assign(ctx context.Context, workspace *org.Workspace, role org.WorkspaceRole) {
	w.Helper()
	var there int64
	w.NoError(w.DB.Read(ctx).Table("organization_members").
		Where("organization_id = ? AND user_id = ?", workspace.OrganizationID, ID(ctx)).Count(&there).Error)
	if there == 0 {
		w.Enroll(ctx, &org.Organization{ID: workspace.OrganizationID}, org.Member)
	}
	now := w.Clock.Now()
	w.Insert(&org.WorkspaceMember{
		WorkspaceID: workspace.ID, UserID: ID(ctx), OrganizationID: workspace.OrganizationID, Role: role,
		Status: org.MemberActive, AddedAt: now, UpdatedAt: now,
	})
}

// Insert adds a row.
func (w *World) Insert(row any) {
	w.Helper()
	w.NoError(w.DB.Write(context.Background(), func(tx *models.Tx) error { return tx.Create(row).Error }))
}

// Exec changes rows beside the use cases.
func (w *World) Exec(sql string, args ...any) {
	w.Helper()
	w.NoError(w.DB.Read(context.Background()).Exec(sql, args...).Error)
}

// NoError ends the test on an error.
func (w *World) NoError(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

// Refused checks the code, and the status when it is not 0, of a refusal.
func (w *World) Refused(err error, code models.Code, status int) {
	w.Helper()
	if err == nil {
		w.Fatalf("expected %s, got no error", code)
	}
	refusal, _ := models.AsError(err)
	if refusal.Code != code || status != 0 && refusal.HTTPStatus() != status || refusal.Message == "" {
		w.Fatalf("expected %s (%d), got %d %v (%v)", code, status, refusal.HTTPStatus(), refusal, err)
	}
}

// Audited checks the actions of an organization's log, oldest first, and that
// its chain holds.
func (w *World) Audited(organizationID models.ID, actions ...string) {
	w.Helper()
	var found []string
	w.NoError(w.DB.Read(context.Background()).Table("audit_entries").Where("organization_id = ?", organizationID).
		Order("sequence").Pluck("action", &found).Error)
	if fmt.Sprint(found) != fmt.Sprint(actions) {
		w.Fatalf("audit log holds %v, expected %v", found, actions)
	}
	broken, err := w.DB.VerifyAudit(context.Background(), organizationID)
	w.NoError(err)
	if broken != nil {
		w.Fatalf("the chain of the audit log breaks at %v", broken)
	}
}

// ID is the account that acts in a context.
func ID(ctx context.Context) models.ID { return models.ActorFrom(ctx).UserID }

package org_test

import (
	"context"
	"testing"

	"atelier/models"
	"atelier/models/account"
	"atelier/models/org"
	"atelier/models/org/orgtest"
)

// signedIn gives a person a session, which deleting an account asks for.
func signedIn(w *orgtest.World, ctx context.Context) context.Context {
	w.Helper()
	actor := models.ActorFrom(ctx)
	actor.SessionID = models.NewID(w.Clock.Now())
	w.Exec(`INSERT INTO sessions (id, user_id, origin, created_at, expires_at) VALUES (?, ?, 'password', now(), '2100-01-01')`, actor.SessionID, actor.UserID)
	return models.WithActor(ctx, actor)
}

// Anyone who deletes the account leaves every organization, of which the log knows, and takes the names along that others typed.
func TestOrganizationsOfADeletedAccount(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Orgs.RegisterHooks()
	ada, mina := w.Person("ada"), signedIn(w, w.Person("mina"))
	north, south := w.School(ada, "North"), w.Team(ada, "South")
	room := w.Workspace(ada, north, "9b")
	w.Assign(mina, room, org.WorkspaceRoleMember)
	w.Enroll(mina, south, org.Admin)
	invite(w, ada, south, org.CreateInvitationsInput{Emails: []string{"mina.lang@example.com", "mina@example.org"}, Names: []string{"Another", "Third"}})
	invite(w, ada, w.School(ada, "West"), org.CreateInvitationsInput{Emails: []string{"mina@example.com"}, Names: []string{"Mina Lang"}})

	closing, err := w.Accounts.FindClosing(mina, orgtest.ID(mina))
	w.NoError(err)
	if closing.Organizations != 2 || len(closing.Owned) != 0 {
		t.Errorf("goes: %+v", closing)
	}
	w.NoError(w.Accounts.DeleteAccount(mina, "mina@example.com"))
	count := func(query string, args ...any) (n int) {
		t.Helper()
		w.NoError(w.DB.Read(t.Context()).Raw(query, args...).Scan(&n).Error)
		return n
	}
	for _, table := range []string{"organization_members", "workspace_members", "kept_suspensions"} {
		if n := count("SELECT count(*) FROM "+table+" WHERE user_id = ?", orgtest.ID(mina)); n != 0 {
			t.Errorf("%d rows left in %s", n, table)
		}
	}
	if n := count(`SELECT count(*) FROM audit_entries WHERE action = 'member.left' AND actor_id = ?`, orgtest.ID(mina)); n != 2 {
		t.Errorf("the logs know of %d departures", n)
	}
	for _, table := range []string{"invitations", "invitation_sends"} {
		if n := count("SELECT count(*) FROM " + table + " WHERE name = 'Mina Lang'"); n != 0 {
			t.Errorf("the name stands in %s", table)
		}
		if n := count("SELECT count(*) FROM " + table + " WHERE name <> ''"); n != 2 {
			t.Errorf("%d names of others stand in %s, want 2", n, table)
		}
	}
	if n := count("SELECT count(*) FROM invitations WHERE email = 'mina@example.com' AND revoked_at IS NULL"); n != 1 {
		t.Errorf("the invitation to the address: %d", n)
	}
}

// The owner of an organization cannot go, and is told which ones stand in the way.
func TestOwnersCannotDeleteTheirAccounts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Orgs.RegisterHooks()
	ada := signedIn(w, w.Person("ada"))
	north := w.School(ada, "North")
	closing, err := w.Accounts.FindClosing(ada, orgtest.ID(ada))
	w.NoError(err)
	if want := (account.OwnedOrganization{ID: north.ID, Name: "North"}); len(closing.Owned) != 1 || closing.Owned[0] != want || closing.Organizations != 0 {
		t.Errorf("goes: %+v", closing)
	}
	err = w.Accounts.DeleteAccount(ada, "ada@example.com")
	if !models.HasCode(err, models.CodeOwnerCannotLeave) {
		t.Errorf("the owner: %v", err)
	}
	w.NoError(w.Accounts.StillValid(ada))
	w.NoError(w.Orgs.DeleteOrganization(ada, north.ID))
	w.NoError(w.Accounts.DeleteAccount(ada, "ada@example.com"))
}

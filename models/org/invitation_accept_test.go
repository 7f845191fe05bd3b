package org_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/org"
	"atelier/models/org/orgtest"
)

func TestLookup(t *testing.T) {
	w := newWorld(t)
	ada := w.Person("ada")
	o := w.School(ada, "North")
	room := w.Workspace(ada, o, "Room")
	key := token(w, invite(w, ada, o, org.CreateInvitationsInput{Emails: []string{"mina@example.com"}, WorkspaceID: &room.ID}))
	look := func() *org.InvitationLookup {
		t.Helper()
		found, err := w.Orgs.Invitations().FindByToken(context.Background(), key)
		w.NoError(err)
		return found
	}
	found := look()
	if found.OrgName != "North" || found.Kind != org.School || found.Words["workspace"] != "Class" || found.InviterName != "ada" ||
		*found.WorkspaceName != "Room" || found.Email != "m***@example.com" || found.State != org.InvitationOpen ||
		!found.ExpiresAt.Equal(w.Clock.Now().Add(14*24*time.Hour)) {
		t.Fatalf("found %+v", found)
	}
	for range 5 {
		look() // reading uses nothing up
	}
	w.Clock.Advance(org.InvitationLifetime - time.Microsecond)
	if state := look().State; state != org.InvitationOpen {
		t.Errorf("just before its end it is %s", state)
	}
	w.Clock.Advance(time.Microsecond)
	if state := look().State; state != org.InvitationExpired {
		t.Errorf("at its end it is %s", state)
	}
	w.NoError(w.Orgs.Invitations().Revoke(ada, listed(w, ada, o, org.InvitationFilter{})[0].ID))
	if state := look().State; state != org.InvitationRevoked {
		t.Errorf("revoked it is %s", state)
	}
	for _, wrong := range []string{"", "x", key + "x", strings.ToUpper(key)} {
		_, err := w.Orgs.Invitations().FindByToken(context.Background(), wrong)
		w.Refused(err, models.CodeInvitationNotFound, 404)
	}
	_, err := w.Orgs.SuspendOrganization(w.Operator(), o.ID, "Unpaid")
	w.NoError(err)
	_, err = w.Orgs.Invitations().FindByToken(context.Background(), key)
	w.Refused(err, models.CodeInvitationNotFound, 404)
	_, err = w.Orgs.Invitations().Accept(w.Person("mina"), key)
	w.Refused(err, models.CodeInvitationNotFound, 404)
}

func TestLookupLimit(t *testing.T) {
	w := newWorld(t)
	from := func(ip string) error {
		_, err := w.Orgs.Invitations().FindByToken(models.WithActor(context.Background(), models.Actor{Kind: models.Anonymous, IP: ip}), "guess")
		return err
	}
	for range 60 {
		w.Refused(from("192.0.2.1"), models.CodeInvitationNotFound, 404)
	}
	w.Refused(from("192.0.2.1"), models.CodeRateLimitExceeded, 429)
	w.Refused(from("192.0.2.2"), models.CodeInvitationNotFound, 404)
	w.Clock.Advance(time.Minute)
	w.Refused(from("192.0.2.1"), models.CodeInvitationNotFound, 404)
}

func TestTokensAreHashed(t *testing.T) {
	w := newWorld(t)
	ada := w.Person("ada")
	key := token(w, invite(w, ada, w.Team(ada, "North"), addresses("mina@example.com")))
	for _, table := range []string{"invitations", "invitation_sends", "invitation_batches", "audit_entries", "river_job"} {
		var found int
		w.NoError(w.DB.Read(ada).Raw(`SELECT count(*) FROM `+table+` t WHERE t::text LIKE ?`, "%"+key+"%").Scan(&found).Error)
		if found > 0 {
			t.Errorf("%s holds the token", table)
		}
	}
}

func TestAcceptInvitation(t *testing.T) {
	w := newWorld(t)
	ada := w.Person("ada")
	o := w.School(ada, "North")
	room := w.Workspace(ada, o, "Room")
	key := token(w, invite(w, ada, o, org.CreateInvitationsInput{
		Emails: []string{"mina@example.com"}, WorkspaceID: &room.ID, WorkspaceRole: some(org.WorkspaceRoleAdmin),
	}))
	mina := w.Person("mina")
	unverified := models.ActorFrom(mina)
	unverified.EmailVerified = false
	for name, test := range map[string]struct {
		ctx  context.Context
		code models.Code
	}{
		"anonymous":           {context.Background(), models.CodeUnauthorized},
		"another account":     {w.Person("tom"), models.CodeEmailMismatch},
		"the inviter":         {ada, models.CodeEmailMismatch},
		"a subdomain":         {w.PersonAt("mina", "sub.example.com"), models.CodeEmailMismatch},
		"unconfirmed":         {models.WithActor(mina, unverified), models.CodeEmailUnverified},
		"app without a scope": {oauth(mina), models.CodeInsufficientScope},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := w.Orgs.Invitations().Accept(test.ctx, key)
			w.Refused(err, test.code, 0)
		})
	}
	joined, err := w.Orgs.Invitations().Accept(mina, key)
	w.NoError(err)
	if joined.OrganizationID != o.ID || *joined.WorkspaceID != room.ID {
		t.Fatalf("joined %+v", joined)
	}
	standing, err := w.Orgs.Workspaces().Find(mina, room.ID)
	w.NoError(err)
	if *standing.Role() != org.WorkspaceRoleAdmin || *standing.OrgRole != org.Member {
		t.Errorf("standing %+v", standing)
	}
	_, err = w.Orgs.Invitations().Accept(mina, key)
	w.Refused(err, models.CodeInvitationAccepted, 400)
	_, err = w.Orgs.Invitations().Accept(ada, key) // state before address
	w.Refused(err, models.CodeInvitationAccepted, 400)
	w.Audited(o.ID, "organization.created", "workspace.created", "invitation.sent", "invitation.accepted")
}

func TestMembersKeepTheirStanding(t *testing.T) {
	w := newWorld(t)
	ada := w.Person("ada")
	o := w.School(ada, "North")
	room := w.Workspace(ada, o, "Room")
	key := func(email string, role org.Role, workspaceRole org.WorkspaceRole) string {
		return token(w, invite(w, ada, o, org.CreateInvitationsInput{Emails: []string{email}, OrgRole: &role, WorkspaceID: &room.ID, WorkspaceRole: &workspaceRole}))
	}
	t.Run("roles stay", func(t *testing.T) {
		pupil := w.Person("pupil")
		w.Assign(pupil, room, org.WorkspaceRoleMember)
		_, err := w.Orgs.Invitations().Accept(pupil, key("pupil@example.com", org.Admin, org.WorkspaceRoleAdmin))
		w.NoError(err)
		standing, err := w.Orgs.Workspaces().Find(pupil, room.ID)
		w.NoError(err)
		if *standing.Role() != org.WorkspaceRoleMember || *standing.OrgRole != org.Member {
			t.Errorf("standing %s, %s", *standing.Role(), *standing.OrgRole)
		}
	})
	t.Run("the owner gets no row", func(t *testing.T) {
		_, err := w.Orgs.Invitations().Accept(ada, key("ada@example.com", org.Member, org.WorkspaceRoleMember))
		w.NoError(err)
		standing, err := w.Orgs.Workspaces().Find(ada, room.ID)
		w.NoError(err)
		if standing.ListedRole != nil || *standing.OrgRole != org.Owner {
			t.Errorf("standing %+v", standing)
		}
	})
	t.Run("suspensions stay", func(t *testing.T) {
		for name, sql := range map[string]string{
			"s1": `UPDATE organization_members SET status = 'suspended' WHERE user_id = ?`,
			"s2": `UPDATE workspace_members SET status = 'suspended' WHERE user_id = ?`,
		} {
			person := w.Person(name)
			w.Assign(person, room, org.WorkspaceRoleMember)
			w.Exec(sql, orgtest.ID(person))
			_, err := w.Orgs.Invitations().Accept(person, key(name+"@example.com", org.Admin, org.WorkspaceRoleAdmin))
			w.Refused(err, models.CodeMemberSuspended, 403)
			_, err = w.Orgs.Workspaces().Find(person, room.ID)
			w.Refused(err, models.CodeMemberSuspended, 403)
		}
	})
	t.Run("archived meanwhile", func(t *testing.T) {
		late := key("late@example.com", org.Member, org.WorkspaceRoleMember)
		_, err := w.Orgs.Workspaces().Archive(ada, room.ID)
		w.NoError(err)
		_, err = w.Orgs.Invitations().Accept(w.Person("late"), late)
		w.Refused(err, models.CodeWorkspaceArchived, 403)
	})
	t.Run("domain closed meanwhile", func(t *testing.T) {
		late := token(w, invite(w, ada, o, addresses("closed@example.com")))
		_, err := w.Orgs.UpdateOrganization(ada, o.ID, org.UpdateOrganizationInput{Settings: map[string]any{"allowed_email_domains": []any{"school.example"}}})
		w.NoError(err)
		_, err = w.Orgs.Invitations().Accept(w.Person("closed"), late)
		w.Refused(err, models.CodeDomainNotAllowed, 403)
		_, err = w.Orgs.Invitations().Resend(ada, listed(w, ada, o, org.InvitationFilter{})[0].ID, false)
		w.Refused(err, models.CodeDomainNotAllowed, 403)
	})
}

func TestDoubleAccept(t *testing.T) {
	w := newWorld(t)
	ada, mina := w.Person("ada"), w.Person("mina")
	o := w.Team(ada, "North")
	key := token(w, invite(w, ada, o, addresses("mina@example.com")))
	var all sync.WaitGroup
	errs := make([]error, 12)
	for i := range errs {
		all.Go(func() { _, errs[i] = w.Orgs.Invitations().Accept(mina, key) })
	}
	all.Wait()
	accepted := 0
	for _, err := range errs {
		if err == nil {
			accepted++
			continue
		}
		w.Refused(err, models.CodeInvitationAccepted, 400)
	}
	if accepted != 1 {
		t.Errorf("accepted %d times", accepted)
	}
	w.Audited(o.ID, "organization.created", "invitation.sent", "invitation.accepted")
}

// Accepting, revoking and sending again at once leave one outcome.
func TestAcceptRevokeRace(t *testing.T) {
	w := newWorld(t)
	ada, mina := w.Person("ada"), w.Person("mina")
	for range 8 {
		o := w.Team(ada, "North")
		w.Exec(`DELETE FROM rate_windows`)
		key := token(w, invite(w, ada, o, addresses("mina@example.com")))
		id := listed(w, ada, o, org.InvitationFilter{})[0].ID
		var all sync.WaitGroup
		var accepted, revoked error
		all.Go(func() { _, accepted = w.Orgs.Invitations().Accept(mina, key) })
		all.Go(func() { revoked = w.Orgs.Invitations().Revoke(ada, id) })
		all.Wait()
		if (accepted == nil) == (revoked == nil) {
			t.Fatalf("accepted: %v, revoked: %v", accepted, revoked)
		}
	}
}

func TestCheckInvited(t *testing.T) {
	w := newWorld(t)
	ada := w.Person("ada")
	o := w.Team(ada, "North")
	key := token(w, invite(w, ada, o, addresses("mina@example.com")))
	invited := func(email string, token *string) (ok bool) {
		t.Helper()
		w.NoError(w.DB.Write(context.Background(), func(tx *models.Tx) (err error) {
			ok, err = w.Orgs.Invitations().HasOpen(tx, email, token)
			return err
		}))
		return ok
	}
	if !invited("mina@example.com", nil) || !invited("mina@example.com", &key) || !invited("mina@example.com", some("")) {
		t.Error("the invited address may not sign up")
	}
	if invited("tom@example.com", nil) || invited("tom@example.com", &key) || invited("mina@example.com", some("guess")) {
		t.Error("somebody else may sign up")
	}
	w.Clock.Advance(org.InvitationLifetime)
	if invited("mina@example.com", &key) {
		t.Error("an expired invitation lets sign up")
	}
}

func TestPreview(t *testing.T) {
	w := newWorld(t)
	ada, teacher := w.Person("ada"), w.Person("teacher")
	o := w.School(ada, "North")
	room := w.Workspace(ada, o, "Room")
	w.Assign(teacher, room, org.WorkspaceRoleAdmin)
	invite(w, ada, o, addresses("open@example.com"))
	typed := []string{"New@example.com", "new@example.com", "ada@example.com", "open@example.com", "nonsense"}
	verdicts := func(ctx context.Context, in org.CreateInvitationsInput) string {
		t.Helper()
		rows, err := w.Orgs.Invitations().Preview(ctx, o.ID, in)
		w.NoError(err)
		var all []string
		for _, row := range rows {
			all = append(all, string(row.Verdict))
		}
		return strings.Join(all, " ")
	}
	if got := verdicts(ada, addresses(typed...)); got != "invite duplicate member new_link invalid_email" {
		t.Errorf("for the owner: %s", got)
	}
	// A teacher does not learn who is a member.
	if got := verdicts(teacher, org.CreateInvitationsInput{Emails: typed, WorkspaceID: &room.ID}); got != "invite duplicate invite already_invited invalid_email" {
		t.Errorf("for a teacher: %s", got)
	}
	left, err := w.Orgs.Invitations().Left(ada, o.ID)
	w.NoError(err)
	if left != 499 {
		t.Errorf("a preview counted: %d left", left)
	}
}

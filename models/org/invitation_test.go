package org_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/org"
	"atelier/models/org/orgtest"
)

const publicURL = "https://atelier.example"

func newWorld(t *testing.T) *orgtest.World {
	w := orgtest.New(t)
	w.Orgs.PublicURL = publicURL
	return w
}

func invite(w *orgtest.World, ctx context.Context, o *org.Organization, in org.CreateInvitationsInput) *org.InvitationBatch {
	w.Helper()
	batch, err := w.Orgs.Invitations().Create(ctx, o.ID, in)
	w.NoError(err)
	return batch
}

// token is what the link of a call's only row carries.
func token(w *orgtest.World, batch *org.InvitationBatch) string {
	w.Helper()
	if len(batch.Sends) != 1 || batch.Sends[0].Link == nil {
		w.Fatalf("no link in %+v", batch.Sends)
	}
	rest, ok := strings.CutPrefix(*batch.Sends[0].Link, publicURL+"/invitations/")
	if !ok || len(rest) != 43 {
		w.Fatalf("link %s", *batch.Sends[0].Link)
	}
	return rest
}

func addresses(emails ...string) org.CreateInvitationsInput {
	return org.CreateInvitationsInput{Emails: emails}
}

func listed(w *orgtest.World, ctx context.Context, o *org.Organization, filter org.InvitationFilter) []*org.Invitation {
	w.Helper()
	page, err := w.Orgs.Invitations().List(ctx, o.ID, filter, models.Page{})
	w.NoError(err)
	return page.Nodes
}

func some[T any](v T) *T { return &v }

func TestCreateInvitations(t *testing.T) {
	w := newWorld(t)
	ada := w.Person("ada")
	o := w.School(ada, "North")
	room := w.Workspace(ada, o, "Room")
	_, err := w.Orgs.UpdateOrganization(ada, o.ID, org.UpdateOrganizationInput{Settings: map[string]any{"allowed_email_domains": []any{"example.com"}}})
	w.NoError(err)

	batch := invite(w, ada, o, addresses(" Mina@Example.com ", "mina@example.com", "ｍｉｎａ@example.com", "nonsense", "x@sub.example.com", "a@b@c", "tom@example.com", "nul\x00l"))
	want := []string{"mina@example.com link_only", "nonsense failed invalid_email", "x@sub.example.com failed domain_not_allowed",
		"a@b@c failed invalid_email", "tom@example.com link_only", "nul\ufffdl failed invalid_email"}
	var got []string
	links := map[string]bool{}
	for _, send := range batch.Sends {
		row := send.Email + " " + string(send.Outcome())
		if send.Error != nil {
			row += " " + *send.Error
		}
		if (send.Link != nil) != (send.Status == org.SendLinkOnly) {
			t.Errorf("%s: link %v", row, send.Link)
		}
		if send.Link != nil {
			links[*send.Link] = true
		}
		got = append(got, row)
	}
	if fmt.Sprint(got) != fmt.Sprint(want) || len(links) != 2 {
		t.Fatalf("rows\n%q, want\n%q; %d links", got, want, len(links))
	}
	w.Audited(o.ID, "organization.created", "workspace.created", "organization.updated", "invitation.sent", "invitation.sent")
	var details string
	w.NoError(w.DB.Read(ada).Raw(`SELECT string_agg(details::text, '') FROM audit_entries WHERE action = 'invitation.sent'`).Scan(&details).Error)
	if strings.Contains(details, "mina") || !strings.Contains(details, "m***@example.com") {
		t.Errorf("the audit log holds %s", details)
	}

	for name, test := range map[string]struct {
		in   org.CreateInvitationsInput
		code models.Code
	}{
		"empty":                 {addresses(), models.CodeValidation},
		"201":                   {addresses(make([]string, 201)...), models.CodeValidation},
		"owner":                 {org.CreateInvitationsInput{Emails: []string{"x@example.com"}, OrgRole: some(org.Owner)}, models.CodeValidation},
		"unknown role":          {org.CreateInvitationsInput{Emails: []string{"x@example.com"}, OrgRole: some(org.Role("boss"))}, models.CodeValidation},
		"unknown class role":    {org.CreateInvitationsInput{Emails: []string{"x@example.com"}, WorkspaceID: &room.ID, WorkspaceRole: some(org.WorkspaceRole("owner"))}, models.CodeValidation},
		"role of no workspace":  {org.CreateInvitationsInput{Emails: []string{"x@example.com"}, WorkspaceRole: some(org.WorkspaceRoleMember)}, models.CodeValidation},
		"workspace of nowhere":  {org.CreateInvitationsInput{Emails: []string{"x@example.com"}, WorkspaceID: some(models.NewID(w.Clock.Now()))}, models.CodeNotFound},
		"workspace of somebody": {org.CreateInvitationsInput{Emails: []string{"x@example.com"}, WorkspaceID: &w.Workspace(ada, w.Team(ada, "South"), "Other").ID}, models.CodeNotFound},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := w.Orgs.Invitations().Create(ada, o.ID, test.in)
			w.Refused(err, test.code, 0)
		})
	}
	t.Run("archived", func(t *testing.T) {
		_, err := w.Orgs.Workspaces().Archive(ada, room.ID)
		w.NoError(err)
		_, err = w.Orgs.Invitations().Create(ada, o.ID, org.CreateInvitationsInput{Emails: []string{"x@example.com"}, WorkspaceID: &room.ID})
		w.Refused(err, models.CodeWorkspaceArchived, 403)
	})
	t.Run("inactive", func(t *testing.T) {
		_, err := w.Orgs.SuspendOrganization(w.Operator(), o.ID, "Unpaid")
		w.NoError(err)
		_, err = w.Orgs.Invitations().Create(ada, o.ID, addresses("x@example.com"))
		w.Refused(err, models.CodeOrgNotActive, 403)
		if n := len(listed(w, ada, o, org.InvitationFilter{})); n != 2 {
			t.Errorf("%d listed while suspended", n)
		}
	})
}

func TestWhoInvites(t *testing.T) {
	w := newWorld(t)
	ada, teacher, member, outsider, suspended := w.Person("ada"), w.Person("teacher"), w.Person("member"), w.Person("outsider"), w.Person("suspended")
	o := w.School(ada, "North")
	own, other := w.Workspace(ada, o, "Own"), w.Workspace(ada, o, "Other")
	w.Assign(teacher, own, org.WorkspaceRoleAdmin)
	w.Assign(member, own, org.WorkspaceRoleMember)
	w.Enroll(suspended, o, org.Admin)
	w.Exec(`UPDATE organization_members SET status = 'suspended' WHERE user_id = ?`, orgtest.ID(suspended))
	into := func(workspace *org.Workspace, role org.WorkspaceRole) org.CreateInvitationsInput {
		return org.CreateInvitationsInput{Emails: []string{"new@example.com"}, WorkspaceID: &workspace.ID, WorkspaceRole: &role}
	}
	admin := into(own, org.WorkspaceRoleMember)
	admin.OrgRole = some(org.Admin)

	invite(w, teacher, o, into(own, org.WorkspaceRoleAdmin))
	for name, test := range map[string]struct {
		ctx  context.Context
		in   org.CreateInvitationsInput
		code models.Code
	}{
		"anonymous":                     {context.Background(), addresses("x@example.com"), models.CodeUnauthorized},
		"outsider":                      {outsider, addresses("x@example.com"), models.CodeNotFound},
		"suspended":                     {suspended, addresses("x@example.com"), models.CodeMemberSuspended},
		"member":                        {member, addresses("x@example.com"), models.CodeInsufficientRole},
		"member into own workspace":     {member, into(own, org.WorkspaceRoleMember), models.CodeInsufficientRole},
		"teacher into the school":       {teacher, addresses("x@example.com"), models.CodeInsufficientRole},
		"teacher into another class":    {teacher, into(other, org.WorkspaceRoleMember), models.CodeNotFound},
		"teacher makes a school admin":  {teacher, admin, models.CodeInsufficientRole},
		"an app without the scope":      {oauth(ada), addresses("x@example.com"), models.CodeInsufficientScope},
		"teacher of a suspended school": {teacher, into(own, "boss"), models.CodeValidation},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := w.Orgs.Invitations().Create(test.ctx, o.ID, test.in)
			w.Refused(err, test.code, 0)
		})
	}
	t.Run("setting", func(t *testing.T) {
		_, err := w.Orgs.UpdateOrganization(ada, o.ID, org.UpdateOrganizationInput{Settings: map[string]any{"workspace_admins_can_invite": false}})
		w.NoError(err)
		_, err = w.Orgs.Invitations().Create(teacher, o.ID, into(own, org.WorkspaceRoleMember))
		w.Refused(err, models.CodeInsufficientRole, 403)
		_, err = w.Orgs.Invitations().List(teacher, o.ID, org.InvitationFilter{}, models.Page{})
		w.Refused(err, models.CodeInsufficientRole, 403)
		invite(w, ada, o, into(own, org.WorkspaceRoleMember))
		_, err = w.Orgs.Workspaces().Update(ada, own.ID, org.UpdateWorkspaceInput{Settings: map[string]any{"workspace_admins_can_invite": true}})
		w.NoError(err)
		invite(w, teacher, o, into(own, org.WorkspaceRoleMember))
	})
}

func oauth(ctx context.Context) context.Context {
	actor := models.ActorFrom(ctx)
	actor.Kind, actor.Scopes = models.ByOAuth, []models.Scope{models.ScopeWorkspacesRead}
	return models.WithActor(ctx, actor)
}

func TestListInvitations(t *testing.T) {
	w := newWorld(t)
	ada, teacher, member := w.Person("ada"), w.Person("teacher"), w.Person("member")
	o := w.School(ada, "North")
	own, other := w.Workspace(ada, o, "Own"), w.Workspace(ada, o, "Other")
	w.Assign(teacher, own, org.WorkspaceRoleAdmin)
	w.Assign(member, own, org.WorkspaceRoleMember)
	invite(w, ada, o, addresses("school@example.com"))
	invite(w, ada, o, org.CreateInvitationsInput{Emails: []string{"other@example.com"}, WorkspaceID: &other.ID})
	invite(w, teacher, o, org.CreateInvitationsInput{Emails: []string{"own@example.com"}, WorkspaceID: &own.ID})
	revoked := listed(w, ada, o, org.InvitationFilter{WorkspaceID: &other.ID})[0]
	w.NoError(w.Orgs.Invitations().Revoke(ada, revoked.ID))
	accepted := token(w, invite(w, ada, o, addresses("guest@example.com")))
	_, err := w.Orgs.Invitations().Accept(w.Person("guest"), accepted)
	w.NoError(err)

	emails := func(ctx context.Context, filter org.InvitationFilter) string {
		var all []string
		for _, i := range listed(w, ctx, o, filter) {
			all = append(all, strings.TrimSuffix(i.Email, "@example.com")+":"+string(i.State))
		}
		return strings.Join(all, " ")
	}
	state := func(s org.InvitationState) org.InvitationFilter { return org.InvitationFilter{State: &s} }
	for _, test := range []struct {
		ctx    context.Context
		filter org.InvitationFilter
		want   string
	}{
		{ada, org.InvitationFilter{}, "guest:accepted own:open other:revoked school:open"},
		{ada, state(org.InvitationOpen), "own:open school:open"},
		{ada, state(org.InvitationRevoked), "other:revoked"},
		{ada, state(org.InvitationAccepted), "guest:accepted"},
		{ada, state(org.InvitationExpired), ""},
		{ada, org.InvitationFilter{WorkspaceID: &own.ID}, "own:open"},
		{teacher, org.InvitationFilter{}, "own:open"},
		{teacher, org.InvitationFilter{WorkspaceID: &own.ID}, "own:open"},
	} {
		if got := emails(test.ctx, test.filter); got != test.want {
			t.Errorf("listed %q, want %q", got, test.want)
		}
	}
	counts, err := w.Orgs.Invitations().Count(ada, o.ID)
	w.NoError(err)
	if *counts != (org.InvitationCounts{Open: 2, Accepted: 1, Revoked: 1}) {
		t.Errorf("counts %+v", counts)
	}
	w.Clock.Advance(org.InvitationLifetime - org.InvitationEndsSoon - time.Minute)
	if got := emails(ada, org.InvitationFilter{EndingSoon: true}); got != "" {
		t.Errorf("ending soon, too early: %q", got)
	}
	w.Clock.Advance(time.Minute)
	if got := emails(ada, org.InvitationFilter{EndingSoon: true}); got != "own:open school:open" {
		t.Errorf("ending soon %q", got)
	}
	if got := emails(teacher, org.InvitationFilter{EndingSoon: true}); got != "own:open" {
		t.Errorf("ending soon for the teacher %q", got)
	}
	for ctx, want := range map[context.Context]int{ada: 2, teacher: 1} {
		if counts, err := w.Orgs.Invitations().Count(ctx, o.ID); err != nil || counts.EndingSoon != want || counts.Open != want {
			t.Errorf("counts %+v, want %d that end soon; %v", counts, want, err)
		}
	}
	w.Clock.Advance(org.InvitationEndsSoon)
	if got := emails(ada, org.InvitationFilter{EndingSoon: true}); got != "" {
		t.Errorf("ending soon, though over: %q", got)
	}
	if got := emails(ada, state(org.InvitationExpired)); got != "own:expired school:expired" {
		t.Errorf("expired %q", got)
	}

	refused := func(ctx context.Context, filter org.InvitationFilter, code models.Code) {
		t.Helper()
		_, err := w.Orgs.Invitations().List(ctx, o.ID, filter, models.Page{})
		w.Refused(err, code, 0)
	}
	refused(member, org.InvitationFilter{}, models.CodeInsufficientRole)
	refused(member, org.InvitationFilter{WorkspaceID: &own.ID}, models.CodeInsufficientRole)
	refused(teacher, org.InvitationFilter{WorkspaceID: &other.ID}, models.CodeNotFound)
	refused(w.Person("outsider"), org.InvitationFilter{}, models.CodeNotFound)
	refused(ada, state("lost"), models.CodeValidation)
	refused(ada, org.InvitationFilter{WorkspaceID: &w.Workspace(ada, w.Team(ada, "South"), "Room").ID}, models.CodeNotFound)

	t.Run("cursor", func(t *testing.T) {
		page, err := w.Orgs.Invitations().List(ada, o.ID, org.InvitationFilter{}, models.Page{Limit: some(3)})
		w.NoError(err)
		rest, err := w.Orgs.Invitations().List(ada, o.ID, org.InvitationFilter{}, models.Page{Cursor: page.Next()})
		w.NoError(err)
		if len(page.Nodes) != 3 || len(rest.Nodes) != 1 || rest.Nodes[0].Email != "school@example.com" {
			t.Errorf("pages of %d and %d", len(page.Nodes), len(rest.Nodes))
		}
		_, err = w.Orgs.Invitations().List(ada, o.ID, state(org.InvitationExpired), models.Page{Cursor: page.Next()})
		w.Refused(err, models.CodeValidation, 400)
	})
}

// Inviting again moves the open invitation to a new token, roles and workspace.
func TestInviteAgain(t *testing.T) {
	w := newWorld(t)
	ada := w.Person("ada")
	o := w.Team(ada, "North")
	room := w.Workspace(ada, o, "Room")
	first := token(w, invite(w, ada, o, addresses("mina@example.com")))
	before := listed(w, ada, o, org.InvitationFilter{})[0]
	w.Clock.Advance(time.Hour)
	second := token(w, invite(w, ada, o, org.CreateInvitationsInput{
		Emails: []string{"MINA@example.com"}, OrgRole: some(org.Admin), WorkspaceID: &room.ID, WorkspaceRole: some(org.WorkspaceRoleAdmin),
	}))
	after := listed(w, ada, o, org.InvitationFilter{})
	if len(after) != 1 || after[0].ID != before.ID || after[0].OrgRole != org.Admin || *after[0].WorkspaceID != room.ID ||
		!after[0].CreatedAt.Equal(before.CreatedAt) || !after[0].ExpiresAt.Equal(before.ExpiresAt.Add(time.Hour)) {
		t.Fatalf("after inviting again: %+v", after[0])
	}
	mina := w.Person("mina")
	_, err := w.Orgs.Invitations().Accept(mina, first)
	w.Refused(err, models.CodeInvitationNotFound, 404)
	_, err = w.Orgs.Invitations().Accept(mina, second)
	w.NoError(err)
	t.Run("after it was accepted there is a new one", func(t *testing.T) {
		third := token(w, invite(w, ada, o, addresses("mina@example.com")))
		if n := len(listed(w, ada, o, org.InvitationFilter{})); n != 2 {
			t.Errorf("%d invitations", n)
		}
		_, err := w.Orgs.Invitations().Accept(mina, third)
		w.NoError(err)
		found, err := w.Orgs.FindOrganization(mina, o.ID)
		w.NoError(err)
		if *found.Role != org.Admin {
			t.Errorf("an invitation made the admin a %s", *found.Role)
		}
	})
}

func TestInvitationsPerDay(t *testing.T) {
	w := newWorld(t)
	ada := w.Person("ada")
	o := w.Team(ada, "North")
	many := func(from, n int) org.CreateInvitationsInput {
		in := org.CreateInvitationsInput{}
		for i := range n {
			in.Emails = append(in.Emails, fmt.Sprintf("p%d@example.com", from+i))
		}
		return in
	}
	invite(w, ada, o, many(0, 200))
	invite(w, ada, o, many(0, 200)) // again: counts too
	left, err := w.Orgs.Invitations().Left(ada, o.ID)
	w.NoError(err)
	if left != 100 {
		t.Fatalf("%d left", left)
	}
	counted := models.WithAllowances(ada)
	_, err = w.Orgs.Invitations().Create(counted, o.ID, many(200, 101))
	if a := models.TightestAllowance(counted); a == nil || a.Limit != 500 || a.Remaining != 100 || a.Reset != 15*time.Hour {
		t.Errorf("the answer tells of %+v", a)
	}
	w.Refused(err, models.CodeBulkInviteCap, 429)
	if refusal, _ := models.AsError(err); refusal.RetryAfter != 15*time.Hour {
		t.Errorf("try again in %s", refusal.RetryAfter)
	}
	if counts, err := w.Orgs.Invitations().Count(ada, o.ID); err != nil || counts.Open != 200 {
		t.Errorf("%+v, %v", counts, err)
	}
	in := many(200, 99)
	in.Emails = append(in.Emails, "nonsense") // what fails does not count
	counted = models.WithAllowances(ada)
	invite(w, counted, o, in)
	if a := models.TightestAllowance(counted); a == nil || a.Remaining != 1 {
		t.Errorf("the answer tells of %+v", a)
	}
	some := listed(w, ada, o, org.InvitationFilter{})[0]
	_, err = w.Orgs.Invitations().Resend(ada, some.ID, false)
	w.NoError(err)
	_, err = w.Orgs.Invitations().Resend(ada, some.ID, false)
	w.Refused(err, models.CodeBulkInviteCap, 429)
	invite(w, ada, w.Team(ada, "South"), many(0, 1))
	w.Clock.Set(w.Clock.Now().Truncate(24 * time.Hour).Add(24 * time.Hour))
	invite(w, ada, o, many(0, 200))
}

// Calls at once never get beyond the day's limit.
func TestInvitationsPerDayRace(t *testing.T) {
	w := newWorld(t)
	ada := w.Person("ada")
	o := w.Team(ada, "North")
	var all sync.WaitGroup
	errs := make([]error, 8)
	for call := range errs {
		all.Go(func() {
			in := org.CreateInvitationsInput{}
			for i := range 100 {
				in.Emails = append(in.Emails, fmt.Sprintf("p%d@example.com", (i*(call+1))%150))
			}
			_, errs[call] = w.Orgs.Invitations().Create(ada, o.ID, in)
		})
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			w.Refused(err, models.CodeBulkInviteCap, 429)
		}
	}
	var sent int
	w.NoError(w.DB.Read(ada).Raw(`SELECT count(*) FROM invitation_sends`).Scan(&sent).Error)
	left, err := w.Orgs.Invitations().Left(ada, o.ID)
	w.NoError(err)
	if sent > 500 || left != 500-sent {
		t.Errorf("%d sent, %d left", sent, left)
	}
}

func TestResendAndRevoke(t *testing.T) {
	w := newWorld(t)
	ada, teacher, member := w.Person("ada"), w.Person("teacher"), w.Person("member")
	o := w.School(ada, "North")
	room := w.Workspace(ada, o, "Room")
	w.Assign(teacher, room, org.WorkspaceRoleAdmin)
	w.Assign(member, room, org.WorkspaceRoleMember)
	first := token(w, invite(w, ada, o, org.CreateInvitationsInput{Emails: []string{"mina@example.com"}, WorkspaceID: &room.ID}))
	id := listed(w, ada, o, org.InvitationFilter{})[0].ID
	resend := func(ctx context.Context) (string, error) {
		send, err := w.Orgs.Invitations().Resend(ctx, id, false)
		if err != nil {
			return "", err
		}
		return strings.TrimPrefix(*send.Link, publicURL+"/invitations/"), nil
	}

	w.Clock.Advance(org.InvitationLifetime)
	mina := w.Person("mina")
	_, err := w.Orgs.Invitations().Accept(mina, first)
	w.Refused(err, models.CodeInvitationExpired, 400)
	second, err := resend(teacher) // expired starts again
	w.NoError(err)
	_, err = w.Orgs.Invitations().FindByToken(context.Background(), first)
	w.Refused(err, models.CodeInvitationNotFound, 404)
	found, err := w.Orgs.Invitations().FindByToken(context.Background(), second)
	w.NoError(err)
	if found.State != org.InvitationOpen || !found.ExpiresAt.Equal(w.Clock.Now().Add(org.InvitationLifetime)) {
		t.Fatalf("after resending %+v", found)
	}

	for name, ctx := range map[string]context.Context{"member": member} {
		t.Run(name, func(t *testing.T) {
			_, err := resend(ctx)
			w.Refused(err, models.CodeInsufficientRole, 403)
			w.Refused(w.Orgs.Invitations().Revoke(ctx, id), models.CodeInsufficientRole, 403)
		})
	}
	_, err = resend(w.Person("outsider"))
	w.Refused(err, models.CodeNotFound, 404)
	w.Refused(w.Orgs.Invitations().Revoke(ada, models.NewID(w.Clock.Now())), models.CodeNotFound, 404)

	w.NoError(w.Orgs.Invitations().Revoke(teacher, id))
	w.NoError(w.Orgs.Invitations().Revoke(teacher, id))
	_, err = resend(ada)
	w.Refused(err, models.CodeInvitationRevoked, 400)
	_, err = w.Orgs.Invitations().Accept(mina, second)
	w.Refused(err, models.CodeInvitationRevoked, 400)

	third := token(w, invite(w, ada, o, addresses("mina@example.com")))
	_, err = w.Orgs.Invitations().Accept(mina, third)
	w.NoError(err)
	id = listed(w, ada, o, org.InvitationFilter{State: some(org.InvitationAccepted)})[0].ID
	_, err = resend(ada)
	w.Refused(err, models.CodeInvitationAccepted, 400)
	w.Refused(w.Orgs.Invitations().Revoke(ada, id), models.CodeInvitationAccepted, 400)
	w.Audited(o.ID, "organization.created", "workspace.created", "invitation.sent", "invitation.resent", "invitation.revoked", "invitation.sent", "invitation.accepted")

	t.Run("an admin of the organization to be is not a teacher's matter", func(t *testing.T) {
		invite(w, ada, o, org.CreateInvitationsInput{Emails: []string{"boss@example.com"}, OrgRole: some(org.Admin), WorkspaceID: &room.ID})
		boss := listed(w, ada, o, org.InvitationFilter{State: some(org.InvitationOpen)})[0]
		w.Refused(w.Orgs.Invitations().Revoke(teacher, boss.ID), models.CodeInsufficientRole, 403)
		_, err := w.Orgs.Invitations().Resend(teacher, boss.ID, true)
		w.Refused(err, models.CodeInsufficientRole, 403)
	})
	t.Run("archived", func(t *testing.T) {
		open := listed(w, ada, o, org.InvitationFilter{State: some(org.InvitationOpen)})[0]
		_, err := w.Orgs.Workspaces().Archive(ada, room.ID)
		w.NoError(err)
		_, err = w.Orgs.Invitations().Resend(ada, open.ID, false)
		w.Refused(err, models.CodeWorkspaceArchived, 403)
		w.Refused(w.Orgs.Invitations().Revoke(ada, open.ID), models.CodeWorkspaceArchived, 403)
	})
}

// TestInvitationsBeyondReach invites addresses whose open invitations an admin
// of a workspace may not manage: each stays as it is.
func TestInvitationsBeyondReach(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ada, teacher := w.Person("ada"), w.Person("teacher")
	o := w.School(ada, "North")
	room, other := w.Workspace(ada, o, "Room"), w.Workspace(ada, o, "Other")
	w.Assign(teacher, room, org.WorkspaceRoleAdmin)
	admin := org.Admin
	theirs := map[string]org.CreateInvitationsInput{
		"chief@example.com": {OrgRole: &admin},
		"boss@example.com":  {OrgRole: &admin, WorkspaceID: &room.ID},
		"plain@example.com": {},
		"other@example.com": {WorkspaceID: &other.ID},
	}
	links := map[string]string{}
	for email, in := range theirs {
		in.Emails = []string{email}
		links[email] = token(w, invite(w, ada, o, in))
	}
	before := listed(w, ada, o, org.InvitationFilter{})
	typed := []string{"CHIEF@Example.com", " boss@example.com", "plain@EXAMPLE.com", "other@example.com", "new@example.com"}
	batch := invite(w, teacher, o, org.CreateInvitationsInput{Emails: typed, WorkspaceID: &room.ID})
	for _, send := range batch.Sends {
		failed := send.Status == org.SendFailed && send.Error != nil && *send.Error == "already_invited" && send.Link == nil && send.InvitationID == nil
		if failed != (send.Email != "new@example.com") {
			t.Errorf("%s: %s %v", send.Email, send.Status, send.Error)
		}
	}
	after := listed(w, ada, o, org.InvitationFilter{})
	if len(after) != len(before)+1 {
		t.Fatalf("%d invitations, then %d", len(before), len(after))
	}
	for i, was := range before {
		is := after[i+1]
		if is.ID != was.ID || is.OrgRole != was.OrgRole || is.InvitedBy != was.InvitedBy || text(is.WorkspaceID) != text(was.WorkspaceID) || !is.ExpiresAt.Equal(was.ExpiresAt) {
			t.Errorf("%+v became %+v", was, is)
		}
	}
	for email, link := range links {
		if look, err := w.Orgs.Invitations().FindByToken(context.Background(), link); err != nil || look.State != org.InvitationOpen {
			t.Errorf("the link of %s: %v %v", email, look, err)
		}
	}
	left, err := w.Orgs.Invitations().Left(ada, o.ID)
	w.NoError(err)
	if left != 500-5 {
		t.Errorf("%d left: what fails does not count", left)
	}
	if rows, err := w.Orgs.Invitations().Retry(teacher, batch.ID); err == nil {
		t.Errorf("tried again: %+v", rows)
	}
	w.Clock.Advance(org.InvitationLifetime)
	again := invite(w, teacher, o, org.CreateInvitationsInput{Emails: []string{"chief@example.com"}, WorkspaceID: &room.ID})
	if again.Sends[0].Status != org.SendLinkOnly {
		t.Errorf("an expired one: %+v", again.Sends[0])
	}
	invite(w, ada, o, addresses("chief@example.com")) // anyone who manages them all moves any
}

func text(id *models.ID) string {
	if id == nil {
		return ""
	}
	return id.String()
}

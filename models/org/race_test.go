package org_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"atelier/models"
	"atelier/models/dbtest"
	"atelier/models/org"
	"atelier/models/org/orgtest"
)

// replicas are two installs on one database.
func replicas(t *testing.T) (one, two *orgtest.World) {
	t.Helper()
	url, clock := dbtest.NewURL(t), dbtest.NewClock()
	one, two = orgtest.On(t, dbtest.Open(t, url, clock)), orgtest.On(t, dbtest.Open(t, url, clock))
	one.Orgs.PublicURL, two.Orgs.PublicURL = publicURL, publicURL
	return one, two
}

// together runs all at once and waits for them.
func together(all ...func()) {
	var ready, done sync.WaitGroup
	ready.Add(len(all))
	for _, act := range all {
		done.Go(func() {
			ready.Done()
			ready.Wait()
			act()
		})
	}
	done.Wait()
}

// inOrder are the actions of an organization's log, oldest first.
func inOrder(w *orgtest.World, o *org.Organization) (actions []string) {
	w.Helper()
	w.NoError(w.DB.Read(context.Background()).Table("audit_entries").Where("organization_id = ?", o.ID).Order("sequence").Pluck("action", &actions).Error)
	return actions
}

// noneAfter fails when an action stands in the log behind the one that forbids it.
func noneAfter(w *orgtest.World, o *org.Organization, action, last string) {
	w.Helper()
	ended := false
	for _, done := range inOrder(w, o) {
		if ended && done == action {
			w.Fatalf("%s happened after %s", action, last)
		}
		ended = ended || done == last
	}
}

// A transfer meets its target, who leaves, is suspended, demoted, removed, or
// is made the owner a second time on another replica: the one who looks, there is
// one owner, and that owner is active.
func TestOwnersOnReplicas(t *testing.T) {
	one, two := replicas(t)
	for name, meet := range map[string]func(ada, eve, joe context.Context, o *org.Organization){
		"leaves": func(_, eve, _ context.Context, o *org.Organization) { _ = two.Orgs.Members().Leave(eve, o.ID) },
		"suspended": func(_, eve, joe context.Context, o *org.Organization) {
			_, _ = two.Orgs.Members().Update(joe, o.ID, orgtest.ID(eve), org.UpdateMemberInput{Status: models.Some(org.MemberSuspended)})
		},
		"demoted": func(_, eve, joe context.Context, o *org.Organization) {
			_, _ = two.Orgs.Members().Update(joe, o.ID, orgtest.ID(eve), org.UpdateMemberInput{Role: models.Some(org.Member)})
		},
		"removed": func(_, eve, joe context.Context, o *org.Organization) {
			_ = two.Orgs.Members().Remove(joe, o.ID, orgtest.ID(eve))
		},
		"another": func(ada, _, joe context.Context, o *org.Organization) {
			_, _ = two.Orgs.Members().TransferOwnership(ada, o.ID, orgtest.ID(joe))
		},
	} {
		t.Run(name, func(t *testing.T) {
			for round := range 6 {
				id := fmt.Sprint(name, round)
				ada, eve, joe := one.Person("ada"+id), one.Person("eve"+id), one.Person("joe"+id)
				o := one.Team(ada, "Team "+id)
				one.Enroll(eve, o, org.Admin)
				one.Enroll(joe, o, org.Admin)
				stop, looked := make(chan struct{}), sync.WaitGroup{}
				looked.Go(func() {
					for looking := true; looking; {
						var owners int64
						err := two.DB.Read(ada).Table("organization_members").Where("organization_id = ? AND role = 'owner' AND status = 'active'", o.ID).Count(&owners).Error
						if err != nil || owners != 1 {
							t.Errorf("%d owners, %v", owners, err)
							return
						}
						select {
						case <-stop:
							looking = false
						default:
						}
					}
				})
				together(
					func() { _, _ = one.Orgs.Members().TransferOwnership(ada, o.ID, orgtest.ID(eve)) },
					func() { meet(ada, eve, joe, o) },
				)
				close(stop)
				looked.Wait()
			}
		})
	}
}

// Two hundred people are invited while the inviter, or the whole
// organization, is suspended: all or no one, and never afterwards.
func TestInvitingMeetsSuspension(t *testing.T) {
	one, two := replicas(t)
	operator := two.Operator()
	emails := make([]string, 200)
	for i := range emails {
		emails[i] = fmt.Sprintf("guest%d@example.com", i)
	}
	both := map[bool]int{}
	for round := range 8 {
		ada, eve := one.Person(fmt.Sprint("ada", round)), one.Person(fmt.Sprint("eve", round))
		o := one.Team(ada, fmt.Sprint("Team ", round))
		one.Enroll(eve, o, org.Admin)
		var invited, suspended error
		last := "member.suspended"
		suspend := func() {
			_, suspended = two.Orgs.Members().Update(ada, o.ID, orgtest.ID(eve), org.UpdateMemberInput{Status: models.Some(org.MemberSuspended)})
		}
		if round%2 == 0 {
			last, suspend = "organization.suspended", func() { _, suspended = two.Orgs.SuspendOrganization(operator, o.ID, "Unpaid") }
		}
		together(func() { _, invited = one.Orgs.Invitations().Create(eve, o.ID, addresses(emails...)) }, suspend)
		one.NoError(suspended)
		if invited != nil && !models.HasCode(invited, models.CodeOrgNotActive) && !models.HasCode(invited, models.CodeMemberSuspended) {
			t.Fatal(invited)
		}
		var rows int64
		one.NoError(one.DB.Read(ada).Table("invitations").Where("organization_id = ?", o.ID).Count(&rows).Error)
		if want := map[bool]int64{true: 200}[invited == nil]; rows != want {
			t.Errorf("%d invitations, %v", rows, invited)
		}
		noneAfter(one, o, "invitation.sent", last)
		both[invited == nil]++
	}
	t.Logf("invited first: %d, suspended first: %d", both[true], both[false])
}

// One invitation and one code are used by one person on two replicas at once.
func TestEntriesOnReplicas(t *testing.T) {
	one, two := replicas(t)
	ada := one.Person("ada")
	for round := range 5 {
		mina := one.Person(fmt.Sprint("mina", round))
		o := one.Team(ada, "North")
		one.Exec(`DELETE FROM rate_windows`)
		room := one.Workspace(ada, o, "Room")
		code := enable(one, ada, room, org.EnableCode).Code
		key := token(one, invite(one, ada, o, org.CreateInvitationsInput{Emails: []string{fmt.Sprintf("mina%d@example.com", round)}, WorkspaceID: &room.ID}))
		errs := make([]error, 6)
		together(
			func() { _, errs[0] = one.Orgs.Invitations().Accept(mina, key) },
			func() { _, errs[1] = two.Orgs.Invitations().Accept(mina, key) },
			func() { _, errs[2] = one.Orgs.JoinCodes().Join(mina, code) },
			func() { _, errs[3] = two.Orgs.JoinCodes().Join(mina, code) },
			func() { _, errs[4] = two.Orgs.JoinCodes().Join(mina, code) },
		)
		if (errs[0] == nil) == (errs[1] == nil) {
			t.Fatalf("the invitation: %v and %v", errs[0], errs[1])
		}
		for _, err := range errs[:2] {
			if err != nil {
				one.Refused(err, models.CodeInvitationAccepted, 400)
			}
		}
		for _, err := range errs[2:] {
			one.NoError(err)
		}
		for _, table := range []string{"organization_members", "workspace_members"} {
			var rows int64
			one.NoError(one.DB.Read(ada).Table(table).Where("organization_id = ? AND user_id = ?", o.ID, orgtest.ID(mina)).Count(&rows).Error)
			if rows != 1 {
				t.Errorf("%d rows in %s", rows, table)
			}
		}
	}
}

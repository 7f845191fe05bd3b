package credit_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"atelier/models"
	"atelier/models/credit"
	"atelier/models/org"
	"atelier/models/org/orgtest"
)

// capOf is a person's cap in a workspace, as text; "none" without one.
func (b *bank) capOf(who context.Context, room *org.Workspace) string {
	b.Helper()
	var rows []credit.MemberBudget
	b.NoError(b.DB.Read(who).Where("workspace_id = ? AND user_id = ?", room.ID, orgtest.ID(who)).Find(&rows).Error)
	if len(rows) == 0 || rows[0].Cap == nil {
		return "none"
	}
	return rows[0].Cap.String()
}

// Anyone who becomes a plain member of a workspace, in whatever way, begins with its
// default cap; no one's own cap changes, and none binds an admin of the organization.
func TestDefaultCap(t *testing.T) {
	b := newBank(t)
	ada, head, pupil, other, room := b.classroom()
	o := &org.Organization{ID: room.OrganizationID}
	b.setCap(room, pupil, new(9*models.Credit))
	five := 5 * models.Credit
	view, err := b.credits.SetDefaultCap(head, room.ID, &five)
	b.NoError(err)
	if *view.DefaultCap != five || b.uncapped(head, view) != 1 {
		t.Errorf("the default is %v for %d without a cap", view.DefaultCap, b.uncapped(head, view))
	}
	if _, err = b.credits.SetDefaultCap(head, room.ID, &five); err != nil { // changes nothing, and is no line in the log
		t.Error(err)
	}
	code, err := b.Orgs.JoinCodes().Change(head, room.ID, "enable")
	b.NoError(err)

	join := func(who context.Context) {
		t.Helper()
		_, err := b.Orgs.JoinCodes().Join(who, code.Code)
		b.NoError(err)
	}
	invite := func(who context.Context, orgRole org.Role, role org.WorkspaceRole) {
		t.Helper()
		batch, err := b.Orgs.Invitations().Create(ada, o.ID, org.CreateInvitationsInput{
			Emails: []string{models.ActorFrom(who).Email}, OrgRole: &orgRole, WorkspaceID: &room.ID, WorkspaceRole: &role,
		})
		b.NoError(err)
		link := *batch.Sends[0].Link
		_, err = b.Orgs.Invitations().Accept(who, link[strings.LastIndex(link, "/")+1:])
		b.NoError(err)
	}
	add := func(who context.Context, role org.WorkspaceRole) {
		t.Helper()
		_, err := b.Orgs.WorkspaceMembers().Add(head, room.ID, org.AddWorkspaceMemberInput{UserID: orgtest.ID(who), Role: role})
		b.NoError(err)
	}
	role := func(who context.Context, role org.WorkspaceRole) {
		t.Helper()
		_, err := b.Orgs.WorkspaceMembers().Update(head, room.ID, orgtest.ID(who), org.UpdateWorkspaceMemberInput{Role: models.Some(role)})
		b.NoError(err)
	}
	orgRole := func(who context.Context, role org.Role) {
		t.Helper()
		_, err := b.Orgs.Members().Update(ada, o.ID, orgtest.ID(who), org.UpdateMemberInput{Role: models.Some(role)})
		b.NoError(err)
	}
	enrolled := func(role org.Role) func(context.Context) {
		return func(who context.Context) { b.Enroll(who, o, role) }
	}
	for i, c := range []struct {
		name string
		do   []func(context.Context)
		cap  string
	}{
		{"by the code", []func(context.Context){join}, "5"},
		{"by the code, twice", []func(context.Context){join, join}, "5"},
		{"invited", []func(context.Context){func(who context.Context) { invite(who, org.Member, org.WorkspaceRoleMember) }}, "5"},
		{"invited as an admin of the organization", []func(context.Context){func(who context.Context) { invite(who, org.Admin, org.WorkspaceRoleMember) }}, "none"},
		{"invited to run it", []func(context.Context){func(who context.Context) { invite(who, org.Member, org.WorkspaceRoleAdmin) }}, "none"},
		{"added", []func(context.Context){enrolled(org.Member), func(who context.Context) { add(who, org.WorkspaceRoleMember) }}, "5"},
		{"added to run it", []func(context.Context){enrolled(org.Member), func(who context.Context) { add(who, org.WorkspaceRoleAdmin) }}, "none"},
		{"added, an admin of the organization", []func(context.Context){enrolled(org.Admin), func(who context.Context) { add(who, org.WorkspaceRoleMember) }}, "none"},
		{"runs it no more", []func(context.Context){enrolled(org.Member), func(who context.Context) { add(who, org.WorkspaceRoleAdmin) }, func(who context.Context) { role(who, org.WorkspaceRoleMember) }}, "5"},
		{"an admin of the organization no more", []func(context.Context){
			enrolled(org.Admin), func(who context.Context) { add(who, org.WorkspaceRoleMember) }, func(who context.Context) { orgRole(who, org.Member) },
		}, "5"},
		{"comes back with an own cap", []func(context.Context){join, func(who context.Context) { b.setCap(room, who, new(7*models.Credit)) }, func(who context.Context) {
			b.NoError(b.Orgs.WorkspaceMembers().Remove(head, room.ID, orgtest.ID(who)))
		}, join}, "7"},
		{"comes back, had spent and no cap", []func(context.Context){func(who context.Context) {
			b.Exec(`INSERT INTO member_budgets (workspace_id, user_id) VALUES (?, ?)`, room.ID, orgtest.ID(who))
		}, join}, "5"},
	} {
		who := b.Person(fmt.Sprint("person", i))
		for _, do := range c.do {
			do(who)
		}
		if got := b.capOf(who, room); got != c.cap {
			t.Errorf("%s: the cap is %s, expected %s", c.name, got, c.cap)
		}
	}
	if b.capOf(pupil, room) != "9" || b.capOf(other, room) != "none" {
		t.Error("a cap of somebody who was there has changed")
	}

	t.Run("applied to those without", func(t *testing.T) {
		view, err := b.credits.ApplyDefaultCap(head, room.ID)
		b.NoError(err)
		if b.uncapped(head, view) != 0 || b.capOf(other, room) != "5" || b.capOf(pupil, room) != "9" || b.capOf(head, room) != "none" {
			t.Errorf("%d have none; pupils %s and %s, the teacher %s", b.uncapped(head, view), b.capOf(pupil, room), b.capOf(other, room), b.capOf(head, room))
		}
	})
	t.Run("caps are off", func(t *testing.T) {
		_, err := b.Orgs.Workspaces().Update(head, room.ID, org.UpdateWorkspaceInput{Settings: map[string]any{"member_caps_enabled": false}})
		b.NoError(err)
		_, err = b.credits.SetDefaultCap(head, room.ID, new(6*models.Credit))
		b.Refused(err, models.CodeValidation, 400)
		_, err = b.credits.ApplyDefaultCap(head, room.ID)
		b.Refused(err, models.CodeValidation, 400)
		late := b.Person("late")
		join(late)
		if got := b.capOf(late, room); got != "none" {
			t.Errorf("the cap is %s", got)
		}
		view, err := b.credits.SetDefaultCap(head, room.ID, nil)
		b.NoError(err)
		if view.DefaultCap != nil {
			t.Errorf("the default is %v", view.DefaultCap)
		}
		_, err = b.credits.ApplyDefaultCap(head, room.ID)
		b.Refused(err, models.CodeValidation, 400)
	})
	t.Run("the log", func(t *testing.T) {
		var changes []string
		b.NoError(b.DB.Read(ada).Table("audit_entries").Where("organization_id = ? AND action = 'workspace.default_cap_changed'", o.ID).
			Order("id").Pluck("details::text", &changes).Error)
		if len(changes) != 2 {
			t.Errorf("the log says %q", changes)
		}
		var joined int64
		b.NoError(b.DB.Read(ada).Table("audit_entries").Where("organization_id = ? AND details::text LIKE '%creditCap%' AND action <> 'member.cap_changed'", o.ID).Count(&joined).Error)
		if joined != 7 {
			t.Errorf("%d lines tell of a cap that somebody began with", joined)
		}
	})
}

func TestDefaultCapRefusals(t *testing.T) {
	b := newBank(t)
	ada, head, pupil, _, room := b.classroom()
	limit, outsider := models.Credit, b.Person("outsider")
	for name, bad := range map[string]models.Credits{"negative": -1, "too much": models.MaxCredits + 1} {
		if _, err := b.credits.SetDefaultCap(head, room.ID, &bad); !models.HasCode(err, models.CodeValidation) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, change := range []func(context.Context) error{
		func(who context.Context) error { _, err := b.credits.SetDefaultCap(who, room.ID, &limit); return err },
		func(who context.Context) error { _, err := b.credits.ApplyDefaultCap(who, room.ID); return err },
	} {
		b.Refused(change(pupil), models.CodeInsufficientRole, 403)
		b.Refused(change(outsider), models.CodeNotFound, 404)
		b.Refused(change(context.Background()), models.CodeUnauthorized, 401)
		b.NoError(func() error { _, err := b.credits.SetDefaultCap(ada, room.ID, &limit); return err }())
		b.NoError(change(ada))
	}
	view, err := b.credits.FindWorkspaceBudget(pupil, room.ID)
	b.NoError(err)
	if view.DefaultCap != nil || view.Level != nil {
		t.Errorf("a pupil sees %+v", view)
	}
	_, err = b.Orgs.Workspaces().Archive(ada, room.ID)
	b.NoError(err)
	_, err = b.credits.SetDefaultCap(head, room.ID, nil)
	b.Refused(err, models.CodeWorkspaceArchived, 403)
}

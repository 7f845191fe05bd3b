package org_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"atelier/models"
	"atelier/models/org"
	"atelier/models/org/orgtest"
)

func TestUpdateMember(t *testing.T) {
	w := orgtest.New(t)
	ada, admin, bob, out := w.Person("ada"), w.Person("admin"), w.Person("bob"), w.Person("out")
	o := w.Team(ada, "North")
	w.Enroll(admin, o, org.Admin)
	w.Enroll(bob, o, org.Member)

	for name, c := range map[string]struct {
		ctx    context.Context
		target context.Context
		in     org.UpdateMemberInput
		code   models.Code
	}{
		"owner's row":  {admin, ada, org.UpdateMemberInput{Status: models.Some(org.MemberSuspended)}, models.CodeValidation},
		"role owner":   {ada, bob, org.UpdateMemberInput{Role: models.Some(org.Owner)}, models.CodeValidation},
		"odd role":     {ada, bob, org.UpdateMemberInput{Role: models.Some(org.Role("boss"))}, models.CodeValidation},
		"null role":    {ada, bob, org.UpdateMemberInput{Role: models.Null[org.Role]()}, models.CodeValidation},
		"odd status":   {ada, bob, org.UpdateMemberInput{Status: models.Some(org.MemberStatus("gone"))}, models.CodeValidation},
		"by a member":  {bob, admin, org.UpdateMemberInput{Role: models.Some(org.Member)}, models.CodeInsufficientRole},
		"by outsider":  {out, bob, org.UpdateMemberInput{Role: models.Some(org.Admin)}, models.CodeNotFound},
		"no member":    {ada, out, org.UpdateMemberInput{Role: models.Some(org.Admin)}, models.CodeNotFound},
		"demote owner": {admin, ada, org.UpdateMemberInput{Role: models.Some(org.Member)}, models.CodeValidation},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := w.Orgs.Members().Update(c.ctx, o.ID, orgtest.ID(c.target), c.in)
			w.Refused(err, c.code, 0)
		})
	}
	changed, err := w.Orgs.Members().Update(admin, o.ID, orgtest.ID(bob), org.UpdateMemberInput{Role: models.Some(org.Admin), Status: models.Some(org.MemberSuspended)})
	w.NoError(err)
	if changed.Role != org.Admin || changed.Status != org.MemberSuspended || changed.Email != "bob@example.com" {
		t.Fatalf("row %+v", changed)
	}
	w.Refused(w.Orgs.Members().Leave(bob, o.ID), models.CodeMemberSuspended, 403)
	_, err = w.Orgs.Members().Update(admin, o.ID, orgtest.ID(bob), org.UpdateMemberInput{Status: models.Some(org.MemberActive)})
	w.NoError(err)
	w.Refused(w.Orgs.Members().Remove(admin, o.ID, orgtest.ID(ada)), models.CodeValidation, 400)
	w.NoError(w.Orgs.Members().Remove(admin, o.ID, orgtest.ID(bob)))
	w.Refused(w.Orgs.Members().Remove(admin, o.ID, orgtest.ID(bob)), models.CodeNotFound, 404)
	w.Audited(o.ID, "organization.created", "member.role_changed", "member.suspended", "member.reinstated", "member.removed")
}

func TestLeaveOrganization(t *testing.T) {
	w := orgtest.New(t)
	ada, bob := w.Person("ada"), w.Person("bob")
	o := w.Team(ada, "North")
	room := w.Workspace(ada, o, "Room")
	w.Assign(bob, room, org.WorkspaceRoleMember)
	w.Refused(w.Orgs.Members().Leave(ada, o.ID), models.CodeOwnerCannotLeave, 409)
	w.NoError(w.Orgs.Members().Leave(bob, o.ID))
	w.Refused(w.Orgs.Members().Leave(bob, o.ID), models.CodeNotFound, 404)
	counts, err := w.Orgs.WorkspaceMembers().Count(ada, []models.ID{room.ID})
	w.NoError(err)
	if counts[room.ID] != 0 {
		t.Fatal("still in the workspace")
	}
	_, err = w.Orgs.SuspendOrganization(w.Operator(), o.ID, "Unpaid")
	w.NoError(err)
	w.Refused(w.Orgs.Members().Leave(ada, o.ID), models.CodeOrgNotActive, 403)
}

func TestTransferOwnership(t *testing.T) {
	w := orgtest.New(t)
	ada, admin, bob, out := w.Person("ada"), w.Person("admin"), w.Person("bob"), w.Person("out")
	o := w.Team(ada, "North")
	w.Enroll(admin, o, org.Admin)
	w.Enroll(bob, o, org.Member)
	for _, target := range []context.Context{ada, bob, out} {
		_, err := w.Orgs.Members().TransferOwnership(ada, o.ID, orgtest.ID(target))
		w.Refused(err, models.CodeValidation, 400)
	}
	_, err := w.Orgs.Members().TransferOwnership(admin, o.ID, orgtest.ID(admin))
	w.Refused(err, models.CodeInsufficientRole, 403)
	changed, err := w.Orgs.Members().TransferOwnership(ada, o.ID, orgtest.ID(admin))
	w.NoError(err)
	if *changed.Role != org.Admin {
		t.Fatalf("the old owner is %s", *changed.Role)
	}
	found, err := w.Orgs.FindOrganization(admin, o.ID)
	w.NoError(err)
	if *found.Role != org.Owner {
		t.Fatalf("the new owner is %s", *found.Role)
	}
	w.Audited(o.ID, "organization.created", "ownership.transferred")
}

// Two transfers, a suspension and a person leaving at once: always one owner.
func TestTransferRaces(t *testing.T) {
	w := orgtest.New(t)
	for round := range 5 {
		ada, eve, joe := w.Person(fmt.Sprint("ada", round)), w.Person(fmt.Sprint("eve", round)), w.Person(fmt.Sprint("joe", round))
		o := w.Team(ada, fmt.Sprint("Team ", round))
		w.Enroll(eve, o, org.Admin)
		w.Enroll(joe, o, org.Admin)
		done := make(chan struct{})
		var watcher, racers sync.WaitGroup
		watcher.Go(func() {
			for {
				var owners int64
				err := w.DB.Read(ada).Table("organization_members").Where("organization_id = ? AND role = 'owner' AND status = 'active'", o.ID).Count(&owners).Error
				if err != nil || owners != 1 {
					t.Errorf("%d owners, %v", owners, err)
					return
				}
				select {
				case <-done:
					return
				default:
				}
			}
		})
		racers.Go(func() { _, _ = w.Orgs.Members().TransferOwnership(ada, o.ID, orgtest.ID(eve)) })
		racers.Go(func() { _, _ = w.Orgs.Members().TransferOwnership(ada, o.ID, orgtest.ID(joe)) })
		racers.Go(func() {
			_, _ = w.Orgs.Members().Update(joe, o.ID, orgtest.ID(eve), org.UpdateMemberInput{Status: models.Some(org.MemberSuspended)})
		})
		racers.Go(func() { _ = w.Orgs.Members().Leave(joe, o.ID) })
		racers.Wait()
		close(done)
		watcher.Wait()
	}
}

func TestDeleteOrganization(t *testing.T) {
	w := orgtest.New(t)
	ada, admin := w.Person("ada"), w.Person("admin")
	o := w.Team(ada, "North")
	w.Enroll(admin, o, org.Admin)
	room := w.Workspace(ada, o, "Room")
	w.Refused(w.Orgs.DeleteOrganization(admin, o.ID), models.CodeInsufficientRole, 403)
	w.Refused(w.Orgs.DeleteOrganization(ada, o.ID), models.CodeHasActiveWorkspaces, 409)
	_, err := w.Orgs.Workspaces().Archive(ada, room.ID)
	w.NoError(err)
	w.NoError(w.Orgs.DeleteOrganization(ada, o.ID))
	w.Refused(w.Orgs.DeleteOrganization(ada, o.ID), models.CodeNotFound, 404)
	_, err = w.Orgs.Workspaces().Find(ada, room.ID)
	w.Refused(err, models.CodeNotFound, 404)
	if again := w.Team(ada, "North"); again.Slug != o.Slug {
		t.Fatalf("the slug %s was not freed", o.Slug)
	}
}

func TestWorkspaceMembers(t *testing.T) {
	w := orgtest.New(t)
	ada, teacher, pupil, out := w.Person("ada"), w.Person("teacher"), w.Person("pupil"), w.Person("out")
	o := w.School(ada, "North")
	room := w.Workspace(ada, o, "Room")
	w.Assign(teacher, room, org.WorkspaceRoleAdmin)
	w.Enroll(pupil, o, org.Member)
	add := func(ctx, target context.Context, role org.WorkspaceRole) error {
		_, err := w.Orgs.WorkspaceMembers().Add(ctx, room.ID, org.AddWorkspaceMemberInput{UserID: orgtest.ID(target), Role: role})
		return err
	}
	w.Refused(add(teacher, out, org.WorkspaceRoleMember), models.CodeNotOrgMember, 400)
	w.Refused(add(teacher, pupil, "boss"), models.CodeValidation, 400)
	w.Refused(add(pupil, pupil, org.WorkspaceRoleMember), models.CodeNotFound, 404)
	w.NoError(add(teacher, pupil, org.WorkspaceRoleMember))
	w.Refused(add(teacher, pupil, org.WorkspaceRoleAdmin), models.CodeAlreadyAMember, 409)
	w.Refused(add(pupil, ada, org.WorkspaceRoleMember), models.CodeInsufficientRole, 403)
	w.NoError(add(teacher, ada, org.WorkspaceRoleMember))

	update := func(target context.Context, in org.UpdateWorkspaceMemberInput) (*org.ListedMember, error) {
		return w.Orgs.WorkspaceMembers().Update(teacher, room.ID, orgtest.ID(target), in)
	}
	row, err := update(pupil, org.UpdateWorkspaceMemberInput{Role: models.Some(org.WorkspaceRoleAdmin), Status: models.Some(org.MemberSuspended)})
	w.NoError(err)
	if row.Role != org.WorkspaceRoleAdmin || *row.Status != org.MemberSuspended {
		t.Fatalf("row %+v", row)
	}
	_, err = w.Orgs.Workspaces().Find(pupil, room.ID)
	w.Refused(err, models.CodeMemberSuspended, 403)
	_, err = update(ada, org.UpdateWorkspaceMemberInput{Status: models.Some(org.MemberSuspended)})
	w.Refused(err, models.CodeValidation, 400)
	_, err = update(out, org.UpdateWorkspaceMemberInput{})
	w.Refused(err, models.CodeNotFound, 404)
	w.NoError(w.Orgs.WorkspaceMembers().Remove(teacher, room.ID, orgtest.ID(pupil)))
	w.Refused(w.Orgs.WorkspaceMembers().Remove(teacher, room.ID, orgtest.ID(pupil)), models.CodeNotFound, 404)
	w.Audited(o.ID, "organization.created", "workspace.created", "workspace_member.added", "workspace_member.added",
		"workspace_member.suspended", "workspace_member.removed")

	_, err = w.Orgs.Workspaces().Archive(ada, room.ID)
	w.NoError(err)
	w.Refused(add(teacher, pupil, org.WorkspaceRoleMember), models.CodeWorkspaceArchived, 403)
}

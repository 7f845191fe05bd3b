package org_test

import (
	"context"
	"fmt"
	"testing"

	"atelier/models"
	"atelier/models/org"
	"atelier/models/org/orgtest"
)

// benched is a school with two rooms and a person who was suspended.
type benched struct {
	*orgtest.World
	head, pupil      context.Context
	school           *org.Organization
	room, other      *org.Workspace
	roomCode, around string
}

func newBenched(t *testing.T) *benched {
	t.Helper()
	b := &benched{World: orgtest.New(t)}
	b.head, b.pupil = b.Person("head"), b.Person("pupil")
	b.school = b.School(b.head, "North")
	b.room, b.other = b.Workspace(b.head, b.school, "Room"), b.Workspace(b.head, b.school, "Other")
	b.roomCode, b.around = b.code(b.room), b.code(b.other)
	return b
}

func (b *benched) code(w *org.Workspace) string {
	b.Helper()
	code, err := b.Orgs.JoinCodes().Change(b.head, w.ID, org.EnableCode)
	b.NoError(err)
	return code.Code
}

func (b *benched) join(code string) error {
	_, err := b.Orgs.JoinCodes().Join(b.pupil, code)
	return err
}

// Code wants a refusal.
func (b *benched) Code(err error, code models.Code) {
	b.Helper()
	if !models.HasCode(err, code) {
		b.Fatalf("%v, want %s", err, code)
	}
}

func (b *benched) suspendInRoom() {
	b.Helper()
	b.NoError(b.join(b.roomCode))
	_, err := b.Orgs.WorkspaceMembers().Update(b.head, b.room.ID, orgtest.ID(b.pupil), org.UpdateWorkspaceMemberInput{Status: models.Some(org.MemberSuspended)})
	b.NoError(err)
}

func (b *benched) suspendInSchool() {
	b.Helper()
	b.NoError(b.join(b.roomCode))
	_, err := b.Orgs.Members().Update(b.head, b.school.ID, orgtest.ID(b.pupil), org.UpdateMemberInput{Status: models.Some(org.MemberSuspended)})
	b.NoError(err)
}

// accept invites the pupil and accepts in their name.
func (b *benched) accept(in org.CreateInvitationsInput) error {
	b.Helper()
	in.Emails = []string{"pupil@example.com"}
	batch, err := b.Orgs.Invitations().Create(b.head, b.school.ID, in)
	b.NoError(err)
	link := *batch.Sends[0].Link
	_, err = b.Orgs.Invitations().Accept(b.pupil, link[len(b.Orgs.PublicURL+"/invitations/"):])
	return err
}

// standing is the pupil's in the room; empty while they do not reach it.
func (b *benched) standing() string {
	b.Helper()
	_, err := b.Orgs.Workspaces().Find(b.pupil, b.room.ID)
	refusal, _ := models.AsError(err)
	if err == nil {
		return "active"
	}
	return string(refusal.Code)
}

func (b *benched) goAway(how string) {
	b.Helper()
	switch how {
	case "left":
		b.NoError(b.Orgs.Members().Leave(b.pupil, b.school.ID))
	case "removed":
		b.NoError(b.Orgs.Members().Remove(b.head, b.school.ID, orgtest.ID(b.pupil)))
	case "taken out":
		b.NoError(b.Orgs.WorkspaceMembers().Remove(b.head, b.room.ID, orgtest.ID(b.pupil)))
	}
}

// TestSuspensionInWorkspaceOutlivesTheRow tries every way back into a workspace.
func TestSuspensionInWorkspaceOutlivesTheRow(t *testing.T) {
	t.Parallel()
	admin, workspaceAdmin := org.Admin, org.WorkspaceRoleAdmin
	for _, how := range []string{"left", "removed", "taken out"} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			b := newBenched(t)
			b.suspendInRoom()
			b.goAway(how)
			b.Code(b.join(b.roomCode), models.CodeMemberSuspended)
			b.Code(b.accept(org.CreateInvitationsInput{WorkspaceID: &b.room.ID, WorkspaceRole: &workspaceAdmin}), models.CodeMemberSuspended)
			if got := b.standing(); got != "not_found" {
				t.Fatalf("refused, and %s", got)
			}
			b.NoError(b.join(b.around)) // the school itself is open to them
			b.Code(b.join(b.roomCode), models.CodeMemberSuspended)
			if how != "taken out" {
				b.NoError(b.Orgs.Members().Leave(b.pupil, b.school.ID))
				b.NoError(b.accept(org.CreateInvitationsInput{OrgRole: &admin}))
				if got := b.standing(); got != "member_suspended" {
					t.Fatalf("an admin of the school is %s", got)
				}
				b.NoError(b.Orgs.Members().Leave(b.pupil, b.school.ID))
				b.NoError(b.join(b.around))
			}
			row, err := b.Orgs.WorkspaceMembers().Add(b.head, b.room.ID, org.AddWorkspaceMemberInput{UserID: orgtest.ID(b.pupil), Role: org.WorkspaceRoleAdmin})
			b.NoError(err)
			if *row.Status != org.MemberSuspended || b.standing() != "member_suspended" {
				t.Fatalf("added again: %s, %s", *row.Status, b.standing())
			}
			_, err = b.Orgs.WorkspaceMembers().Update(b.head, b.room.ID, orgtest.ID(b.pupil), org.UpdateWorkspaceMemberInput{Status: models.Some(org.MemberActive)})
			b.NoError(err)
			if got := b.standing(); got != "active" {
				t.Fatalf("lifted: %s", got)
			}
			b.goAway("left")
			b.NoError(b.join(b.roomCode))
		})
	}
}

// TestSuspensionInOrganizationOutlivesTheRow does so for an organization, out
// of which no one leaves while suspended.
func TestSuspensionInOrganizationOutlivesTheRow(t *testing.T) {
	t.Parallel()
	b := newBenched(t)
	b.suspendInSchool()
	b.Code(b.Orgs.Members().Leave(b.pupil, b.school.ID), models.CodeMemberSuspended)
	b.goAway("removed")
	for name, way := range map[string]func() error{
		"code":       func() error { return b.join(b.roomCode) },
		"other code": func() error { return b.join(b.around) },
		"invitation": func() error { return b.accept(org.CreateInvitationsInput{}) },
		"as admin": func() error {
			role := org.Admin
			return b.accept(org.CreateInvitationsInput{OrgRole: &role, WorkspaceID: &b.room.ID})
		},
	} {
		if err := way(); !models.HasCode(err, models.CodeMemberSuspended) {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err := b.Orgs.WorkspaceMembers().Add(b.head, b.room.ID, org.AddWorkspaceMemberInput{UserID: orgtest.ID(b.pupil), Role: org.WorkspaceRoleMember})
	b.Code(err, models.CodeNotOrgMember)
	if got := b.standing(); got != "not_found" {
		t.Errorf("somebody removed is %s", got)
	}
	kept, err := b.Orgs.Members().SuspendedFormer(b.head, b.school.ID)
	if err != nil || len(kept) != 1 || kept[0] != orgtest.ID(b.pupil) {
		t.Fatalf("%v, %v", kept, err)
	}
	_, err = b.Orgs.Members().SuspendedFormer(b.pupil, b.school.ID)
	b.Code(err, models.CodeNotFound)
}

// TestLiftKeptSuspension lifts what has no row any more, and that alone.
func TestLiftKeptSuspension(t *testing.T) {
	t.Parallel()
	b := newBenched(t)
	b.suspendInSchool()
	pupil := orgtest.ID(b.pupil)
	lift := org.UpdateMemberInput{Status: models.Some(org.MemberActive)}
	b.goAway("removed")
	for _, in := range []org.UpdateMemberInput{
		{Status: models.Some(org.MemberSuspended)}, {Role: models.Some(org.Admin)}, {Role: models.Some(org.Admin), Status: models.Some(org.MemberActive)},
	} {
		_, err := b.Orgs.Members().Update(b.head, b.school.ID, pupil, in)
		b.Code(err, models.CodeNotFound)
	}
	_, err := b.Orgs.Members().Update(b.pupil, b.school.ID, pupil, lift)
	b.Code(err, models.CodeNotFound)
	m, err := b.Orgs.Members().Update(b.head, b.school.ID, pupil, lift)
	b.NoError(err)
	if m.Status != org.MemberActive || m.Email != "pupil@example.com" || b.standing() != "not_found" {
		t.Fatalf("%+v, %s", m, b.standing())
	}
	_, err = b.Orgs.Members().Update(b.head, b.school.ID, pupil, lift)
	b.Code(err, models.CodeNotFound)
	b.NoError(b.join(b.roomCode))

	b.suspendInRoom()
	b.goAway("taken out")
	kept, err := b.Orgs.WorkspaceMembers().SuspendedFormer(b.head, b.room.ID)
	if err != nil || len(kept) != 1 {
		t.Fatalf("%v, %v", kept, err)
	}
	_, err = b.Orgs.WorkspaceMembers().SuspendedFormer(b.pupil, b.room.ID)
	b.Code(err, models.CodeNotFound)
	row, err := b.Orgs.WorkspaceMembers().Update(b.head, b.room.ID, pupil, org.UpdateWorkspaceMemberInput{Status: models.Some(org.MemberActive)})
	b.NoError(err)
	if *row.Status != org.MemberActive || b.standing() != "not_found" {
		t.Fatalf("%+v, %s", row, b.standing())
	}
	b.NoError(b.join(b.roomCode))
}

// TestSuspensionsRaceWithJoining suspends and removes a person while they join
// again and again: the one who is in after that was let in before.
func TestSuspensionsRaceWithJoining(t *testing.T) {
	t.Parallel()
	b := newBenched(t)
	b.suspendInSchool()
	pupil := orgtest.ID(b.pupil)
	done := make(chan error, 8)
	for i := range 8 {
		ctx := models.WithActor(b.pupil, func() models.Actor {
			actor := models.ActorFrom(b.pupil)
			actor.IP = fmt.Sprintf("203.0.113.%d", i)
			return actor
		}())
		go func() {
			_, err := b.Orgs.JoinCodes().Join(ctx, b.around)
			done <- err
		}()
	}
	b.NoError(b.Orgs.Members().Remove(b.head, b.school.ID, pupil))
	for range 8 {
		if err := <-done; !models.HasCode(err, models.CodeMemberSuspended) {
			t.Errorf("joined with %v", err)
		}
	}
}

package org_test

import (
	"fmt"
	"slices"
	"testing"

	"atelier/models"
	"atelier/models/org"
	"atelier/models/org/orgtest"
)

// TestFirstMemberships looks at what a switcher lists of many workspaces.
func TestFirstMemberships(t *testing.T) {
	w := orgtest.New(t)
	ada, pupil, out := w.Person("ada"), w.Person("pupil"), w.Person("out")
	north, south := w.School(ada, "North"), w.School(ada, "South")
	var rooms []*org.Workspace
	for i := range 5 {
		rooms = append(rooms, w.Workspace(ada, north, fmt.Sprint("Room ", i)))
	}
	attic := w.Workspace(ada, north, "Attic")
	w.Workspace(ada, south, "South 1")
	_, err := w.Orgs.Workspaces().Archive(ada, attic.ID)
	w.NoError(err)
	w.Assign(pupil, rooms[0], org.WorkspaceRoleMember)
	w.Assign(pupil, rooms[1], org.WorkspaceRoleAdmin)

	names := func(m *org.Memberships) (all []string) {
		for _, one := range m.Workspaces {
			all = append(all, one.Name)
		}
		slices.Sort(all)
		return all
	}
	is := func(m *org.Memberships, more bool, want ...string) {
		t.Helper()
		if got := names(m); !slices.Equal(got, want) || m.More != more {
			t.Errorf("%q, more %t; want %q, %t", got, m.More, want, more)
		}
	}
	few, err := w.Orgs.ListFirstMemberships(ada, 2)
	w.NoError(err)
	is(few, true, "Room 3", "Room 4", "South 1")

	actor := models.ActorFrom(ada)
	actor.WorkspaceID, actor.OrganizationID = &rooms[0].ID, &north.ID
	few, err = w.Orgs.ListFirstMemberships(models.WithActor(ada, actor), 1)
	w.NoError(err)
	is(few, true, "Room 0", "Room 4")
	if len(few.Organizations) != 1 || few.Organizations[0].ID != north.ID {
		t.Error("the selected organization is not the one that is listed")
	}
	actor.WorkspaceID = &attic.ID
	few, err = w.Orgs.ListFirstMemberships(models.WithActor(ada, actor), 10)
	w.NoError(err)
	is(few, false, "Attic", "Room 0", "Room 1", "Room 2", "Room 3", "Room 4", "South 1")

	few, err = w.Orgs.ListFirstMemberships(pupil, 6)
	w.NoError(err)
	is(few, false, "Room 0", "Room 1")
	if !few.Organizations[0].ViewerCan().ReadInvitations || *few.Workspaces[0].Role() != org.WorkspaceRoleAdmin {
		t.Error("an admin of a workspace sees no invitations, or is none")
	}
	few, err = w.Orgs.ListFirstMemberships(out, 6)
	w.NoError(err)
	is(few, false)
	_, err = w.Orgs.ListFirstMemberships(ada, 0)
	w.Refused(err, models.CodeValidation, 400)

	search := "ROOM 3"
	found, err := w.Orgs.Workspaces().ListOf(ada, north.ID, org.WorkspaceFilter{Search: &search}, models.Page{})
	w.NoError(err)
	if len(found.Nodes) != 1 || found.Nodes[0].ID != rooms[3].ID {
		t.Errorf("searching finds %d", len(found.Nodes))
	}
}

package org_test

import (
	"testing"

	"atelier/models"
	"atelier/models/org"
	"atelier/models/org/orgtest"
)

// Whom members can ask are the owner and the active admins, the owner first; in a workspace those who are listed.
func TestHelpers(t *testing.T) {
	w := orgtest.New(t)
	ada, bob, cleo, dan := w.Person("ada"), w.Person("bob"), w.Person("cleo"), w.Person("dan")
	o := w.Team(ada, "North")
	other := w.Team(dan, "South")
	w.Enroll(bob, o, org.Admin)
	w.Enroll(cleo, o, org.Member)
	w.Enroll(dan, o, org.Admin)
	w.Exec(`UPDATE organization_members SET status = 'suspended' WHERE user_id = ? AND organization_id = ?`, orgtest.ID(dan), o.ID)
	room := w.Workspace(ada, o, "Room")
	w.Exec(`DELETE FROM workspace_members WHERE workspace_id = ?`, room.ID)
	_, err := w.Orgs.WorkspaceMembers().Add(ada, room.ID, org.AddWorkspaceMemberInput{UserID: orgtest.ID(cleo), Role: org.WorkspaceRoleAdmin})
	w.NoError(err)

	found, err := w.Orgs.Members().HelpersByOrganization(ada, []models.ID{o.ID, other.ID})
	w.NoError(err)
	if got := found[o.ID]; len(got) != 2 || got[0] != orgtest.ID(ada) || got[1] != orgtest.ID(bob) {
		t.Errorf("of the organization: %v", got)
	}
	if got := found[other.ID]; len(got) != 1 || got[0] != orgtest.ID(dan) {
		t.Errorf("of the other: %v", got)
	}
	found, err = w.Orgs.WorkspaceMembers().Helpers(ada, []models.ID{room.ID})
	w.NoError(err)
	if got := found[room.ID]; len(got) != 1 || got[0] != orgtest.ID(cleo) {
		t.Errorf("of the workspace: %v", got)
	}
}

package rest

import "testing"

// TestProfileWithoutItsOrganizations: when the lookup fails, the profile says
// so in place of its organization fields, so that a client keeps its selection.
func TestProfileWithoutItsOrganizations(t *testing.T) {
	f := newOrgFace(t)
	ada := f.Person("ada")
	f.School(ada, "North")
	me := f.data(ada, "GET", "/v1/me", "", 200)
	f.holds(me, "id", "email", "displayName", "avatarUrl", "emailVerified", "createdAt", "organizations", "workspaces", "lastWorkspaceId")

	f.Exec(`ALTER TABLE organizations RENAME TO out_of_reach`)
	me = f.data(ada, "GET", "/v1/me", "", 200)
	f.holds(me, "id", "email", "displayName", "avatarUrl", "emailVerified", "createdAt", "organizationsUnavailable")
	if me["organizationsUnavailable"] != true {
		t.Errorf("profile %v", me)
	}
}

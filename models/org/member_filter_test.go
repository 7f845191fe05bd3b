package org_test

import (
	"testing"

	"atelier/models"
	"atelier/models/org"
	"atelier/models/org/orgtest"
)

func TestMemberFilter(t *testing.T) {
	w := orgtest.New(t)
	ada, bob, eve, percent := w.Person("ada"), w.Person("bob"), w.PersonAt("eve", "else.example"), w.Person("100%_x")
	o := w.Team(ada, "North")
	w.Orgs.ShowWithMembers("7::bigint AS spent") // as the area of money would
	room := w.Workspace(ada, o, "Room")
	other := w.Workspace(eve, w.Team(eve, "South"), "Elsewhere")
	w.Enroll(bob, o, org.Admin)
	w.Assign(eve, room, org.WorkspaceRoleMember)
	w.Enroll(percent, o, org.Member)
	w.Exec(`UPDATE organization_members SET status = 'suspended' WHERE organization_id = ? AND user_id = ?`, o.ID, orgtest.ID(percent))

	for name, c := range map[string]struct {
		filter org.MemberFilter
		found  int
	}{
		"everybody":            {org.MemberFilter{}, 4},
		"blank search":         {org.MemberFilter{Search: new("  ")}, 4},
		"name in any case":     {org.MemberFilter{Search: new("BO")}, 1},
		"address":              {org.MemberFilter{Search: new("else.example")}, 1},
		"words of both":        {org.MemberFilter{Search: new("eve els")}, 1},
		"the middle of a word": {org.MemberFilter{Search: new("lse")}, 0},
		"another sign":         {org.MemberFilter{Search: new("100_x")}, 0},
		"a sign alone":         {org.MemberFilter{Search: new("%")}, 1},
		"role":                 {org.MemberFilter{Role: new(org.Admin)}, 1},
		"status":               {org.MemberFilter{Status: new(org.MemberSuspended)}, 1},
		"both":                 {org.MemberFilter{Role: new(org.Admin), Status: new(org.MemberSuspended)}, 0},
		"workspace":            {org.MemberFilter{WorkspaceID: &room.ID}, 1},
		"a foreign workspace":  {org.MemberFilter{WorkspaceID: &other.ID}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			rows, err := w.Orgs.Members().List(ada, o.ID, c.filter, models.Page{})
			w.NoError(err)
			if len(rows.Nodes) != c.found {
				t.Fatalf("%d found, expected %d", len(rows.Nodes), c.found)
			}
		})
	}
	counts, err := w.Orgs.Members().Count(bob, o.ID, org.MemberFilter{})
	w.NoError(err)
	if *counts != (org.MemberCounts{All: 4, Owners: 1, Admins: 1, Members: 2, Suspended: 1}) {
		t.Fatalf("counts %+v", counts)
	}
	one, err := w.Orgs.Members().Find(ada, o.ID, orgtest.ID(eve))
	w.NoError(err)
	if one.Workspaces != 1 || one.Spent != 7 || one.Email != "eve@else.example" {
		t.Fatalf("member %+v", one)
	}
	_, err = w.Orgs.Members().Count(eve, o.ID, org.MemberFilter{})
	w.Refused(err, models.CodeInsufficientRole, 403)
	_, err = w.Orgs.Members().Find(eve, o.ID, orgtest.ID(bob))
	w.Refused(err, models.CodeInsufficientRole, 403)
}

func TestMemberCursorBelongsToItsFilter(t *testing.T) {
	w := orgtest.New(t)
	ada := w.Person("ada")
	o := w.Team(ada, "North")
	w.Enroll(w.Person("bob"), o, org.Member)
	page, err := w.Orgs.Members().List(ada, o.ID, org.MemberFilter{}, models.Page{Limit: new(1)})
	w.NoError(err)
	_, err = w.Orgs.Members().List(ada, o.ID, org.MemberFilter{Search: new("a")}, models.Page{Cursor: page.Next()})
	w.Refused(err, models.CodeValidation, 400)
}

func TestWorkspacePeople(t *testing.T) {
	w := orgtest.New(t)
	w.Orgs.ShowWithWorkspaceMembers(func(models.ID) string { return "0::bigint AS spent" }) // as the area of money would
	ada, teacher, pupil, gone := w.Person("ada"), w.Person("teacher"), w.Person("pupil"), w.Person("pupil-gone")
	o := w.School(ada, "North")
	room := w.Workspace(ada, o, "Room")
	w.Assign(teacher, room, org.WorkspaceRoleAdmin)
	w.Enroll(pupil, o, org.Member)
	w.Enroll(gone, o, org.Member)
	w.Exec(`UPDATE organization_members SET status = 'suspended' WHERE organization_id = ? AND user_id = ?`, o.ID, orgtest.ID(gone))

	for name, c := range map[string]struct {
		search string
		found  int
	}{
		"part of a name":      {"pup", 1}, // the suspended one is no candidate
		"the whole address":   {"Pupil@Example.com", 1},
		"part of an address":  {"example.com", 0},
		"who is listed":       {"teacher", 0},
		"the unlisted admins": {"ada", 1},
	} {
		t.Run(name, func(t *testing.T) {
			found, err := w.Orgs.WorkspaceMembers().Candidates(teacher, room.ID, c.search)
			w.NoError(err)
			if len(found) != c.found {
				t.Fatalf("found %v, expected %d", found, c.found)
			}
		})
	}
	unlisted, err := w.Orgs.WorkspaceMembers().UnlistedAdmins(teacher, room.ID)
	w.NoError(err)
	if len(unlisted) != 1 || unlisted[0] != orgtest.ID(ada) {
		t.Fatalf("unlisted %v", unlisted)
	}
	row, err := w.Orgs.WorkspaceMembers().Find(ada, room.ID, orgtest.ID(teacher))
	w.NoError(err)
	if row.Role != org.WorkspaceRoleAdmin || *row.OrganizationRole != org.Member || *row.Spent != 0 {
		t.Fatalf("row %+v", row)
	}
	w.Assign(pupil, room, org.WorkspaceRoleMember)
	_, err = w.Orgs.WorkspaceMembers().Candidates(pupil, room.ID, "ada")
	w.Refused(err, models.CodeInsufficientRole, 403)
	_, err = w.Orgs.WorkspaceMembers().UnlistedAdmins(pupil, room.ID)
	w.Refused(err, models.CodeInsufficientRole, 403)
	_, err = w.Orgs.WorkspaceMembers().Find(pupil, room.ID, orgtest.ID(teacher))
	w.Refused(err, models.CodeInsufficientRole, 403)
}

func TestSlugFree(t *testing.T) {
	w := orgtest.New(t)
	ada := w.Person("ada")
	o := w.Team(ada, "North")
	for slug, free := range map[string]bool{o.Slug: false, "south": true} {
		got, err := w.Orgs.SlugFree(ada, slug)
		w.NoError(err)
		if got != free {
			t.Errorf("%s free: %v", slug, got)
		}
	}
	_, err := w.Orgs.SlugFree(ada, "No Slug")
	w.Refused(err, models.CodeValidation, 400)
	_, err = w.Orgs.SlugFree(t.Context(), "south")
	w.Refused(err, models.CodeUnauthorized, 401)
	for range 58 {
		_, err = w.Orgs.SlugFree(ada, "south")
		w.NoError(err)
	}
	_, err = w.Orgs.SlugFree(ada, "south")
	w.Refused(err, models.CodeRateLimitExceeded, 429)
}

func TestStaleSettings(t *testing.T) {
	w := orgtest.New(t)
	ada := w.Person("ada")
	o := w.Team(ada, "North")
	room := w.Workspace(ada, o, "Room")
	seen, seenRoom := o.UpdatedAt, room.UpdatedAt
	w.Clock.Advance(1_000_000_000)
	in := org.UpdateOrganizationInput{Name: models.Some("South"), UnchangedSince: &seen}
	_, err := w.Orgs.UpdateOrganization(ada, o.ID, in)
	w.NoError(err)
	_, err = w.Orgs.UpdateOrganization(ada, o.ID, in)
	w.Refused(err, models.CodeStale, 409)
	change := org.UpdateWorkspaceInput{Name: models.Some("Hall"), UnchangedSince: &seenRoom}
	_, err = w.Orgs.Workspaces().Update(ada, room.ID, change)
	w.NoError(err)
	_, err = w.Orgs.Workspaces().Update(ada, room.ID, change)
	w.Refused(err, models.CodeStale, 409)
}

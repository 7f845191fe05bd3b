package org_test

import (
	"strings"
	"testing"

	"atelier/models"
	"atelier/models/org"
)

// A name that stood beside an address is kept with the invitation and with what was sent, and renewed by a later one alone.
func TestInvitedNames(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ada := w.Person("ada")
	o := w.School(ada, "North")
	batch := invite(w, ada, o, org.CreateInvitationsInput{
		Emails: []string{"mina@example.com", "tom@example.com", "MINA@example.com", "nonsense", "long@example.com"},
		Names:  []string{" Mina \t Lang ", "", "Somebody else", "Nobody", strings.Repeat("é", 101)},
	})
	var names []string
	for _, send := range batch.Sends {
		names = append(names, send.Email+"="+send.Name)
	}
	if got := strings.Join(names, " "); got != "mina@example.com=Mina Lang tom@example.com= nonsense=Nobody long@example.com="+strings.Repeat("é", 100) {
		t.Errorf("sent to %s", got)
	}
	pasted := invite(w, ada, o, org.CreateInvitationsInput{
		Emails: []string{"\u200blea2@example.com", "\u202alea4@example.com\u202c", "mailto:O'Brien@example.com.", "Zoë <zoe@example.com>", "jörg@example.com"}, Names: []string{"\u202eLea\u200b", "", "", "", ""},
	})
	names = nil
	for _, send := range pasted.Sends {
		names = append(names, send.Email+"="+send.Name)
	}
	if got := strings.Join(names, " "); got != "lea2@example.com=Lea lea4@example.com= o'brien@example.com= zoe@example.com= jörg@example.com=" {
		t.Errorf("pasted: sent to %q", got)
	}
	key := strings.TrimPrefix(*batch.Sends[0].Link, publicURL+"/invitations/")
	found, err := w.Orgs.Invitations().FindByToken(ada, key)
	w.NoError(err)
	if found.Name != "Mina Lang" || found.ForCaller == nil || *found.ForCaller {
		t.Errorf("the link shows %+v", found)
	}
	found, err = w.Orgs.Invitations().FindByToken(w.Person("mina"), key)
	w.NoError(err)
	if found.ForCaller == nil || !*found.ForCaller {
		t.Errorf("its own account is not known: %+v", found)
	}
	found, err = w.Orgs.Invitations().FindByToken(t.Context(), key)
	w.NoError(err)
	if found.ForCaller != nil {
		t.Errorf("a visitor has an account: %+v", found)
	}

	name := func(email string) string {
		page := listed(w, ada, o, org.InvitationFilter{Search: &email})
		if len(page) != 1 {
			t.Fatalf("%d invitations for %s", len(page), email)
		}
		one, err := w.Orgs.Invitations().Find(ada, o.ID, page[0].ID)
		w.NoError(err)
		if one.Email != page[0].Email || one.State != org.InvitationOpen || one.Delivery != org.SendLinkOnly {
			t.Errorf("found %+v", one)
		}
		return one.Name
	}
	invite(w, ada, o, addresses("mina@example.com"))
	if got := name("mina@"); got != "Mina Lang" {
		t.Errorf("invited again without a name: %q", got)
	}
	invite(w, ada, o, org.CreateInvitationsInput{Emails: []string{"mina@example.com"}, Names: []string{"Mina Oak"}})
	if got := name("MINA o"); got != "Mina Oak" {
		t.Errorf("invited again with another name: %q", got)
	}
	send, err := w.Orgs.Invitations().Resend(ada, listed(w, ada, o, org.InvitationFilter{Search: some("oak")})[0].ID, false)
	w.NoError(err)
	if send.Name != "Mina Oak" {
		t.Errorf("sent again to %+v", send)
	}
	if got := listed(w, ada, o, org.InvitationFilter{Search: some("%")}); len(got) != 0 {
		t.Errorf("a wildcard finds %d", len(got))
	}
	_, err = w.Orgs.Invitations().Create(ada, o.ID, org.CreateInvitationsInput{Emails: []string{"a@example.com", "b@example.com"}, Names: []string{"A"}})
	w.Refused(err, models.CodeValidation, 400)
	_, err = w.Orgs.Invitations().Find(w.Person("outsider"), o.ID, batch.ID)
	w.Refused(err, models.CodeNotFound, 404)
	_, err = w.Orgs.Invitations().Find(ada, o.ID, batch.ID)
	w.Refused(err, models.CodeNotFound, 404)
}

// Members are told apart by what accepting would change for them.
func TestPreviewOfMembers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ada, teacher := w.Person("ada"), w.Person("teacher")
	o := w.School(ada, "North")
	room, other := w.Workspace(ada, o, "Room"), w.Workspace(ada, o, "Other")
	w.Assign(w.Person("inside"), room, org.WorkspaceRoleMember)
	w.Assign(w.Person("outside"), other, org.WorkspaceRoleMember)
	w.Assign(teacher, room, org.WorkspaceRoleAdmin)
	emails := []string{"ada@example.com", "inside@example.com", "outside@example.com", "new@example.com"}
	for name, test := range map[string]struct {
		in   org.CreateInvitationsInput
		want string
	}{
		"a workspace":  {org.CreateInvitationsInput{Emails: emails, WorkspaceID: &room.ID}, "member member joins invite"},
		"none":         {org.CreateInvitationsInput{Emails: emails}, "member member member invite"},
		"its teachers": {org.CreateInvitationsInput{Emails: emails, WorkspaceID: &room.ID}, "invite invite invite invite"},
	} {
		ctx := ada
		if name == "its teachers" {
			ctx = teacher // may not know who is a member
		}
		rows, err := w.Orgs.Invitations().Preview(ctx, o.ID, test.in)
		w.NoError(err)
		var got []string
		for _, row := range rows {
			got = append(got, string(row.Verdict))
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%s: %v, want %s", name, got, test.want)
		}
	}
}

// A row says what unsetting it leads to, and an organization how many workspaces differ.
func TestSettingRowsSayWhatLiesBelow(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ada, student := w.Person("ada"), w.Person("student")
	o := w.School(ada, "North")
	room, gone := w.Workspace(ada, o, "Room"), w.Workspace(ada, o, "Gone")
	w.Assign(student, room, org.WorkspaceRoleMember)
	set := func(on any) org.UpdateWorkspaceInput {
		return org.UpdateWorkspaceInput{Settings: map[string]any{"member_caps_enabled": on}}
	}
	o, err := w.Orgs.UpdateOrganization(ada, o.ID, org.UpdateOrganizationInput{Settings: map[string]any{"member_caps_enabled": false}})
	w.NoError(err)
	_, err = w.Orgs.Workspaces().Update(ada, gone.ID, set(true))
	w.NoError(err)
	_, err = w.Orgs.Workspaces().Archive(ada, gone.ID)
	w.NoError(err)
	row := func(rows []*org.Setting, key string) string {
		for _, r := range rows {
			if r.Key == key {
				return string(r.Value) + " " + r.Source + " " + string(r.Inherited) + " " + r.InheritedFrom
			}
		}
		return ""
	}
	if got := row(o.SettingRows(), "member_caps_enabled"); got != "false organization true default" {
		t.Errorf("the organization: %s", got)
	}
	room, err = w.Orgs.Workspaces().Find(ada, room.ID)
	w.NoError(err)
	if got := row(room.SettingRows(), "member_caps_enabled"); got != "false organization false organization" {
		t.Errorf("a workspace without its own: %s", got)
	}
	_, err = w.Orgs.Workspaces().Update(ada, room.ID, set(true))
	w.NoError(err)
	room, err = w.Orgs.Workspaces().Find(ada, room.ID)
	w.NoError(err)
	if got := row(room.SettingRows(), "member_caps_enabled"); got != "true workspace false organization" {
		t.Errorf("a workspace with its own: %s", got)
	}
	rows, err := w.Orgs.CountSettingOverrides(ada, o)
	w.NoError(err)
	if len(rows) != 1 || rows[0].Key != "member_caps_enabled" || rows[0].Workspaces != 1 {
		t.Errorf("overrides %+v", rows)
	}
	seen, err := w.Orgs.FindOrganization(student, o.ID)
	w.NoError(err)
	if rows, err := w.Orgs.CountSettingOverrides(student, seen); err != nil || len(rows) != 0 {
		t.Errorf("a student is told of %d, %v", len(rows), err)
	}
}

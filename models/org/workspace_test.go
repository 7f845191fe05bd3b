package org_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/dbtest"
	"atelier/models/org"
	"atelier/models/org/orgtest"
)

func TestCreateWorkspace(t *testing.T) {
	w := orgtest.New(t)
	ada, admin, bob := w.Person("ada"), w.Person("admin"), w.Person("bob")
	o := w.School(ada, "North")
	w.Enroll(admin, o, org.Admin)
	w.Enroll(bob, o, org.Member)

	first := w.Workspace(admin, o, "Class 7")
	second := w.Workspace(ada, o, "Class 7")
	if first.Slug != "class-7" || second.Slug != "class-7-2" || *first.Role() != org.WorkspaceRoleAdmin {
		t.Fatalf("slugs %s and %s", first.Slug, second.Slug)
	}
	_, err := w.Orgs.Workspaces().Create(ada, o.ID, org.CreateWorkspaceInput{Name: "X", Slug: &first.Slug})
	w.Refused(err, models.CodeNameTaken, 409)
	_, err = w.Orgs.Workspaces().Create(bob, o.ID, org.CreateWorkspaceInput{Name: "X"})
	w.Refused(err, models.CodeInsufficientRole, 403)
	_, err = w.Orgs.Workspaces().Create(w.Person("out"), o.ID, org.CreateWorkspaceInput{Name: "X"})
	w.Refused(err, models.CodeNotFound, 404)
	_, err = w.Orgs.Workspaces().Create(ada, o.ID, org.CreateWorkspaceInput{Name: "X", Settings: map[string]any{"allowed_email_domains": 7, "admin_access": "all"}})
	w.Refused(err, models.CodeValidation, 400)

	custom, err := w.Orgs.Workspaces().Create(ada, o.ID, org.CreateWorkspaceInput{
		Name: "Lab", Settings: map[string]any{"allowed_email_domains": 7, "members_can_create_projects": true},
	})
	w.NoError(err)
	if string(custom.Settings) != `{"members_can_create_projects":true}` {
		t.Fatalf("settings %s", custom.Settings)
	}
}

func TestWorkspaceReach(t *testing.T) {
	w := orgtest.New(t)
	ada, admin, teacher, pupil, other, out := w.Person("ada"), w.Person("admin"), w.Person("teacher"), w.Person("pupil"), w.Person("other"), w.Person("out")
	o := w.School(ada, "North")
	w.Enroll(admin, o, org.Admin)
	w.Enroll(other, o, org.Member)
	room, attic := w.Workspace(ada, o, "Room"), w.Workspace(ada, o, "Attic")
	w.Assign(teacher, room, org.WorkspaceRoleAdmin)
	w.Assign(pupil, room, org.WorkspaceRoleMember)

	for name, c := range map[string]struct {
		ctx  context.Context
		code models.Code
		role org.WorkspaceRole
	}{
		"owner": {ada, "", org.WorkspaceRoleAdmin}, "admin": {admin, "", org.WorkspaceRoleAdmin},
		"teacher": {teacher, "", org.WorkspaceRoleAdmin}, "pupil": {pupil, "", org.WorkspaceRoleMember},
		"other member": {other, models.CodeNotFound, ""}, "outsider": {out, models.CodeNotFound, ""},
	} {
		t.Run(name, func(t *testing.T) {
			found, err := w.Orgs.Workspaces().Find(c.ctx, room.ID)
			_, selected := w.Orgs.Workspaces().Select(c.ctx, room.ID)
			if c.code != "" {
				w.Refused(err, c.code, 404)
				w.Refused(selected, models.CodeNotAMember, 403)
				return
			}
			w.NoError(err)
			w.NoError(selected)
			if *found.Role() != c.role {
				t.Fatalf("role %s", *found.Role())
			}
		})
	}
	count := func(ctx context.Context, archived bool) int {
		t.Helper()
		list, err := w.Orgs.Workspaces().List(ctx, org.WorkspaceFilter{IncludeArchived: archived}, models.Page{})
		w.NoError(err)
		return len(list.Nodes)
	}
	_, err := w.Orgs.Workspaces().Archive(admin, attic.ID)
	w.NoError(err)
	if count(ada, false) != 1 || count(ada, true) != 2 || count(pupil, true) != 1 || count(other, true) != 0 {
		t.Fatal("lists of workspaces")
	}
	inOrganization, err := w.Orgs.Workspaces().ListOf(pupil, o.ID, org.WorkspaceFilter{IncludeArchived: true}, models.Page{})
	w.NoError(err)
	if len(inOrganization.Nodes) != 1 {
		t.Fatalf("%d workspaces", len(inOrganization.Nodes))
	}

	t.Run("an admin listed as member is a member there", func(t *testing.T) {
		w.Assign(admin, room, org.WorkspaceRoleMember)
		_, err := w.Orgs.Workspaces().Update(admin, room.ID, org.UpdateWorkspaceInput{Name: models.Some("Mine")})
		w.Refused(err, models.CodeInsufficientRole, 403)
		_, err = w.Orgs.Workspaces().Archive(admin, room.ID)
		w.NoError(err)
		_, err = w.Orgs.Workspaces().Unarchive(admin, room.ID)
		w.NoError(err)
	})
	t.Run("suspended", func(t *testing.T) {
		w.Exec(`UPDATE workspace_members SET status = 'suspended' WHERE user_id = ?`, orgtest.ID(pupil))
		w.Exec(`UPDATE organization_members SET status = 'suspended' WHERE user_id = ?`, orgtest.ID(other))
		for _, ctx := range []context.Context{pupil, other} {
			_, err := w.Orgs.Workspaces().Find(ctx, room.ID)
			w.Refused(err, models.CodeMemberSuspended, 403)
			_, err = w.Orgs.Workspaces().Select(ctx, room.ID)
			w.Refused(err, models.CodeMemberSuspended, 403)
		}
	})
}

func TestUpdateAndArchiveWorkspace(t *testing.T) {
	w := orgtest.New(t)
	ada, teacher, pupil := w.Person("ada"), w.Person("teacher"), w.Person("pupil")
	o := w.School(ada, "North")
	room := w.Workspace(ada, o, "Room")
	w.Assign(teacher, room, org.WorkspaceRoleAdmin)
	w.Assign(pupil, room, org.WorkspaceRoleMember)

	changed, err := w.Orgs.Workspaces().Update(teacher, room.ID, org.UpdateWorkspaceInput{
		Name: models.Some("Room 7"), Description: models.Some("Art"), Settings: map[string]any{"admin_access": "view"},
	})
	w.NoError(err)
	if changed.Name != "Room 7" || changed.Description != "Art" || changed.Rules().AdminAccess != org.View {
		t.Fatalf("unexpected %+v", changed)
	}
	if row := changed.SettingRows()[0]; row.Source != "workspace" || string(row.Value) != `"view"` {
		t.Fatalf("provenance %+v", row)
	}
	_, err = w.Orgs.Workspaces().Update(pupil, room.ID, org.UpdateWorkspaceInput{})
	w.Refused(err, models.CodeInsufficientRole, 403)
	_, err = w.Orgs.Workspaces().Archive(teacher, room.ID)
	w.Refused(err, models.CodeInsufficientRole, 403)
	for range 2 {
		archived, err := w.Orgs.Workspaces().Archive(ada, room.ID)
		w.NoError(err)
		if !archived.Archived() {
			t.Fatal("not archived")
		}
	}
	_, err = w.Orgs.Workspaces().Update(teacher, room.ID, org.UpdateWorkspaceInput{Name: models.Some("R")})
	w.Refused(err, models.CodeWorkspaceArchived, 403)
	_, err = w.Orgs.Workspaces().Find(pupil, room.ID)
	w.NoError(err)
	for range 2 {
		opened, err := w.Orgs.Workspaces().Unarchive(ada, room.ID)
		w.NoError(err)
		if opened.Archived() {
			t.Fatal("still archived")
		}
	}
	w.Audited(o.ID, "organization.created", "workspace.created", "workspace.updated", "workspace.archived", "workspace.unarchived")
}

func TestMemberLists(t *testing.T) {
	w := orgtest.New(t)
	ada, pupil := w.Person("ada"), w.Person("pupil")
	o := w.School(ada, "North")
	room := w.Workspace(ada, o, "Room")
	w.Assign(pupil, room, org.WorkspaceRoleMember)
	for n := range 5 {
		w.Clock.Advance(time.Duration(n%2) * time.Second) // some at the same time
		w.Assign(w.Person(fmt.Sprint("more", n)), room, org.WorkspaceRoleMember)
	}

	seen := map[models.ID]bool{}
	page := models.Page{Limit: new(2)}
	for {
		rows, err := w.Orgs.Members().List(ada, o.ID, org.MemberFilter{}, page)
		w.NoError(err)
		for _, row := range rows.Nodes {
			if seen[row.UserID] || row.Email == "" {
				t.Fatalf("row %+v", row)
			}
			seen[row.UserID] = true
		}
		if page.Cursor = rows.Next(); page.Cursor == nil {
			break
		}
	}
	if len(seen) != 7 {
		t.Fatalf("%d members", len(seen))
	}
	_, err := w.Orgs.Members().List(ada, o.ID, org.MemberFilter{}, models.Page{Limit: new(201)})
	w.Refused(err, models.CodeValidation, 400)
	_, err = w.Orgs.Members().List(pupil, o.ID, org.MemberFilter{}, models.Page{})
	w.Refused(err, models.CodeInsufficientRole, 403)

	rows, err := w.Orgs.WorkspaceMembers().List(pupil, room.ID, org.ListedFilter{}, models.Page{})
	w.NoError(err)
	if len(rows.Nodes) != 6 || rows.Nodes[0].Status != nil {
		t.Fatalf("a member sees %+v", rows.Nodes[0])
	}
	rows, err = w.Orgs.WorkspaceMembers().List(ada, room.ID, org.ListedFilter{}, models.Page{})
	w.NoError(err)
	if *rows.Nodes[0].Status != org.MemberActive {
		t.Fatalf("an admin sees %+v", rows.Nodes[0])
	}
	counts, err := w.Orgs.WorkspaceMembers().Count(ada, []models.ID{room.ID})
	w.NoError(err)
	facts, err := w.Orgs.FactsByOrganization(ada, []models.ID{o.ID})
	w.NoError(err)
	if counts[room.ID] != 6 || facts[o.ID].Members != 7 || facts[o.ID].OwnerID != orgtest.ID(ada) || facts[o.ID].Workspaces != 1 {
		t.Fatalf("counts %v, facts %+v", counts, facts[o.ID])
	}
}

func TestAuditPages(t *testing.T) {
	w := orgtest.New(t)
	ada, bob := w.Person("ada"), w.Person("bob")
	o := w.Team(ada, "North")
	w.Enroll(bob, o, org.Member)
	room := w.Workspace(ada, o, "Room")
	_, err := w.Orgs.Workspaces().Archive(ada, room.ID)
	w.NoError(err)

	first, err := w.Orgs.Audit().List(ada, o.ID, org.AuditFilter{}, models.Page{Limit: new(2)})
	w.NoError(err)
	rest, err := w.Orgs.Audit().List(ada, o.ID, org.AuditFilter{}, models.Page{Limit: new(2), Cursor: first.Next()})
	w.NoError(err)
	if first.Nodes[0].Action != "workspace.archived" || first.Nodes[1].Action != "workspace.created" ||
		len(rest.Nodes) != 1 || rest.Nodes[0].Action != "organization.created" || rest.Next() != nil {
		t.Fatalf("pages %+v %+v", first.Nodes, rest.Nodes)
	}
	if *first.Nodes[0].ActorName != "ada" || *first.Nodes[0].WorkspaceID != room.ID || string(first.Nodes[0].Details) != `{"archived": {"to": true, "from": false}}` {
		t.Fatalf("entry %+v %s", first.Nodes[0], first.Nodes[0].Details)
	}
	_, err = w.Orgs.Audit().List(bob, o.ID, org.AuditFilter{}, models.Page{})
	w.Refused(err, models.CodeInsufficientRole, 403)
	_, err = w.Orgs.Audit().List(ada, o.ID, org.AuditFilter{}, models.Page{Cursor: new(*first.Next() + "x")})
	w.Refused(err, models.CodeValidation, 400)
}

func TestWatchWorkspaceEndsWithMembership(t *testing.T) {
	w := orgtest.New(t)
	ada, pupil := w.Person("ada"), w.Person("pupil")
	room := w.Workspace(ada, w.Team(ada, "North"), "Room")
	w.Assign(pupil, room, org.WorkspaceRoleMember)
	ctx, stop := context.WithTimeout(pupil, time.Minute)
	defer stop()
	frames, err := w.Orgs.Workspaces().Watch(ctx, room.ID)
	w.NoError(err)
	<-frames
	_, err = w.Orgs.Workspaces().Update(ada, room.ID, org.UpdateWorkspaceInput{Name: models.Some("New")})
	w.NoError(err)
	if frame := <-frames; frame.Name != "New" {
		t.Fatalf("frame %+v", frame)
	}
	w.Exec(`UPDATE workspace_members SET status = 'suspended' WHERE user_id = ?`, orgtest.ID(pupil))
	w.DB.Bus.Publish("workspace:" + room.ID.String())
	if frame, open := <-frames; open {
		t.Fatalf("a suspended member got %+v", frame)
	}
}

// TestWatchersAreWokenByRevocation suspends and removes members who watch on
// another replica and are sent nothing meanwhile.
func TestWatchersAreWokenByRevocation(t *testing.T) {
	url, clock := dbtest.NewURL(t), dbtest.NewClock()
	replica := func() *orgtest.World {
		w := orgtest.On(t, dbtest.Open(t, url, clock))
		ctx, stop := context.WithCancel(context.Background())
		done := make(chan struct{})
		go func() { defer close(done); w.DB.Bus.Run(ctx) }()
		t.Cleanup(func() { stop(); <-done })
		return w
	}
	w, there := replica(), replica()
	ada := w.Person("ada")
	north := w.Team(ada, "North")
	suspended, member, admin := models.Some(org.MemberSuspended), models.Some(org.Member), w.Person("admin")
	w.Enroll(admin, north, org.Admin)
	for name, revoke := range map[string]func(*org.Workspace, context.Context) error{
		"suspended in the organization": func(_ *org.Workspace, who context.Context) error {
			_, err := w.Orgs.Members().Update(ada, north.ID, orgtest.ID(who), org.UpdateMemberInput{Status: suspended})
			return err
		},
		"suspended in the workspace": func(room *org.Workspace, who context.Context) error {
			_, err := w.Orgs.WorkspaceMembers().Update(ada, room.ID, orgtest.ID(who), org.UpdateWorkspaceMemberInput{Status: suspended})
			return err
		},
		"removed from the organization": func(_ *org.Workspace, who context.Context) error {
			return w.Orgs.Members().Remove(ada, north.ID, orgtest.ID(who))
		},
		"removed from the workspace": func(room *org.Workspace, who context.Context) error {
			return w.Orgs.WorkspaceMembers().Remove(ada, room.ID, orgtest.ID(who))
		},
		"left": func(_ *org.Workspace, who context.Context) error { return w.Orgs.Members().Leave(who, north.ID) },
		"demoted": func(*org.Workspace, context.Context) error {
			_, err := w.Orgs.Members().Update(ada, north.ID, orgtest.ID(admin), org.UpdateMemberInput{Role: member})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			room, who := w.Workspace(ada, north, "Room "+name), admin
			if name != "demoted" {
				who = w.Person(strings.ReplaceAll(name, " ", "-"))
				w.Assign(who, room, org.WorkspaceRoleMember)
			}
			ctx, stop := context.WithTimeout(who, time.Minute)
			defer stop()
			frames, err := there.Orgs.Workspaces().Watch(ctx, room.ID)
			w.NoError(err)
			<-frames
			w.NoError(revoke(room, who))
			select {
			case frame, open := <-frames:
				if open {
					t.Errorf("got %+v", frame)
				}
			case <-time.After(10 * time.Second): // well before it would look by itself
				t.Error("stays open")
			}
		})
	}
}

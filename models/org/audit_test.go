package org_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/org"
	"atelier/models/org/orgtest"
)

func TestAuditFilter(t *testing.T) {
	w := orgtest.New(t)
	ada, bob := w.Person("ada"), w.Person("bob")
	o := w.Team(ada, "North")
	start := w.Clock.Now()
	w.Clock.Advance(time.Hour)
	room := w.Workspace(ada, o, "Studio")
	w.Enroll(bob, o, org.Admin)
	_, err := w.Orgs.Workspaces().Update(bob, room.ID, org.UpdateWorkspaceInput{Description: models.Some("50% paint")})
	w.NoError(err)
	_, err = w.Orgs.WorkspaceMembers().Add(bob, room.ID, org.AddWorkspaceMemberInput{UserID: orgtest.ID(bob), Role: org.WorkspaceRoleAdmin})
	w.NoError(err)
	all, err := w.Orgs.Audit().List(ada, o.ID, org.AuditFilter{}, models.Page{})
	w.NoError(err)
	from, to := start.Add(time.Minute), start.Add(time.Minute)

	for name, c := range map[string]struct {
		filter org.AuditFilter
		found  int
	}{
		"everything":           {org.AuditFilter{}, 4},
		"a family":             {org.AuditFilter{Actions: []string{"workspace"}}, 2}, // and not workspace_member
		"two":                  {org.AuditFilter{Actions: []string{"workspace.created", "workspace_member"}}, 2},
		"an actor":             {org.AuditFilter{ActorID: new(orgtest.ID(bob))}, 2},
		"a workspace":          {org.AuditFilter{WorkspaceID: &room.ID}, 3},
		"since":                {org.AuditFilter{From: &from}, 3},
		"until":                {org.AuditFilter{To: &to}, 1},
		"until is exclusive":   {org.AuditFilter{To: &start}, 0},
		"one":                  {org.AuditFilter{EntryID: &all.Nodes[0].ID}, 1},
		"words of an action":   {org.AuditFilter{Search: new("MEMBER.ADD")}, 1},
		"words of the details": {org.AuditFilter{Search: new("50% p")}, 1},
		"name of an actor":     {org.AuditFilter{Search: new("bob")}, 2},
		"name of a workspace":  {org.AuditFilter{Search: new("studio")}, 2},
		"words of a sentence":  {org.AuditFilter{Search: new("purple"), SearchActions: []string{"workspace_member.added"}}, 1},
		"nothing":              {org.AuditFilter{Search: new("purple")}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			found, err := w.Orgs.Audit().List(ada, o.ID, c.filter, models.Page{})
			w.NoError(err)
			if len(found.Nodes) != c.found {
				t.Fatalf("%d found, expected %d", len(found.Nodes), c.found)
			}
		})
	}
	for _, bad := range []string{"Workspace", "a.b.c", "%", ""} {
		_, err := w.Orgs.Audit().List(ada, o.ID, org.AuditFilter{Actions: []string{bad}}, models.Page{})
		w.Refused(err, models.CodeValidation, 400)
	}
	page, err := w.Orgs.Audit().List(ada, o.ID, org.AuditFilter{}, models.Page{Limit: new(1)})
	w.NoError(err)
	_, err = w.Orgs.Audit().List(ada, o.ID, org.AuditFilter{From: &from}, models.Page{Cursor: page.Next()})
	w.Refused(err, models.CodeValidation, 400)
}

func TestVerifyAudit(t *testing.T) {
	w := orgtest.New(t)
	ada, bob := w.Person("ada"), w.Person("bob")
	o := w.Team(ada, "North")
	w.Workspace(ada, o, "Room")
	w.Workspace(ada, o, "Hall")
	w.Enroll(bob, o, org.Member)
	verify := func() *org.AuditVerification {
		t.Helper()
		found, err := w.Orgs.Audit().Verify(ada, o.ID)
		w.NoError(err)
		return found
	}
	if found := verify(); !found.Intact || found.Entries != 3 || found.Broken != nil {
		t.Fatalf("an untouched log: %+v", found)
	}
	w.Exec(`UPDATE audit_entries SET actor_name = 'eve' WHERE organization_id = ? AND sequence = 2`, o.ID)
	if found := verify(); found.Intact || found.Broken == nil || found.Broken.Sequence != 2 {
		t.Fatalf("a changed entry: %+v", found)
	}
	w.Exec(`UPDATE audit_entries SET actor_name = 'ada' WHERE organization_id = ? AND sequence = 2`, o.ID)
	w.Exec(`DELETE FROM audit_entries WHERE organization_id = ? AND sequence = 3`, o.ID)
	if found := verify(); found.Intact || found.Broken != nil || found.Entries != 3 {
		t.Fatalf("an end that is missing: %+v", found)
	}
	_, err := w.Orgs.Audit().Verify(bob, o.ID)
	w.Refused(err, models.CodeInsufficientRole, 403)
	for range 3 {
		verify()
	}
	_, err = w.Orgs.Audit().Verify(ada, o.ID)
	w.Refused(err, models.CodeRateLimitExceeded, 429)
}

// TestAuditKeepsFromWhere: entries say with what and from which network they were made, and the chain holds that, too.
func TestAuditKeepsFromWhere(t *testing.T) {
	w := orgtest.New(t)
	ada := w.Person("ada")
	o := w.Team(ada, "North") // as entries were before this was kept: the test's actor has no address
	actor := models.ActorFrom(ada)
	actor.IP, actor.UserAgent = "203.0.113.77", "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36"
	w.Workspace(models.WithActor(ada, actor), o, "Room")
	actor.Kind = models.Automation
	w.NoError(w.DB.Write(models.WithActor(ada, actor), func(tx *models.Tx) error {
		return tx.Audit(o.ID, "workflow.updated", models.Target{Type: "workflow"}, nil)
	}))
	found, err := w.Orgs.Audit().List(ada, o.ID, org.AuditFilter{}, models.Page{})
	w.NoError(err)
	var said []string
	for _, e := range found.Nodes {
		said = append(said, models.Deref(e.Device)+" "+models.Deref(e.Place))
	}
	if want := []string{" ", "Chrome on Windows 203.0.113.…", " "}; !slices.Equal(said, want) {
		t.Errorf("the entries say %q, want %q", said, want)
	}
	for _, change := range []string{"device = 'Firefox on Mac'", "place = NULL", "device = NULL, place = NULL"} {
		intact := func() bool {
			broken, err := w.DB.VerifyAudit(ada, o.ID)
			w.NoError(err)
			return broken == nil
		}
		if !intact() {
			t.Fatal("an untouched log is not intact")
		}
		w.Exec(`UPDATE audit_entries SET `+change+` WHERE organization_id = ? AND sequence = 2`, o.ID)
		if intact() {
			t.Errorf("%s is not noticed", change)
		}
		w.Exec(`UPDATE audit_entries SET device = 'Chrome on Windows', place = '203.0.113.…' WHERE organization_id = ? AND sequence = 2`, o.ID)
	}
}

func TestRecordExport(t *testing.T) {
	w := orgtest.New(t)
	ada, bob := w.Person("ada"), w.Person("bob")
	o := w.Team(ada, "North")
	w.Enroll(bob, o, org.Member)
	record := func(kind org.ExportKind, format string) error {
		return w.Orgs.Audit().RecordExport(ada, o.ID, org.RecordExportInput{Kind: kind, Format: format, Filter: new("q=x")})
	}
	w.Refused(record("usage", "csv"), models.CodeValidation, 400)
	w.Refused(record(org.ExportMembers, "ocsf"), models.CodeValidation, 400)
	w.Refused(w.Orgs.Audit().RecordExport(bob, o.ID, org.RecordExportInput{Kind: org.ExportAudit, Format: "csv"}), models.CodeInsufficientRole, 403)
	w.NoError(record(org.ExportAudit, "ocsf"))
	w.NoError(record(org.ExportMembers, "csv"))
	w.Exec(`UPDATE organizations SET status = 'suspended' WHERE id = ?`, o.ID)
	w.NoError(record(org.ExportAudit, "jsonl"))
	w.Audited(o.ID, "organization.created", "audit.exported", "members.exported", "audit.exported")

	w.Exec(`ALTER TABLE audit_entries ADD CONSTRAINT disk_full CHECK (action <> 'audit.exported') NOT VALID`)
	err := record(org.ExportAudit, "csv")
	var refusal *models.Error
	if !errors.As(err, &refusal) || refusal.Code != models.CodeAuditUnavailable || refusal.HTTPStatus() != 503 {
		t.Fatalf("an export that cannot be recorded: %v", err)
	}
	w.Exec(`ALTER TABLE audit_entries ADD CONSTRAINT disk_fuller CHECK (action <> 'organization.exported') NOT VALID`)
	w.Exec(`UPDATE organizations SET status = 'active' WHERE id = ?`, o.ID)
	owner := models.ActorFrom(ada)
	owner.ConfirmedAt = w.DB.Clock.Now()
	w.Refused(w.Orgs.Audit().RecordTakeout(models.WithActor(ada, owner), o.ID), models.CodeAuditUnavailable, 503)
	for range 6 {
		_ = record(org.ExportMembers, "csv")
	}
	w.Refused(record(org.ExportMembers, "csv"), models.CodeRateLimitExceeded, 429)
}

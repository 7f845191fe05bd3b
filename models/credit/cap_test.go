package credit_test

import (
	"testing"

	"atelier/models"
	"atelier/models/credit"
	"atelier/models/org"
	"atelier/models/org/orgtest"
)

func TestUpdateWorkspaceMember(t *testing.T) {
	b := newBank(t)
	ada, teacher, pupil := b.Person("ada"), b.Person("teacher"), b.Person("pupil")
	o := b.School(ada, "North")
	room := b.Workspace(ada, o, "Room")
	b.Assign(teacher, room, org.WorkspaceRoleAdmin)
	b.Assign(pupil, room, org.WorkspaceRoleMember)
	b.Assign(ada, room, org.WorkspaceRoleMember)
	change := func(in credit.UpdateWorkspaceMemberInput) (*org.ListedMember, error) {
		return b.credits.UpdateWorkspaceMember(teacher, room.ID, orgtest.ID(pupil), in)
	}
	capped := func(c models.Credits) credit.UpdateWorkspaceMemberInput {
		return credit.UpdateWorkspaceMemberInput{CreditCap: models.Some(c)}
	}
	none := credit.UpdateWorkspaceMemberInput{CreditCap: models.Null[models.Credits]()}

	row, err := change(capped(2_500))
	b.NoError(err)
	if *row.CreditCap != 2_500 || row.Role != org.WorkspaceRoleMember {
		t.Fatalf("row %+v", row)
	}
	_, err = change(capped(-1))
	b.Refused(err, models.CodeValidation, 400)
	_, err = b.credits.UpdateWorkspaceMember(teacher, room.ID, orgtest.ID(ada), capped(1))
	b.Refused(err, models.CodeValidation, 400)
	_, err = b.credits.UpdateWorkspaceMember(pupil, room.ID, orgtest.ID(pupil), capped(99_000))
	b.Refused(err, models.CodeInsufficientRole, 403)

	_, err = b.Orgs.Workspaces().Update(teacher, room.ID, org.UpdateWorkspaceInput{Settings: map[string]any{"member_caps_enabled": false}})
	b.NoError(err)
	both := capped(3_000)
	both.Role = models.Some(org.WorkspaceRoleAdmin)
	_, err = change(both)
	b.Refused(err, models.CodeValidation, 400)
	rows, err := b.Orgs.WorkspaceMembers().List(teacher, room.ID, org.ListedFilter{}, models.Page{})
	b.NoError(err)
	for _, row := range rows.Nodes {
		if row.UserID == orgtest.ID(pupil) && (row.Role != org.WorkspaceRoleMember || *row.CreditCap != 2_500) {
			t.Fatalf("a refused change left %+v", row)
		}
	}
	row, err = change(none)
	b.NoError(err)
	if row.CreditCap != nil {
		t.Fatalf("row %+v", row)
	}
	_, err = b.credits.UpdateWorkspaceMember(teacher, room.ID, orgtest.ID(ada), none)
	b.NoError(err)
	b.Audited(o.ID, "organization.created", "workspace.created", "member.cap_changed", "workspace.updated", "member.cap_changed")
}

func TestDeleteOrganizationThatHoldsCredits(t *testing.T) {
	b := newBank(t)
	ada, operator := b.Person("ada"), b.Operator()
	o := b.Team(ada, "North")
	room := b.Workspace(ada, o, "Room")
	b.fund(ada, operator, room, 1_000)
	_, err := b.Orgs.Workspaces().Archive(ada, room.ID)
	b.NoError(err)
	b.Refused(b.Orgs.DeleteOrganization(ada, o.ID), models.CodeUnreturnedAllocations, 409)
	_, err = b.credits.AllocateCredits(ada, o.ID, room.ID, -1_000)
	b.NoError(err)
	b.NoError(b.Orgs.DeleteOrganization(ada, o.ID))
	b.reconciles()
}

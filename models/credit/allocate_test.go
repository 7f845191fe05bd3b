package credit_test

import (
	"context"
	"testing"

	"atelier/models"
	"atelier/models/credit"
	"atelier/models/org"
	"atelier/models/org/orgtest"
)

func TestGrantCredits(t *testing.T) {
	b := newBank(t)
	ada, operator := b.Person("ada"), b.Operator()
	o := b.Team(ada, "North")
	user := orgtest.ID(ada)
	for name, c := range map[string]struct {
		ctx  context.Context
		in   credit.GrantInput
		code models.Code
	}{
		"no operator":  {ada, credit.GrantInput{OrganizationID: &o.ID, Amount: 1, Reason: "x"}, models.CodeInsufficientRole},
		"neither":      {operator, credit.GrantInput{Amount: 1, Reason: "x"}, models.CodeValidation},
		"both":         {operator, credit.GrantInput{OrganizationID: &o.ID, UserID: &user, Amount: 1, Reason: "x"}, models.CodeValidation},
		"zero":         {operator, credit.GrantInput{OrganizationID: &o.ID, Reason: "x"}, models.CodeValidation},
		"negative":     {operator, credit.GrantInput{OrganizationID: &o.ID, Amount: -1, Reason: "x"}, models.CodeValidation},
		"no reason":    {operator, credit.GrantInput{OrganizationID: &o.ID, Amount: 1, Reason: " "}, models.CodeValidation},
		"unknown org":  {operator, credit.GrantInput{OrganizationID: &user, Amount: 1, Reason: "x"}, models.CodeNotFound},
		"unknown user": {operator, credit.GrantInput{UserID: &o.ID, Amount: 1, Reason: "x"}, models.CodeNotFound},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := b.credits.GrantCredits(c.ctx, c.in)
			b.Refused(err, c.code, 0)
		})
	}
	b.grant(operator, o, 12_500)
	view, err := b.credits.FindOrganizationCredits(ada, o.ID)
	b.NoError(err)
	if view.Pool != 12_500 || view.LifetimePurchased != 0 {
		t.Fatalf("credits %+v", view)
	}
	_, err = b.credits.GrantCredits(operator, credit.GrantInput{UserID: &user, Amount: 3000, Reason: "Thanks"})
	b.NoError(err)
	wallet, err := b.credits.FindWallet(ada)
	b.NoError(err)
	if wallet.Balance != 3000 {
		t.Fatalf("wallet %+v", wallet)
	}
	b.Audited(o.ID, "organization.created", "credits.granted")
	b.reconciles()
}

func TestAllocateCredits(t *testing.T) {
	b := newBank(t)
	ada, admin, bob, out, operator := b.Person("ada"), b.Person("admin"), b.Person("bob"), b.Person("out"), b.Operator()
	o := b.School(ada, "North")
	b.Enroll(admin, o, org.Admin)
	b.Enroll(bob, o, org.Member)
	room := b.Workspace(ada, o, "Room")
	foreign := b.Workspace(out, b.Team(out, "South"), "Foreign")
	b.grant(operator, o, 100_000)

	result, err := b.credits.AllocateCredits(ada, o.ID, room.ID, 40_500)
	b.NoError(err)
	if result.Allocated != 40_500 || result.Headroom() != 40_500 || result.Pool != 59_500 || result.Name != "Room" {
		t.Fatalf("result %+v", result)
	}
	execution := b.newID()
	b.NoError(b.reserve(inWorkspace(ada, room), execution, 10_000))
	b.NoError(b.charge(inWorkspace(ada, room), execution, "n1", 4_000))

	for name, c := range map[string]struct {
		ctx       context.Context
		workspace models.ID
		delta     models.Credits
		code      models.Code
	}{
		"zero":             {ada, room.ID, 0, models.CodeValidation},
		"too large":        {ada, room.ID, models.MaxCredits + 1, models.CodeValidation},
		"more than pool":   {ada, room.ID, 59_501, models.CodeValidation},
		"below reserved":   {ada, room.ID, -30_501, models.CodeValidation},
		"admin":            {admin, room.ID, 1, models.CodeInsufficientRole},
		"member":           {bob, room.ID, 1, models.CodeNotFound},
		"outsider":         {out, room.ID, 1, models.CodeNotFound},
		"other workspace":  {ada, foreign.ID, 1, models.CodeNotFound},
		"no one signed in": {context.Background(), room.ID, 1, models.CodeUnauthorized},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := b.credits.AllocateCredits(c.ctx, o.ID, c.workspace, c.delta)
			b.Refused(err, c.code, 0)
		})
	}
	result, err = b.credits.AllocateCredits(ada, o.ID, room.ID, -30_500)
	b.NoError(err)
	if result.Headroom() != 0 || result.Reserved != 10_000 || result.Pool != 90_000 {
		t.Fatalf("result %+v", result)
	}
	b.NoError(b.settle(inWorkspace(ada, room), execution, 10_000, 4_000))

	t.Run("archived", func(t *testing.T) {
		_, err := b.Orgs.Workspaces().Archive(ada, room.ID)
		b.NoError(err)
		_, err = b.credits.AllocateCredits(ada, o.ID, room.ID, 1)
		b.Refused(err, models.CodeWorkspaceArchived, 403)
		result, err := b.credits.AllocateCredits(ada, o.ID, room.ID, -6_000)
		b.NoError(err)
		if result.Allocated != 4_000 || result.Spent != 4_000 || result.Pool != 96_000 || !result.Archived {
			t.Fatalf("result %+v", result)
		}
	})
	t.Run("suspended organization", func(t *testing.T) {
		_, err := b.Orgs.SuspendOrganization(operator, o.ID, "Unpaid")
		b.NoError(err)
		_, err = b.credits.AllocateCredits(ada, o.ID, room.ID, -1)
		b.Refused(err, models.CodeOrgNotActive, 403)
		_, err = b.credits.FindOrganizationCredits(admin, o.ID)
		b.NoError(err)
		_, err = b.credits.FindOrganizationCredits(bob, o.ID)
		b.Refused(err, models.CodeInsufficientRole, 403)
	})
	ledger, err := b.credits.ListOrganizationLedger(ada, o.ID, models.Page{Limit: new(3)})
	b.NoError(err)
	if len(ledger.Nodes) != 3 || ledger.Nodes[0].Kind != "return" || *ledger.Nodes[0].BalanceAfter != 96_000 || ledger.Next() == nil {
		t.Fatalf("ledger %+v", ledger.Nodes)
	}
	b.Audited(o.ID, "organization.created", "workspace.created", "credits.granted", "budget.allocated",
		"budget.allocated", "workspace.archived", "budget.allocated", "organization.suspended")
	b.reconciles()
}

func TestFindWorkspaceBudget(t *testing.T) {
	b := newBank(t)
	ada, teacher, pupil, gone, operator := b.Person("ada"), b.Person("teacher"), b.Person("pupil"), b.Person("gone"), b.Operator()
	room := b.Workspace(ada, b.School(ada, "North"), "Room")
	b.Assign(teacher, room, org.WorkspaceRoleAdmin)
	b.Assign(pupil, room, org.WorkspaceRoleMember)
	b.Assign(gone, room, org.WorkspaceRoleMember)
	b.fund(ada, operator, room, 50_000)
	for n, ctx := range []context.Context{ada, pupil, gone} {
		execution, cost := b.newID(), models.Credits(n+1)*1000
		b.NoError(b.reserve(inWorkspace(ctx, room), execution, 2*cost))
		b.NoError(b.charge(inWorkspace(ctx, room), execution, "n", cost))
		b.NoError(b.settle(inWorkspace(ctx, room), execution, 2*cost, cost))
	}
	b.NoError(b.reserve(inWorkspace(pupil, room), b.newID(), 500))
	limit := models.Credits(2_200)
	b.setCap(room, pupil, &limit)
	b.setCap(room, ada, &limit)
	b.Exec(`DELETE FROM organization_members WHERE user_id = ?`, orgtest.ID(gone))

	own, err := b.credits.FindWorkspaceBudget(pupil, room.ID)
	b.NoError(err)
	if own.Allocated != nil || b.shares(pupil, own, nil) != nil || own.Headroom != 43_500 || own.Own.Spent != 2000 || own.Own.Reserved != 500 ||
		*own.Own.Cap != 2200 || *own.Own.Headroom() != 0 {
		t.Fatalf("a member sees %+v", own)
	}
	all, err := b.credits.FindWorkspaceBudget(ada, room.ID)
	b.NoError(err)
	if *all.Allocated != 50_000 || *all.Spent != 6_000 || *all.Reserved != 500 || all.Own.Cap != nil || all.Own.Headroom() != nil {
		t.Fatalf("the owner sees %+v", all)
	}
	rows := map[string]*credit.MemberShare{}
	for _, row := range b.shares(ada, all, nil) {
		rows[row.DisplayName] = row
	}
	if len(rows) != 4 || *rows["ada"].Role != org.WorkspaceRoleAdmin || rows["ada"].Cap != nil || rows["gone"].Role != nil ||
		rows["gone"].Spent != 3000 || rows["teacher"].Spent != 0 || *rows["pupil"].Cap != 2200 {
		t.Fatalf("rows %+v", rows)
	}
	_, err = b.Orgs.Workspaces().Update(ada, room.ID, org.UpdateWorkspaceInput{Settings: map[string]any{"member_caps_enabled": false}})
	b.NoError(err)
	own, err = b.credits.FindWorkspaceBudget(pupil, room.ID)
	b.NoError(err)
	if own.Own.Cap != nil {
		t.Fatal("a cap binds although caps are off")
	}
	_, err = b.credits.FindWorkspaceBudget(gone, room.ID)
	b.Refused(err, models.CodeNotFound, 404)
	b.reconciles()
}

package run

import (
	"context"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/credit"
	"atelier/models/org"
)

// workspace is an organization's workspace with credits, its owner, and one
// plain member and one admin of the workspace.
type workspace struct {
	organization, id     models.ID
	owner, admin, member models.ID
}

func (e *engine) addWorkspace(credits models.Credits) workspace {
	e.t.Helper()
	e.Orgs.AutoApprove = true
	w := workspace{owner: e.user, admin: e.AddUser(0), member: e.AddUser(0)}
	ctx := e.As(w.owner)
	o, err := e.Orgs.CreateOrganization(ctx, org.CreateOrganizationInput{Name: "O " + w.admin.String(), Kind: org.Team})
	if err != nil {
		e.t.Fatal(err)
	}
	viewer, err := e.Orgs.Workspaces().Create(ctx, o.ID, org.CreateWorkspaceInput{Name: "W"})
	if err != nil {
		e.t.Fatal(err)
	}
	w.organization, w.id = o.ID, viewer.ID
	for user, role := range map[models.ID]string{w.admin: "admin", w.member: "member"} {
		e.Exec(`INSERT INTO organization_members (organization_id, user_id, role, status, joined_at, updated_at) VALUES (?, ?, 'member', 'active', now(), now())`, w.organization, user)
		e.Exec(`INSERT INTO workspace_members (workspace_id, user_id, organization_id, role, status, added_at, updated_at) VALUES (?, ?, ?, ?, 'active', now(), now())`, w.id, user, w.organization, role)
	}
	operator := models.WithActor(context.Background(), models.Actor{Kind: models.BySession, UserID: e.user, Operator: true, ConfirmedAt: time.Now().AddDate(100, 0, 0)})
	if _, err := e.Credits.GrantCredits(operator, credit.GrantInput{OrganizationID: &w.organization, Amount: credits, Reason: "test"}); err != nil {
		e.t.Fatal(err)
	}
	if _, err := e.Credits.AllocateCredits(ctx, w.organization, w.id, credits); err != nil {
		e.t.Fatal(err)
	}
	return w
}

// in is a context in which the account acts in the workspace.
func (w workspace) in(user models.ID) context.Context {
	return models.WithActor(context.Background(), models.Actor{Kind: models.BySession, UserID: user, SessionID: user, WorkspaceID: &w.id, OrganizationID: &w.organization})
}

// testWorkspaceRuns has a workspace pay, and its admins see everyone's runs
// for as long as they are admins.
func testWorkspaceRuns(t *testing.T, e *engine) {
	costs(t, "combine-text", 1500)
	costs(t, "delay", 500)
	w := e.addWorkspace(10 * models.Credit)
	run, err := e.Nodes().Run(w.in(w.member), "combine-text", map[string]any{"texts": []any{"a"}})
	if err != nil {
		t.Fatal(err)
	}
	waiting, err := e.Nodes().Run(w.in(w.member), "delay", map[string]any{"seconds": 500.0})
	if err != nil {
		t.Fatal(err)
	}
	if reserved, spent := e.budget(w.id); reserved != 500 || spent != 1500 {
		t.Errorf("the budget has %d reserved and %d spent", reserved, spent)
	}
	id := waiting.Job.ExecutionID
	if _, err := e.Executions().Find(w.in(w.admin), id); err != nil {
		t.Errorf("the admin: %v", err)
	}
	if list, err := e.Executions().List(w.in(w.admin), models.Page{}, ExecutionFilter{}); err != nil || len(list.Nodes) != 2 {
		t.Errorf("the admin lists %+v, %v", list, err)
	}
	outsider := e.AddUser(0)
	_, err = e.Executions().Find(e.As(outsider), id)
	wantCode(t, err, models.CodeNotFound)
	_, err = e.Jobs().Find(w.in(w.admin), run.Job.ID)
	wantCode(t, err, models.CodeNotFound) // jobs belong to who started them

	changes, err := e.Executions().Watch(w.in(w.admin), id)
	if err != nil {
		t.Fatal(err)
	}
	<-changes
	e.Exec(`UPDATE workspace_members SET status = 'suspended' WHERE user_id = ?`, w.admin)
	if err := e.Jobs().Cancel(w.in(w.member), waiting.Job.ID); err != nil {
		t.Fatal(err)
	}
	select {
	case next, open := <-changes:
		if open {
			t.Errorf("a suspended admin still sees %+v", next)
		}
	case <-time.After(time.Minute):
		t.Error("the watch of a suspended admin stays open")
	}
	if reserved, spent := e.budget(w.id); reserved != 0 || spent != 1500 {
		t.Errorf("the budget has %d reserved and %d spent", reserved, spent)
	}
	_, err = e.Nodes().Run(w.in(w.member), "combine-text", map[string]any{"texts": []any{"a"}})
	if err != nil {
		t.Error(err)
	}
	costs(t, "combine-text", 100*models.Credit)
	_, err = e.Nodes().Run(w.in(w.member), "combine-text", map[string]any{"texts": []any{"a"}})
	wantCode(t, err, models.CodeBudgetExceeded)
}

func (e *engine) budget(id models.ID) (reserved, spent models.Credits) {
	e.t.Helper()
	row := e.DB.Read(context.Background()).Raw(`SELECT reserved, spent FROM workspace_budgets WHERE workspace_id = ?`, id).Row()
	if err := row.Scan(&reserved, &spent); err != nil {
		e.t.Fatal(err)
	}
	return reserved, spent
}

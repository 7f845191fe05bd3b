package org

import (
	"net/http"

	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"
)

// overviewView is the overview of an organization; Money is nil for plain members.
type overviewView struct {
	Org        query.OrganizationHead
	Names      auditNames
	Workspaces []query.WorkspaceCard
	Money      *query.OverviewMoneyOrganization
}

// Overview is the first page of an organization.
func (c Pages) Overview(w http.ResponseWriter, r *http.Request) error {
	res, err := query.Overview(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return err
	}
	org := res.Organization
	v := overviewView{Org: org.OrganizationHead, Names: auditNames{Org: org.OrganizationHead}, Workspaces: org.Workspaces.Nodes}
	if org.ViewerCan.ReadCredits && org.ViewerCan.ReadAudit {
		money, err := query.OverviewMoney(r.Context(), c.Client, org.Id)
		if err != nil {
			return err
		}
		v.Money = &money.Organization
	}
	return c.Page(w, r, res.Shell, frame.Page{Title: org.Name, Section: frame.SectionOverview, Org: org.Id}, overviewContent(v, c.Now()))
}

// setup is the checklist of a new organization; nil when everything is done.
func setup(v overviewView) []ui.Step {
	all := v.Money.Credits.Totals
	base, w := "/orgs/"+v.Org.Id, v.Org.Vocabulary
	steps := []ui.Step{
		{Text: "Create " + frame.A(w.Workspace), Done: v.Org.WorkspaceCount > 0, Href: base + "/workspaces/new", Action: "Create one"},
		{Text: "Receive credits", Done: v.Money.Credits.Pool+all.Allocated > 0, Href: base + "/credits", Action: "How that works"},
		{Text: "Give credits to " + frame.A(w.Workspace), Done: all.Allocated > 0, Href: base + "/credits/allocate", Action: "Allocate"},
		{Text: "Let " + frame.Lower(w.Members) + " join with a code", Done: v.Org.MemberCount > 1, Href: base + "/workspaces", Action: "Choose " + frame.A(w.Workspace)},
		{Text: "Run a first workflow", Done: all.Spent+all.Reserved > 0, Href: "/workflows", Action: "Open workflows"},
	}
	for i, s := range steps {
		if !s.Done {
			steps[i].Current = true
			return steps
		}
	}
	return nil
}

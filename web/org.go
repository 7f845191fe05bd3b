package web

import (
	"cmp"
	"net/http"
	"slices"

	"atelier/web/query"
	"atelier/web/ui"

	"github.com/gorilla/mux"
)

// overviewView is the overview of an organization; Money is nil for plain members.
type overviewView struct {
	Org        query.OrganizationHead
	Names      auditNames
	Workspaces []query.WorkspaceCard
	Money      *query.OverviewMoneyOrganization
}

// path is the {id} of an address.
func pathID(r *http.Request) string { return mux.Vars(r)["id"] }

func (c *Console) overview(w http.ResponseWriter, r *http.Request) error {
	res, err := query.Overview(r.Context(), c.client, pathID(r))
	if err != nil {
		return err
	}
	org := res.Organization
	v := overviewView{Org: org.OrganizationHead, Names: namesFor(org.OrganizationHead, res.Shell), Workspaces: org.Workspaces.Nodes}
	if org.ViewerCan.ReadCredits && org.ViewerCan.ReadAudit {
		money, err := query.OverviewMoney(r.Context(), c.client, org.Id)
		if err != nil {
			return err
		}
		v.Money = &money.Organization
	}
	return c.page(w, r, res.Shell, page{Title: org.Name, Section: sectionOverview, Org: org.Id}, overviewContent(v, c.now()))
}

// sums are the figures of an organization's workspaces together.
type sums struct{ allocated, reserved, spent float64 }

func sum(rows []query.AllocationRow) sums {
	var s sums
	for _, a := range rows {
		s.allocated, s.reserved, s.spent = s.allocated+a.Allocated, s.reserved+a.Reserved, s.spent+a.Spent
	}
	return s
}

// nearLimit are the workspaces that have less than a tenth of what they hold
// left, at most five, those with the smallest share first.
func nearLimit(rows []query.AllocationRow) []query.AllocationRow {
	var out []query.AllocationRow
	for _, a := range rows {
		if !a.Archived && a.Allocated > 0 && a.Headroom*10 < a.Allocated {
			out = append(out, a)
		}
	}
	slices.SortStableFunc(out, func(a, b query.AllocationRow) int {
		return cmp.Compare(a.Headroom/a.Allocated, b.Headroom/b.Allocated)
	})
	return out[:min(len(out), 5)]
}

// setup is the checklist of a new organization; nil when everything is done.
func setup(v overviewView) []ui.Step {
	all := sum(v.Money.Credits.Workspaces)
	base, w := "/orgs/"+v.Org.Id, v.Org.Vocabulary
	steps := []ui.Step{
		{Text: "Create a " + lower(w.Workspace), Done: v.Org.WorkspaceCount > 0, Href: base + "/workspaces/new", Action: "Create one"},
		{Text: "Receive credits", Done: v.Money.Credits.Pool+all.allocated > 0, Href: base + "/credits", Action: "How that works"},
		{Text: "Give credits to a " + lower(w.Workspace), Done: all.allocated > 0, Href: base + "/credits/allocate", Action: "Allocate"},
		{Text: "Let " + lower(w.Members) + " join with a code", Done: v.Org.MemberCount > 1, Href: base + "/workspaces", Action: "Choose a " + lower(w.Workspace)},
		{Text: "Run a first workflow", Done: all.spent+all.reserved > 0, Href: "/workflows", Action: "Open workflows"},
	}
	for i, s := range steps {
		if !s.Done {
			steps[i].Current = true
			return steps
		}
	}
	return nil
}

// meter shows what a workspace has used of what it holds.
func meter(a query.AllocationRow) ui.MeterProps {
	return ui.MeterProps{
		ID: "meter-" + a.WorkspaceId, Label: a.Name,
		Spent: thousandths(a.Spent), Reserved: thousandths(a.Reserved), Limit: thousandths(a.Allocated),
	}
}

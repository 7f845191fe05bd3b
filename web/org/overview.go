package org

import (
	"net/http"
	"strconv"

	"atelier/web/frame"
	"atelier/web/query"
)

// overviewView is the overview of an organization; Money is nil for plain members.
type overviewView struct {
	Org        query.OrganizationHead
	Names      auditNames
	Workspaces []query.WorkspaceCard
	Money      *query.OverviewMoneyOrganization
	Way        string // how credits are paid: manual or stripe
	Days       int    // how many days the figures are of
}

// Overview is the first page of an organization.
func (c Pages) Overview(w http.ResponseWriter, r *http.Request) error {
	res, err := query.Overview(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return err
	}
	org := res.Organization
	if org.Role == nil && res.Shell.Me.IsOperator { // no one of it: there is an operator's view
		return frame.SeeOther(w, "/operator/orgs/"+org.Id)
	}
	v := overviewView{Org: org.OrganizationHead, Names: auditNames{Org: org.OrganizationHead}, Workspaces: org.Workspaces.Nodes}
	if org.ViewerCan.ReadCredits && org.ViewerCan.ReadAudit {
		v.Days = daysOf(r)
		money, err := query.OverviewMoney(r.Context(), c.Client, org.Id, v.Days)
		if err != nil {
			return err
		}
		v.Money, v.Way = &money.Organization, money.Install.Payments
	}
	return c.Page(w, r, res.Shell, frame.Page{Title: org.Name, Section: frame.SectionOverview, Org: org.Id}, overviewContent(v, c.Now()))
}

// usualDays is how many days the figures are of, unless one of overviewDays is chosen.
const usualDays = 30

var overviewDays = []int{7, 30, 90}

// daysOf is the choice in an address.
func daysOf(r *http.Request) int {
	for _, days := range overviewDays {
		if r.URL.Query().Get("days") == strconv.Itoa(days) {
			return days
		}
	}
	return usualDays
}

// fresh tells whether there is nothing yet that figures could be about.
func (v overviewView) fresh() bool {
	return v.Org.WorkspaceCount == 0 && len(v.Workspaces) == 0 && (v.Money == nil || v.Money.Credits.Totals.Spent == 0)
}

// setup leads to a first workspace in which people can work; nil when there is one.
func setup(v overviewView) []guideStep {
	base, w := "/orgs/"+v.Org.Id, v.Org.Vocabulary
	room, members := frame.Lower(w.Workspace), frame.Lower(w.Members)
	create := guideStep{
		Title: "Create a first " + room, Text: "That is where " + members + " work together, from a budget of its own.",
		Done: !v.fresh(), Href: base + "/workspaces/new", Action: "Create a " + room,
	}
	credits := v.emptyPoolStep()
	if v.Money.Credits.Pool > 0 {
		credits.Text = "The pool holds " + frame.InCredits(v.Money.Credits.Pool) + ". Runs are paid from what a " + room + " was given."
		if v.Org.ViewerCan.Allocate {
			credits.Href, credits.Action = base+"/credits/allocate", "Give credits"
		}
	}
	join := guideStep{
		Title: "Let " + members + " join", Text: "They type a code from the board, or follow a link that you send.",
		Done: v.Org.MemberCount > 1, Href: base + "/invite", Action: "Invite people",
	}
	if len(v.Workspaces) > 0 {
		join.Href, join.Action = "/workspaces/"+v.Workspaces[0].Id+"/join-code", "Open the join code"
	}
	if v.fresh() { // nothing can be given or joined before
		credits.Href, join.Href = "", ""
	}
	if !v.Org.ViewerCan.CreateWorkspace {
		create.Href, create.Text = "", create.Text+" You can make one as soon as "+v.Org.Name+" is active."
	}
	steps := []guideStep{create, credits, join}
	if current(steps) < 0 {
		return nil
	}
	return steps
}

// emptyPoolStep leads to credits while the pool is empty: the owner buys them, an admin reads who can.
func (v overviewView) emptyPoolStep() guideStep {
	base := "/orgs/" + v.Org.Id
	step := guideStep{
		Title: "Give it credits", Done: v.Money.Credits.Totals.Allocated > 0,
		Text: "They come out of the pool of " + v.Org.Name + ", which is empty. ",
	}
	waiting := waitingPurchase(v.Money.Purchases.Nodes)
	switch {
	case waiting != nil:
		step.Text += frame.InCredits(waiting.Credits) + " are ordered, and in it once the payment is confirmed."
		step.Href, step.Action = purchasePath(*waiting), "See the purchase"
	case !isOwner(v.Org):
		step.Text += v.Org.Owner.DisplayName + ", who owns " + v.Org.Name + ", can buy a pack."
		step.Href, step.Action = base+"/credits/buy", "See the packs"
	case !v.Org.ViewerCan.Allocate:
		step.Text += "Packs can be bought as soon as " + v.Org.Name + " is active."
		step.Href, step.Action = base+"/credits/buy", "See the packs"
	case v.Way == "stripe":
		step.Text += "Buy a pack: it is in the pool as soon as the payment is through."
		step.Href, step.Action = base+"/credits/buy", "Buy credits"
	default:
		step.Text += "Order a pack and pay whoever runs this install: an operator confirms it, or gives you credits."
		step.Href, step.Action = base+"/credits/buy", "Buy credits"
	}
	return step
}

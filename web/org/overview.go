package org

import (
	"context"
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
func setup(ctx context.Context, v overviewView) []guideStep {
	base := "/orgs/" + v.Org.Id
	create := guideStep{
		Title: t(ctx, "Create a first {workspace}"), Text: t(ctx, "That is where {members} work together, from a budget of its own."),
		Done: !v.fresh(), Href: base + "/workspaces/new", Action: t(ctx, "Create {a workspace}"),
	}
	credits := v.emptyPoolStep(ctx)
	if v.Money.Credits.Pool > 0 {
		credits.Text = t(ctx, "The pool holds %s. Runs are paid from what {a workspace} was given.", inCredits(ctx, v.Money.Credits.Pool))
		if v.Org.ViewerCan.Allocate {
			credits.Href, credits.Action = base+"/credits/allocate", t(ctx, "Give credits")
		}
	}
	join := guideStep{
		Title: t(ctx, "Let {members} join"), Text: t(ctx, "They type a code from the board, or follow a link that you send."),
		Done: v.Org.MemberCount > 1, Href: base + "/invite", Action: t(ctx, "Invite people"),
	}
	if len(v.Workspaces) > 0 {
		join.Href, join.Action = "/workspaces/"+v.Workspaces[0].Id+"/join-code", t(ctx, "Open the join code")
	}
	if v.fresh() { // nothing can be given or joined before
		credits.Href, join.Href = "", ""
	}
	if !v.Org.ViewerCan.CreateWorkspace {
		create.Href, create.Text = "", create.Text+" "+t(ctx, "You can make one as soon as %s is active.", v.Org.Name)
	}
	steps := []guideStep{create, credits, join}
	if current(steps) < 0 {
		return nil
	}
	return steps
}

// emptyPoolStep leads to credits while the pool is empty: the owner buys them, an admin reads who can.
func (v overviewView) emptyPoolStep(ctx context.Context) guideStep {
	base := "/orgs/" + v.Org.Id
	step := guideStep{
		Title: t(ctx, "Give it credits"), Done: v.Money.Credits.Totals.Allocated > 0,
		Text: t(ctx, "They come out of the pool of %s, which is empty.", v.Org.Name),
	}
	waiting := waitingPurchase(v.Money.Purchases.Nodes)
	switch {
	case waiting != nil:
		step.Text += " " + t(ctx, "%s are ordered, and in it once the payment is confirmed.", inCredits(ctx, waiting.Credits))
		step.Href, step.Action = purchasePath(*waiting), t(ctx, "See the purchase")
	case !isOwner(v.Org):
		step.Text += " " + t(ctx, "%s, who owns %s, can buy a pack.", v.Org.Owner.DisplayName, v.Org.Name)
		step.Href, step.Action = base+"/credits/buy", t(ctx, "See the packs")
	case !v.Org.ViewerCan.Allocate:
		step.Text += " " + t(ctx, "Packs can be bought as soon as %s is active.", v.Org.Name)
		step.Href, step.Action = base+"/credits/buy", t(ctx, "See the packs")
	case v.Way == "stripe":
		step.Text += " " + t(ctx, "Buy a pack: it is in the pool as soon as the payment is through.")
		step.Href, step.Action = base+"/credits/buy", t(ctx, "Buy credits")
	default:
		step.Text += " " + t(ctx, "Order a pack and pay the people who run this install: an operator confirms it, or gives you credits.")
		step.Href, step.Action = base+"/credits/buy", t(ctx, "Buy credits")
	}
	return step
}

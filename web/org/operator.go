package org

import (
	"net/http"

	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"
)

// operatorView is the organizations of the install in one state; pending ones come first.
type operatorView struct {
	Status query.OrganizationStatus
	Rows   []query.OperatorOrganization
	Next   string
}

// Operator lists the organizations of the install for its operators.
func (c Pages) Operator(w http.ResponseWriter, r *http.Request) error {
	status := query.OrganizationStatus(r.URL.Query().Get("status"))
	if status != query.OrganizationStatusActive && status != query.OrganizationStatusSuspended {
		status = query.OrganizationStatusPending
	}
	res, err := query.Operator(r.Context(), c.Client, &status, frame.After(r))
	if err != nil {
		return err
	}
	list := res.OperatorOrganizations
	v := operatorView{Status: status, Rows: list.Nodes, Next: frame.NextHref(r, list.PageInfo)}
	return c.Page(w, r, res.Shell, frame.Page{Title: "Platform", Section: frame.SectionOperator}, operatorContent(v, c.Now()))
}

// Approve lets a new organization begin.
func (c Pages) Approve(w http.ResponseWriter, r *http.Request) error {
	res, err := query.ApproveOrganization(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return err
	}
	return c.Done(w, "/operator", res.ApproveOrganization.Name+" is active now.")
}

// AskSuspend asks why an organization is suspended.
func (c Pages) AskSuspend(w http.ResponseWriter, r *http.Request) error {
	res, err := query.OperatorOrganizationPage(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return err
	}
	if !res.Me.IsOperator {
		return frame.ErrNotFound
	}
	at := frame.Page{Title: "Suspend " + res.Organization.Name, Section: frame.SectionOperator}
	return c.Page(w, r, res.Shell, at, suspendContent(res.Organization, frame.FormOf(r)))
}

// Suspend suspends an organization.
func (c Pages) Suspend(w http.ResponseWriter, r *http.Request) error {
	res, err := query.SuspendOrganization(r.Context(), c.Client, frame.PathID(r), frame.Text(r, "reason"))
	if err != nil {
		return frame.Again(w, r, err, c.AskSuspend)
	}
	return c.Done(w, "/operator?status=suspended", res.SuspendOrganization.Name+" is suspended. You can lift that here.")
}

// Reinstate ends the suspension of an organization.
func (c Pages) Reinstate(w http.ResponseWriter, r *http.Request) error {
	res, err := query.ReinstateOrganization(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return err
	}
	return c.Done(w, "/operator?status=active", res.ReinstateOrganization.Name+" is active again.")
}

// grantView is the page that gives credits to an organization or a personal space.
type grantView struct {
	Kind string // "organization" or "user"
	ID   string
	Form frame.Form
}

// GrantPage is the form that gives credits.
func (c Pages) GrantPage(w http.ResponseWriter, r *http.Request) error {
	res, err := query.Frame(r.Context(), c.Client)
	if err != nil {
		return err
	}
	if !res.Me.IsOperator {
		return frame.ErrNotFound
	}
	v := grantView{Kind: "organization", ID: r.FormValue("to"), Form: frame.FormOf(r)}
	if r.FormValue("kind") == "user" {
		v.Kind = "user"
	}
	return c.Page(w, r, res.Shell, frame.Page{Title: "Give credits", Section: frame.SectionOperator}, grantContent(v))
}

// Grant gives credits to an organization or a personal space.
func (c Pages) Grant(w http.ResponseWriter, r *http.Request) error {
	credited, err := frame.Amount(r, "amount")
	if err != nil {
		return frame.Again(w, r, err, c.GrantPage)
	}
	in := query.GrantCreditsInput{Amount: credited, Reason: frame.Text(r, "reason")}
	if to := frame.TextOrNil(r, "to"); frame.Text(r, "kind") == "user" {
		in.UserId = to
	} else {
		in.OrganizationId = to
	}
	res, err := query.GrantCredits(r.Context(), c.Client, in)
	if frame.HasCode(err, "not_found") {
		err = frame.Invalid("to", "Nobody has this id.")
	}
	if err != nil {
		return frame.Again(w, r, err, c.GrantPage)
	}
	return c.Done(w, "/operator?status=active", "Given: "+frame.InCredits(res.GrantCredits.Amount)+".")
}

func operatorTabs(current query.OrganizationStatus) []ui.NavItem {
	tabs := []ui.NavItem{
		{Text: "Waiting for approval", Href: "/operator", Current: current == query.OrganizationStatusPending},
		{Text: "Active", Href: "/operator?status=active", Current: current == query.OrganizationStatusActive},
		{Text: "Suspended", Href: "/operator?status=suspended", Current: current == query.OrganizationStatusSuspended},
	}
	return tabs
}

package web

import (
	"net/http"

	"atelier/web/query"
	"atelier/web/ui"
)

// operatorView is the organizations of the install in one state; pending ones come first.
type operatorView struct {
	Status query.OrganizationStatus
	Rows   []query.OperatorOrganization
	Next   string
}

func (c *Console) operator(w http.ResponseWriter, r *http.Request) error {
	status := query.OrganizationStatus(r.URL.Query().Get("status"))
	if status != query.OrganizationStatusActive && status != query.OrganizationStatusSuspended {
		status = query.OrganizationStatusPending
	}
	res, err := query.Operator(r.Context(), c.client, &status, after(r))
	if err != nil {
		return err
	}
	list := res.OperatorOrganizations
	v := operatorView{Status: status, Rows: list.Nodes, Next: nextHref(r, list.PageInfo)}
	return c.page(w, r, res.Shell, page{Title: "Platform", Section: sectionOperator}, operatorContent(v, c.now()))
}

func (c *Console) approve(w http.ResponseWriter, r *http.Request) error {
	res, err := query.ApproveOrganization(r.Context(), c.client, pathID(r))
	if err != nil {
		return err
	}
	return c.done(w, "/operator", res.ApproveOrganization.Name+" is active now.")
}

func (c *Console) askSuspend(w http.ResponseWriter, r *http.Request) error {
	res, err := query.OperatorOrganizationPage(r.Context(), c.client, pathID(r))
	if err != nil {
		return err
	}
	if !res.Me.IsOperator {
		return errNotFound
	}
	at := page{Title: "Suspend " + res.Organization.Name, Section: sectionOperator}
	return c.page(w, r, res.Shell, at, suspendContent(res.Organization, formOf(r)))
}

func (c *Console) suspend(w http.ResponseWriter, r *http.Request) error {
	res, err := query.SuspendOrganization(r.Context(), c.client, pathID(r), text(r, "reason"))
	if err != nil {
		return again(w, r, err, c.askSuspend)
	}
	return c.done(w, "/operator?status=suspended", res.SuspendOrganization.Name+" is suspended. It can be reinstated here.")
}

func (c *Console) reinstate(w http.ResponseWriter, r *http.Request) error {
	res, err := query.ReinstateOrganization(r.Context(), c.client, pathID(r))
	if err != nil {
		return err
	}
	return c.done(w, "/operator?status=active", res.ReinstateOrganization.Name+" is active again.")
}

// grantView is the page that gives credits to an organization or a personal space.
type grantView struct {
	Kind string // "organization" or "user"
	ID   string
	Form form
}

func (c *Console) grantPage(w http.ResponseWriter, r *http.Request) error {
	res, err := query.Frame(r.Context(), c.client)
	if err != nil {
		return err
	}
	if !res.Me.IsOperator {
		return errNotFound
	}
	v := grantView{Kind: "organization", ID: r.FormValue("to"), Form: formOf(r)}
	if r.FormValue("kind") == "user" {
		v.Kind = "user"
	}
	return c.page(w, r, res.Shell, page{Title: "Give credits", Section: sectionOperator}, grantContent(v))
}

func (c *Console) grant(w http.ResponseWriter, r *http.Request) error {
	credited, err := amount(r, "amount")
	if err != nil {
		return again(w, r, err, c.grantPage)
	}
	in := query.GrantCreditsInput{Amount: credited, Reason: text(r, "reason")}
	if to := textOrNil(r, "to"); text(r, "kind") == "user" {
		in.UserId = to
	} else {
		in.OrganizationId = to
	}
	res, err := query.GrantCredits(r.Context(), c.client, in)
	if hasCode(err, "not_found") {
		err = invalid("to", "Nobody has this id.")
	}
	if err != nil {
		return again(w, r, err, c.grantPage)
	}
	return c.done(w, "/operator?status=active", "Given: "+inCredits(res.GrantCredits.Amount)+".")
}

func operatorTabs(current query.OrganizationStatus) []ui.NavItem {
	tabs := []ui.NavItem{
		{Text: "Waiting for approval", Href: "/operator", Current: current == query.OrganizationStatusPending},
		{Text: "Active", Href: "/operator?status=active", Current: current == query.OrganizationStatusActive},
		{Text: "Suspended", Href: "/operator?status=suspended", Current: current == query.OrganizationStatusSuspended},
	}
	return tabs
}

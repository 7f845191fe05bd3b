package operator

import (
	"context"
	"net/http"
	"strings"

	"atelier/web/frame"
	"atelier/web/locale"
	"atelier/web/query"
)

// operatorView is the first page of operators.
type operatorView struct {
	Search        string
	Counts        query.OperatorCounts
	Health        query.Health
	Waiting       int // purchases that wait for their payment
	Pending       []query.OperatedOrganization
	Organizations []query.OperatedOrganization
	People        []query.OperatedPerson
}

// Operator is the first page of operators: what waits for them, and how the install is.
func (c Pages) Operator(w http.ResponseWriter, r *http.Request) error {
	search := strings.TrimSpace(r.URL.Query().Get("q"))
	res, err := query.Operator(r.Context(), c.Client, search, search != "")
	if err != nil {
		return err
	}
	v := operatorView{Search: search, Counts: res.OperatorCounts, Health: res.OperatorHealth, Pending: res.Pending.Nodes, Waiting: res.Waiting.TotalCount}
	v.Organizations, v.People = res.Organizations.Nodes, res.People.Nodes
	return c.Page(w, r, res.Shell, frame.Page{Title: t(r.Context(), "Platform"), Section: frame.SectionOperator}, operatorContent(v, c.Now()))
}

// operatorOrgsView is the organizations of the install, of one state or all.
type operatorOrgsView struct {
	List   frame.Listing
	Search string
	Status string
	Counts query.StateCounts
	Rows   []query.OperatedOrganization
}

// OperatorOrganizations lists the organizations of the install.
func (c Pages) OperatorOrganizations(w http.ResponseWriter, r *http.Request) error {
	v := operatorOrgsView{List: frame.ListingOf(r, "/operator/orgs", 30, query.SortByName, query.SortByStatus, query.SortByCreated)}
	v.Search, v.Status = strings.TrimSpace(v.List.Values.Get("q")), v.List.Values.Get("status")
	var status *query.OrganizationStatus
	switch s := query.OrganizationStatus(v.Status); s {
	case query.OrganizationStatusPending, query.OrganizationStatusActive, query.OrganizationStatusSuspended:
		status = &s
	default:
		v.Status = ""
	}
	res, err := query.OperatorOrganizations(r.Context(), c.Client, status, v.Search, v.List.After(), v.List.Sort)
	if err != nil {
		return err
	}
	list := res.OperatorOrganizations
	v.List.Loaded(list.PageInfo, len(list.Nodes), list.TotalCount)
	v.Counts, v.Rows = res.OperatorCounts, list.Nodes
	return c.Page(w, r, res.Shell, frame.Page{Title: t(r.Context(), "Organizations"), Section: frame.SectionOperator}, operatorOrgsContent(v, c.Now()))
}

// OperatorOrganization is one organization as an operator sees it.
func (c Pages) OperatorOrganization(w http.ResponseWriter, r *http.Request) error {
	res, err := c.operated(r)
	if err != nil {
		return err
	}
	at := frame.Page{Title: res.Organization.Name, Section: frame.SectionOperator}
	return c.Page(w, r, res.Shell, at, operatorOrgContent(res.Organization, c.Now()))
}

// operated is the organization of the address, for operators alone.
func (c Pages) operated(r *http.Request) (*query.OperatorOrganizationPageResponse, error) {
	res, err := query.OperatorOrganizationPage(r.Context(), c.Client, frame.PathID(r))
	if err == nil && !res.Me.IsOperator {
		err = frame.ErrNotFound
	}
	return res, err
}

// Approve lets a new organization begin.
func (c Pages) Approve(w http.ResponseWriter, r *http.Request) error {
	res, err := query.ApproveOrganization(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return err
	}
	return c.Done(w, "/operator/orgs/"+frame.PathID(r), t(r.Context(), "%s is active now. Grant it credits, so that it can begin.", res.ApproveOrganization.Name))
}

// AskReject asks why a new organization is refused.
func (c Pages) AskReject(w http.ResponseWriter, r *http.Request) error {
	res, err := c.operated(r)
	if err != nil {
		return err
	}
	at := frame.Page{Title: t(r.Context(), "Reject %s", res.Organization.Name), Section: frame.SectionOperator}
	return c.Page(w, r, res.Shell, at, reasonContent(
		rejectQuestion(r.Context(), res.Organization), t(r.Context(), "It was not rejected."), t(r.Context(), "Its owner reads it."), frame.FormOf(r),
	))
}

// Reject refuses a new organization.
func (c Pages) Reject(w http.ResponseWriter, r *http.Request) error {
	res, err := query.RejectOrganization(r.Context(), c.Client, frame.PathID(r), frame.Text(r, "reason"))
	if err != nil {
		return frame.Again(w, r, err, c.AskReject)
	}
	return c.Done(w, "/operator", t(
		r.Context(), "%s is rejected. Its owner reads why, and you can still reinstate it among the suspended.", res.RejectOrganization.Name,
	))
}

// AskSuspend asks why an organization is suspended.
func (c Pages) AskSuspend(w http.ResponseWriter, r *http.Request) error {
	res, err := c.operated(r)
	if err != nil {
		return err
	}
	at := frame.Page{Title: t(r.Context(), "Suspend %s", res.Organization.Name), Section: frame.SectionOperator}
	return c.Page(w, r, res.Shell, at, reasonContent(
		suspendQuestion(r.Context(), res.Organization), t(r.Context(), "It was not suspended."), t(r.Context(), "Its members read it."), frame.FormOf(r),
	))
}

// Suspend suspends an organization.
func (c Pages) Suspend(w http.ResponseWriter, r *http.Request) error {
	res, err := query.SuspendOrganization(r.Context(), c.Client, frame.PathID(r), frame.Text(r, "reason"))
	if err != nil {
		return frame.Again(w, r, err, c.AskSuspend)
	}
	return c.Done(w, "/operator/orgs?status=suspended", t(r.Context(), "%s is suspended. You can lift that here.", res.SuspendOrganization.Name))
}

// Reinstate ends the suspension of an organization.
func (c Pages) Reinstate(w http.ResponseWriter, r *http.Request) error {
	res, err := query.ReinstateOrganization(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return err
	}
	return c.Done(w, "/operator/orgs?status=active", t(r.Context(), "%s is active again.", res.ReinstateOrganization.Name))
}

// groups is how many classes or workspaces an organization has, in its own words.
func groups(ctx context.Context, o query.OperatedOrganization) string {
	return tn(frame.Saying(ctx, o.Vocabulary), "%d {workspace}", "%d {workspaces}", o.WorkspaceCount)
}

func poolOf(ctx context.Context, o query.OperatedOrganization) string {
	if o.OperatorPool == nil {
		return "–"
	}
	return locale.Credits(ctx, frame.Thousandths(*o.OperatorPool))
}

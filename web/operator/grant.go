package operator

import (
	"net/http"
	"strings"

	"atelier/web/frame"
	"atelier/web/query"
)

// receiver is who gets credits.
type receiver struct {
	Kind, ID     string // Kind is "organization" or "user"
	Name, Detail string
}

// grantView is the page that gives credits to an organization or a personal space.
type grantView struct {
	To            receiver // chosen, when it has an ID
	Search        string
	Organizations []query.OperatedOrganization
	People        []query.OperatedPerson
	Form          frame.Form
}

// GrantPage chooses who gets credits, then asks how many.
func (c Pages) GrantPage(w http.ResponseWriter, r *http.Request) error {
	v := grantView{Form: frame.FormOf(r), Search: strings.TrimSpace(r.FormValue("q"))}
	shell, err := c.grantReceiver(r, &v)
	if err != nil {
		return err
	}
	return c.Page(w, r, shell, frame.Page{Title: grantTitle(r.Context(), v), Section: frame.SectionOperator}, grantContent(v))
}

// grantReceiver finds who is named by the address, or who may be chosen.
func (c Pages) grantReceiver(r *http.Request, v *grantView) (query.Shell, error) {
	id, kind := r.FormValue("to"), r.FormValue("kind")
	switch {
	case id == "":
		res, err := query.GrantReceivers(r.Context(), c.Client, v.Search)
		if err != nil {
			return query.Shell{}, err
		}
		v.Organizations, v.People = res.Organizations.Nodes, res.People.Nodes
		return res.Shell, nil
	case kind == "user":
		res, err := query.GrantToPerson(r.Context(), c.Client, id)
		if err != nil {
			return query.Shell{}, err
		}
		v.To = receiver{Kind: "user", ID: id, Name: res.OperatorPerson.DisplayName, Detail: t(r.Context(), "The personal space of %s", res.OperatorPerson.Email)}
		return res.Shell, nil
	}
	res, err := query.OperatorOrganizationPage(r.Context(), c.Client, id)
	if err == nil && !res.Me.IsOperator {
		err = frame.ErrNotFound
	}
	if err != nil {
		return query.Shell{}, err
	}
	o := res.Organization
	v.To = receiver{
		Kind: "organization", ID: id, Name: o.Name,
		Detail: t(r.Context(), "%s of %s. Its pool holds %s now.", frame.KindName(r.Context(), o.Kind), o.Owner.DisplayName, poolOf(r.Context(), o)),
	}
	return res.Shell, nil
}

// Grant gives credits to an organization or a personal space.
func (c Pages) Grant(w http.ResponseWriter, r *http.Request) error {
	if frame.Text(r, "to") == "" {
		return frame.Again(w, r, frame.Invalid("to", t(r.Context(), "Choose who gets the credits.")), c.GrantPage)
	}
	amount, err := frame.Amount(r, "amount")
	if err != nil {
		return frame.Again(w, r, err, c.GrantPage)
	}
	in := query.GrantCreditsInput{Amount: amount, Reason: frame.Text(r, "reason")}
	to, done := frame.TextOrNil(r, "to"), "/operator/orgs/"
	if frame.Text(r, "kind") == "user" {
		in.UserId, done = to, "/operator/people/"
	} else {
		in.OrganizationId = to
	}
	res, err := query.GrantCredits(r.Context(), c.Client, in)
	if err != nil {
		return frame.Again(w, r, err, c.GrantPage)
	}
	return c.Done(w, done+*to, t(r.Context(), "You granted %s.", inCredits(r.Context(), res.GrantCredits.Amount)))
}

package web

import (
	"net/http"

	"atelier/web/query"
	"atelier/web/ui"
)

func (c *Console) organizations(w http.ResponseWriter, r *http.Request) error {
	res, err := query.Organizations(r.Context(), c.client, after(r))
	if err != nil {
		return err
	}
	if res.Me.Memberships == nil {
		return errNotFound // the install has no organizations
	}
	at := page{Title: "Organizations", Section: sectionOrganizations}
	return c.page(w, r, res.Shell, at, organizationsContent(res.Organizations.Nodes, nextHref(r, res.Organizations.PageInfo)))
}

func (c *Console) newOrganization(w http.ResponseWriter, r *http.Request) error {
	res, err := query.Frame(r.Context(), c.client)
	if err != nil {
		return err
	}
	if res.Me.Memberships == nil {
		return errNotFound
	}
	at := page{Title: "Create an organization", Section: sectionOrganizations}
	return c.page(w, r, res.Shell, at, newOrganizationContent(formOf(r)))
}

func (c *Console) createOrganization(w http.ResponseWriter, r *http.Request) error {
	terms := text(r, "acceptTerms") != ""
	res, err := query.CreateOrganization(r.Context(), c.client, query.CreateOrganizationInput{
		Name: text(r, "name"), Kind: query.OrganizationKind(text(r, "kind")), Slug: textOrNil(r, "slug"), AcceptTerms: &terms,
	})
	if err != nil {
		return again(w, r, err, c.newOrganization)
	}
	sentence := res.CreateOrganization.Name + " is ready."
	if res.CreateOrganization.Status == query.OrganizationStatusPending {
		sentence = res.CreateOrganization.Name + " exists and now waits for an operator's approval."
	}
	return c.done(w, "/orgs/"+res.CreateOrganization.Id, sentence)
}

// kindOptions say what each kind switches on (contract 3, "Kind defaults").
func kindOptions() []ui.Option {
	return []ui.Option{
		{Value: "school", Text: "School", Hint: "Classes, teachers and students. New workflows are private, teachers may open them, students view shared work, projects are made by teachers, and each student can have a credit cap."},
		{Value: "team", Text: "Team", Hint: "Workspaces, admins and members. New workflows are open to the workspace, members edit shared work and make projects, everybody may invite, and nobody has a cap."},
	}
}

package org

import (
	"context"
	"net/http"

	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"
)

// Organizations lists the person's organizations.
func (c Pages) Organizations(w http.ResponseWriter, r *http.Request) error {
	list := frame.ListingOf(r, "/orgs", 30)
	res, err := query.Organizations(r.Context(), c.Client, list.After())
	if err != nil {
		return err
	}
	if res.Me.Memberships == nil {
		return frame.ErrNotFound // the install has no organizations
	}
	list.Loaded(res.Organizations.PageInfo, len(res.Organizations.Nodes), res.Organizations.TotalCount)
	at := frame.Page{Title: t(r.Context(), "Organizations"), Section: frame.SectionOrganizations}
	return c.Page(w, r, res.Shell, at, organizationsContent(res.Organizations.Nodes, list))
}

// NewOrganization is the form of an organization.
func (c Pages) NewOrganization(w http.ResponseWriter, r *http.Request) error {
	res, err := query.Frame(r.Context(), c.Client)
	if err != nil {
		return err
	}
	if res.Me.Memberships == nil {
		return frame.ErrNotFound
	}
	at := frame.Page{Title: t(r.Context(), "Create an organization"), Section: frame.SectionOrganizations}
	return c.Page(w, r, res.Shell, at, newOrganizationContent(frame.FormOf(r)))
}

// CreateOrganization makes an organization.
func (c Pages) CreateOrganization(w http.ResponseWriter, r *http.Request) error {
	terms := frame.Text(r, "acceptTerms") != ""
	res, err := query.CreateOrganization(r.Context(), c.Client, query.CreateOrganizationInput{
		Name: frame.Text(r, "name"), Kind: query.OrganizationKind(frame.Text(r, "kind")), Slug: frame.TextOrNil(r, "slug"), AcceptTerms: &terms,
	})
	if err != nil {
		return frame.Again(w, r, formWords(r.Context(), err), c.NewOrganization)
	}
	sentence := t(r.Context(), "%s is ready.", res.CreateOrganization.Name)
	if res.CreateOrganization.Status == query.OrganizationStatusPending {
		sentence = t(r.Context(), "%s was created. An operator needs to approve it.", res.CreateOrganization.Name)
	}
	return c.Done(w, "/orgs/"+res.CreateOrganization.Id, sentence)
}

// formWords says what is wrong with the form of a new organization or workspace as a person would.
func formWords(ctx context.Context, err error) error {
	e, known := frame.Refused(err)
	if !known {
		return err
	}
	said := *e
	switch {
	case e.Code == "terms_required":
		said.Field, said.Message = "acceptTerms", t(ctx, "A school needs this: tick it to say that you may act for the school.")
	case e.Code == "name_taken":
		said.Field, said.Message = "slug", t(ctx, "This short name is taken. Choose another one, or leave it empty.")
	case e.Code == "validation_error" && e.Field == "slug":
		said.Message = t(ctx, "A short name has 1 to 50 lower-case letters, digits and hyphens.")
	default:
		return err
	}
	return &said
}

// kindOptions say what each kind switches on (contract 3, "Kind defaults").
func kindOptions(ctx context.Context) []ui.Option {
	return []ui.Option{
		{Value: "school", Text: t(ctx, "School"), Hint: t(ctx, "Classes, teachers and students. A new workflow is private, teachers may open and change it, "+
			"students look at what is shared, and each student can have a credit cap.")},
		{Value: "team", Text: t(ctx, "Team"), Hint: t(ctx, "Workspaces, admins and members. A new workflow is open to the workspace, members change what is "+
			"shared and may share it on, and no one has a cap.")},
	}
}

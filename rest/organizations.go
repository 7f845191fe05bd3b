package rest

import (
	"context"
	"encoding/json"

	"atelier/models"
	"atelier/models/org"

	"github.com/danielgtaylor/huma/v2"
)

// organizationRoutes are organizations and their members (contract 3,
// "Organizations" and "Org members").
func (a *API) organizationRoutes() {
	const tag, all, each = "Organizations", "/v1/orgs", "/v1/orgs/{id}"
	const read, write = models.ScopeWorkspacesRead, models.ScopeWorkspacesWrite
	handle(a, route{Method: "POST", Path: all, Tag: tag, Summary: "Make an organization", Scope: write, Status: 201}, a.createOrganization)
	handle(a, route{Method: "GET", Path: all, Tag: tag, Summary: "List own organizations, newest first", Scope: read}, a.listOrganizations)
	handle(a, route{Method: "GET", Path: each, Tag: tag, Summary: "One organization", Scope: read}, a.getOrganization)
	handle(a, route{Method: "PATCH", Path: each, Tag: tag, Summary: "Change name and settings", Scope: write}, a.updateOrganization)
	handle(a, route{Method: "POST", Path: each + "/transfer-ownership", Tag: tag, Summary: "Make an active admin the owner", Scope: write}, a.transferOwnership)
	handle(a, route{Method: "DELETE", Path: each, Tag: tag, Summary: "Delete an organization", Scope: write}, a.deleteOrganization)
	handle(a, route{Method: "POST", Path: each + "/leave", Tag: tag, Summary: "Leave an organization and all its workspaces", Scope: write}, a.leaveOrganization)
	a.memberRoutes()
}

type organizationView struct {
	ID                models.ID             `json:"id"`
	Name              string                `json:"name"`
	Kind              org.Kind              `json:"kind"`
	Slug              string                `json:"slug"`
	Status            org.Status            `json:"status"`
	Settings          settingsView          `json:"settings"`
	EffectiveSettings org.OrganizationRules `json:"effectiveSettings"`
	Role              *org.Role             `json:"role"`
	MemberStatus      *org.MemberStatus     `json:"memberStatus"`
	Vocabulary        vocabularyView        `json:"vocabulary"`
	CreatedAt         timestamp             `json:"createdAt"`
	UpdatedAt         timestamp             `json:"updatedAt"`
}

func viewOrganization(o *org.Organization) organizationView {
	return organizationView{
		ID: o.ID, Name: o.Name, Kind: o.Kind, Slug: o.Slug, Status: o.Status,
		Settings: settingsView(o.Settings), EffectiveSettings: o.Rules(),
		Role: o.Role, MemberStatus: o.MemberStatus, Vocabulary: viewVocabulary(o),
		CreatedAt: timestamp(o.CreatedAt), UpdatedAt: timestamp(o.UpdatedAt),
	}
}

// vocabularyView is the organization's words by name: at least workspace,
// workspaces, member, members, admin and admins.
type vocabularyView map[string]string

func viewVocabulary(o *org.Organization) vocabularyView { return o.Words() }

type createOrganizationInput struct {
	Body struct {
		Name        string         `json:"name" doc:"1 to 100 characters."`
		Kind        string         `json:"kind" enum:"school,team"`
		Slug        *string        `json:"slug,omitempty" doc:"1 to 50 lower-case letters, digits and hyphens; derived from the name when absent."`
		AcceptTerms *bool          `json:"acceptTerms,omitempty" doc:"A school needs true."`
		Settings    map[string]any `json:"settings,omitempty"`
	}
}

func (a *API) createOrganization(ctx context.Context, in *createOrganizationInput) (*single[organizationView], error) {
	o, err := a.mutation().CreateOrganization(ctx, org.CreateOrganizationInput{
		Name: in.Body.Name, Kind: org.Kind(in.Body.Kind), Slug: in.Body.Slug, AcceptTerms: in.Body.AcceptTerms, Settings: in.Body.Settings,
	})
	return shown(o, err, viewOrganization)
}

func (a *API) listOrganizations(ctx context.Context, in *PageQuery) (*many[organizationView], error) {
	organizations, err := a.query().Organizations(ctx, in.first(), in.after())
	if err != nil {
		return nil, err
	}
	return page(organizations, viewOrganization), nil
}

func (a *API) getOrganization(ctx context.Context, in *IDPath) (*single[organizationView], error) {
	o, err := a.ownOrganization(ctx, in.ID)
	return shown(o, err, viewOrganization)
}

// ownOrganization is an organization of the caller: an operator who is no
// member looks in the console.
func (a *API) ownOrganization(ctx context.Context, id models.ID) (*org.Organization, error) {
	o, err := a.query().Organization(ctx, id)
	if err == nil && o.Role == nil {
		err = models.NotFound("Organization")
	}
	return o, err
}

type updateOrganizationInput struct {
	IDPath
	Body struct {
		Name     models.Opt[string] `json:"name,omitzero"`
		Settings map[string]any     `json:"settings,omitempty" doc:"Merged key by key; null unsets a key."`
	}
}

func (a *API) updateOrganization(ctx context.Context, in *updateOrganizationInput) (*single[organizationView], error) {
	o, err := a.mutation().UpdateOrganization(ctx, in.ID, org.UpdateOrganizationInput{Name: in.Body.Name, Settings: in.Body.Settings})
	return shown(o, err, viewOrganization)
}

func (a *API) transferOwnership(ctx context.Context, in *transferInput) (*single[organizationView], error) {
	o, err := a.mutation().TransferOwnership(ctx, in.ID, in.Body.UserID)
	return shown(o, err, viewOrganization)
}

type transferInput struct {
	IDPath
	Body struct {
		UserID models.ID `json:"userId"`
	}
}

func (a *API) deleteOrganization(ctx context.Context, in *IDPath) (*success, error) {
	_, err := a.mutation().DeleteOrganization(ctx, in.ID)
	return succeeded(err)
}

func (a *API) leaveOrganization(ctx context.Context, in *IDPath) (*success, error) {
	_, err := a.mutation().LeaveOrganization(ctx, in.ID)
	return succeeded(err)
}

// settingsView is what is stored at one layer, as an object.
type settingsView json.RawMessage

// MarshalJSON writes the object; nothing stored is {}.
func (s settingsView) MarshalJSON() ([]byte, error) {
	if len(s) == 0 {
		return []byte("{}"), nil
	}
	return s, nil
}

func (settingsView) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeObject, AdditionalProperties: true}
}

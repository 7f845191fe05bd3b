package rest

import (
	"context"

	"atelier/models"
	"atelier/models/flow"
)

// credentialRoutes are the keys that outbound nodes send with (contract 2,
// "Webhook-output node and credentials"). Every token is in_app_only, those that
// are restricted to some workflows too.
func (a *API) credentialRoutes() {
	const tag, all, each = "Credentials", "/v1/credentials", "/v1/credentials/{id}"
	read, change := a.Resolver.Flows.Credentials().Admit, a.Resolver.Flows.Credentials().AdmitChange
	handle(a, route{Method: "POST", Path: all, Tag: tag, Summary: "Keep a key that nodes send with; it is never shown", Covered: true, EveryApp: true, Guard: change, Status: 201}, a.createCredential)
	handle(a, route{Method: "GET", Path: all, Tag: tag, Summary: "List the account's credentials, newest first", Covered: true, EveryApp: true, Guard: read}, a.listCredentials)
	handle(a, route{Method: "PATCH", Path: each, Tag: tag, Summary: "Change a credential", Covered: true, EveryApp: true, Guard: change}, a.updateCredential)
	handle(a, route{Method: "DELETE", Path: each, Tag: tag, Summary: "Delete a credential; nodes that send with it fail", Covered: true, EveryApp: true, Guard: change}, a.deleteCredential)
}

type credentialView struct {
	ID            models.ID `json:"id"`
	Name          string    `json:"name"`
	HeaderName    string    `json:"headerName"`
	Kind          string    `json:"kind" enum:"plain,locked" doc:"plain: to any address, in runs that its owner starts personally; locked: to one address, in every run."`
	LockedURL     *string   `json:"lockedUrl" doc:"The only address that a locked one is sent to."`
	AllowSubpaths bool      `json:"allowSubpaths" doc:"Whether a locked one is also sent to what lies below its address."`
	CreatedAt     timestamp `json:"createdAt"`
}

func viewCredential(c *flow.Credential) credentialView {
	return credentialView{
		ID: c.ID, Name: c.Name, HeaderName: c.HeaderName, Kind: string(c.Kind),
		LockedURL: c.LockedURL, AllowSubpaths: c.AllowSubpaths, CreatedAt: timestamp(c.CreatedAt),
	}
}

type createCredentialInput struct {
	Body struct {
		Name          string  `json:"name" doc:"1 to 100 characters."`
		HeaderName    string  `json:"headerName"`
		Key           string  `json:"key" doc:"The header's value; never shown again."`
		Kind          string  `json:"kind" doc:"plain or locked."`
		LockedURL     *string `json:"lockedUrl,omitempty" doc:"https on a public host; of a locked one."`
		AllowSubpaths *bool   `json:"allowSubpaths,omitempty" doc:"Default: false."`
	}
}

func (a *API) createCredential(ctx context.Context, in *createCredentialInput) (*single[credentialView], error) {
	c, err := a.mutation().CreateCredential(ctx, flow.CreateCredentialInput{
		Name: in.Body.Name, HeaderName: in.Body.HeaderName, Key: in.Body.Key, Kind: flow.CredentialKind(in.Body.Kind),
		LockedURL: in.Body.LockedURL, AllowSubpaths: in.Body.AllowSubpaths,
	})
	if err != nil {
		return nil, err
	}
	return one(viewCredential(c)), nil
}

func (a *API) listCredentials(ctx context.Context, _ *struct{}) (*many[credentialView], error) {
	all, err := a.query().Credentials(ctx)
	if err != nil {
		return nil, err
	}
	return page(models.Whole(all), viewCredential), nil
}

type updateCredentialInput struct {
	IDPath
	Body struct {
		Name          models.Opt[string] `json:"name,omitzero"`
		HeaderName    models.Opt[string] `json:"headerName,omitzero"`
		Key           models.Opt[string] `json:"key,omitzero" doc:"Needed when it may go to another address than before."`
		Kind          models.Opt[string] `json:"kind,omitzero" doc:"plain or locked."`
		LockedURL     models.Opt[string] `json:"lockedUrl,omitzero"`
		AllowSubpaths models.Opt[bool]   `json:"allowSubpaths,omitzero"`
	}
}

func (a *API) updateCredential(ctx context.Context, in *updateCredentialInput) (*single[credentialView], error) {
	var kind models.Opt[flow.CredentialKind]
	if sent, ok := in.Body.Kind.ValueOK(); ok && sent != nil {
		kind = models.Some(flow.CredentialKind(*sent))
	} else if ok {
		kind = models.Null[flow.CredentialKind]()
	}
	c, err := a.mutation().UpdateCredential(ctx, in.ID, flow.UpdateCredentialInput{
		Name: in.Body.Name, HeaderName: in.Body.HeaderName, Key: in.Body.Key, Kind: kind,
		LockedURL: in.Body.LockedURL, AllowSubpaths: in.Body.AllowSubpaths,
	})
	if err != nil {
		return nil, err
	}
	return one(viewCredential(c)), nil
}

func (a *API) deleteCredential(ctx context.Context, in *IDPath) (*success, error) {
	_, err := a.mutation().DeleteCredential(ctx, in.ID)
	return succeeded(err)
}

package rest

import (
	"context"

	"atelier/graph"
	"atelier/models"
)

// Identity is what the chain learned about a request's sender.
type Identity struct {
	Actor models.Actor
	// Refusal says why credentials were not accepted; nil without credentials.
	Refusal error
	// Bound is the workspace that the caller's token is bound to.
	Bound *models.ID
	// Workspace is the selection as sent in X-Service-Workspace; nil when none
	// was sent. The console's is in its addresses.
	Workspace *string
	// LastWorkspace is what the account's sessions selected last.
	LastWorkspace *models.ID
}

type requestIDKey struct{}

// RequestID is the id of the request that the context belongs to.
func RequestID(ctx context.Context) string {
	id, _ := ctx.Value(requestIDKey{}).(string)
	return id
}

// WithRequestID gives the context of a request its id.
func WithRequestID(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, requestIDKey{}, id)
}

type identityKey struct{}

// IdentityFrom is who sent the request that the context belongs to.
func IdentityFrom(ctx context.Context) Identity {
	identity, _ := ctx.Value(identityKey{}).(Identity)
	return identity
}

// WithIdentity says who sent a request, and makes its sender the actor.
func WithIdentity(ctx context.Context, identity Identity) context.Context {
	ctx = context.WithValue(ctx, identityKey{}, identity)
	return models.WithActor(ctx, identity.Actor)
}

// SelectWorkspace checks the selection of header (or the token's binding) and puts
// it into the actor. Tolerant callers ignore one that is stale.
func SelectWorkspace(ctx context.Context, r *graph.Resolver, identity Identity, header *models.ID, tolerant bool) (context.Context, error) {
	wanted := header
	if identity.Bound != nil {
		if header != nil && *header != *identity.Bound && !tolerant {
			return ctx, models.Err(models.CodeTokenWorkspace, "The token is bound to another workspace than X-Service-Workspace names")
		}
		wanted = identity.Bound
	}
	if wanted == nil || !identity.Actor.SignedIn() {
		return ctx, nil
	}
	workspace, err := r.Orgs.Workspaces().Select(ctx, *wanted)
	if err != nil {
		if _, known := models.AsError(err); known && tolerant {
			return ctx, nil
		}
		return ctx, err
	}
	identity.Actor.WorkspaceID, identity.Actor.OrganizationID = &workspace.ID, &workspace.OrganizationID
	return WithIdentity(ctx, identity), remember(ctx, r, identity, workspace.ID)
}

// remember keeps what a session selected, for lastWorkspaceId of the profile.
func remember(ctx context.Context, r *graph.Resolver, identity Identity, selected models.ID) error {
	last := identity.LastWorkspace
	if identity.Actor.Kind != models.BySession || last != nil && *last == selected {
		return nil
	}
	return r.Accounts.RememberWorkspace(ctx, selected)
}

// Wanted is the selection that was sent; what is no UUID is a validation_error.
func (i Identity) Wanted() (*models.ID, error) {
	if i.Workspace == nil {
		return nil, nil
	}
	id, err := models.ParseID("X-Service-Workspace", *i.Workspace)
	if err != nil {
		return nil, err
	}
	return &id, nil
}

// wantedWorkspace is the workspace that the request asks to act in: the
// header's or the bound token's (contract 3, "Acting in a workspace"). A
// malformed header is a validation_error on every route.
func (a *API) wantedWorkspace(identity Identity) (*models.ID, error) {
	if !a.Organizations {
		return nil, nil
	}
	return identity.Wanted()
}

// selectWorkspace puts the selected workspace into the actor. A selection that
// the caller cannot make is refused, or on tolerant routes ignored.
func (a *API) selectWorkspace(ctx context.Context, tolerant bool) (context.Context, error) {
	identity := IdentityFrom(ctx)
	header, err := a.wantedWorkspace(identity)
	if err != nil {
		return ctx, err
	}
	return SelectWorkspace(ctx, a.Resolver, identity, header, tolerant)
}

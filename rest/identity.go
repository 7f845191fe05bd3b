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
	// Workspace is the selection as sent, X-Service-Workspace or the console's
	// cookie; nil when none was sent.
	Workspace *string
	// LastWorkspace is what the account's sessions selected last.
	LastWorkspace *models.ID
}

type identityKey struct{}

func identityFrom(ctx context.Context) Identity {
	identity, _ := ctx.Value(identityKey{}).(Identity)
	return identity
}

func withIdentity(ctx context.Context, identity Identity) context.Context {
	ctx = context.WithValue(ctx, identityKey{}, identity)
	return models.WithActor(ctx, identity.Actor)
}

// selectFor checks the selection of header (or the token's binding) and puts
// it into the actor. Tolerant callers ignore one that is stale.
func selectFor(ctx context.Context, r *graph.Resolver, identity Identity, header *models.ID, tolerant bool) (context.Context, error) {
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
	workspace, err := r.Orgs.SelectWorkspace(ctx, *wanted)
	if err != nil {
		if _, known := models.AsError(err); known && tolerant {
			return ctx, nil
		}
		return ctx, err
	}
	identity.Actor.WorkspaceID, identity.Actor.OrganizationID = &workspace.ID, &workspace.OrganizationID
	return withIdentity(ctx, identity), remember(ctx, r, identity, workspace.ID)
}

// remember keeps what a session selected, for lastWorkspaceId of the profile.
func remember(ctx context.Context, r *graph.Resolver, identity Identity, selected models.ID) error {
	last := identity.LastWorkspace
	if identity.Actor.Kind != models.BySession || last != nil && *last == selected {
		return nil
	}
	return r.Accounts.RememberWorkspace(ctx, &selected)
}

// wanted is the selection that was sent; what is no UUID is a validation_error.
func (i Identity) wanted() (*models.ID, error) {
	if i.Workspace == nil {
		return nil, nil
	}
	id, err := models.ParseID("X-Service-Workspace", *i.Workspace)
	if err != nil {
		return nil, err
	}
	return &id, nil
}

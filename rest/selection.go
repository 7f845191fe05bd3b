package rest

import (
	"context"

	"atelier/models"
)

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

// Package graph is the GraphQL face: a schema per noun in schema/, thin
// resolvers beside it. A resolver maps the input, calls one use case and maps
// the result; REST and the console call the same resolvers.
package graph

import (
	"context"
	"errors"

	"github.com/vikstrous/dataloadgen"

	"atelier/graph/generated"
	"atelier/models"
	"atelier/models/account"
	"atelier/models/community"
	"atelier/models/credit"
	"atelier/models/event"
	"atelier/models/flow"
	"atelier/models/install"
	"atelier/models/library"
	"atelier/models/media"
	"atelier/models/notice"
	"atelier/models/oauth"
	"atelier/models/org"
	"atelier/models/payment"
	"atelier/models/run"
	"atelier/models/space"
	"atelier/models/studio"
	"atelier/models/trigger"
	"atelier/models/usage"
	"atelier/nodes"
)

// Resolver holds the areas that the resolvers call.
type Resolver struct {
	Accounts  *account.Service
	OAuth     *oauth.Service
	Notices   *notice.Service
	Orgs      *org.Service
	Credits   *credit.Service
	Events    *event.Service
	Spaces    *space.Service
	Media     *media.Service
	Flows     *flow.Service
	Runs      *run.Service
	Triggers  *trigger.Service
	Library   *library.Service
	Studio    *studio.Service
	Community *community.Service
	Payments  *payment.Service
	Usage     *usage.Service
	Settings  *install.Service
	// Install is what a visitor may know of the install.
	Install generated.Install
	// Health looks how the install is, for operators.
	Health func(context.Context) (*generated.Health, error)
	// Findings looks at everything that the install needs, for operators.
	Findings func(context.Context) ([]*generated.Finding, error)
}

// done is the result of mutations that leave nothing to show.
func done(err error) (bool, error) { return err == nil, err }

// found is what a loader has for a key; nil for nothing.
func found[T any](value T, err error) (*T, error) {
	if errors.Is(err, dataloadgen.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return &value, nil
}

// notEmpty is nil for an empty text.
func notEmpty(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// catalogue is what the install offers of the node types.
func (r *Resolver) catalogue() *nodes.Catalogue {
	if r.Flows == nil {
		return nil
	}
	return r.Flows.Catalogue
}

// optionalUser is the person of an id that may be missing, or belong to no one any more.
func (r *Resolver) optionalUser(ctx context.Context, id *models.ID) (*account.User, error) {
	if id == nil {
		return nil, nil
	}
	user, err := found(loadersFrom(ctx).Users.Load(ctx, *id))
	if user == nil {
		return nil, err
	}
	return *user, err
}

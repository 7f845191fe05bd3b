// Package library holds what people keep to use in their runs: elements
// (characters, objects, creatures, locations and faces), presets of nodes, and
// voices. They live in a space and are reached like workflows.
package library

import (
	"atelier/models"
	"atelier/models/account"
	"atelier/models/flow"
	"atelier/models/media"
	"atelier/models/notice"
	"atelier/models/org"
	"atelier/models/run"
	"atelier/models/space"
)

// Service holds the use cases of the library.
type Service struct {
	DB       *models.DB
	Accounts *account.Service
	Orgs     *org.Service
	Notices  *notice.Service
	Spaces   *space.Service
	Media    *media.Service
	Flows    *flow.Service
	Runs     *run.Service

	hooks hooks
}

// admit lets in who may use all workflows; a token that is restricted to some
// has no business in the library: forbidden.
func admit(actor models.Actor) error { return actor.RequireUser(models.ScopeExecute) }

// Placed is where a thing of the library belongs, the same for all of them.
type Placed struct {
	OwnerID        models.ID
	WorkspaceID    *models.ID
	OrganizationID *models.ID
	ProjectID      *models.ID
	Visibility     space.Visibility
}

func (p Placed) owned() space.Owned { return p.Owned() }

// Owned is what decides who reaches the thing.
func (p Placed) Owned() space.Owned {
	return space.Owned{OwnerID: p.OwnerID, WorkspaceID: p.WorkspaceID, OrganizationID: p.OrganizationID, Visibility: p.Visibility}
}

// The use cases of a noun are methods of its type.
type (
	// Elements are the characters, objects, creatures, locations and faces that people keep.
	Elements struct{ library *Service }
	// Images are the pictures of elements.
	Images struct{ library *Service }
	// Voices are made, cloned and listened to.
	Voices struct{ library *Service }
	// Presets are settings of nodes that people keep.
	Presets struct{ library *Service }
)

func (s *Service) Elements() Elements { return Elements{s} }
func (s *Service) Images() Images     { return Images{s} }
func (s *Service) Voices() Voices     { return Voices{s} }
func (s *Service) Presets() Presets   { return Presets{s} }

package flow

import (
	"context"

	"atelier/models"
	"atelier/models/account"
	"atelier/models/event"
	"atelier/models/org"
	"atelier/models/space"
	"atelier/nodes"
)

// Service holds the use cases of workflows and apps.
type Service struct {
	DB       *models.DB
	Accounts *account.Service
	Orgs     *org.Service
	Spaces   *space.Service
	Events   *event.Service
	// Vault seals secret headers and the keys of credentials; nil refuses to save them.
	Vault *models.Vault
	// PublicURL is the base of every link.
	PublicURL string

	// Catalogue is what the install offers of the node types; nil offers what
	// needs no provider.
	Catalogue *nodes.Catalogue
	// ComponentsCost is what the components of a graph cost, with all that they run: the area above packs them for a run, and
	// prices what it packed. Without it they cost nothing.
	ComponentsCost func(context.Context, *Workflow) models.Credits

	hooks hooks
}

// The use cases of a noun are methods of its type.
type (
	// Apps are workflows that are published, for others to run.
	Apps struct{ flow *Service }
	// Collaborators are people with whom a workflow is shared.
	Collaborators struct{ flow *Service }
	// Credentials are keys that nodes send, which no one reads again.
	Credentials struct{ flow *Service }
)

func (s *Service) Apps() Apps                   { return Apps{s} }
func (s *Service) Collaborators() Collaborators { return Collaborators{s} }
func (s *Service) Credentials() Credentials     { return Credentials{s} }

// Package studio turns scripts into films: a production has shots, a pipeline says
// what makes a shot, and a render is an execution that redoes only what changed.
package studio

import (
	"atelier/models"
	"atelier/models/account"
	"atelier/models/flow"
	"atelier/models/library"
	"atelier/models/media"
	"atelier/models/org"
	"atelier/models/run"
	"atelier/models/space"
)

// Service holds the use cases of the studio.
type Service struct {
	DB       *models.DB
	Accounts *account.Service
	Orgs     *org.Service
	Spaces   *space.Service
	Media    *media.Service
	Flows    *flow.Service
	Runs     *run.Service
	Library  *library.Service
}

// admit lets in who may use all workflows; a token that is restricted to some
// has no business in the studio: forbidden.
func admit(actor models.Actor) error { return actor.RequireUser(models.ScopeExecute) }

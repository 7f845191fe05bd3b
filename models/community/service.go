// Package community holds posts: snapshots of workflows, apps, presets, elements, voices and
// pipelines that people show to others, who copy, like and report them, and what moderators decide.
package community

import (
	"atelier/models"
	"atelier/models/account"
	"atelier/models/flow"
	"atelier/models/library"
	"atelier/models/media"
	"atelier/models/notice"
	"atelier/models/org"
	"atelier/models/run"
	"atelier/models/space"
	"atelier/models/studio"
)

// Service holds the use cases of the community.
type Service struct {
	DB       *models.DB
	Accounts *account.Service
	Orgs     *org.Service
	Notices  *notice.Service
	Spaces   *space.Service
	Media    *media.Service
	Flows    *flow.Service
	Runs     *run.Service
	Library  *library.Service
	Studio   *studio.Service
}

// admit lets in who may use all workflows; a token that is restricted to some
// has no business in the community: forbidden.
func admit(actor models.Actor) error { return actor.RequireUser(models.ScopeExecute) }

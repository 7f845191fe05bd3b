package flow

import (
	"context"
	"net/http"

	"atelier/models"
	"atelier/models/account"
	"atelier/models/credit"
	"atelier/models/event"
	"atelier/models/lane"
	"atelier/models/media"
	"atelier/models/org"
	"atelier/models/space"
	"atelier/nodes"
)

// Service holds the use cases of workflows, apps and runs.
type Service struct {
	DB       *models.DB
	Accounts *account.Service
	Orgs     *org.Service
	Spaces   *space.Service
	Credits  *credit.Service
	Events   *event.Service
	// Vault seals secret headers and the keys of credentials; nil refuses to save them.
	Vault *models.Vault
	// PublicURL is the base of every link.
	PublicURL string

	// HTTP is the guarded client for everything that nodes fetch or send.
	HTTP *http.Client
	// Media keeps the files of the install.
	Media *media.Service
	// Catalogue is what the install offers of the node types; nil offers what
	// needs no provider.
	Catalogue *nodes.Catalogue
	// Free makes every run cost nothing: an edition without credits.
	Free bool
	// SpareWorker lends a worker of this process for cheap nodes of a run that is just
	// being accepted, while none waits for one; nil where there are no workers.
	SpareWorker func() (done func(), ok bool)
	// Pace slows the start of runs while events are late; nil never does.
	Pace *Pace
	// FreeRuns bounds the runs of an account that cost nothing; without a maximum nothing does.
	FreeRuns models.Limit
	// RunInChild has RunJob done by another process, and returns an *exec.ExitError
	// when that one died; nil where there is none to be had.
	RunInChild func(context.Context, lane.Lease) error
	// Observe is told of each call of a node; nil counts none.
	Observe func(context.Context, NodeCall)

	hooks     hooks
	runHooks  runHooks
	planCache planCache
}

// Package run executes what people make: it accepts runs of workflows, apps and single nodes, does the jobs of their
// nodes, and keeps what they yield (contract 1). It stands on models/flow, which knows of no run.
package run

import (
	"context"
	"net/http"

	"atelier/models"
	"atelier/models/account"
	"atelier/models/credit"
	"atelier/models/event"
	"atelier/models/flow"
	"atelier/models/lane"
	"atelier/models/media"
	"atelier/models/org"
	"atelier/models/space"
)

// Service holds the use cases of runs.
type Service struct {
	DB       *models.DB
	Accounts *account.Service
	Orgs     *org.Service
	Spaces   *space.Service
	Credits  *credit.Service
	Events   *event.Service
	// Flows has the workflows and apps that are run, and the catalogue of node types.
	Flows *flow.Service

	// HTTP is the guarded client for everything that nodes fetch or send.
	HTTP *http.Client
	// Media keeps the files of the install.
	Media *media.Service
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
	planCache planCache
	together  togetherness
}

// The use cases of a noun are methods of its type.
type (
	// Executions are read, watched, retried and cancelled.
	Executions struct{ run *Service }
	// Jobs do the nodes of runs: they are read, approved and cancelled.
	Jobs struct{ run *Service }
	// Results are what runs made.
	Results struct{ run *Service }
	// AppRuns are the runs of published apps.
	AppRuns struct{ run *Service }
	// Nodes are run alone, without a workflow.
	Nodes struct{ run *Service }
)

func (s *Service) Executions() Executions { return Executions{s} }
func (s *Service) Jobs() Jobs             { return Jobs{s} }
func (s *Service) Results() Results       { return Results{s} }
func (s *Service) AppRuns() AppRuns       { return AppRuns{s} }
func (s *Service) Nodes() Nodes           { return Nodes{s} }

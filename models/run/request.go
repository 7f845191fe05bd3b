package run

import (
	"atelier/models"
	"atelier/models/credit"
	"atelier/models/nodegraph"
)

// Request is what a run is asked to be. Nothing that accepts the run changes it.
type Request struct {
	Payer           credit.Payer
	WorkflowID      *models.ID
	WorkflowVersion *int
	AppID           *models.ID
	// Trigger is editor, api, app, webhook or schedule; Source names the client.
	Trigger, Source string
	// Personal tells that the payer, signed in, started it or made the timetable that
	// does: plain credentials are sent then, and only then.
	Personal bool
	// ID is the execution's when it is known before; zero makes one. TriggerID is
	// the trigger that starts it.
	ID        models.ID
	TriggerID *models.ID
	// Nodes have inputs and overrides applied already.
	Nodes nodegraph.Nodes
	Edges nodegraph.Edges
	// Outputs are results that are there from the start: what reached a trigger
	// node, by its id.
	Outputs map[string]map[string]any
	// Free are the nodes that cost nothing in this run; see nodegraph.FreeMotions.
	Free map[string]bool
	// Markup is what an approved app adds to what its nodes cost, in hundredths of a percent.
	Markup int
	// AuthorID is who made the graph; components may run what the author may.
	// Zero is the payer.
	AuthorID models.ID
	// HomeID is the workspace that the graph's workflow lives in; components may
	// run what it shares.
	HomeID *models.ID
	// Earlier are the jobs, by node, of the execution that this one retries.
	Earlier map[string]*Job
	RetryOf *models.ID
	// Inputs are what a person fills in before such a run: the first text of them is
	// its subject.
	Inputs []nodegraph.Input
	// Purpose says that another area began it, and Refs what it found for the nodes already.
	Purpose Purpose
	Refs    JobRefs
	// saved is what their author set of the nodes; nil where all of it is the runner's.
	Saved *Authored
	// askedFor is the type of a single node as it was asked for; unready: a price is asked for, and the settings may
	// miss what a run needs.
	askedFor string
	unready  bool
	// MainNode is the node that the publisher of an app named for its result; nil for the last one.
	MainNode *string
	// Subject is the one of the execution that this one retries.
	Subject *string
}

// author is whose workflows the components may run.
func (r *Request) author() models.ID {
	if r.AuthorID == (models.ID{}) {
		return r.Payer.UserID
	}
	return r.AuthorID
}

// single tells whether the run is a node that is started by itself.
func (r *Request) single() bool {
	return r.WorkflowID == nil && r.AppID == nil && !r.Purpose.runsGraph()
}

// finishedEarlier tells whether an earlier execution finished a node.
func (r *Request) finishedEarlier(id string) bool {
	job := r.Earlier[id]
	return job != nil && job.Status == JobCompleted
}

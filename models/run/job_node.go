package run

import (
	"context"
	"time"

	"atelier/models"
	"atelier/models/nodegraph"
	"atelier/models/space"
	"atelier/nodes"
)

// singleNode is the id of the only node of a single-node generation.
const singleNode = "node"

// nodeLimits are the calls of single nodes that an account may make; refused
// ones count too (contract 1, "Limits").
var nodeLimits = map[string]models.Limit{
	"video-overlay":  {Name: "node.video-overlay", Max: 30, Per: time.Minute},
	"freecut-export": {Name: "node.freecut-export", Max: 10, Per: time.Minute},
}

// Run runs one node on the caller's settings in the selected space
// (contract 1, POST /v1/<node-type>). An unknown type is not_found, bad
// settings are validation_error, and numbers out of range are adjusted. Types
// that are done within a transaction have ended when it returns; for others
// that are answered with their result there is Await.
func (s Nodes) Run(ctx context.Context, nodeType string, settings map[string]any) (*NodeRun, error) {
	if err := s.run.Pace.Admit(ctx); err != nil {
		return nil, err
	}
	actor := models.ActorFrom(ctx)
	if err := space.RequireWorkflows(actor); err != nil {
		return nil, err
	}
	kind, known := s.run.Flows.Catalogue.Find(nodeType)
	if !known || !IsStandalone(nodeType) || !kind.Offered() {
		return nil, models.NotFound("Node type")
	}
	if limit, limited := nodeLimits[nodeType]; limited {
		if err := s.run.DB.CountCall(ctx, limit, actor.UserID.String()); err != nil {
			return nil, err
		}
	}
	run, node, err := s.run.singleNode(actor.UserID, nodeType, settings, true)
	if err != nil {
		return nil, err
	}
	request := s.run.singleRequest(actor, node)
	request.askedFor = nodeType
	return run, s.run.DB.Write(ctx, func(tx *models.Tx) (err error) {
		if request.Payer, err = s.run.PayerFor(tx, nil); err != nil {
			return err
		}
		if node.Type == importType {
			if err := admitImport(tx, actor.UserID); err != nil {
				return err
			}
		}
		run.Job, err = s.run.startNode(tx, request, nodegraph.RunsInline(node.Type))
		run.Inline = err == nil && run.Awaited && run.Job.Rests()
		return err
	})
}

// startNode accepts a single node, and does inline ones in the same transaction.
func (s *Service) startNode(tx *models.Tx, request Request, inline bool) (job *Job, err error) {
	if !inline {
		exec, err := s.AcceptRun(tx, request)
		if err != nil {
			return nil, err
		}
		return models.First[Job](exec.jobs(tx.DB), models.NotFound("Job"))
	}
	tx, span := traceAccept(tx, &request)
	defer func() { endAccept(span, nil, err) }()
	run, err := s.prepareRun(tx, request)
	if err != nil {
		return nil, err
	}
	draft, err := s.draftRun(tx, run)
	if err != nil {
		return nil, err
	}
	if err := s.runReadyInline(tx, draft.Exec, draft.plan); err != nil {
		return nil, err
	}
	return draft.jobs[0], s.insertExecution(tx, draft)
}

// Alone tells whether the job is all that its run does.
func (j *Job) Alone() bool { return j.NodeID == singleNode }

// AnswersWithResult tells whether a single node of a type is answered with its result.
func AnswersWithResult(nodeType string) bool {
	kind, ok := nodes.Find(nodeType)
	return ok && kind.Inline
}

// IsStandalone tells whether a node type, where it is offered, can run as a single
// node; what the engine does by itself cannot.
func IsStandalone(nodeType string) bool {
	kind, ok := nodes.Find(nodeType)
	return ok && !kind.Control && !kind.Internal
}

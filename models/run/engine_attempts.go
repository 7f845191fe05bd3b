package run

import (
	"context"
	"errors"
	"log/slog"
	"os/exec"

	"atelier/models"
	"atelier/models/lane"
	"atelier/models/nodegraph"
	"atelier/nodes/kit"
)

// Work that takes its worker down - by a stack overflow, by memory, by a kill -
// comes back when its lease ends, and may take the next worker down. How many
// have died with a job is counted by its claims, before anything of it is
// looked at:
//
//   - The first try is as usual: inline nodes that are ready together share it.
//   - The second is made alone. Those that shared the first get items of their
//     own, with as many tries left, for each of them may have been the one.
//   - The third, where the process knows how (see Service.RunInChild), is made by a
//     process of its own, with which no neighbour can die.
//   - After it the job fails, without its node, its graph's values or its input
//     being read.

// maxAttempts is how often a job is taken up whose worker dies with it.
const maxAttempts = 3

// beginNextAttempt commits that a job is taken up another time, and parts inline jobs
// that were taken up together.
func (s *Service) beginNextAttempt(ctx context.Context, lease lane.Lease) error {
	return s.DB.Write(ctx, func(tx *models.Tx) error {
		exec, nodeID, err := lockExecutionOf(tx, lease.ID, lease.LaneID)
		if err != nil || exec == nil {
			return err
		}
		if err := lane.Hold(tx, lease); err != nil {
			return err
		}
		beside, err := exec.readyInlineBeside(tx, nodeID)
		if err != nil {
			return err
		}
		items, ids := []lane.Item{}, []models.ID{}
		for _, job := range beside {
			items = append(items, lane.Item{ID: job.ID, LaneID: job.AccountID, OwnerID: job.AccountID, Attempt: lease.Attempt - 1})
			ids = append(ids, job.ID)
		}
		if err := lane.Add(tx, Pools[kit.Cheap].Kind, items...); err != nil {
			return err
		}
		first, after := jobIDs(exec.ID)
		_, err = tx.Run(`
			UPDATE jobs SET attempts = CASE WHEN id = $1 THEN $2::int ELSE $2::int - 1 END
			WHERE id = ANY($3::uuid[]) AND id >= $4 AND id < $5 AND status IN ('pending', 'processing')
				AND shard_fits_space(shard, $6)`,
			lease.ID, lease.Attempt, append(ids, lease.ID), first, after, exec.space())
		return err
	})
}

// readyInlineBeside are the inline jobs that are ready beside a node's and share
// their items with others, without what they work on.
func (e *Execution) readyInlineBeside(tx *models.Tx, nodeID string) (beside []*Job, err error) {
	var ready []*Job
	err = e.jobs(tx.Select(jobColumnsWithoutData)).
		Where("status = ? AND attempts = 0 AND node_id <> ?", JobPending, nodeID).
		Order("node_index").Find(&ready).Error
	for _, job := range ready {
		if job.inline() {
			beside = append(beside, job)
		}
	}
	return beside, err
}

// runInChild has the last try of a job made by a process of its own, and gives
// the job up when that dies.
func (s *Service) runInChild(ctx context.Context, lease lane.Lease) error {
	err := s.RunInChild(ctx, lease)
	var died *exec.ExitError
	switch {
	case err == nil:
		return nil
	case context.Cause(ctx) == lane.ErrDraining:
		return s.releaseLease(context.WithoutCancel(ctx), lease)
	case ctx.Err() != nil || !errors.As(err, &died):
		return err
	}
	return s.failAfterCrashes(ctx, lease)
}

// failAfterCrashes fails a job with which too many workers have died.
func (s *Service) failAfterCrashes(ctx context.Context, lease lane.Lease) error {
	return s.DB.Write(ctx, func(tx *models.Tx) error {
		exec, nodeID, err := lockExecutionOf(tx, lease.ID, lease.LaneID)
		if err != nil {
			return err
		}
		if exec == nil {
			return endAbsent(tx, lease)
		}
		if err := lane.Hold(tx, lease); err != nil {
			return err
		}
		job, err := models.First[Job](tx.Select(jobColumnsWithoutData).
			Where(models.FitsID("id", lease.ID)).Where("account_id = ?", lease.LaneID), models.NotFound("Job"))
		if err != nil {
			return err
		}
		if job.Status != JobPending && job.Status != JobProcessing {
			return lane.Finish(tx, lease)
		}
		plan, err := readPlanWithoutValues(tx, exec)
		if err != nil {
			return err
		}
		if job.inline() {
			if exec.ready, err = exec.readyInlineBeside(tx, nodeID); err != nil {
				return err
			}
		}
		slog.ErrorContext(tx.Context(), "a job took its workers down and was given up", "job", job.ID, "type", job.JobType, "attempts", maxAttempts)
		exec.remember(job)
		w := &work{lease: lease, exec: exec, job: job, plan: plan, node: plan.Nodes[nodeID], now: tx.Now, singleJob: true}
		w.lease.Attempt = maxAttempts
		return s.conclude(tx, w, nil, errCutOff)
	})
}

// readPlanWithoutValues is the plan of an execution's graph without what its nodes hold.
func readPlanWithoutValues(tx *models.Tx, exec *Execution) (*nodegraph.Plan, error) {
	var bare struct {
		Nodes nodegraph.Nodes
		Edges nodegraph.Edges
	}
	err := tx.Raw(`
		SELECT (
			SELECT coalesce(jsonb_agg(jsonb_build_object(
				'id', n->'id', 'type', n->'type', 'parentId', n->'parentId', 'data', jsonb_build_object(
					'label', n->'data'->'label', 'holdForReview', n->'data'->'holdForReview', 'fieldMappings', n->'data'->'fieldMappings'
				)) ORDER BY place), '[]')
			FROM jsonb_array_elements(e.nodes) WITH ORDINALITY AS node(n, place)
		) AS nodes, (
			SELECT coalesce(jsonb_agg(jsonb_build_object('id', '', 'source', x->'source', 'target', x->'target')), '[]')
			FROM jsonb_array_elements(e.edges) AS edge(x)
		) AS edges
		FROM executions e WHERE e.id = ? AND e.account_id = ? AND shard_fits_space(e.shard, ?)`, exec.ID, exec.AccountID, exec.space()).Scan(&bare).Error
	if err != nil {
		return nil, err
	}
	return nodegraph.NewPlan(bare.Nodes, bare.Edges), nil
}

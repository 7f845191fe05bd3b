package run

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"atelier/models"
	"atelier/models/credit"
	"atelier/models/event"
	"atelier/models/nodegraph"
)

// changes are what a transaction read and changed of an execution that it holds
// locked. saveExecution writes them, each kind in one statement, however many
// nodes were done.
type changes struct {
	// isNew: the execution is not written yet, and all its jobs are known.
	isNew bool
	// known are jobs by their nodes, as the transaction leaves them.
	known   map[string]*Job
	changed map[*Job]bool
	// ready are jobs that wait for nothing any more.
	ready []*Job
	// loadedBytes is how many bytes of inputs and outputs the transaction has come to.
	loadedBytes int
	charges     []credit.NodeCharge
	ended       []event.JobEvent
}

// remember keeps a job for later steps of the transaction.
func (c *changes) remember(job *Job) {
	if c.known == nil {
		c.known = map[string]*Job{}
	}
	c.known[job.NodeID] = job
}

// markChanged has the job written.
func (c *changes) markChanged(job *Job) {
	c.remember(job)
	if c.changed == nil {
		c.changed = map[*Job]bool{}
	}
	c.changed[job] = true
}

// jobColumnsWithoutData are a job's columns without what it works on and what it yields.
var jobColumnsWithoutData = []string{
	"id", "account_id", "execution_id", "workspace_id", "node_id", "node_index", "job_type", "status", "progress",
	"output_size", "state", "error_message", "error_hint", "cost", "credit_status", "credits_charged", "source",
	"client_app_id", "waits_for", "attempts", "created_at", "started_at", "completed_at",
}

// jobColumns are a job's columns, without what a completed one worked on, and
// without outputs that are too large together for a node to work on.
var jobColumns = append(slices.Clone(jobColumnsWithoutData),

	"CASE WHEN status <> 'completed' THEN input_data END AS input_data",
	fmt.Sprintf("CASE WHEN sum(output_size) OVER () <= %d THEN output_data END AS output_data", maxInput),
)

// readJobs makes the jobs of some nodes known.
func (e *Execution) readJobs(tx *models.Tx, nodeIDs []string) error {
	missing := slices.DeleteFunc(slices.Clone(nodeIDs), func(id string) bool { return e.known[id] != nil })
	if len(missing) == 0 {
		return nil
	}
	return e.readJobsWhere(tx, "node_id = ANY(?)", models.Strings(missing))
}

// readPendingJobs makes the jobs of some nodes known, and all that are ready.
func (e *Execution) readPendingJobs(tx *models.Tx, nodeIDs []string) error {
	return e.readJobsWhere(tx, "(node_id = ANY(?) OR status = ?)", models.Strings(nodeIDs), JobPending)
}

func (e *Execution) readJobsWhere(tx *models.Tx, which string, args ...any) error {
	var jobs []*Job
	err := e.jobs(tx.Select(jobColumns)).Where(which, args...).Find(&jobs).Error
	for _, job := range jobs {
		e.remember(job)
	}
	return err
}

// addReadyInline notes the other inline jobs that are ready: they have one lane
// item together (see queue), except for those that were parted (see beginNextAttempt).
func (e *Execution) addReadyInline(job *Job) {
	for _, other := range e.known {
		if other != job && other.Status == JobPending && other.inline() && other.Attempts == 0 {
			e.ready = append(e.ready, other)
		}
	}
	slices.SortFunc(e.ready, func(a, b *Job) int { return a.NodeIndex - b.NodeIndex })
}

// releaseWaiting counts down what the nodes behind a completed one wait for, and
// notes those that are ready.
func (e *Execution) releaseWaiting(tx *models.Tx, plan *nodegraph.Plan, nodeID string) error {
	behind := plan.After(nodeID)
	if slices.ContainsFunc(behind, func(id string) bool { return e.known[id] == nil }) {
		if err := e.readJobs(tx, plan.Reach(nodeID, maxInline)); err != nil {
			return err
		}
	}
	for _, id := range behind {
		job := e.known[id]
		if job == nil || job.Status != JobWaiting {
			continue
		}
		if job.WaitsFor--; job.WaitsFor == 0 {
			job.Status = JobPending
			e.ready = append(e.ready, job)
		}
		e.markChanged(job)
	}
	slices.SortStableFunc(e.ready, func(a, b *Job) int { return a.NodeIndex - b.NodeIndex })
	return nil
}

// skipJobs ends the jobs of nodes that waited for one that did not complete.
func (e *Execution) skipJobs(tx *models.Tx, nodeIDs []string) error {
	if len(nodeIDs) == 0 {
		return nil
	}
	open := 0
	for _, id := range nodeIDs {
		if job := e.known[id]; job != nil && job.Status == JobWaiting {
			job.Status, job.CompletedAt, job.CreditStatus, job.CreditsCharged = JobSkipped, &tx.Now, &creditReleased, new(models.Credits)
			open++
		}
	}
	if e.isNew {
		e.OpenNodes -= open
		return nil
	}
	skipped, err := models.Affected(e.jobs(tx.Model(&Job{})).
		Where("node_id IN ? AND status = ?", nodeIDs, JobWaiting).
		UpdateColumns(map[string]any{"status": JobSkipped, "completed_at": tx.Now, "credit_status": creditReleased, "credits_charged": 0}))
	e.OpenNodes -= int(skipped)
	return err
}

// changedJobRow is a job as it is written. No input leaves the one that is there.
type changedJobRow struct {
	ID             models.ID       `json:"id"`
	Status         JobStatus       `json:"status"`
	Progress       int             `json:"progress"`
	InputData      nodegraph.Data  `json:"input_data"`
	OutputData     nodegraph.Data  `json:"output_data"`
	OutputSize     int             `json:"output_size"`
	State          json.RawMessage `json:"state"`
	ErrorMessage   *string         `json:"error_message"`
	ErrorHint      *string         `json:"error_hint"`
	Cost           int64           `json:"cost"`
	CreditStatus   *string         `json:"credit_status"`
	CreditsCharged *int64          `json:"credits_charged"`
	WaitsFor       int             `json:"waits_for"`
	Attempts       int             `json:"attempts"`
	StartedAt      *time.Time      `json:"started_at"`
	CompletedAt    *time.Time      `json:"completed_at"`
}

// saveJobs writes the changed jobs.
func (e *Execution) saveJobs(tx *models.Tx) error {
	if len(e.changed) == 0 {
		return nil
	}
	jobs := slices.SortedFunc(maps.Keys(e.changed), func(a, b *Job) int { return a.NodeIndex - b.NodeIndex })
	rows, ids := make([]changedJobRow, len(jobs)), make([]models.ID, len(jobs))
	for i, j := range jobs {
		ids[i] = j.ID
		rows[i] = changedJobRow{
			j.ID, j.Status, j.Progress, j.InputData, j.OutputData, j.OutputSize, j.State, j.ErrorMessage, j.ErrorHint,
			int64(j.Cost), j.CreditStatus, (*int64)(j.CreditsCharged), j.WaitsFor, j.Attempts, j.StartedAt, j.CompletedAt,
		}
	}
	e.changed = nil
	body, err := json.Marshal(rows)
	if err != nil {
		return err
	}
	first, after := jobIDs(e.ID)
	_, err = tx.Run(`
		UPDATE jobs j SET status = c.status, progress = c.progress, input_data = coalesce(c.input_data, j.input_data),
			output_data = c.output_data, output_size = c.output_size, state = c.state, error_message = c.error_message, error_hint = c.error_hint,
			cost = c.cost, credit_status = c.credit_status, credits_charged = c.credits_charged, waits_for = c.waits_for,
			attempts = c.attempts, started_at = c.started_at, completed_at = c.completed_at
		FROM jsonb_to_recordset($1::jsonb) AS c(id uuid, status text, progress int, input_data jsonb, output_data jsonb, output_size int,
			state jsonb, error_message text, error_hint text, cost bigint, credit_status text, credits_charged bigint, waits_for int,
			attempts int, started_at timestamptz, completed_at timestamptz)
		WHERE j.id = ANY($2::uuid[]) AND j.id >= $3 AND j.id < $4 AND j.id = c.id AND shard_fits_space(j.shard, $5)`,
		string(body), ids, first, after, e.space())
	return err
}

package flow

import (
	"encoding/json"
	"time"

	"atelier/models"
	"atelier/models/nodegraph"
)

// newJobRow is a job as it is written with its execution.
type newJobRow struct {
	ID        models.ID       `json:"id"`
	NodeID    string          `json:"node_id"`
	NodeIndex int             `json:"node_index"`
	JobType   string          `json:"job_type"`
	Status    JobStatus       `json:"status"`
	InputData nodegraph.Data  `json:"input_data"`
	State     json.RawMessage `json:"state"`
	Cost      int64           `json:"cost"`
	WaitsFor  int             `json:"waits_for"`

	// Of jobs that have ended, or were taken over from an earlier execution.
	Progress       int            `json:"progress"`
	OutputData     nodegraph.Data `json:"output_data"`
	OutputSize     int            `json:"output_size"`
	ErrorMessage   *string        `json:"error_message"`
	ErrorHint      *string        `json:"error_hint"`
	CreditStatus   *string        `json:"credit_status"`
	CreditsCharged *int64         `json:"credits_charged"`
	Attempts       int            `json:"attempts"`
	StartedAt      *time.Time     `json:"started_at"`
	CompletedAt    *time.Time     `json:"completed_at"`
}

// insertRows writes a new execution with its jobs: one statement, the same for any
// number of jobs, so that it is planned once.
func insertRows(tx *models.Tx, e *Execution, jobs []*Job) error {
	rows := make([]newJobRow, len(jobs))
	for i, j := range jobs {
		rows[i] = newJobRow{
			j.ID, j.NodeID, j.NodeIndex, j.JobType, j.Status, j.InputData, j.State, int64(j.Cost), j.WaitsFor,
			j.Progress, j.OutputData, j.OutputSize, j.ErrorMessage, j.ErrorHint, j.CreditStatus, (*int64)(j.CreditsCharged),
			j.Attempts, j.StartedAt, j.CompletedAt,
		}
	}
	body, err := json.Marshal(rows)
	if err != nil {
		return err
	}
	var clientAppID *models.ID // the same in all jobs
	if len(jobs) > 0 {
		clientAppID = jobs[0].ClientAppID
	}
	_, err = tx.Run(`
		WITH execution AS (
			INSERT INTO executions (id, account_id, workspace_id, source, created_at, organization_id, workflow_id, workflow_version,
				app_id, trigger, status, nodes, edges, total_nodes, completed_nodes, failed_nodes, open_nodes, hold, charged,
				settled_at, error_code, error_message, retry_of, revision, started_at, completed_at, subject, personal)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $29, $30)
		)
		INSERT INTO jobs (id, account_id, execution_id, workspace_id, node_id, node_index, job_type, status, input_data, state,
			cost, source, client_app_id, waits_for, created_at,
			progress, output_data, output_size, error_message, error_hint, credit_status, credits_charged, attempts, started_at, completed_at)
		SELECT id, $2::uuid, $1::uuid, $3::uuid, node_id, node_index, job_type, status, input_data, state,
			cost, $4::text, $27::uuid, waits_for, $5::timestamptz,
			progress, output_data, output_size, error_message, error_hint, credit_status, credits_charged, attempts, started_at, completed_at
		FROM jsonb_to_recordset($28::jsonb) AS j(id uuid, node_id text, node_index int, job_type text, status text,
			input_data jsonb, state jsonb, cost bigint, waits_for int,
			progress int, output_data jsonb, output_size int, error_message text, error_hint text, credit_status text, credits_charged bigint,
			attempts int, started_at timestamptz, completed_at timestamptz)`,
		e.ID, e.AccountID, e.WorkspaceID, e.Source, e.CreatedAt, e.OrganizationID, e.WorkflowID, e.WorkflowVersion,
		e.AppID, e.Trigger, e.Status, e.Nodes, e.Edges, e.TotalNodes, e.CompletedNodes, e.FailedNodes, e.OpenNodes,
		int64(e.Hold), int64(e.Charged), e.SettledAt, e.ErrorCode, e.ErrorMessage, e.RetryOf, e.Revision, e.StartedAt, e.CompletedAt,
		clientAppID, string(body), e.Subject, e.Personal)
	return err
}

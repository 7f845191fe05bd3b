package run

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

// row is the job as it is written with its execution.
func (j *Job) row() newJobRow {
	return newJobRow{
		j.ID, j.NodeID, j.NodeIndex, j.JobType, j.Status, j.InputData, j.State, int64(j.Cost), j.WaitsFor,
		j.Progress, j.OutputData, j.OutputSize, j.ErrorMessage, j.ErrorHint, j.CreditStatus, (*int64)(j.CreditsCharged),
		j.Attempts, j.StartedAt, j.CompletedAt,
	}
}

// insertRows writes a new execution with its jobs, and what it has made when that is
// known: one statement, the same for any number of jobs, so that it is planned once.
func insertRows(tx *models.Tx, e *Execution, jobs []*Job, made *Result) error {
	rows := make([]newJobRow, len(jobs))
	for i, j := range jobs {
		rows[i] = j.row()
	}
	body, err := json.Marshal(rows)
	if err != nil {
		return err
	}
	if made == nil {
		made = &Result{}
	}
	if err := checkRoom(tx, e); err != nil {
		return err
	}
	_, err = tx.Run(`
		WITH execution AS (
			INSERT INTO executions (id, account_id, workspace_id, source, created_at, organization_id, workflow_id, workflow_version,
				app_id, trigger, status, nodes, edges, total_nodes, completed_nodes, failed_nodes, open_nodes, hold, charged,
				settled_at, error_code, error_message, retry_of, revision, started_at, completed_at, subject, trigger_id, personal, markup, markup_charged, client_app_id, purpose, fed_bytes, shard)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $29, $30, $31, $36, $37, $27, $38, $39, $40)
		), result AS (
			INSERT INTO results (execution_id, account_id, workspace_id, node_id, kind, address, excerpt, created_at, shard)
			SELECT $1, $2, $3, $32, $33, $34, $35, $5, $40::int WHERE $32::text <> ''
		)
		INSERT INTO jobs (id, account_id, execution_id, workspace_id, node_id, node_index, job_type, status, input_data, state,
			cost, source, client_app_id, waits_for, created_at,
			progress, output_data, output_size, error_message, error_hint, credit_status, credits_charged, attempts, started_at, completed_at, shard)
		SELECT id, $2::uuid, $1::uuid, $3::uuid, node_id, node_index, job_type, status, input_data, state,
			cost, $4::text, $27::uuid, waits_for, $5::timestamptz,
			progress, output_data, output_size, error_message, error_hint, credit_status, credits_charged, attempts, started_at, completed_at, $40::int
		FROM jsonb_to_recordset($28::jsonb) AS j(id uuid, node_id text, node_index int, job_type text, status text,
			input_data jsonb, state jsonb, cost bigint, waits_for int,
			progress int, output_data jsonb, output_size int, error_message text, error_hint text, credit_status text, credits_charged bigint,
			attempts int, started_at timestamptz, completed_at timestamptz)`,
		e.ID, e.AccountID, e.WorkspaceID, e.Source, e.CreatedAt, e.OrganizationID, e.WorkflowID, e.WorkflowVersion,
		e.AppID, e.Trigger, e.Status, e.Nodes, e.Edges, e.TotalNodes, e.CompletedNodes, e.FailedNodes, e.OpenNodes,
		int64(e.Hold), int64(e.Charged), e.SettledAt, e.ErrorCode, e.ErrorMessage, e.RetryOf, e.Revision, e.StartedAt, e.CompletedAt,
		e.ClientAppID, string(body), e.Subject, e.TriggerID, e.Personal,
		made.NodeID, made.Kind, made.Address, made.Excerpt, e.Markup, int64(e.MarkupCharged), e.Purpose, e.FedBytes, models.ShardOf(e.space()))
	if err != nil {
		return err
	}
	return countKept(tx, e)
}

// newExecutionRow is an execution of many that are written together.
type newExecutionRow struct {
	ID              models.ID       `json:"id"`
	AccountID       models.ID       `json:"account_id"`
	WorkspaceID     *models.ID      `json:"workspace_id"`
	OrganizationID  *models.ID      `json:"organization_id"`
	WorkflowID      *models.ID      `json:"workflow_id"`
	WorkflowVersion *int            `json:"workflow_version"`
	AppID           *models.ID      `json:"app_id"`
	ClientAppID     *models.ID      `json:"client_app_id"`
	Purpose         Purpose         `json:"purpose"`
	RetryOf         *models.ID      `json:"retry_of"`
	Markup          int             `json:"markup"`
	MarkupCharged   int64           `json:"markup_charged"`
	TriggerID       *models.ID      `json:"trigger_id"`
	Personal        bool            `json:"personal"`
	Trigger         string          `json:"trigger"`
	Source          string          `json:"source"`
	Status          ExecutionStatus `json:"status"`
	Nodes           nodegraph.Nodes `json:"nodes"`
	Edges           nodegraph.Edges `json:"edges"`
	TotalNodes      int             `json:"total_nodes"`
	CompletedNodes  int             `json:"completed_nodes"`
	FailedNodes     int             `json:"failed_nodes"`
	OpenNodes       int             `json:"open_nodes"`
	FedBytes        int64           `json:"fed_bytes"`
	Hold            int64           `json:"hold"`
	Charged         int64           `json:"charged"`
	SettledAt       *time.Time      `json:"settled_at"`
	ErrorCode       *string         `json:"error_code"`
	ErrorMessage    *string         `json:"error_message"`
	Revision        int64           `json:"revision"`
	StartedAt       *time.Time      `json:"started_at"`
	CompletedAt     *time.Time      `json:"completed_at"`
	Subject         *string         `json:"subject"`
	Shard           int             `json:"shard"`
	Jobs            []newJobRow     `json:"jobs"`
	// What it has made; without an address and an excerpt there is no result.
	ResultNode    string     `json:"result_node"`
	ResultKind    ResultKind `json:"result_kind"`
	ResultAddress *string    `json:"result_address"`
	ResultExcerpt *string    `json:"result_excerpt"`
}

// insertManyRows is insertRows for several executions; made are their results, nil for those
// that have none yet.
func insertManyRows(tx *models.Tx, runs []*Draft, made []*Result) error {
	rows, all := make([]newExecutionRow, len(runs)), make([]*Execution, len(runs))
	for i, run := range runs {
		e := run.Exec
		all[i] = e
		rows[i] = newExecutionRow{
			e.ID, e.AccountID, e.WorkspaceID, e.OrganizationID, e.WorkflowID, e.WorkflowVersion,
			e.AppID, e.ClientAppID, e.Purpose, e.RetryOf, e.Markup, int64(e.MarkupCharged), e.TriggerID, e.Personal, e.Trigger, e.Source,
			e.Status, e.Nodes, e.Edges, e.TotalNodes, e.CompletedNodes, e.FailedNodes, e.OpenNodes, e.FedBytes, int64(e.Hold), int64(e.Charged),
			e.SettledAt, e.ErrorCode, e.ErrorMessage, e.Revision, e.StartedAt, e.CompletedAt, e.Subject, models.ShardOf(e.space()), make([]newJobRow, len(run.jobs)),
			"", "", nil, nil,
		}
		if made[i] != nil {
			rows[i].ResultNode, rows[i].ResultKind, rows[i].ResultAddress, rows[i].ResultExcerpt = made[i].NodeID, made[i].Kind, made[i].Address, made[i].Excerpt
		}
		for n, j := range run.jobs {
			rows[i].Jobs[n] = j.row()
		}
	}
	body, err := json.Marshal(rows)
	if err != nil {
		return err
	}
	if err := checkRoom(tx, all...); err != nil {
		return err
	}
	_, err = tx.Run(`
		WITH e AS MATERIALIZED (
			SELECT * FROM jsonb_to_recordset($1::jsonb) AS e(id uuid, account_id uuid, workspace_id uuid, organization_id uuid,
				workflow_id uuid, workflow_version int, app_id uuid, client_app_id uuid, purpose text, retry_of uuid, markup int, markup_charged bigint, trigger_id uuid, personal boolean, trigger text, source text, status text,
				nodes jsonb, edges jsonb, total_nodes int, completed_nodes int, failed_nodes int, open_nodes int, fed_bytes bigint, hold bigint, charged bigint,
				settled_at timestamptz, error_code text, error_message text, revision bigint, started_at timestamptz, completed_at timestamptz,
				subject text, shard int, jobs jsonb, result_node text, result_kind text, result_address text, result_excerpt text)
		), execution AS (
			INSERT INTO executions (id, account_id, workspace_id, source, created_at, organization_id, workflow_id, workflow_version,
				app_id, client_app_id, purpose, retry_of, markup, markup_charged, trigger, status, nodes, edges, total_nodes, completed_nodes, failed_nodes, open_nodes, fed_bytes, hold, charged,
				settled_at, error_code, error_message, revision, started_at, completed_at, subject, trigger_id, personal, shard)
			SELECT id, account_id, workspace_id, source, $2, organization_id, workflow_id, workflow_version,
				app_id, client_app_id, purpose, retry_of, markup, markup_charged, trigger, status, nodes, edges, total_nodes, completed_nodes, failed_nodes, open_nodes, fed_bytes, hold, charged,
				settled_at, error_code, error_message, revision, started_at, completed_at, subject, trigger_id, personal, shard FROM e
		), result AS (
			INSERT INTO results (execution_id, account_id, workspace_id, node_id, kind, address, excerpt, created_at, shard)
			SELECT id, account_id, workspace_id, result_node, result_kind, result_address, result_excerpt, $2, shard FROM e WHERE result_node <> ''
		)
		INSERT INTO jobs (id, account_id, execution_id, workspace_id, node_id, node_index, job_type, status, input_data, state,
			cost, source, client_app_id, waits_for, created_at,
			progress, output_data, output_size, error_message, error_hint, credit_status, credits_charged, attempts, started_at, completed_at, shard)
		SELECT j.id, e.account_id, e.id, e.workspace_id, node_id, node_index, job_type, j.status, input_data, state,
			cost, e.source, e.client_app_id, waits_for, $2,
			progress, output_data, output_size, j.error_message, error_hint, credit_status, credits_charged, attempts, j.started_at, j.completed_at, e.shard
		FROM e, jsonb_to_recordset(e.jobs) AS j(id uuid, node_id text, node_index int, job_type text, status text,
			input_data jsonb, state jsonb, cost bigint, waits_for int,
			progress int, output_data jsonb, output_size int, error_message text, error_hint text, credit_status text, credits_charged bigint,
			attempts int, started_at timestamptz, completed_at timestamptz)`, string(body), tx.Now)
	if err != nil {
		return err
	}
	return countKept(tx, all...)
}

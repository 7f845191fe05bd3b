package run

import (
	"bytes"
	"time"

	"gorm.io/gorm"

	"atelier/models"
	"atelier/models/credit"
	"atelier/models/nodegraph"
)

// ExecutionStatus is where a run stands.
type ExecutionStatus string

const (
	ExecutionPending   ExecutionStatus = "pending"
	ExecutionRunning   ExecutionStatus = "running"
	ExecutionCompleted ExecutionStatus = "completed"
	ExecutionFailed    ExecutionStatus = "failed"
)

// Execution is one run of a graph.
type Execution struct {
	ID              models.ID `gorm:"primaryKey"`
	AccountID       models.ID
	OrganizationID  *models.ID
	WorkspaceID     *models.ID
	WorkflowID      *models.ID
	WorkflowVersion *int
	AppID           *models.ID
	// ClientAppID is the connected app that started it, alone or as the run of a workflow or an app.
	ClientAppID *models.ID
	// Purpose is why another area began it; empty for runs.
	Purpose Purpose
	Trigger string // editor, api, app, webhook or schedule
	// Personal tells that the account, signed in, started the run or made the timetable that did.
	Personal bool
	// TriggerID is the trigger that started it by itself; the trigger may be gone.
	TriggerID      *models.ID
	Status         ExecutionStatus
	Nodes          nodegraph.Nodes
	Edges          nodegraph.Edges
	TotalNodes     int
	CompletedNodes int
	FailedNodes    int
	// OpenNodes counts the nodes without an end; the execution ends with the last.
	OpenNodes int
	// FedBytes is how many bytes fed its nodes so far, each value as often as it fed one.
	FedBytes int64
	// Hold is what was reserved at the start, of a settled one with what metered nodes
	// took beyond it. Charged is what finished nodes were charged so far, of an ended one
	// with the markup.
	Hold      models.Credits
	Charged   models.Credits
	SettledAt *time.Time
	// Due are charges of metered nodes that wait for the settlement, Absorbed is what
	// the platform paid of them.
	Due      dueCharges
	Absorbed models.Credits
	// Markup is what the app adds to the cost of the nodes, in hundredths of a percent;
	// MarkupCharged is in Charged, MarkupAbsorbed is what nothing covered.
	Markup         int
	MarkupCharged  models.Credits
	MarkupAbsorbed models.Credits
	ErrorCode      *string
	ErrorMessage   *string
	Source         string
	// Subject is what the run is about, in the words that it was given.
	Subject *string
	// RetryOf is the failed execution whose finished outputs this one took over.
	RetryOf *models.ID
	// ErasedAt is when its contents were deleted for good.
	ErasedAt *time.Time
	// Revision grows with every change: the ETag of polls.
	Revision    int64
	CreatedAt   time.Time
	StartedAt   *time.Time
	CompletedAt *time.Time

	// parts are what Hold is for, of a new execution.
	parts []credit.Part
	// refs are what the nodes of a new execution may use of the library, foundRefs those
	// that its nodes name.
	refs, foundRefs JobRefs
	// mainNode is the node that a publisher named for the result of a new run.
	mainNode *string
	// endedJobs are all jobs of an execution that ended when it was accepted.
	endedJobs []*Job
	changes   // of this transaction
}

func (Execution) TableName() string { return "executions" }

// JobStatus is where a job stands. waiting (for other nodes) and skipped (for
// a failed one before it) are shown to clients as pending and cancelled.
type JobStatus string

const (
	JobWaiting    JobStatus = "waiting"
	JobPending    JobStatus = "pending"
	JobProcessing JobStatus = "processing"
	JobCompleted  JobStatus = "completed"
	JobFailed     JobStatus = "failed"
	JobCancelled  JobStatus = "cancelled"
	JobSkipped    JobStatus = "skipped"
	JobInReview   JobStatus = "pending_review"
)

// stored are the statuses of rows whose public status this is.
func (s JobStatus) stored() []JobStatus {
	switch s {
	case JobPending:
		return []JobStatus{JobPending, JobWaiting}
	case JobCancelled:
		return []JobStatus{JobCancelled, JobSkipped}
	}
	return []JobStatus{s}
}

// Public is the status in the contract's words.
func (s JobStatus) Public() JobStatus {
	switch s {
	case JobWaiting:
		return JobPending
	case JobSkipped:
		return JobCancelled
	}
	return s
}

// Job is the work of one node.
type Job struct {
	ID             models.ID `gorm:"primaryKey"`
	AccountID      models.ID
	ExecutionID    models.ID
	WorkspaceID    *models.ID
	NodeID         string
	NodeIndex      int
	JobType        string
	Status         JobStatus
	Progress       int
	InputData      nodegraph.Data
	OutputData     nodegraph.Data
	OutputSize     int    // of OutputData as JSON, in bytes
	State          []byte `gorm:"type:jsonb"`
	ErrorMessage   *string
	ErrorHint      *string
	Cost           models.Credits
	CreditStatus   *string
	CreditsCharged *models.Credits
	// CreditsAbsorbed is what the platform paid of a metered node that cost more than
	// could be charged.
	CreditsAbsorbed *models.Credits
	Source          string
	// ClientAppID is the connected app that started its execution.
	ClientAppID *models.ID
	// WaitsFor counts the nodes before this one that have not completed.
	WaitsFor    int
	Attempts    int
	CreatedAt   time.Time
	StartedAt   *time.Time
	CompletedAt *time.Time
	// ErasedAt is when its contents were deleted for good.
	ErasedAt *time.Time
}

func (Job) TableName() string { return "jobs" }

// NodeStatus is where a node of an execution stands, in the contract's words.
type NodeStatus string

const (
	NodePending   NodeStatus = "pending"
	NodeRunning   NodeStatus = "running"
	NodeCompleted NodeStatus = "completed"
	NodeFailed    NodeStatus = "failed"
	NodeSkipped   NodeStatus = "skipped"
)

// NodeState is a node of an execution as clients see it.
type NodeState struct {
	NodeID string
	Status NodeStatus
	Output map[string]any
	Job    *Job
}

// Input starts a run of a saved workflow.
type Input struct {
	Inputs         map[string]any
	InputOverrides map[string]any
}

// NodeRun is a single-node generation that was started.
type NodeRun struct {
	Job         *Job
	Adjustments []map[string]any
	Warnings    []string
	// Awaited types are answered with their result.
	Awaited bool
	// Inline: the job had ended, or was held for review, before the answer.
	Inline bool
}

// payer is who pays for the execution.
func (e *Execution) payer() credit.Payer {
	return credit.Payer{UserID: e.AccountID, WorkspaceID: e.WorkspaceID, OrganizationID: e.OrganizationID}
}

// space is the workspace or the account that pays: where the rows of the execution lie among servers.
func (e *Execution) space() models.ID { return models.SpaceOf(e.WorkspaceID, e.AccountID) }

// space is that of its execution.
func (j *Job) space() models.ID { return models.SpaceOf(j.WorkspaceID, j.AccountID) }

// topic wakes everyone who watches the execution.
func (e *Execution) topic() string { return "execution:" + e.ID.String() }

// single tells whether the execution is a node that was started by itself.
func (e *Execution) single() bool {
	return e.WorkflowID == nil && e.AppID == nil && !e.Purpose.runsGraph()
}

// Finished tells whether the execution has ended.
func (e *Execution) Finished() bool {
	return e.Status == ExecutionCompleted || e.Status == ExecutionFailed
}

// jobIDs bounds the ids of jobs of executions, the last one excluded, which keeps queries off the partitions of other months.
func jobIDs(executions ...models.ID) (first, after models.ID) {
	oldest, newest := executions[0], executions[0]
	for _, id := range executions[1:] {
		if bytes.Compare(id[:], oldest[:]) < 0 {
			oldest = id
		}
		if bytes.Compare(id[:], newest[:]) > 0 {
			newest = id
		}
	}
	return models.FirstID(models.TimeOf(oldest).Add(-2 * time.Second)), models.FirstID(models.TimeOf(newest).Add(idsBefore + idsBehind))
}

// jobs narrows a query down to the execution's jobs.
func (e *Execution) jobs(q *gorm.DB) *gorm.DB {
	first, after := jobIDs(e.ID)
	return q.Where("execution_id = ? AND shard_fits_space(shard, ?) AND id >= ? AND id < ?", e.ID, e.space(), first, after)
}

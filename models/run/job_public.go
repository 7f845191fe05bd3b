package run

import (
	"fmt"

	"atelier/models"
	"atelier/models/nodegraph"
)

// PublicJob is a job as the contract shows it (contract 1, "Job"): in answers
// and in events alike.
type PublicJob struct {
	ID             models.ID          `json:"id"`
	ExecutionID    models.ID          `json:"execution_id"`
	NodeID         string             `json:"node_id"`
	Status         JobStatus          `json:"status"`
	Progress       int                `json:"progress"`
	JobType        string             `json:"job_type"`
	InputData      map[string]any     `json:"input_data"`
	OutputData     map[string]any     `json:"output_data" nullable:"true"`
	ErrorMessage   *string            `json:"error_message"`
	ErrorHint      *string            `json:"error_hint"`
	CreditStatus   *string            `json:"credit_status"`
	CreditsCharged *models.Credits    `json:"credits_charged"`
	Source         string             `json:"source"`
	SessionID      *string            `json:"session_id"`
	CreatedAt      models.PublicTime  `json:"created_at"`
	CompletedAt    *models.PublicTime `json:"completed_at"`
}

// Public is the job in the contract's form.
func (j *Job) Public() PublicJob {
	return PublicJob{
		ID: j.ID, ExecutionID: j.ExecutionID, NodeID: j.NodeID,
		Status: j.Status.Public(), Progress: j.Progress, JobType: j.JobType,
		InputData: orEmpty(j.InputData), OutputData: j.Result(),
		ErrorMessage: j.ErrorMessage, ErrorHint: j.ErrorHint,
		CreditStatus: j.CreditStatus, CreditsCharged: j.CreditsCharged, Source: j.Source,
		CreatedAt: models.PublicTime(j.CreatedAt), CompletedAt: models.PublicTimeOf(j.CompletedAt),
	}
}

// Tag names the job's state for polls: whatever a client sees of it changes
// with one of these.
func (j *Job) Tag() string {
	return fmt.Sprintf("%s-%d-%d", j.Status, j.Progress, models.Deref(j.CreditsCharged))
}

// Result is the output, which is there once the node has done its work.
func (j *Job) Result() map[string]any {
	if j.Status != JobCompleted && j.Status != JobInReview {
		return nil
	}
	return orEmpty(j.OutputData)
}

func orEmpty(d nodegraph.Data) map[string]any {
	if d == nil {
		return map[string]any{}
	}
	return d
}

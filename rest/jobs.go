package rest

import (
	"context"
	"strings"

	"atelier/models"
	"atelier/models/run"
)

// jobRoutes read and steer the account's jobs (contract 1, "General endpoints").
func (a *API) jobRoutes() {
	const tag, each = "Jobs", "/v1/jobs/{id}"
	read, steer := models.ScopeJobsRead, models.ScopeExecute
	handle(a, route{Method: "GET", Path: "/v1/jobs", Tag: tag, Summary: "The account's jobs, newest first", Scope: read, Covered: true}, a.listJobs)
	handle(a, route{Method: "GET", Path: "/v1/jobs/status", Tag: tag, Summary: "Status of up to 100 jobs", Scope: read, Covered: true}, a.jobStatuses)
	handle(a, route{Method: "POST", Path: "/v1/jobs/batch-status", Tag: tag, Summary: "Status of up to 100 jobs", Scope: read, Covered: true}, a.jobStatusBatch)
	handle(a, route{Method: "GET", Path: each, Tag: tag, Summary: "One job", Scope: read, Covered: true}, a.getJob)
	handle(a, route{Method: "GET", Path: each + "/status", Tag: tag, Summary: "Where a job stands", Scope: read, Covered: true}, a.getJobStatus)
	handle(a, route{Method: "POST", Path: each + "/cancel", Tag: tag, Summary: "Cancel a job", Scope: steer}, a.cancelJob)
	handle(a, route{Method: "POST", Path: each + "/approve", Tag: tag, Summary: "Complete a job that is held for review", Scope: steer}, a.approveJob)
	handle(a, route{Method: "POST", Path: each + "/reject", Tag: tag, Summary: "Fail a job that is held for review", Scope: steer}, a.rejectJob)
}

// jobStatusView is the short form of a job.
type jobStatusView struct {
	ID           models.ID      `json:"id"`
	Status       run.JobStatus  `json:"status" enum:"pending,processing,completed,failed,cancelled,pending_review"`
	Progress     int            `json:"progress" doc:"0 to 100."`
	OutputData   map[string]any `json:"output_data" nullable:"true"`
	ErrorMessage *string        `json:"error_message"`
}

func viewJobStatus(j *run.Job) jobStatusView {
	public := j.Public()
	return jobStatusView{
		ID: public.ID, Status: public.Status, Progress: public.Progress,
		OutputData: public.OutputData, ErrorMessage: public.ErrorMessage,
	}
}

type listJobsInput struct {
	FieldsQuery
	Limit  queryInt    `query:"limit" minimum:"1" maximum:"100" doc:"Rows of a page; 50 when absent."`
	Cursor queryString `query:"cursor" doc:"next of the page before."`
}

func (a *API) listJobs(ctx context.Context, in *listJobsInput) (*manyNext[run.PublicJob], error) {
	if !chooses(ctx, "input_data", "output_data") {
		ctx = run.LeavingOut(ctx)
	}
	jobs, err := a.query().Jobs(ctx, in.Limit.Value, in.Cursor.Value, nil, nil)
	if err != nil {
		return nil, err
	}
	return pageNext(jobs, (*run.Job).Public), nil
}

type pollJob struct {
	IDPath
	Poll
}

func (a *API) getJob(ctx context.Context, in *pollJob) (*polled[run.PublicJob], error) {
	job, err := a.query().Job(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	return answer(in.Poll, job.Tag(), func() (run.PublicJob, error) { return job.Public(), nil })
}

func (a *API) getJobStatus(ctx context.Context, in *pollJob) (*polled[jobStatusView], error) {
	job, err := a.query().Job(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	return answer(in.Poll, job.Tag(), func() (jobStatusView, error) { return viewJobStatus(job), nil })
}

type jobIDsQuery struct {
	IDs string `query:"ids" required:"true" doc:"Up to 100 ids with commas between them."`
}

func (a *API) jobStatuses(ctx context.Context, in *jobIDsQuery) (*single[[]jobStatusView], error) {
	var ids []models.ID
	for text := range strings.SplitSeq(in.IDs, ",") {
		id, err := models.ParseID("ids", strings.TrimSpace(text))
		if err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return a.statusesOf(ctx, ids)
}

type jobIDsBody struct {
	Body struct {
		IDs []models.ID `json:"ids" doc:"Up to 100."`
	}
}

func (a *API) jobStatusBatch(ctx context.Context, in *jobIDsBody) (*single[[]jobStatusView], error) {
	if in.Body.IDs == nil {
		return nil, models.Invalid("ids", "is required")
	}
	return a.statusesOf(ctx, in.Body.IDs)
}

func (a *API) statusesOf(ctx context.Context, ids []models.ID) (*single[[]jobStatusView], error) {
	jobs, err := a.query().JobsByIds(ctx, ids)
	if err != nil {
		return nil, err
	}
	return one(mapAll(jobs, viewJobStatus)), nil
}

func (a *API) cancelJob(ctx context.Context, in *IDPath) (*success, error) {
	_, err := a.mutation().CancelJob(ctx, in.ID)
	return succeeded(err)
}

func (a *API) approveJob(ctx context.Context, in *IDPath) (*single[run.PublicJob], error) {
	job, err := a.mutation().ApproveJob(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	return one(job.Public()), nil
}

func (a *API) rejectJob(ctx context.Context, in *IDPath) (*single[run.PublicJob], error) {
	job, err := a.mutation().RejectJob(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	return one(job.Public()), nil
}

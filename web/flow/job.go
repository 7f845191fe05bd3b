package flow

import (
	"net/http"
	"path"

	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"

	"github.com/a-h/templ"
)

// jobView is the work of one node.
type jobView struct {
	Job    query.JobDetail
	Kind   string
	Result result
	Facts  []ui.Fact
	Over   bool
}

func (c Pages) jobViewOf(j query.JobDetail, k kinds) jobView {
	v := jobView{Job: j, Kind: k.label(j.JobType), Facts: []ui.Fact{
		{Name: "Step", Value: j.NodeId, Mono: true},
		{Name: "Credits", Value: costOf(j.CreditStatus, j.CreditsCharged)},
		{Name: "Source", Value: j.Source},
		{Name: "Job id", Value: j.Id, Mono: true},
		{Name: "Run", Value: "Open the run", Href: "/runs/" + j.ExecutionId},
	}}
	if j.OutputData != nil {
		v.Result = c.resultOf(v.Kind, k[j.JobType].OutputType, *j.OutputData)
		v.Result.File = resultFile(v.Kind, nil, path.Ext(v.Result.Address))
	}
	switch j.Status {
	case query.JobStatusCompleted, query.JobStatusFailed, query.JobStatusCancelled:
		v.Over = true
	}
	return v
}

// JobPage shows the work of one node.
func (c Pages) JobPage(w http.ResponseWriter, r *http.Request) error {
	res, err := query.Job(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return err
	}
	allowMedia(w)
	v := c.jobViewOf(res.Job, kindsOf(res.NodeTypes))
	return c.Page(w, r, res.Shell, frame.Page{Title: v.Kind, Section: frame.SectionRuns}, jobContent(v, c.Now()))
}

// JobLive follows the job by the events of its run.
func (c Pages) JobLive(w http.ResponseWriter, r *http.Request) error {
	first, err := query.JobState(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return err
	}
	return c.Live(w, r, executionEvents(first.Job.ExecutionId), func() (templ.Component, bool, error) {
		res, err := query.JobState(r.Context(), c.Client, frame.PathID(r))
		if err != nil {
			return nil, false, err
		}
		v := c.jobViewOf(res.Job, kindsOf(res.NodeTypes))
		return jobPart(v, c.Now()), v.Over, nil
	})
}

// CancelJob cancels a job.
func (c Pages) CancelJob(w http.ResponseWriter, r *http.Request) error {
	_, err := query.CancelJob(r.Context(), c.Client, frame.PathID(r))
	return c.jobDone(w, r, err, "The job is cancelled.")
}

// ApproveJob lets a job that was held for review go on.
func (c Pages) ApproveJob(w http.ResponseWriter, r *http.Request) error {
	_, err := query.ApproveJob(r.Context(), c.Client, frame.PathID(r))
	return c.jobDone(w, r, err, "Approved. The run goes on.")
}

// RejectJob fails a job that was held for review.
func (c Pages) RejectJob(w http.ResponseWriter, r *http.Request) error {
	_, err := query.RejectJob(r.Context(), c.Client, frame.PathID(r))
	return c.jobDone(w, r, err, "Rejected. The job has failed.")
}

// jobDone ends an action on a job; one that came too late says so.
func (c Pages) jobDone(w http.ResponseWriter, r *http.Request, err error, sentence string) error {
	to := "/jobs/" + frame.PathID(r)
	switch {
	case frame.HasCode(err, "already_finished"), frame.HasCode(err, "job_not_in_review"):
		return c.Done(w, to, "The job had moved on before that. This is how it stands now.")
	case err != nil:
		return err
	}
	return c.Done(w, to, sentence)
}

package web

import (
	"net/http"

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

func (c *Console) jobViewOf(j query.JobDetail, k kinds) jobView {
	v := jobView{Job: j, Kind: k.label(j.JobType), Facts: []ui.Fact{
		{Name: "Node", Value: j.NodeId, Mono: true},
		{Name: "Credits", Value: costOf(j.CreditStatus, j.CreditsCharged)},
		{Name: "Source", Value: j.Source},
		{Name: "Job id", Value: j.Id, Mono: true},
		{Name: "Run", Value: "Open the run", Href: "/runs/" + j.ExecutionId},
	}}
	if t := took(j.StartedAt, j.CompletedAt, c.now()); t != "" {
		v.Facts = append([]ui.Fact{{Name: "Took", Value: t}}, v.Facts...)
	}
	if j.OutputData != nil {
		v.Result = c.resultOf(v.Kind, k[j.JobType].OutputType, *j.OutputData)
	}
	switch j.Status {
	case query.JobStatusCompleted, query.JobStatusFailed, query.JobStatusCancelled:
		v.Over = true
	}
	return v
}

func (c *Console) jobPage(w http.ResponseWriter, r *http.Request) error {
	res, err := query.Job(r.Context(), c.client, pathID(r))
	if err != nil {
		return err
	}
	allowMedia(w)
	v := c.jobViewOf(res.Job, kindsOf(res.NodeTypes))
	return c.page(w, r, res.Shell, page{Title: v.Kind, Section: sectionRuns}, jobContent(v, c.now()))
}

// jobLive follows the job by the events of its run.
func (c *Console) jobLive(w http.ResponseWriter, r *http.Request) error {
	first, err := query.JobState(r.Context(), c.client, pathID(r))
	if err != nil {
		return err
	}
	return c.live(w, r, executionEvents(first.Job.ExecutionId), func() (templ.Component, bool, error) {
		res, err := query.JobState(r.Context(), c.client, pathID(r))
		if err != nil {
			return nil, false, err
		}
		v := c.jobViewOf(res.Job, kindsOf(res.NodeTypes))
		return jobPart(v, c.now()), v.Over, nil
	})
}

func (c *Console) cancelJob(w http.ResponseWriter, r *http.Request) error {
	_, err := query.CancelJob(r.Context(), c.client, pathID(r))
	return c.jobDone(w, r, err, "The job is cancelled.")
}

func (c *Console) approveJob(w http.ResponseWriter, r *http.Request) error {
	_, err := query.ApproveJob(r.Context(), c.client, pathID(r))
	return c.jobDone(w, r, err, "Approved. The run goes on.")
}

func (c *Console) rejectJob(w http.ResponseWriter, r *http.Request) error {
	_, err := query.RejectJob(r.Context(), c.client, pathID(r))
	return c.jobDone(w, r, err, "Rejected. The job has failed.")
}

// jobDone ends an action on a job; one that came too late says so.
func (c *Console) jobDone(w http.ResponseWriter, r *http.Request, err error, sentence string) error {
	to := "/jobs/" + pathID(r)
	switch {
	case hasCode(err, "already_finished"), hasCode(err, "job_not_in_review"):
		return c.done(w, to, "The job had moved on before that. This is how it stands now.")
	case err != nil:
		return err
	}
	return c.done(w, to, sentence)
}

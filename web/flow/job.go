package flow

import (
	"context"
	"net/http"
	"path"

	"atelier/web/frame"
	"atelier/web/nodeform"
	"atelier/web/query"
	"atelier/web/ui"

	"github.com/a-h/templ"
)

// jobView is the work of one node.
type jobView struct {
	Job    query.JobDetail
	Kind   string
	Space  string // the workspace that paid, empty for the personal space
	Again  string // the form with its settings, empty where there is none
	Keep   string // where a picture of it is kept as an element
	Preset string // its settings as JSON, to be kept as a preset
	Result result
	Facts  []ui.Fact
	// Settings are those that it ran with, in words.
	Settings []ui.Fact
	Over     bool
	// Problem is why it failed, Hint what can be done about it.
	Problem, Hint string
}

func (c Pages) jobViewOf(ctx context.Context, j query.JobDetail, k nodeform.Kinds) jobView {
	v := jobView{Job: j, Kind: k.Label(j.JobType), Space: frame.Value(j.WorkspaceId), Facts: []ui.Fact{
		{Name: t(ctx, "Step"), Value: j.NodeId, Mono: true},
		{Name: t(ctx, "Credits"), Value: costOf(ctx, j.CreditStatus, j.CreditsCharged)},
		{Name: t(ctx, "Source"), Value: frame.SentenceCase(triggerWord(ctx, j.Source))},
		{Name: t(ctx, "Job id"), Value: j.Id, Mono: true},
		{Name: tc(ctx, "noun", "Run"), Value: t(ctx, "Open the run"), Href: "/runs/" + j.ExecutionId},
	}}
	v.Settings = settingsInWords(ctx, k, j.JobType, j.InputData)
	if j.OutputData != nil {
		v.Result = c.resultOf(ctx, v.Kind, k[j.JobType], *j.OutputData, j.InputData)
		v.Result.File = resultFile(v.Kind, nil, path.Ext(v.Result.Address))
	}
	v.Problem = failureSaid(ctx, frame.Value(j.ErrorMessage), func(setting string) string { return k.FieldLabel(j.JobType, topSetting(setting)) })
	v.Hint = failureNext(ctx, frame.Value(j.ErrorHint), false)
	switch j.Status {
	case query.JobStatusCompleted, query.JobStatusFailed, query.JobStatusCancelled:
		v.Over = true
	}
	v.next(ctx, k[j.JobType])
	return v
}

// settingsInWords are the settings of a node that fit into a line, in the order of its form.
func settingsInWords(ctx context.Context, k nodeform.Kinds, nodeType string, data map[string]any) (out []ui.Fact) {
	for _, f := range k.Fields(nodeType) {
		switch data[f.Name].(type) {
		case string, bool, float64:
			label, text := k.Setting(ctx, nodeType, f.Name, data[f.Name])
			if text != "" && len(out) < nodeform.MaxFields {
				out = append(out, ui.Fact{Name: frame.Brief(label), Value: ui.Short(text, frame.MaxOfValue)})
			}
		}
	}
	return out
}

// maxPreset bounds settings that a form carries, in bytes.
const maxPreset = 64 << 10

// next is what may be done with the job's settings, and with what it made.
func (v *jobView) next(ctx context.Context, kind query.NodeKind) {
	if !v.Over || !kind.RunsAlone || isOutbound(kind) {
		return
	}
	if ownMakers[v.Job.JobType] == "" {
		v.Again = frame.SpacePath(v.Space, "/make/"+v.Job.JobType) + "?again=" + v.Job.Id
	}
	if v.Job.Status != query.JobStatusCompleted {
		return
	}
	if settings := frame.JSONOf(v.Job.InputData); len(settings) <= maxPreset {
		v.Preset = settings
	}
	if len(v.pictures(ctx)) > 0 && v.Result.Words.Kept == nil {
		v.Keep = frame.SpacePath(v.Space, "/keep/"+v.Job.Id)
	}
}

// pictures are those of this install that the job made.
func (v *jobView) pictures(ctx context.Context) []outputFile {
	if len(v.Result.Words.Pictures) > 0 {
		return v.Result.Words.Pictures
	}
	if v.Result.Kind == "image" && v.Result.Embedded {
		return []outputFile{{Label: t(ctx, "Picture"), Href: v.Result.Address}}
	}
	return nil
}

// JobPage shows the work of one node.
func (c Pages) JobPage(w http.ResponseWriter, r *http.Request) error {
	res, err := query.Job(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return err
	}
	allowMedia(w)
	v := c.jobViewOf(r.Context(), res.Job, nodeform.KindsOf(res.NodeTypes))
	return c.Page(w, r, res.Shell, frame.Page{Title: v.Kind, Section: frame.SectionRuns, Workspace: v.Space}, jobContent(v, c.Now()))
}

// JobLive follows the job by the events of its run: all of its page, or what stands beside the form that began it.
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
		v := c.jobViewOf(r.Context(), res.Job, nodeform.KindsOf(res.NodeTypes))
		if r.URL.Query().Get("part") == "made" {
			return madePart(v, c.Now()), v.Over, nil
		}
		return jobPart(v, c.Now()), v.Over, nil
	})
}

// CancelJob cancels a job.
func (c Pages) CancelJob(w http.ResponseWriter, r *http.Request) error {
	_, err := query.CancelJob(r.Context(), c.Client, frame.PathID(r))
	return c.jobDone(w, r, err, t(r.Context(), "The job is cancelled."))
}

// ApproveJob lets a job that was held for review go on.
func (c Pages) ApproveJob(w http.ResponseWriter, r *http.Request) error {
	_, err := query.ApproveJob(r.Context(), c.Client, frame.PathID(r))
	return c.jobDone(w, r, err, t(r.Context(), "Approved. The run goes on."))
}

// RejectJob fails a job that was held for review.
func (c Pages) RejectJob(w http.ResponseWriter, r *http.Request) error {
	_, err := query.RejectJob(r.Context(), c.Client, frame.PathID(r))
	return c.jobDone(w, r, err, t(r.Context(), "Rejected. The job has failed."))
}

// jobDone ends an action on a job; one that came too late says so.
func (c Pages) jobDone(w http.ResponseWriter, r *http.Request, err error, sentence string) error {
	to := "/jobs/" + frame.PathID(r)
	switch {
	case frame.HasCode(err, "already_finished"), frame.HasCode(err, "job_not_in_review"):
		return c.Done(w, to, t(r.Context(), "The job had moved on before that. This is its state now."))
	case err != nil:
		return err
	}
	return c.Done(w, to, sentence)
}

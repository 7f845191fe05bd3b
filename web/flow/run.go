package flow

import (
	"net/http"

	"atelier/web/frame"
	"atelier/web/nodeform"
	"atelier/web/query"

	"github.com/a-h/templ"
)

// RunPage shows one run and keeps itself current while it is going on.
func (c Pages) RunPage(w http.ResponseWriter, r *http.Request) error {
	res, err := query.Run(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return err
	}
	allowMedia(w)
	p := c.runPageOf(r.Context(), "/runs/"+res.Execution.Id, res.Execution, nodeform.KindsOf(res.NodeTypes), c.placeOfRun(r, res.Shell, res.Execution))
	p.Mine = res.Execution.StartedBy.Id == res.Shell.Me.Id
	at := frame.Page{Title: p.Title, Section: frame.SectionRuns, Workspace: frame.Value(res.Execution.WorkspaceId)}
	return c.Page(w, r, res.Shell, at, runContent(p, c.Now()))
}

// RunLive streams how a run stands. Where it lives is asked once.
func (c Pages) RunLive(w http.ResponseWriter, r *http.Request) error {
	first, err := query.Run(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return err
	}
	at := c.placeOfRun(r, first.Shell, first.Execution)
	return c.Live(w, r, executionEvents(frame.PathID(r)), func() (templ.Component, bool, error) {
		res, err := query.RunState(r.Context(), c.Client, frame.PathID(r))
		if err != nil {
			return nil, false, err
		}
		p := c.runPageOf(r.Context(), "/runs/"+res.Execution.Id, res.Execution, nodeform.KindsOf(res.NodeTypes), at)
		p.Mine = res.Execution.StartedBy.Id == first.Shell.Me.Id
		return runPart(p, c.Now()), p.Over, nil
	})
}

// CancelRun cancels a run.
func (c Pages) CancelRun(w http.ResponseWriter, r *http.Request) error {
	to := "/runs/" + frame.PathID(r)
	_, err := query.CancelExecution(r.Context(), c.Client, frame.PathID(r))
	if frame.HasCode(err, "already_finished") {
		return c.Done(w, to, t(r.Context(), "It had finished before it could be cancelled."))
	}
	if err != nil {
		return err
	}
	return c.Done(w, to, t(r.Context(), "The run is cancelled. Steps that had finished were charged; the rest went back."))
}

// RetryRun runs what failed again, from where it failed.
func (c Pages) RetryRun(w http.ResponseWriter, r *http.Request) error {
	res, err := query.RetryExecution(r.Context(), c.Client, frame.PathID(r))
	if frame.HasCode(err, "already_finished") || frame.HasCode(err, "run_already_started") {
		return c.Done(w, "/runs/"+frame.PathID(r), t(r.Context(), "It has not failed, so there is nothing to run again."))
	}
	if err != nil {
		return err
	}
	return c.Done(w, "/runs/"+res.RetryExecution.Id, t(r.Context(), "It goes on from where it failed. What had finished was taken over and costs nothing."))
}

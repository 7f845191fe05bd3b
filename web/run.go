package web

import (
	"net/http"

	"atelier/web/query"

	"github.com/a-h/templ"
)

// runPage shows one run and keeps itself current while it is going on.
func (c *Console) runPage(w http.ResponseWriter, r *http.Request) error {
	res, err := query.Run(r.Context(), c.client, pathID(r))
	if err != nil {
		return err
	}
	allowMedia(w)
	v := c.runViewOf("/runs/"+res.Execution.Id, res.Execution, kindsOf(res.NodeTypes))
	return c.page(w, r, res.Shell, page{Title: res.Execution.Title, Section: sectionRuns}, runContent(v, c.now()))
}

func (c *Console) runLive(w http.ResponseWriter, r *http.Request) error {
	return c.live(w, r, executionEvents(pathID(r)), func() (templ.Component, bool, error) {
		res, err := query.RunState(r.Context(), c.client, pathID(r))
		if err != nil {
			return nil, false, err
		}
		v := c.runViewOf("/runs/"+res.Execution.Id, res.Execution, kindsOf(res.NodeTypes))
		return runPart(v, c.now()), v.Over, nil
	})
}

func (c *Console) cancelRun(w http.ResponseWriter, r *http.Request) error {
	to := "/runs/" + pathID(r)
	_, err := query.CancelExecution(r.Context(), c.client, pathID(r))
	if hasCode(err, "already_finished") {
		return c.done(w, to, "It had finished before it could be cancelled.")
	}
	if err != nil {
		return err
	}
	return c.done(w, to, "The run is cancelled. Nodes that had finished were charged; the rest went back.")
}

func (c *Console) retryRun(w http.ResponseWriter, r *http.Request) error {
	res, err := query.RetryExecution(r.Context(), c.client, pathID(r))
	if hasCode(err, "already_finished") || hasCode(err, "run_already_started") {
		return c.done(w, "/runs/"+pathID(r), "It has not failed, so there is nothing to run again.")
	}
	if err != nil {
		return err
	}
	return c.done(w, "/runs/"+res.RetryExecution.Id, "It goes on from where it failed. What had finished was taken over and costs nothing.")
}

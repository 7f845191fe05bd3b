package flow

import (
	"net/http"

	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"

	"github.com/a-h/templ"
)

// appRunView is one person's run of an app: the result first, then how it went.
type appRunView struct {
	Run     query.AppRunDetail
	Base    string // address of this page
	Form    string // address of the app's form
	Over    bool
	Results []result
	Nodes   []nodeRun
	// Embedded pages stand in a frame of another site.
	Embedded bool
}

func (c Pages) appRunView(base string, run query.AppRunDetail, k kinds) appRunView {
	v := appRunView{Run: run, Base: base, Form: "/app/" + run.App.Slug, Over: over(run.Status)}
	if run.Execution == nil {
		v.Over = true // a draft: nothing changes until it is started
		return v
	}
	v.Nodes = c.runViewOf(base, *run.Execution, k).Nodes
	v.Results = c.mainResults(run.App.ThumbnailNodeId, *run.Execution, k)
	for _, item := range readInputItems(run.App.InputItems) {
		for _, n := range v.Nodes {
			if item.Type == "output" && n.ID == item.NodeID && !n.Result.empty() && !shows(v.Results, n.Result) {
				v.Results = append(v.Results, n.Result)
			}
		}
	}
	return v
}

func shows(results []result, r result) bool {
	for _, other := range results {
		if other == r {
			return true
		}
	}
	return false
}

func appRunPath(r *http.Request) string { return "/app/" + pathSlug(r) + "/runs/" + frame.PathID(r) }

// AppRunPage shows a person's run of an app.
func (c Pages) AppRunPage(w http.ResponseWriter, r *http.Request) error {
	res, err := query.AppRunPage(r.Context(), c.Client, pathSlug(r), frame.PathID(r))
	if err != nil {
		return err
	}
	allowMedia(w)
	v := c.appRunView(appRunPath(r), res.AppRun, kindsOf(res.NodeTypes))
	return c.Page(w, r, res.Shell, frame.Page{Title: "Run of " + res.AppRun.App.Name}, appRunContent(v, c.Now()))
}

// AppRunLive streams how such a run stands.
func (c Pages) AppRunLive(w http.ResponseWriter, r *http.Request) error {
	return c.streamAppRun(w, r, appRunPath(r), false)
}

// streamAppRun follows a run by the events of its execution.
func (c Pages) streamAppRun(w http.ResponseWriter, r *http.Request, base string, embedded bool) error {
	first, err := query.AppRunState(r.Context(), c.Client, pathSlug(r), frame.PathID(r))
	if err != nil {
		return err
	}
	if first.AppRun.ExecutionId == nil {
		return frame.ErrNotFound
	}
	return c.Live(w, r, executionEvents(*first.AppRun.ExecutionId), func() (templ.Component, bool, error) {
		res, err := query.AppRunState(r.Context(), c.Client, pathSlug(r), frame.PathID(r))
		if err != nil {
			return nil, false, err
		}
		v := c.appRunView(base, res.AppRun, kindsOf(res.NodeTypes))
		v.Embedded = embedded
		return appRunPart(v, c.Now()), v.Over, nil
	})
}

// CancelAppRun cancels such a run.
func (c Pages) CancelAppRun(w http.ResponseWriter, r *http.Request) error {
	return c.cancelRunOf(w, r, appRunPath(r))
}

func (c Pages) cancelRunOf(w http.ResponseWriter, r *http.Request, back string) error {
	res, err := query.AppRunState(r.Context(), c.Client, pathSlug(r), frame.PathID(r))
	if err != nil {
		return err
	}
	if res.AppRun.ExecutionId == nil {
		return frame.ErrNotFound
	}
	_, err = query.CancelExecution(r.Context(), c.Client, *res.AppRun.ExecutionId)
	if frame.HasCode(err, "already_finished") {
		return c.Done(w, back, "It had finished before it could be cancelled.")
	}
	if err != nil {
		return err
	}
	return c.Done(w, back, "The run is cancelled. Steps that had finished were charged; the rest went back.")
}

// ArchiveAppRun takes a run out of the person's list.
func (c Pages) ArchiveAppRun(w http.ResponseWriter, r *http.Request) error {
	if _, err := query.ArchiveRun(r.Context(), c.Client, pathSlug(r), frame.PathID(r)); err != nil {
		return err
	}
	return c.Done(w, appRunPath(r), "The run is in your archive. It stays readable there.")
}

// RestoreAppRun brings a run back into the person's list.
func (c Pages) RestoreAppRun(w http.ResponseWriter, r *http.Request) error {
	if _, err := query.RestoreRun(r.Context(), c.Client, pathSlug(r), frame.PathID(r)); err != nil {
		return err
	}
	return c.Done(w, appRunPath(r), "The run is back in your list.")
}

// AskDeleteRun says what deleting a run for good takes away.
func (c Pages) AskDeleteRun(w http.ResponseWriter, r *http.Request) error {
	res, err := query.AppRunPage(r.Context(), c.Client, pathSlug(r), frame.PathID(r))
	if err != nil {
		return err
	}
	if !res.AppRun.Archived {
		return c.Done(w, appRunPath(r), "Archive the run first: only what is archived can be deleted.")
	}
	at := frame.Page{Title: "Delete a run of " + res.AppRun.App.Name, Section: frame.SectionApps}
	return c.Page(w, r, res.Shell, at, ui.ConfirmPage(deleteRunQuestion(res.AppRun.App.Name, appRunPath(r))))
}

func deleteRunQuestion(app, path string) ui.ConfirmProps {
	return ui.ConfirmProps{
		ID: "delete-run", Title: "Delete this run of " + app + " for good?", Text: "It cannot be brought back by anybody.",
		Consequences: []string{
			"What was typed in, and every result, is gone",
			"The addresses of its files lead nowhere any more",
			"What it cost stays in the books",
		},
		Form:    ui.FormProps{Action: path + "/delete"},
		Confirm: "Delete the run", CancelHref: path,
	}
}

// DeleteAppRun deletes an archived run for good.
func (c Pages) DeleteAppRun(w http.ResponseWriter, r *http.Request) error {
	if _, err := query.DeleteRun(r.Context(), c.Client, pathSlug(r), frame.PathID(r)); err != nil {
		return err
	}
	return c.Done(w, "/app/"+pathSlug(r)+"/runs?archived=1", "The run is deleted.")
}

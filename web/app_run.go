package web

import (
	"net/http"

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

func (c *Console) appRunView(base string, run query.AppRunDetail, k kinds) appRunView {
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

func appRunPath(r *http.Request) string { return "/app/" + pathSlug(r) + "/runs/" + pathID(r) }

func (c *Console) appRunPage(w http.ResponseWriter, r *http.Request) error {
	res, err := query.AppRunPage(r.Context(), c.client, pathSlug(r), pathID(r))
	if err != nil {
		return err
	}
	allowMedia(w)
	v := c.appRunView(appRunPath(r), res.AppRun, kindsOf(res.NodeTypes))
	return c.page(w, r, res.Shell, page{Title: "Run of " + res.AppRun.App.Name}, appRunContent(v, c.now()))
}

func (c *Console) appRunLive(w http.ResponseWriter, r *http.Request) error {
	return c.streamAppRun(w, r, appRunPath(r), false)
}

// streamAppRun follows a run by the events of its execution.
func (c *Console) streamAppRun(w http.ResponseWriter, r *http.Request, base string, embedded bool) error {
	first, err := query.AppRunState(r.Context(), c.client, pathSlug(r), pathID(r))
	if err != nil {
		return err
	}
	if first.AppRun.ExecutionId == nil {
		return errNotFound
	}
	return c.live(w, r, executionEvents(*first.AppRun.ExecutionId), func() (templ.Component, bool, error) {
		res, err := query.AppRunState(r.Context(), c.client, pathSlug(r), pathID(r))
		if err != nil {
			return nil, false, err
		}
		v := c.appRunView(base, res.AppRun, kindsOf(res.NodeTypes))
		v.Embedded = embedded
		return appRunPart(v, c.now()), v.Over, nil
	})
}

func (c *Console) cancelAppRun(w http.ResponseWriter, r *http.Request) error {
	return c.cancelRunOf(w, r, appRunPath(r))
}

func (c *Console) cancelRunOf(w http.ResponseWriter, r *http.Request, back string) error {
	res, err := query.AppRunState(r.Context(), c.client, pathSlug(r), pathID(r))
	if err != nil {
		return err
	}
	if res.AppRun.ExecutionId == nil {
		return errNotFound
	}
	_, err = query.CancelExecution(r.Context(), c.client, *res.AppRun.ExecutionId)
	if hasCode(err, "already_finished") {
		return c.done(w, back, "It had finished before it could be cancelled.")
	}
	if err != nil {
		return err
	}
	return c.done(w, back, "The run is cancelled. Steps that had finished were charged; the rest went back.")
}

func (c *Console) archiveAppRun(w http.ResponseWriter, r *http.Request) error {
	if _, err := query.ArchiveRun(r.Context(), c.client, pathSlug(r), pathID(r)); err != nil {
		return err
	}
	return c.done(w, appRunPath(r), "The run is in your archive. It stays readable there.")
}

func (c *Console) restoreAppRun(w http.ResponseWriter, r *http.Request) error {
	if _, err := query.RestoreRun(r.Context(), c.client, pathSlug(r), pathID(r)); err != nil {
		return err
	}
	return c.done(w, appRunPath(r), "The run is back in your list.")
}

// askDeleteRun says what deleting a run for good takes away.
func (c *Console) askDeleteRun(w http.ResponseWriter, r *http.Request) error {
	res, err := query.AppRunPage(r.Context(), c.client, pathSlug(r), pathID(r))
	if err != nil {
		return err
	}
	if !res.AppRun.Archived {
		return c.done(w, appRunPath(r), "Archive the run first: only what is archived can be deleted.")
	}
	at := page{Title: "Delete a run of " + res.AppRun.App.Name, Section: sectionApps}
	return c.page(w, r, res.Shell, at, ui.ConfirmPage(deleteRunQuestion(res.AppRun.App.Name, appRunPath(r))))
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

func (c *Console) deleteAppRun(w http.ResponseWriter, r *http.Request) error {
	if _, err := query.DeleteRun(r.Context(), c.client, pathSlug(r), pathID(r)); err != nil {
		return err
	}
	return c.done(w, "/app/"+pathSlug(r)+"/runs?archived=1", "The run is deleted.")
}

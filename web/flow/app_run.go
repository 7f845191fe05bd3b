package flow

import (
	"context"
	"net/http"

	"atelier/web/frame"
	"atelier/web/nodeform"
	"atelier/web/query"
	"atelier/web/ui"

	"github.com/a-h/templ"
)

// appRunView is one person's run of an app.
type appRunView struct {
	runPage
	App  query.AppRunDetail
	Form string // address of the app's form
}

func (c Pages) appRunView(ctx context.Context, base string, run query.AppRunDetail, k nodeform.Kinds, at frame.Place) appRunView {
	v := appRunView{App: run, Form: "/app/" + run.App.Slug}
	if run.Execution == nil { // a draft: nothing changes until it is started
		v.Base, v.Title, v.Lead, v.Over = base, run.App.Name, t(ctx, "Prepared and not started yet"), true
		return v
	}
	v.runPage = c.runPageOf(ctx, base, *run.Execution, k, at)
	v.Mine = true
	return v
}

// placeOfAppRun is where such a run lives.
func (c Pages) placeOfAppRun(r *http.Request, shell query.Shell, run query.AppRunDetail) frame.Place {
	if run.Execution == nil {
		return frame.Place{Words: frame.PlainWords}
	}
	return c.placeOfRun(r, shell, *run.Execution)
}

func appRunPath(r *http.Request) string { return "/app/" + pathSlug(r) + "/runs/" + frame.PathID(r) }

// AppRunPage shows a person's run of an app.
func (c Pages) AppRunPage(w http.ResponseWriter, r *http.Request) error {
	res, err := query.AppRunPage(r.Context(), c.Client, pathSlug(r), frame.PathID(r))
	if err != nil {
		return err
	}
	allowMedia(w)
	v := c.appRunView(r.Context(), appRunPath(r), res.AppRun, nodeform.KindsOf(res.NodeTypes), c.placeOfAppRun(r, res.Shell, res.AppRun))
	at := frame.Page{Title: v.Title, Section: frame.SectionRuns, Workspace: frame.Value(v.Run.WorkspaceId)}
	return c.Page(w, r, res.Shell, at, appRunContent(v, c.Now()))
}

// AppRunLive streams how such a run stands.
func (c Pages) AppRunLive(w http.ResponseWriter, r *http.Request) error {
	return c.streamAppRun(w, r, appRunPath(r), false)
}

// streamAppRun follows a run by the events of its execution.
func (c Pages) streamAppRun(w http.ResponseWriter, r *http.Request, base string, embedded bool) error {
	first, err := query.AppRunPage(r.Context(), c.Client, pathSlug(r), frame.PathID(r))
	if err != nil {
		return err
	}
	if first.AppRun.ExecutionId == nil {
		return frame.ErrNotFound
	}
	at := c.placeOfAppRun(r, first.Shell, first.AppRun)
	return c.Live(w, r, executionEvents(*first.AppRun.ExecutionId), func() (templ.Component, bool, error) {
		res, err := query.AppRunState(r.Context(), c.Client, pathSlug(r), frame.PathID(r))
		if err != nil {
			return nil, false, err
		}
		v := c.appRunView(r.Context(), base, res.AppRun, nodeform.KindsOf(res.NodeTypes), at)
		v.Embedded = embedded
		return runPart(v.runPage, c.Now()), v.Over, nil
	})
}

// CancelAppRun cancels such a run.
func (c Pages) CancelAppRun(w http.ResponseWriter, r *http.Request) error {
	return c.cancelRunOf(w, r, appRunPath(r))
}

func (c Pages) cancelRunOf(w http.ResponseWriter, r *http.Request, back string) error {
	res, err := query.ExecutionOfAppRun(r.Context(), c.Client, pathSlug(r), frame.PathID(r))
	if err != nil {
		return err
	}
	if res.AppRun.ExecutionId == nil {
		return frame.ErrNotFound
	}
	_, err = query.CancelExecution(r.Context(), c.Client, *res.AppRun.ExecutionId)
	if frame.HasCode(err, "already_finished") {
		return c.Done(w, back, t(r.Context(), "It had finished before it could be cancelled."))
	}
	if err != nil {
		return err
	}
	return c.Done(w, back, t(r.Context(), "The run is cancelled. Steps that had finished were charged; the rest went back."))
}

// ArchiveAppRun takes a run out of the person's list.
func (c Pages) ArchiveAppRun(w http.ResponseWriter, r *http.Request) error {
	if _, err := query.ArchiveRun(r.Context(), c.Client, pathSlug(r), frame.PathID(r)); err != nil {
		return err
	}
	return c.Done(w, appRunPath(r), t(r.Context(), "The run is in your archive. It stays readable there."))
}

// RestoreAppRun brings a run back into the person's list.
func (c Pages) RestoreAppRun(w http.ResponseWriter, r *http.Request) error {
	if _, err := query.RestoreRun(r.Context(), c.Client, pathSlug(r), frame.PathID(r)); err != nil {
		return err
	}
	return c.Done(w, appRunPath(r), t(r.Context(), "The run is back in your list."))
}

// AskDeleteRun says what deleting a run for good takes away.
func (c Pages) AskDeleteRun(w http.ResponseWriter, r *http.Request) error {
	res, err := query.AppRunQuestion(r.Context(), c.Client, pathSlug(r), frame.PathID(r))
	if err != nil {
		return err
	}
	if !res.AppRun.Archived {
		return c.Done(w, appRunPath(r), t(r.Context(), "Archive the run first: only what is archived can be deleted."))
	}
	at := frame.Page{Title: t(r.Context(), "Delete a run of %s", res.AppRun.App.Name), Section: frame.SectionApps}
	return c.Page(w, r, res.Shell, at, ui.ConfirmPage(deleteRunQuestion(r.Context(), res.AppRun.App.Name, appRunPath(r))))
}

func deleteRunQuestion(ctx context.Context, app, path string) ui.ConfirmProps {
	return ui.ConfirmProps{
		ID: "delete-run", Title: t(ctx, "Delete this run of %s for good?", app), Text: t(ctx, "No one can bring it back."),
		Consequences: []string{
			t(ctx, "What was typed in, and every result, is gone"),
			t(ctx, "The addresses of its files lead nowhere any more"),
			t(ctx, "What it cost stays in the books"),
		},
		Form:    ui.FormProps{Action: path + "/delete"},
		Confirm: t(ctx, "Delete the run"), CancelHref: path,
	}
}

// DeleteAppRun deletes an archived run for good.
func (c Pages) DeleteAppRun(w http.ResponseWriter, r *http.Request) error {
	if _, err := query.DeleteRun(r.Context(), c.Client, pathSlug(r), frame.PathID(r)); err != nil {
		return err
	}
	return c.Done(w, "/app/"+pathSlug(r)+"/runs?archived=1", t(r.Context(), "The run is deleted."))
}

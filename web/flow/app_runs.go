package flow

import (
	"context"
	"net/http"

	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"
)

// AppRuns lists the person's runs of an app, or their archive.
func (c Pages) AppRuns(w http.ResponseWriter, r *http.Request) error {
	archived := r.URL.Query().Get("archived") == "1"
	res, err := query.AppRuns(r.Context(), c.Client, pathSlug(r), archived, 50, frame.After(r))
	if err != nil {
		return err
	}
	app := query.AppPublic{Slug: res.App.Slug, Name: res.App.Name}
	v := appRunsView{Made: c.madeWith(r.Context(), app, res.App.Runs.Nodes), Slug: res.App.Slug, Name: res.App.Name, Archived: archived, Rows: res.App.Runs.Nodes, Next: frame.NextHref(r, res.App.Runs.PageInfo)}
	return c.Page(w, r, res.Shell, frame.Page{Title: t(r.Context(), "Your runs of %s", res.App.Name), Section: frame.SectionApps, Workspace: frame.Value(res.App.WorkspaceId)}, appRunsContent(v, c.Now()))
}

// appRunsView lists a person's runs of an app, or their archive.
type appRunsView struct {
	Slug, Name string
	Archived   bool
	Rows       []query.AppRunRow
	Made       []ui.Made // what each row made
	Next       string
}

// madeWith are runs of an app as tiles; one that has made nothing says how it stands.
func (c Pages) madeWith(ctx context.Context, app query.AppPublic, rows []query.AppRunRow) (out []ui.Made) {
	for _, run := range rows {
		m := ui.Made{Href: "/app/" + app.Slug + "/runs/" + run.Id, Title: frame.RunStatus(ctx, run.Status).Text, Kind: "none", At: run.CreatedAt}
		if e := run.Execution; e != nil {
			if about := frame.Value(e.Subject); about != "" {
				m.Title = about
			}
			if e.Result != nil {
				m.Kind, m.Src, m.Excerpt = string(e.Result.Kind), c.ShownMedia(e.Result.Url), frame.Value(e.Result.Excerpt)
			} else if run.Status == query.ExecutionStatusFailed {
				m.Kind = "failed"
			}
		}
		out = append(out, m)
	}
	return out
}

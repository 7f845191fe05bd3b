package flow

import (
	"net/http"

	"atelier/web/frame"
	"atelier/web/query"
)

// AppRuns lists the person's runs of an app, or their archive.
func (c Pages) AppRuns(w http.ResponseWriter, r *http.Request) error {
	archived := r.URL.Query().Get("archived") == "1"
	res, err := query.AppRuns(r.Context(), c.Client, pathSlug(r), archived, 50, frame.After(r))
	if err != nil {
		return err
	}
	v := appRunsView{Slug: res.App.Slug, Name: res.App.Name, Archived: archived, Rows: res.App.Runs.Nodes, Next: frame.NextHref(r, res.App.Runs.PageInfo)}
	return c.Page(w, r, res.Shell, frame.Page{Title: "Your runs of " + res.App.Name}, appRunsContent(v, c.Now()))
}

// appRunsView lists a person's runs of an app, or their archive.
type appRunsView struct {
	Slug, Name string
	Archived   bool
	Rows       []query.AppRunRow
	Next       string
}

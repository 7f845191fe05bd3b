package web

import (
	"net/http"

	"atelier/web/query"
)

func (c *Console) appRuns(w http.ResponseWriter, r *http.Request) error {
	shell, err := query.Frame(r.Context(), c.client)
	if err != nil {
		return err
	}
	archived := r.URL.Query().Get("archived") == "1"
	res, err := query.AppRuns(r.Context(), c.client, pathSlug(r), archived, 50, after(r))
	if err != nil {
		return err
	}
	v := appRunsView{Slug: res.App.Slug, Name: res.App.Name, Archived: archived, Rows: res.App.Runs.Nodes, Next: nextHref(r, res.App.Runs.PageInfo)}
	return c.page(w, r, shell.Shell, page{Title: "Your runs of " + res.App.Name}, appRunsContent(v, c.now()))
}

// appRunsView lists a person's runs of an app, or their archive.
type appRunsView struct {
	Slug, Name string
	Archived   bool
	Rows       []query.AppRunRow
	Next       string
}

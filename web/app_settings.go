package web

import (
	"net/http"

	"atelier/web/query"
)

// appView is the page of an app's managers.
type appView struct {
	App   query.AppWithVersions
	Page  string // address of the app
	Embed string // the tag for other sites, empty while no site is allowed
	Form  form
}

// managedApp finds an app of the selected space by its id; the schema lists them and finds them by slug alone.
func (c *Console) managedApp(r *http.Request) (query.Shell, query.AppWithVersions, error) {
	var cursor *string
	for {
		res, err := query.AppSearch(r.Context(), c.client, cursor)
		if err != nil {
			return query.Shell{}, query.AppWithVersions{}, err
		}
		for _, app := range res.Apps.Nodes {
			if app.Id == pathID(r) && app.Admin != nil {
				return res.Shell, app, nil
			}
		}
		if cursor = res.Apps.PageInfo.EndCursor; cursor == nil || !res.Apps.PageInfo.HasNextPage {
			return query.Shell{}, query.AppWithVersions{}, errNotFound
		}
	}
}

func (c *Console) appSettings(w http.ResponseWriter, r *http.Request) error {
	shell, app, err := c.managedApp(r)
	if err != nil {
		return err
	}
	v := appView{App: app, Page: c.config.PublicURL + "/app/" + app.Slug, Form: formOf(r)}
	if len(app.Admin.AllowedEmbedDomains) > 0 {
		v.Embed = embedTag(c.config.PublicURL, app.Slug)
	}
	return c.page(w, r, shell, page{Title: app.Name, Section: sectionApps}, appSettingsContent(v, c.now()))
}

// embedTag is the tag that an app's owner copies (contract 1, "Embed code rules" 3).
func embedTag(base, slug string) string {
	return `<iframe src="` + base + `/embed/` + slug + `" width="100%" height="600" frameborder="0" allow="clipboard-write"></iframe>`
}

func (c *Console) updateApp(w http.ResponseWriter, r *http.Request) error {
	limit, err := wholeOrNil(r, "maxRunsPerUserPerDay")
	if err != nil {
		return again(w, r, err, c.appSettings)
	}
	_, err = query.SetAppTexts(r.Context(), c.client, pathID(r), text(r, "name"), text(r, "description"), text(r, "iconUrl"), limit)
	if err != nil {
		return again(w, r, err, c.appSettings)
	}
	return c.done(w, "/apps/"+pathID(r), "The app is saved.")
}

func (c *Console) setAppActive(w http.ResponseWriter, r *http.Request) error {
	on := text(r, "active") == "1"
	res, err := query.SetAppActive(r.Context(), c.client, pathID(r), on)
	if err != nil {
		return err
	}
	sentence := res.UpdateApp.Name + " is switched off. Its address and its frames show nothing now."
	if on {
		sentence = res.UpdateApp.Name + " is switched on."
	}
	return c.done(w, "/apps/"+pathID(r), sentence)
}

func (c *Console) setAppEmbedding(w http.ResponseWriter, r *http.Request) error {
	domains := lines(text(r, "allowedEmbedDomains"))
	if _, err := query.SetAppEmbedding(r.Context(), c.client, pathID(r), domains); err != nil {
		return again(w, r, itemRefusal(err), c.appSettings)
	}
	sentence := "Embedding is blocked: no site is allowed."
	if len(domains) > 0 {
		sentence = "The sites are saved. The tag is below them."
	}
	return c.done(w, "/apps/"+pathID(r), sentence)
}

func (c *Console) deleteAppPage(w http.ResponseWriter, r *http.Request) error {
	shell, app, err := c.managedApp(r)
	if err != nil {
		return err
	}
	return c.page(w, r, shell, page{Title: "Delete " + app.Name, Section: sectionApps}, deleteAppContent(app))
}

func (c *Console) deleteApp(w http.ResponseWriter, r *http.Request) error {
	if _, err := query.DeleteApp(r.Context(), c.client, pathID(r)); err != nil {
		return again(w, r, err, c.deleteAppPage)
	}
	return c.done(w, "/apps", "The app is deleted. Its workflow is still there.")
}

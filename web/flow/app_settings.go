package flow

import (
	"net/http"

	"atelier/web/frame"
	"atelier/web/query"
)

// appView is the page of an app's managers.
type appView struct {
	App   query.AppWithVersions
	Page  string // address of the app
	Embed string // the tag for other sites, empty while no site is allowed
	Payer string // who pays for its runs
	Form  frame.Form
	// OwnFile is the path of a file of this install, else "".
	OwnFile func(address string) string
}

// AppSettings is the page of an app's managers.
func (c Pages) AppSettings(w http.ResponseWriter, r *http.Request) error {
	res, err := query.ManagedApp(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return err
	}
	app := res.ManagedApp
	if app.Admin == nil { // it was let go of meanwhile
		return frame.ErrNotFound
	}
	workspace := frame.Value(app.WorkspaceId)
	home := frame.PlaceOf(r, c.Placed(r, res.Shell, "", workspace), "", workspace)
	v := appView{
		App: app, Page: c.Config.PublicURL + "/app/" + app.Slug, Payer: whoPays(r.Context(), home, app.EstimatedCredits), Form: frame.FormOf(r), OwnFile: c.OwnFile,
	}
	if len(app.Admin.AllowedEmbedDomains) > 0 {
		v.Embed = embedTag(c.Config.PublicURL, app.Slug)
	}
	return c.Page(w, r, res.Shell, frame.Page{Title: app.Name, Section: frame.SectionApps, Workspace: workspace}, appSettingsContent(v, c.Now()))
}

// embedTag is the tag that an app's owner copies (contract 1, "Embed code rules" 3).
func embedTag(base, slug string) string {
	return `<iframe src="` + base + `/embed/` + slug + `" width="100%" height="600" frameborder="0" allow="clipboard-write"></iframe>`
}

// UpdateApp saves the texts of an app and its limit.
func (c Pages) UpdateApp(w http.ResponseWriter, r *http.Request) error {
	limit, err := frame.WholeOrNil(r, "maxRunsPerUserPerDay")
	if err != nil {
		return frame.Again(w, r, err, c.AppSettings)
	}
	_, err = query.SetAppTexts(r.Context(), c.Client, frame.PathID(r), frame.Text(r, "name"), frame.Text(r, "description"), frame.PastedLink(r, "iconUrl"), limit)
	if err != nil {
		return frame.Again(w, r, err, c.AppSettings)
	}
	return c.Done(w, "/apps/"+frame.PathID(r), t(r.Context(), "The app is saved."))
}

// SetAppActive switches an app on or off.
func (c Pages) SetAppActive(w http.ResponseWriter, r *http.Request) error {
	on := frame.Text(r, "active") == "1"
	res, err := query.SetAppActive(r.Context(), c.Client, frame.PathID(r), on)
	if err != nil {
		return err
	}
	sentence := t(r.Context(), "%s is switched off. Its address and its frames show nothing now.", res.UpdateApp.Name)
	if on {
		sentence = t(r.Context(), "%s is switched on.", res.UpdateApp.Name)
	}
	return c.Done(w, "/apps/"+frame.PathID(r), sentence)
}

// SetAppEmbedding saves which sites may show an app in a frame.
func (c Pages) SetAppEmbedding(w http.ResponseWriter, r *http.Request) error {
	domains := frame.PastedLinks(r, "allowedEmbedDomains")
	if _, err := query.SetAppEmbedding(r.Context(), c.Client, frame.PathID(r), domains); err != nil {
		return frame.Again(w, r, frame.ItemRefusal(r.Context(), err), c.AppSettings)
	}
	sentence := t(r.Context(), "Embedding is blocked: no site is allowed.")
	if len(domains) > 0 {
		sentence = t(r.Context(), "The sites are saved. The tag is below them.")
	}
	return c.Done(w, "/apps/"+frame.PathID(r), sentence)
}

// DeleteAppPage asks before an app is deleted.
func (c Pages) DeleteAppPage(w http.ResponseWriter, r *http.Request) error {
	res, err := query.ManagedApp(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return err
	}
	app := res.ManagedApp
	return c.Page(w, r, res.Shell, frame.Page{Title: t(r.Context(), "Delete %s", app.Name), Section: frame.SectionApps, Workspace: frame.Value(app.WorkspaceId)}, deleteAppContent(app))
}

// DeleteApp deletes an app; its workflow stays.
func (c Pages) DeleteApp(w http.ResponseWriter, r *http.Request) error {
	if _, err := query.DeleteApp(r.Context(), c.Client, frame.PathID(r)); err != nil {
		return frame.Again(w, r, err, c.DeleteAppPage)
	}
	return c.Done(w, "/apps", t(r.Context(), "The app is deleted. Its workflow is still there."))
}

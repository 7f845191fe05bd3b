package web

import (
	"net/http"

	"atelier/web/query"
)

func (c *Console) appRoutes(on routes) {
	one := "/apps/{id" + id + "}"
	on.get("/apps", c.apps)
	on.get(one, c.appSettings)
	on.post(one, c.updateApp)
	on.post(one+"/active", c.setAppActive)
	on.post(one+"/embedding", c.setAppEmbedding)
	on.get(one+"/delete", c.deleteAppPage)
	on.post(one+"/delete", c.deleteApp)
	public := "/app/{slug" + slugForm + "}"
	on.get(public, c.appPage)
	on.upload(public+"/run", c.runApp)
	on.get(public+"/runs", c.appRuns)
	run := public + "/runs/{id" + id + "}"
	on.get(run, c.appRunPage)
	on.get(run+"/live", c.appRunLive)
	on.post(run+"/cancel", c.cancelAppRun)
	on.post(run+"/archive", c.archiveAppRun)
	on.post(run+"/restore", c.restoreAppRun)
	on.get(run+"/delete", c.askDeleteRun)
	on.post(run+"/delete", c.deleteAppRun)
	c.embedRoutes(on)
}

func (c *Console) apps(w http.ResponseWriter, r *http.Request) error {
	res, err := query.Apps(r.Context(), c.client, after(r))
	if err != nil {
		return err
	}
	space := spaceName(placeOf(r, res.Shell, "", ""))
	at := page{Title: "Apps", Section: sectionApps, StaysOnSwitch: true}
	return c.page(w, r, res.Shell, at, appsContent(space, res.Apps.Nodes, nextHref(r, res.Apps.PageInfo), c.now()))
}

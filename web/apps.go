package web

import (
	"net/http"

	"atelier/web/query"
)

func (c *Console) apps(w http.ResponseWriter, r *http.Request) error {
	res, err := query.Apps(r.Context(), c.client, after(r))
	if err != nil {
		return err
	}
	space := spaceName(placeOf(r, res.Shell, "", ""))
	at := page{Title: "Apps", Section: sectionApps, StaysOnSwitch: true}
	return c.page(w, r, res.Shell, at, appsContent(space, res.Apps.Nodes, nextHref(r, res.Apps.PageInfo), c.now()))
}

package flow

import (
	"net/http"

	"atelier/web/frame"
	"atelier/web/query"
)

// Apps lists the apps of the selected space.
func (c Pages) Apps(w http.ResponseWriter, r *http.Request) error {
	res, err := query.Apps(r.Context(), c.Client, frame.After(r))
	if err != nil {
		return err
	}
	space := frame.SpaceName(frame.PlaceOf(r, c.Placed(r, res.Shell, "", ""), "", ""))
	at := frame.Page{Title: "Apps", Section: frame.SectionApps, List: "/apps"}
	return c.Page(w, r, res.Shell, at, appsContent(space, res.Apps.Nodes, frame.NextHref(r, res.Apps.PageInfo), c.Now()))
}

package flow

import (
	"net/http"
	"strings"

	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"
)

// ShowApp shows the address of an app to a room, as the projector of a join code does.
func (c Pages) ShowApp(w http.ResponseWriter, r *http.Request) error {
	res, err := query.ManagedApp(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return err
	}
	app := res.ManagedApp
	if app.Admin == nil {
		return frame.ErrNotFound
	}
	link := c.Config.PublicURL + "/app/" + app.Slug
	_, address, _ := strings.Cut(link, "://")
	p := ui.LinkProjectorProps{Name: app.Name, Theme: frame.ThemeOf(r), Address: address, Link: link, BackHref: "/apps/" + app.Id, Off: !app.Admin.IsActive}
	return frame.Write(w, r, http.StatusOK, ui.LinkProjector(p))
}

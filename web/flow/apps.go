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
	v := appsView{At: frame.PlaceOf(r, c.Placed(r, res.Shell, "", ""), "", ""), Next: frame.NextHref(r, res.Apps.PageInfo)}
	pictures := map[string]string{}
	for _, made := range res.Results.Nodes {
		if slug := frame.Value(made.AppSlug); pictures[slug] == "" {
			pictures[slug] = c.ShownMedia(made.Url)
		}
	}
	for _, app := range res.Apps.Nodes {
		card := appCard{AppManaged: app, Picture: c.ShownMedia(&app.IconUrl)}
		if card.Picture == "" {
			card.Picture = pictures[app.Slug]
		}
		v.Cards = append(v.Cards, card)
	}
	at := frame.Page{Title: t(r.Context(), "Apps"), Section: frame.SectionApps, List: "/apps"}
	return c.Page(w, r, res.Shell, at, appsContent(v))
}

// appsView lists the apps of a space.
type appsView struct {
	At    frame.Place
	Cards []appCard
	Next  string
}

// appCard is an app with its picture: its own, else the last that one made with it.
type appCard struct {
	query.AppManaged
	Picture string
}

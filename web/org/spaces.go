package org

import (
	"net/http"
	"strings"

	"atelier/web/frame"
	"atelier/web/query"
)

// spacesView is every workspace that the person may enter, for those who have more than the switcher lists.
type spacesView struct {
	List   frame.Listing
	Rows   []query.SpaceRow
	Search string
}

// Spaces lists every workspace that the person may enter.
func (c Pages) Spaces(w http.ResponseWriter, r *http.Request) error {
	list := frame.ListingOf(r, "/spaces", 30, query.SortByName, query.SortByCreated)
	search := strings.TrimSpace(list.Values.Get("q"))
	res, err := query.Spaces(r.Context(), c.Client, search, list.After(), list.Sort)
	if err != nil {
		return err
	}
	if res.Me.Memberships == nil {
		return frame.ErrNotFound // the install has no organizations
	}
	list.Loaded(res.Workspaces.PageInfo, len(res.Workspaces.Nodes), res.Workspaces.TotalCount)
	v := spacesView{List: list, Rows: res.Workspaces.Nodes, Search: search}
	return c.Page(w, r, res.Shell, frame.Page{Title: t(r.Context(), "Where you work")}, spacesContent(v))
}

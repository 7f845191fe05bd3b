package org

import (
	"net/http"
	"strings"

	"atelier/web/frame"
	"atelier/web/query"
)

// spacesView is every workspace that the person may enter, for those who have more than the switcher lists.
type spacesView struct {
	Rows   []query.SpaceRow
	Search string
	Next   string
	Paged  bool
}

// Spaces lists every workspace that the person may enter.
func (c Pages) Spaces(w http.ResponseWriter, r *http.Request) error {
	search := strings.TrimSpace(r.URL.Query().Get("q"))
	res, err := query.Spaces(r.Context(), c.Client, search, frame.After(r))
	if err != nil {
		return err
	}
	if res.Me.Memberships == nil {
		return frame.ErrNotFound // the install has no organizations
	}
	v := spacesView{Rows: res.Workspaces.Nodes, Search: search, Next: frame.NextHref(r, res.Workspaces.PageInfo), Paged: frame.After(r) != nil}
	return c.Page(w, r, res.Shell, frame.Page{Title: "Choose where to work"}, spacesContent(v))
}

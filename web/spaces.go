package web

import (
	"net/http"
	"strings"

	"atelier/web/query"
)

// spacesView is every workspace that the person may enter, for those who have more than the switcher lists.
type spacesView struct {
	Rows   []query.SpaceRow
	Search string
	Next   string
	Paged  bool
}

func (c *Console) spaces(w http.ResponseWriter, r *http.Request) error {
	search := strings.TrimSpace(r.URL.Query().Get("q"))
	res, err := query.Spaces(r.Context(), c.client, search, after(r))
	if err != nil {
		return err
	}
	if res.Me.Memberships == nil {
		return errNotFound // the install has no organizations
	}
	v := spacesView{Rows: res.Workspaces.Nodes, Search: search, Next: nextHref(r, res.Workspaces.PageInfo), Paged: after(r) != nil}
	return c.page(w, r, res.Shell, page{Title: "Choose where to work"}, spacesContent(v))
}

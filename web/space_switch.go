package web

import (
	"net/http"

	"atelier/web/query"
)

// switchSpace selects a workspace, or the personal space, for this browser and for the next sign-in.
func (c *Console) switchSpace(w http.ResponseWriter, r *http.Request) error {
	workspace, to := textOrNil(r, "select"), landing
	if workspace != nil && *workspace == "personal" {
		workspace = nil
	}
	if _, err := query.SelectWorkspace(r.Context(), c.client, workspace); err != nil {
		return err
	}
	value := ""
	if workspace != nil {
		value, to = *workspace, "/workspaces/"+*workspace
	}
	c.setCookie(w, WorkspaceCookie, value, cookieYear)
	return seeOther(w, pathOr(r.PostForm.Get("return"), to))
}

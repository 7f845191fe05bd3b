package org

import (
	"net/http"

	"atelier/web/frame"
	"atelier/web/query"
)

// SwitchSpace selects a workspace, or the personal space, for this browser and for the next sign-in.
func (c Pages) SwitchSpace(w http.ResponseWriter, r *http.Request) error {
	workspace, to := frame.TextOrNil(r, "select"), frame.Landing
	if workspace != nil && *workspace == "personal" {
		workspace = nil
	}
	if _, err := query.SelectWorkspace(r.Context(), c.Client, workspace); err != nil {
		return err
	}
	value := ""
	if workspace != nil {
		value, to = *workspace, "/workspaces/"+*workspace
	}
	c.SetCookie(w, frame.WorkspaceCookie, value, frame.CookieYear)
	return frame.SeeOther(w, frame.PathOr(r.PostForm.Get("return"), to))
}

package web

import (
	"net/http"

	"atelier/web/query"
)

// shared lists what others shared with the person outside the own workspaces.
func (c *Console) shared(w http.ResponseWriter, r *http.Request) error {
	res, err := query.SharedWithMe(r.Context(), c.client)
	if err != nil {
		return err
	}
	return c.page(w, r, res.Shell, page{Title: "Shared with me", Section: sectionShared}, sharedContent(res.SharedWithMe, c.now()))
}

// sharedWord is what a grant comes to outside the own workspaces.
func sharedWord(row query.SharedWithMeRow) string {
	switch {
	case row.Access == query.WorkflowAccessEdit:
		return "Can edit and run; runs cost your own credits"
	case row.GrantedRole == query.CollaboratorRoleEditor:
		return "Can view: you are outside its workspace"
	}
	return "Can view"
}

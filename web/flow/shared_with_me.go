package flow

import (
	"net/http"

	"atelier/web/frame"
	"atelier/web/query"
)

// Shared lists what others shared with the person outside their own workspaces.
func (c Pages) Shared(w http.ResponseWriter, r *http.Request) error {
	res, err := query.SharedWithMe(r.Context(), c.Client)
	if err != nil {
		return err
	}
	return c.Page(w, r, res.Shell, frame.Page{Title: "Shared with me", Section: frame.SectionShared}, sharedContent(res.SharedWithMe, c.Now()))
}

// sharedWord is what a grant comes to outside their own workspaces.
func sharedWord(row query.SharedWithMeRow) string {
	switch {
	case row.Access == query.WorkflowAccessEdit:
		return "Can edit and run; runs cost your own credits"
	case row.GrantedRole == query.CollaboratorRoleEditor:
		return "May look: you do not belong to where it is kept"
	}
	return "Can view"
}

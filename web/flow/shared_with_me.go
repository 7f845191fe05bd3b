package flow

import (
	"context"
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
	return c.Page(w, r, res.Shell, frame.Page{Title: t(r.Context(), "Shared with me"), Section: frame.SectionShared}, sharedContent(res.SharedWithMe, c.Now()))
}

// sharedWord is what a grant comes to outside their own workspaces.
func sharedWord(ctx context.Context, row query.SharedWithMeRow) string {
	switch {
	case row.Access == query.WorkflowAccessEdit:
		return t(ctx, "Can edit and run; runs cost your own credits")
	case row.GrantedRole == query.CollaboratorRoleEditor:
		return t(ctx, "May look: you do not belong to where it is kept")
	}
	return t(ctx, "Can view")
}

package flow

import (
	"net/http"

	"atelier/web/frame"
	"atelier/web/query"
)

// shareWords are what may be done with a result, and who then sees it.
type shareWords struct {
	Can, Take, Shared bool
	Words             frame.Words // of the workspace
}

// ShareResult shows the result of a run to its workspace.
func (c Pages) ShareResult(w http.ResponseWriter, r *http.Request) error {
	if _, err := query.ShareResult(r.Context(), c.Client, frame.PathID(r)); err != nil {
		return err
	}
	return c.Done(w, resultReturn(r), t(r.Context(), "It is shared. Taking it back is possible at any time."))
}

// UnshareResult takes it back.
func (c Pages) UnshareResult(w http.ResponseWriter, r *http.Request) error {
	if _, err := query.UnshareResult(r.Context(), c.Client, frame.PathID(r)); err != nil {
		return err
	}
	return c.Done(w, resultReturn(r), t(r.Context(), "It is taken back. No one finds it in the gallery any more."))
}

// resultReturn is the page that an action on a result was asked for on.
func resultReturn(r *http.Request) string {
	if path := frame.SafePath(r.PostForm.Get("return")); path != "" {
		return path
	}
	return "/runs/" + frame.PathID(r)
}

package flow

import (
	"net/http"
	"time"

	"atelier/web/frame"
	"atelier/web/query"
)

// shareWords are what may be done with a result, and who then sees it.
type shareWords struct {
	Can, Take, Shared bool
	Who               string // "Its students and teachers"
}

func shareWordsOf(canShare, canUnshare bool, sharedAt *time.Time, words frame.Words) shareWords {
	return shareWords{
		Can: canShare, Take: canUnshare, Shared: sharedAt != nil,
		Who: "The " + frame.Lower(words.Members) + " and " + frame.Lower(words.Admins),
	}
}

// ShareResult shows the result of a run to its workspace.
func (c Pages) ShareResult(w http.ResponseWriter, r *http.Request) error {
	if _, err := query.ShareResult(r.Context(), c.Client, frame.PathID(r)); err != nil {
		return err
	}
	return c.Done(w, resultReturn(r), "It is shared. Taking it back is possible at any time.")
}

// UnshareResult takes it back.
func (c Pages) UnshareResult(w http.ResponseWriter, r *http.Request) error {
	if _, err := query.UnshareResult(r.Context(), c.Client, frame.PathID(r)); err != nil {
		return err
	}
	return c.Done(w, resultReturn(r), "It is taken back. No one finds it in the gallery any more.")
}

// resultReturn is the page that an action on a result was asked for on.
func resultReturn(r *http.Request) string {
	if path := frame.SafePath(r.PostForm.Get("return")); path != "" {
		return path
	}
	return "/runs/" + frame.PathID(r)
}

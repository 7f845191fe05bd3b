// Package library is the pages of what a space keeps to make things with: characters, objects, creatures, locations and
// faces with their consents, voices, and the prompt helper.
package library

import (
	"net/http"

	"atelier/web/frame"
	"atelier/web/query"
)

// Pages are the pages of the library.
type Pages struct{ *frame.Console }

// isAdmin tells whether a person looks after the space that a page stands in.
func isAdmin(at frame.Place) bool {
	return at.Workspace != nil && frame.Value(at.Workspace.Role) == query.WorkspaceRoleAdmin
}

// spaceOf is the place of an object that lives in a workspace, or in the personal space.
func (c Pages) spaceOf(r *http.Request, shell query.Shell, workspace *string) frame.Place {
	id := frame.Value(workspace)
	if id == "" {
		return frame.Place{Words: frame.PlainWords}
	}
	return frame.PlaceOf(r, c.Placed(r, shell, "", id), "", id)
}

// events wake at every change of an execution.
func events(id string) frame.Subscription { return frame.ExecutionEvents(id) }

// over tells whether nothing changes in a run any more.
func over(status query.ExecutionStatus) bool {
	switch status {
	case query.ExecutionStatusCompleted, query.ExecutionStatusFailed:
		return true
	}
	return false
}

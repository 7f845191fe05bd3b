//go:build !race

package flow

import (
	"context"
	"testing"

	"atelier/web/frame"
	"atelier/web/query"
)

// standingOf is what a grant comes to, with its access by name; "" is none.
func standingOf(access string, outside, suspended, canRun bool) *query.SharedStanding {
	s := &query.SharedStanding{Outside: outside, Suspended: suspended, CanRun: canRun}
	if access != "" {
		a := query.WorkflowAccess(access)
		s.Access = &a
	}
	return s
}

func TestStandingWords(t *testing.T) {
	room := "w1"
	in := sharingView{Flow: query.SharedFlow{WorkspaceId: &room}, Words: frame.Words{Workspace: "Class"}}
	personal := sharingView{Words: frame.PlainWords}
	for want, c := range map[string]struct {
		v    sharingView
		role query.CollaboratorRole
		s    *query.SharedStanding
	}{
		"can view: outside the class": {in, query.CollaboratorRoleEditor, standingOf("view", true, false, false)},
		"can view":                    {in, query.CollaboratorRoleViewer, standingOf("view", false, false, false)},
		"can edit and run":            {in, query.CollaboratorRoleEditor, standingOf("edit", false, false, true)},
		"can edit and run: by the settings of the class": {in, query.CollaboratorRoleViewer, standingOf("edit", false, false, true)},
		"can edit and run when the class is open again":  {in, query.CollaboratorRoleEditor, standingOf("edit", false, false, false)},
		"nothing now: suspended in the class":            {in, query.CollaboratorRoleEditor, standingOf("", false, true, false)},
		"nothing now":                                    {in, query.CollaboratorRoleEditor, standingOf("", false, false, false)},
		"can edit and run, with own credits":             {personal, query.CollaboratorRoleEditor, standingOf("edit", false, false, true)},
		"—":                                              {in, query.CollaboratorRoleEditor, nil},
	} {
		if got := c.v.standingWord(context.Background(), query.SharedPerson{Role: c.role, Standing: c.s}); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

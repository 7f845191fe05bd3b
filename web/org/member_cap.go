package org

import (
	"net/http"

	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"
)

// capSentence says what caps are now: of the one person with a name, or of several.
func capSentence(name string, n int, limit *float64) string {
	who := ui.Plural(n, "person has", "people have")
	if name != "" {
		who = name + " has"
	}
	if limit == nil {
		return who + " no cap now."
	}
	return who + " a cap of " + frame.InCredits(*limit) + " now."
}

// chosenCap is the cap of a form; empty, or the button that says so, is none.
func chosenCap(r *http.Request) (*float64, error) {
	if frame.Text(r, "no_cap") != "" || frame.Text(r, "cap") == "" {
		return nil, nil
	}
	limit, err := frame.Amount(r, "cap")
	if err == nil && limit < 0 {
		err = frame.Invalid("cap", "A cap is zero or more.")
	}
	return &limit, err
}

// capsOn reads the one setting that decides whether members can have caps.
func capsOn(rows []query.SettingRow) bool {
	return sameJSON(rowOf(rows, "member_caps_enabled").Value, "true")
}

// capLock says why somebody can have no cap; empty when they can.
func capLock(ws query.WorkspaceHead, caps bool, m query.WorkspacePerson) string {
	switch {
	case m.OrganizationRole != nil && *m.OrganizationRole != query.OrganizationRoleMember:
		return "No cap binds an admin of the organization."
	case !caps:
		return "The settings switch caps off."
	case !ws.ViewerCan.ManageMembers:
		return "Not while it is archived or the organization is not active."
	}
	return ""
}

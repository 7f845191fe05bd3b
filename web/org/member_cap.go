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

// capOutcome is what became of caps that were set; it warns of those that leave nothing for a new run.
func capOutcome(name string, people []query.CapSet, limit *float64) frame.Outcome {
	out := frame.Outcome{Sentence: capSentence(name, len(people), limit)}
	var stopped []string
	for _, p := range people {
		if usedUp(p.CreditCap, p.Spent, p.Reserved) {
			stopped = append(stopped, p.User.DisplayName)
		}
	}
	switch n := len(stopped); {
	case n == 1 && len(people) == 1:
		out.Sentence, out.Tone = out.Sentence+" That much is spent already: no new runs start until it is raised.", ui.Warn
	case n == 1:
		out.Sentence, out.Tone = out.Sentence+" "+stopped[0]+" has spent as much already: no new runs start until it is raised.", ui.Warn
	case n > 1:
		out.Sentence, out.Tone = out.Sentence+" "+ui.Count(n)+" of them have spent as much already: no new runs of theirs start until it is raised.", ui.Warn
	}
	return out
}

// usedUp tells whether a cap leaves nothing for a new run.
func usedUp(limit, spent, reserved *float64) bool {
	return limit != nil && frame.Value(spent)+frame.Value(reserved) >= *limit
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

// capLock says why a person can have no cap; empty when they can.
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

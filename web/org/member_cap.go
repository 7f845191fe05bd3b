package org

import (
	"context"
	"net/http"

	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"
)

// capSentence says what caps are now: of the one person with a name, or of several.
func capSentence(ctx context.Context, name string, n int, limit *float64) string {
	switch {
	case name != "" && limit == nil:
		return t(ctx, "%s has no cap now.", name)
	case name != "":
		return t(ctx, "%s has a cap of %s now.", name, inCredits(ctx, *limit))
	case limit == nil:
		return tn(ctx, "%d person has no cap now.", "%d people have no cap now.", n)
	}
	return tn(ctx, "%[1]d person has a cap of %[2]s now.", "%[1]d people have a cap of %[2]s now.", n, inCredits(ctx, *limit))
}

// capOutcome is what became of caps that were set; it warns of those that leave nothing for a new run.
func capOutcome(ctx context.Context, name string, people []query.CapSet, limit *float64) frame.Outcome {
	out := frame.Outcome{Sentence: capSentence(ctx, name, len(people), limit)}
	var stopped []string
	for _, p := range people {
		if usedUp(p.CreditCap, p.Spent, p.Reserved) {
			stopped = append(stopped, p.User.DisplayName)
		}
	}
	switch n := len(stopped); {
	case n == 1 && len(people) == 1:
		out.Sentence, out.Tone = out.Sentence+" "+t(ctx, "That much is spent already: no new runs start until it is raised."), ui.Warn
	case n == 1:
		out.Sentence, out.Tone = out.Sentence+" "+t(ctx, "%s has spent as much already: no new runs start until it is raised.", stopped[0]), ui.Warn
	case n > 1:
		out.Sentence, out.Tone = out.Sentence+" "+t(ctx, "%d of them have spent as much already: no new runs of theirs start until it is raised.", n), ui.Warn
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
		err = frame.Invalid("cap", t(r.Context(), "A cap is zero or more."))
	}
	return &limit, err
}

// capsOn reads the one setting that decides whether members can have caps.
func capsOn(rows []query.SettingRow) bool {
	return sameJSON(rowOf(rows, "member_caps_enabled").Value, "true")
}

// capLock says why a person can have no cap; empty when they can.
func capLock(ctx context.Context, ws query.WorkspaceHead, caps bool, m query.WorkspacePerson) string {
	switch {
	case m.OrganizationRole != nil && *m.OrganizationRole != query.OrganizationRoleMember:
		return t(ctx, "No cap binds an admin of the organization.")
	case !caps:
		return t(ctx, "The settings switch caps off.")
	case !ws.ViewerCan.ManageMembers:
		return t(ctx, "Not while it is archived or the organization is not active.")
	}
	return ""
}

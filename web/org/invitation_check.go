package org

import (
	"context"
	"strings"

	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"
)

// checkedRow is one entry of a list and what inviting it would do.
type checkedRow struct {
	invitee
	Verdict query.InvitationVerdict
}

// sends tells whether an invitation leaves for the entry.
func (r checkedRow) sends() bool {
	switch r.Verdict {
	case query.InvitationVerdictInvite, query.InvitationVerdictNewLink, query.InvitationVerdictJoins:
		return true
	}
	return false
}

// problem tells whether the entry cannot be invited, though a person meant it to be.
func (r checkedRow) problem() bool {
	return !r.sends() && r.Verdict != query.InvitationVerdictMember && r.Verdict != query.InvitationVerdictDuplicate
}

// checked are the entries of the list, those without problems in their order.
func (v inviteView) checked() []checkedRow {
	out := make([]checkedRow, 0, len(v.Rows))
	for i, row := range v.Rows {
		person := invitee{Email: row.Email}
		if i < len(v.Read.People) {
			person.Name = v.Read.People[i].Name
			if row.Verdict == query.InvitationVerdictInvalidEmail {
				person.Email = v.Read.People[i].Email // as it was written
			}
		}
		out = append(out, checkedRow{person, row.Verdict})
	}
	return out
}

// leaving are the entries that an invitation leaves for; others are those for which none does, problems first.
func (v inviteView) leaving() (leaving, others []checkedRow) {
	var rest []checkedRow
	for _, row := range v.checked() {
		switch {
		case row.sends():
			leaving = append(leaving, row)
		case row.problem():
			others = append(others, row)
		default:
			rest = append(rest, row)
		}
	}
	return leaving, append(others, rest...)
}

// counts say what happens with how many: "27 new", "1 member", "1 duplicate", "1 left out".
func (v inviteView) counts() (out []string) {
	var fresh, again, joining, members, twice, problems int
	for _, row := range v.checked() {
		switch {
		case row.Verdict == query.InvitationVerdictInvite:
			fresh++
		case row.Verdict == query.InvitationVerdictNewLink:
			again++
		case row.Verdict == query.InvitationVerdictJoins:
			joining++
		case row.Verdict == query.InvitationVerdictMember:
			members++
		case row.problem():
			problems++
		default:
			twice++
		}
	}
	add := func(n int, text string) {
		if n > 0 {
			out = append(out, text)
		}
	}
	out = append(out, ui.Count(fresh)+" new")
	add(again, ui.Count(again)+" invited again")
	add(joining, ui.Plural(joining, "member", "members")+" for the "+frame.Lower(v.Org.Vocabulary.Workspace))
	add(members, ui.Plural(members, "member", "members"))
	add(twice, ui.Plural(twice, "duplicate", "duplicates"))
	add(problems, ui.Count(problems)+" left out")
	return out
}

// place is where the list is invited to: the name of the workspace, or of the organization.
func (v inviteView) place() string {
	for _, w := range v.Targets {
		if w.Id == v.Form.Value("workspace", "") {
			return w.Name
		}
	}
	return v.Org.Name
}

// inWorkspace tells whether a workspace was chosen.
func (v inviteView) inWorkspace() bool { return v.Form.Value("workspace", "") != "" }

// role is what the people of the list become.
func (v inviteView) role(ctx context.Context) string {
	switch v.Form.Value("as", asMember) {
	case asOrgAdmin:
		return "Admin of " + v.Org.Name
	case asAdmin:
		if v.inWorkspace() {
			return v.Org.Vocabulary.Admin
		}
	}
	if v.inWorkspace() {
		return v.Org.Vocabulary.Member
	}
	return "Member, in no " + frame.Lower(v.Org.Vocabulary.Workspace) + " yet"
}

// verdictText says what happens with an entry, before it happens.
func verdictText(v inviteView, verdict query.InvitationVerdict) string {
	switch verdict {
	case query.InvitationVerdictInvite:
		return "Will be invited"
	case query.InvitationVerdictNewLink:
		return "Is invited already: gets a new link, and the old one stops working"
	case query.InvitationVerdictJoins:
		return "Is in " + v.Org.Name + " already: will be asked into " + v.place()
	case query.InvitationVerdictMember:
		return "Is in " + v.place() + " already: nothing to do"
	case query.InvitationVerdictDuplicate:
		return "Is in the list twice: invited once"
	case query.InvitationVerdictAlreadyInvited:
		return "Left out: was invited by an admin of " + v.Org.Name + ", who can send that again"
	case query.InvitationVerdictDomainNotAllowed:
		return "Left out: addresses of this domain may not join " + v.Org.Name
	}
	return "Skipped: not an email address"
}

func verdictTone(row checkedRow) ui.Tone {
	switch {
	case row.problem():
		return ui.Bad
	case row.Verdict == query.InvitationVerdictInvite:
		return ui.OK
	case row.sends():
		return ui.Info
	}
	return ui.Plain
}

// listText is a list as it is typed, one entry a line.
func listText(people []invitee) string {
	lines := make([]string, len(people))
	for i, person := range people {
		lines[i] = person.line()
	}
	return strings.Join(lines, "\n")
}

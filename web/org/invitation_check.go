package org

import (
	"context"
	"strings"

	"atelier/web/locale"
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
func (v inviteView) counts(ctx context.Context) (out []string) {
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
	out = append(out, t(ctx, "%d new", fresh))
	add(again, t(ctx, "%d invited again", again))
	add(joining, tn(ctx, "%d member for the {workspace}", "%d members for the {workspace}", joining))
	add(members, tn(ctx, "%d member", "%d members", members))
	add(twice, tn(ctx, "%d duplicate", "%d duplicates", twice))
	add(problems, t(ctx, "%d left out", problems))
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
		return t(ctx, "Admin of %s", v.Org.Name)
	case asAdmin:
		if v.inWorkspace() {
			return locale.Term(ctx, v.Org.Vocabulary.Admin)
		}
	}
	if v.inWorkspace() {
		return locale.Term(ctx, v.Org.Vocabulary.Member)
	}
	return t(ctx, "Member, in no {workspace} yet")
}

// verdictText says what happens with an entry, before it happens.
func verdictText(ctx context.Context, v inviteView, verdict query.InvitationVerdict) string {
	switch verdict {
	case query.InvitationVerdictInvite:
		return t(ctx, "Will be invited")
	case query.InvitationVerdictNewLink:
		return t(ctx, "Is invited already: gets a new link, and the old one stops working")
	case query.InvitationVerdictJoins:
		return t(ctx, "Is in %s already: will be asked into %s", v.Org.Name, v.place())
	case query.InvitationVerdictMember:
		return t(ctx, "Is in %s already: nothing to do", v.place())
	case query.InvitationVerdictDuplicate:
		return t(ctx, "Is in the list twice: invited once")
	case query.InvitationVerdictAlreadyInvited:
		return t(ctx, "Left out: was invited by an admin of %s, who can send that again", v.Org.Name)
	case query.InvitationVerdictDomainNotAllowed:
		return t(ctx, "Left out: addresses of this domain may not join %s", v.Org.Name)
	}
	return t(ctx, "Skipped: not an email address")
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

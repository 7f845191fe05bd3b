package web

import (
	"strings"

	"atelier/web/query"
	"atelier/web/ui"
)

// words are the organization's own for workspace, member and admin; every sentence uses them.
type words = query.Words

// plainWords serve the personal space.
var plainWords = words{
	Workspace: "Workspace", Workspaces: "Workspaces", Member: "Member", Members: "Members", Admin: "Admin", Admins: "Admins",
}

// lower is a word inside a sentence.
func lower(word string) string { return strings.ToLower(word) }

// count is a number with the right one of two words: "1 class", "14 classes".
func count(n int, one, many string) string { return ui.Plural(n, lower(one), lower(many)) }

func orgRole(role *query.OrganizationRole) string {
	if role == nil {
		return ""
	}
	switch *role {
	case query.OrganizationRoleOwner:
		return "Owner"
	case query.OrganizationRoleAdmin:
		return "Admin"
	}
	return "Member"
}

// workspaceRole is a role in the organization's words: "Teacher", "Student".
func workspaceRole(w words, role *query.WorkspaceRole) string {
	switch {
	case role == nil:
		return ""
	case *role == query.WorkspaceRoleAdmin:
		return w.Admin
	}
	return w.Member
}

func suspended(status *query.MemberStatus) bool {
	return status != nil && *status == query.MemberStatusSuspended
}

// orgState is the tag of an organization: its own state, or the caller's suspension in it; empty when all is usual.
func orgState(status query.OrganizationStatus, own *query.MemberStatus) (string, ui.Tone) {
	switch {
	case status == query.OrganizationStatusSuspended:
		return "Suspended", ui.Bad
	case suspended(own):
		return "You are suspended", ui.Bad
	case status == query.OrganizationStatusPending:
		return "Waiting for approval", ui.Warn
	}
	return "", ui.Plain
}

func kindName(k query.OrganizationKind) string {
	if k == query.OrganizationKindSchool {
		return "School"
	}
	return "Team"
}

func you(id, self string) string {
	if id == self {
		return "you"
	}
	return ""
}

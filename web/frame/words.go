package frame

import (
	"context"
	"strings"

	"atelier/web/locale"
	"atelier/web/query"
	"atelier/web/ui"
)

// Words are the organization's own for workspace, member and admin; every sentence uses them.
type Words = query.Words

// PlainWords serve the personal space.
var PlainWords = Words{
	Workspace: "Workspace", Workspaces: "Workspaces", Member: "Member", Members: "Members", Admin: "Admin", Admins: "Admins",
}

// Lower is a word inside a sentence.
func Lower(word string) string { return strings.ToLower(word) }

// A is a word inside a sentence with its article: "a class", "an admin".
func A(word string) string {
	word = Lower(word)
	if word != "" && strings.ContainsRune("aeiou", rune(word[0])) && !strings.HasPrefix(word, "uni") && !strings.HasPrefix(word, "use") {
		return "an " + word
	}
	return "a " + word
}

// OrgRole is a role in an organization in a word.
func OrgRole(ctx context.Context, role *query.OrganizationRole) string {
	if role == nil {
		return ""
	}
	switch *role {
	case query.OrganizationRoleOwner:
		return t(ctx, "Owner")
	case query.OrganizationRoleAdmin:
		return t(ctx, "Admin")
	}
	return t(ctx, "Member")
}

// WorkspaceRole is a role in the organization's words: "Teacher", "Student".
func WorkspaceRole(ctx context.Context, w Words, role *query.WorkspaceRole) string {
	switch {
	case role == nil:
		return ""
	case *role == query.WorkspaceRoleAdmin:
		return locale.Term(ctx, w.Admin)
	}
	return locale.Term(ctx, w.Member)
}

// MemberWord is what a person is in an organization: its owner, one of its admins, else by the highest role in its
// workspaces, in its own words.
func MemberWord(ctx context.Context, w Words, role query.OrganizationRole, inWorkspaces *query.WorkspaceRole) string {
	if role != query.OrganizationRoleMember {
		return OrgRole(ctx, &role)
	}
	if inWorkspaces == nil {
		return locale.Term(ctx, w.Member)
	}
	return WorkspaceRole(ctx, w, inWorkspaces)
}

// Suspended tells whether a membership is suspended.
func Suspended(status *query.MemberStatus) bool {
	return status != nil && *status == query.MemberStatusSuspended
}

// OrgState is the tag of an organization: its own state, or the caller's suspension in it; empty when all is usual.
func OrgState(ctx context.Context, status query.OrganizationStatus, own *query.MemberStatus) ui.Status {
	switch {
	case status == query.OrganizationStatusSuspended:
		return ui.Status{Text: tc(ctx, "organization", "Suspended"), Tone: ui.Bad}
	case Suspended(own):
		return ui.Status{Text: t(ctx, "You are suspended"), Tone: ui.Bad}
	case status == query.OrganizationStatusPending:
		return ui.Status{Text: t(ctx, "Waiting for approval"), Tone: ui.Warn}
	}
	return ui.Status{}
}

// KindName is a kind of organization in a word.
func KindName(ctx context.Context, k query.OrganizationKind) string {
	if k == query.OrganizationKindSchool {
		return t(ctx, "School")
	}
	return t(ctx, "Team")
}

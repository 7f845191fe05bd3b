package org

import (
	"encoding/json"
	"slices"
	"strings"

	"atelier/jsontext"
	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"
)

// phrase is what an action did: words before the name of its target, and before the name of the workspace.
type phrase struct {
	Before string
	Where  string // "" leaves the workspace out
}

// auditPhrases are the actions that have words. The list of actions is open: one that is missing is shown raw.
var auditPhrases = map[string]phrase{
	"organization.created":          {"created", ""},
	"organization.updated":          {"changed the settings of", ""},
	"organization.approved":         {"approved", ""},
	"organization.suspended":        {"suspended", ""},
	"organization.reinstated":       {"reinstated", ""},
	"organization.deleted":          {"deleted", ""},
	"ownership.transferred":         {"handed over the ownership of", ""},
	"credits.granted":               {"gave credits to", ""},
	"budget.allocated":              {"moved credits between the pool and", ""},
	"budget.requested":              {"asked for credits for", ""},
	"member.role_changed":           {"changed the role of", ""},
	"member.suspended":              {"suspended", ""},
	"member.reinstated":             {"lifted the suspension of", ""},
	"member.removed":                {"removed", ""},
	"member.cap_changed":            {"changed the cap of", "in"},
	"workspace.created":             {"created", ""},
	"workspace.updated":             {"changed the settings of", ""},
	"workspace.archived":            {"archived", ""},
	"workspace.unarchived":          {"brought back", ""},
	"workspace_member.added":        {"added", "to"},
	"workspace_member.removed":      {"removed", "from"},
	"workspace_member.role_changed": {"changed the role of", "in"},
	"workspace_member.suspended":    {"suspended", "in"},
	"workspace_member.reinstated":   {"lifted the suspension of", "in"},
	"join_code.rotated":             {"made a new join code for", ""},
	"join_code.enabled":             {"switched on the join code of", ""},
	"join_code.disabled":            {"switched off the join code of", ""},
	"invitation.sent":               {"sent", "to"},
	"invitation.resent":             {"sent again", "to"},
	"invitation.revoked":            {"took back", "to"},
	"invitation.accepted":           {"accepted", "to"},
	"workflow.created":              {"created", "in"},
	"workflow.updated":              {"changed", "in"},
	"workflow.moved":                {"moved", "in"},
	"workflow.deleted":              {"deleted", "in"},
	"collaborator.added":            {"shared", "in"},
	"collaborator.role_changed":     {"changed somebody's role in", "in"},
	"collaborator.removed":          {"ended somebody's share in", "in"},
	"project.created":               {"created", "in"},
	"project.renamed":               {"renamed", "in"},
	"project.deleted":               {"deleted", "in"},
	"audit.exported":                {"saved the audit log of", ""},
	"members.exported":              {"saved the list of people of", ""},
	"ledger.exported":               {"saved the ledger of", ""},
	"usage.exported":                {"saved a usage report of", ""},
	"app.published":                 {"published", "in"},
	"run.deleted":                   {"deleted for good", "in"},
	"app.updated":                   {"changed", "in"},
	"app.deleted":                   {"deleted", "in"},
}

// actionsSaying are the actions whose sentences hold the words.
func actionsSaying(words string) (actions []string) {
	words = strings.ToLower(strings.TrimSpace(words))
	for action, phrase := range auditPhrases {
		if words != "" && strings.Contains(phrase.Before, words) {
			actions = append(actions, action)
		}
	}
	slices.Sort(actions)
	return actions
}

// auditNames is what the sentences of one log are made with.
type auditNames struct {
	Org query.OrganizationHead
}

// workspace is the name of a line's workspace, or what it is.
func (n auditNames) workspace(l query.AuditLine) string {
	if l.WorkspaceName != nil && *l.WorkspaceName != "" {
		return *l.WorkspaceName
	}
	return "a " + frame.Lower(n.Org.Vocabulary.Workspace)
}

// entry is a line of the log as a sentence.
func (n auditNames) entry(l query.AuditLine) ui.LogEntry {
	e := ui.LogEntry{Actor: "System", At: l.CreatedAt}
	if l.Actor != nil {
		e.Actor = l.Actor.DisplayName
	}
	if l.Action == "member.joined" || l.Action == "member.left" {
		_, e.Text, _ = strings.Cut(l.Action, ".")
		e.Object, e.Href = n.Org.Name, "/orgs/"+n.Org.Id
		if l.WorkspaceId != nil {
			e.Object, e.Href = n.workspace(l), "/workspaces/"+*l.WorkspaceId
		}
		return e
	}
	e.Object, e.Href = n.target(l), n.href(l)
	p, known := auditPhrases[l.Action]
	if e.Text = p.Before; !known {
		e.Text = l.Action + ":"
	}
	if p.Where != "" && l.WorkspaceId != nil {
		e.Tail = p.Where + " " + n.workspace(l)
	}
	return e
}

func (n auditNames) entries(lines []query.AuditLine) []ui.LogEntry {
	out := make([]ui.LogEntry, 0, len(lines))
	for _, l := range lines {
		out = append(out, n.entry(l))
	}
	return out
}

// target is the name of what was changed, else what kind of thing it was.
func (n auditNames) target(l query.AuditLine) string {
	if l.TargetName != nil && *l.TargetName != "" {
		return *l.TargetName
	}
	switch l.TargetType {
	case "workspace", "join_code":
		return "a " + frame.Lower(n.Org.Vocabulary.Workspace) + " that is gone"
	case "organization":
		return n.Org.Name
	case "user":
		return "a person who is gone"
	case "invitation", "app":
		return "an " + l.TargetType
	}
	return "a " + strings.ReplaceAll(l.TargetType, "_", " ")
}

// href leads to what was changed, where it has a page.
func (n auditNames) href(l query.AuditLine) string {
	switch {
	case l.TargetId == nil:
		return ""
	case l.TargetType == "workflow" && l.Action != "workflow.deleted":
		return "/workflows/" + *l.TargetId
	case l.TargetName == nil:
		return ""
	case l.TargetType == "workspace":
		return "/workspaces/" + *l.TargetId
	case l.TargetType == "join_code":
		return "/workspaces/" + *l.TargetId + "/join-code"
	case l.TargetType == "organization":
		return "/orgs/" + n.Org.Id
	case l.TargetType == "user" && l.Action != "member.removed":
		return "/orgs/" + n.Org.Id + "/members/" + *l.TargetId
	}
	return ""
}

// change is one field of an entry's details.
type change struct{ Field, From, To string }

// changes reads { field: { from, to } }; details of another form have none, and are shown raw.
func changes(details json.RawMessage) []change {
	var fields map[string]struct{ From, To any }
	if jsontext.Read(details, &fields) != nil {
		return nil
	}
	out := make([]change, 0, len(fields))
	for name, f := range fields {
		out = append(out, change{strings.ReplaceAll(name, "_", " "), plainValue(f.From), plainValue(f.To)})
	}
	slices.SortFunc(out, func(a, b change) int { return strings.Compare(a.Field, b.Field) })
	return out
}

// plainValue writes a JSON value for people.
func plainValue(v any) string {
	switch v := v.(type) {
	case nil:
		return "nothing"
	case string:
		return ui.Short(v, frame.MostOfValue)
	case bool:
		return frame.OnOff(v)
	}
	return ui.Short(frame.ShownJSON(v), frame.MostOfValue)
}

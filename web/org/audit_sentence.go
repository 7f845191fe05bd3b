package org

import (
	"slices"
	"strings"
	"time"

	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"
)

// said is what a line tells: words before the name of its target, the first of its action when they are empty, and words
// behind it. A tail that begins with a mark stands close to the name.
type said struct{ Before, Tail string }

// sentence is how an action is told. Words are all that its sentences can say, for the search; Tell makes the sentence
// of one line.
type sentence struct {
	Words []string
	Tell  func(n auditNames, l auditLine) said
}

// plain is an action whose sentence is always the same; where is the word before the workspace, "" leaves that out.
func plain(words, where string) sentence {
	return sentence{[]string{words}, func(n auditNames, l auditLine) said { return said{words, n.where(where, l)} }}
}

// auditSentences are the actions that have words. The list of actions is open: one that is missing is told by its
// name.
var auditSentences = map[string]sentence{
	"organization.created":    plain("created", ""),
	"organization.updated":    {[]string{"changed the settings of"}, tellSettings},
	"organization.approved":   plain("approved", ""),
	"organization.suspended":  {[]string{"suspended"}, tellReason},
	"organization.rejected":   {[]string{"rejected"}, tellReason},
	"organization.reinstated": plain("lifted the suspension of", ""),
	"organization.deleted":    plain("deleted", ""),
	"ownership.transferred":   {[]string{"handed over the ownership of"}, tellOwner},

	"credits.granted":       {[]string{"gave credits to the pool of", "pool now"}, tellGrant},
	"credits.purchased":     {[]string{"put credits into the pool for the purchase of", "pool now"}, tellPurchased},
	"credits.refunded":      {[]string{"took credits back for a refund of", "the pool held", "pool now"}, tellTaken("a refund of")},
	"credits.disputed":      {[]string{"took credits back for a dispute about", "the pool held", "pool now"}, tellTaken("a dispute about")},
	"credits.reinstated":    {[]string{"gave credits again for", "pool now"}, tellReinstated},
	"purchase.started":      {[]string{"began to buy"}, tellStarted},
	"purchase.canceled":     plain("gave up the purchase of", ""),
	"budget.allocated":      {[]string{"gave credits to", "took credits back from", "pool now"}, tellAllocation},
	"budget.requested":      {[]string{"asked for credits for"}, tellRequest},
	"budget.request_closed": plain("closed the request for credits of", "in"),
	"member.cap_changed":    {[]string{"set the cap of", "took the cap off"}, tellCap},

	"workspace.default_cap_changed": {[]string{"set the default cap of", "took away the default cap of"}, tellDefaultCap},

	"member.joined":       plain("joined", ""),
	"member.left":         plain("left", ""),
	"member.role_changed": {[]string{"made an admin of", "took the role of admin from"}, tellRole},
	"member.suspended":    plain("suspended", ""),
	"member.reinstated":   plain("lifted the suspension of", ""),
	"member.removed":      plain("removed", ""),

	"workspace.created":             plain("created", ""),
	"workspace.updated":             {[]string{"changed the settings of"}, tellSettings},
	"workspace.archived":            plain("archived", ""),
	"workspace.unarchived":          plain("brought back", ""),
	"workspace_member.added":        {[]string{"added"}, tellAdded},
	"workspace_member.removed":      plain("removed", "from"),
	"workspace_member.role_changed": {[]string{"changed the role of"}, tellWorkspaceRole},
	"workspace_member.suspended":    plain("suspended", "in"),
	"workspace_member.reinstated":   plain("lifted the suspension of", "in"),

	"join_code.rotated":  {[]string{"made a new join code for"}, tellCode},
	"join_code.enabled":  {[]string{"switched on the join code of", "until"}, tellCode},
	"join_code.disabled": {[]string{"switched off the join code of"}, tellCode},

	"invitation.sent":     {[]string{"invited"}, tellInvitation},
	"invitation.resent":   {[]string{"sent the invitation again to"}, tellInvitation},
	"invitation.revoked":  {[]string{"withdrew the invitation of"}, tellInvitation},
	"invitation.accepted": {[]string{"accepted the invitation for"}, tellInvitation},

	"workflow.created":              plain("created the workflow", "in"),
	"workflow.updated":              {[]string{"changed the workflow"}, tellFields},
	"workflow.moved":                plain("moved the workflow", "in"),
	"workflow.deleted":              plain("deleted the workflow", "in"),
	"trigger.created":               plain("made a trigger of the workflow", "in"),
	"trigger.updated":               plain("changed a trigger of the workflow", "in"),
	"trigger.deleted":               plain("deleted a trigger of the workflow", "in"),
	"collaborator.added":            {[]string{"shared", "who may look at it", "who may change it"}, tellShare},
	"collaborator.role_changed":     {[]string{"changed what others may do with"}, tellShare},
	"collaborator.removed":          {[]string{"no longer shares"}, tellShare},
	"consent.given":                 plain("agreed to the use of", "in"),
	"consent.withdrawn":             plain("withdrew the consent to", "in"),
	"character.trained":             plain("trained", "in"),
	"object.trained":                plain("trained", "in"),
	"creature.trained":              plain("trained", "in"),
	"project.created":               plain("created the project", "in"),
	"project.renamed":               {[]string{"renamed the project"}, tellFields},
	"project.deleted":               plain("deleted the project", "in"),
	"voice.cloned":                  plain("cloned", "in"),
	"post.created":                  plain("posted", "in"),
	"post.updated":                  plain("changed", "in"),
	"post.deleted":                  plain("deleted", "in"),
	"post.approved":                 plain("approved", "in"),
	"post.rejected":                 plain("rejected", "in"),
	"post.hidden":                   plain("hid", "in"),
	"preset.created":                plain("kept", "in"),
	"preset.updated":                plain("changed", "in"),
	"preset.deleted":                plain("deleted", "in"),
	"preset.visibility_changed":     plain("changed who sees", "in"),
	"production.created":            plain("created the production", "in"),
	"production.updated":            plain("changed the production", "in"),
	"production.deleted":            plain("deleted the production", "in"),
	"production.visibility_changed": plain("changed who sees the production", "in"),
	"production.exported":           plain("exported the production", "in"),
	"shot.shared":                   plain("shared", "in"),
	"shot.unshared":                 plain("no longer shares", "in"),
	"pipeline.created":              plain("created the pipeline", "in"),
	"pipeline.updated":              plain("changed the pipeline", "in"),
	"pipeline.deleted":              plain("deleted the pipeline", "in"),
	"pipeline.visibility_changed":   plain("changed who sees the pipeline", "in"),
	"app.published":                 {[]string{"published the app"}, tellPublished},
	"app.updated":                   {[]string{"changed the app"}, tellFields},
	"app.markup_changed":            {[]string{"changed the markup of the app"}, tellFields},
	"app.deleted":                   plain("deleted the app", "in"),
	"run.deleted":                   plain("deleted for good", "in"),
	"result.shared":                 plain("shared something they made", "with"),
	"result.unshared":               plain("took something shared back", "from"),

	"organization.exported": plain("saved all that is kept of", ""),

	"audit.exported":   {[]string{"saved the audit log of"}, tellExport},
	"members.exported": {[]string{"saved the list of people of"}, tellExport},
	"ledger.exported":  {[]string{"saved the ledger of"}, tellExport},
	"usage.exported":   {[]string{"saved a usage report of"}, tellExport},
}

// shelves are where the things of the library stand, by what the log calls them. It never has their names, which may be
// those of people.
var shelves = map[string]string{
	"character": "/library/characters/", "object": "/library/objects/", "creature": "/library/creatures/", "location": "/library/locations/",
	"face": "/library/faces/", "voice": "/voices/",
}

// pagesOf are where other things stand that the log never names.
var pagesOf = map[string]string{"post": "/community/", "preset": "/presets/"}

func init() {
	for thing := range shelves {
		for action, verb := range map[string]string{
			"created": "made", "updated": "changed", "deleted": "deleted", "visibility_changed": "changed who sees", "exported": "saved all that is kept of",
		} {
			auditSentences[thing+"."+action] = plain(verb, "in")
		}
	}
}

// actionsSaying are the actions whose sentences hold the words; a number says nothing about which one it is.
func actionsSaying(words string) (actions []string) {
	words = strings.ToLower(strings.Join(strings.FieldsFunc(words, func(r rune) bool {
		return r == ' ' || r >= '0' && r <= '9' || r == '.' || r == ','
	}), " "))
	for action, sentence := range auditSentences {
		for _, text := range sentence.Words {
			if words != "" && strings.Contains(text, words) {
				actions = append(actions, action)
				break
			}
		}
	}
	slices.Sort(actions)
	return actions
}

// auditNames is what the sentences of one log are made with.
type auditNames struct {
	Org query.OrganizationHead
	// Zone is that of the reader; nil for UTC.
	Zone *time.Location
}

// auditLine is a line with its details read.
type auditLine struct {
	query.AuditLine
	details
}

// in is the same names for readers in a zone.
func (n auditNames) in(zone *time.Location) auditNames { return auditNames{n.Org, zone} }

// workspace is the name of a line's workspace, or what it is.
func (n auditNames) workspace(l query.AuditLine) string {
	return frame.Or(frame.Value(l.WorkspaceName), frame.A(n.Org.Vocabulary.Workspace))
}

// where is the workspace of a line behind a word, "" where the line or the word has none.
func (n auditNames) where(word string, l auditLine) string {
	if word == "" || l.WorkspaceId == nil {
		return ""
	}
	return word + " " + n.workspace(l.AuditLine)
}

// entry is a line of the log as a sentence.
func (n auditNames) entry(line query.AuditLine) ui.LogEntry {
	l := auditLine{line, detailsOf(line.Details)}
	e := ui.LogEntry{Actor: "System", At: l.CreatedAt}
	if l.Actor != nil {
		e.Actor = l.Actor.DisplayName
	}
	if l.Action == "member.joined" || l.Action == "member.left" {
		_, e.Text, _ = strings.Cut(l.Action, ".")
		e.Object, e.Href = n.Org.Name, "/orgs/"+n.Org.Id
		if l.WorkspaceId != nil {
			e.Object, e.Href = n.workspace(line), "/workspaces/"+*l.WorkspaceId
		}
		return e
	}
	e.Object, e.Href = n.target(l), n.href(line)
	sentence, known := auditSentences[l.Action]
	if !known {
		e.Text = strings.NewReplacer(".", ", ", "_", " ").Replace(l.Action) + ":"
		return e
	}
	told := sentence.Tell(n, l)
	e.Text, e.Tail = frame.Or(told.Before, sentence.Words[0]), told.Tail
	return e
}

func (n auditNames) entries(lines []query.AuditLine) []ui.LogEntry {
	out := make([]ui.LogEntry, 0, len(lines))
	for _, l := range lines {
		out = append(out, n.entry(l))
	}
	return out
}

// target is the name of what was changed, else the one that it had, else what kind of thing it was.
func (n auditNames) target(l auditLine) string {
	if name := frame.Value(l.TargetName); name != "" {
		return name
	}
	if l.TargetType == "invitation" && l.either("email") != "" {
		return l.either("email") // as far as the log keeps it
	}
	if name := l.either("name"); name != "" && l.TargetType != "user" {
		return name
	}
	switch l.TargetType {
	case "workspace", "join_code":
		return frame.A(n.Org.Vocabulary.Workspace) + " that is gone"
	case "organization":
		return n.Org.Name
	case "user":
		return "a person who is gone"
	case "invitation":
		return "somebody"
	case "workflow", "project", "app", "production", "pipeline":
		return "that is gone"
	}
	return frame.A(strings.ReplaceAll(l.TargetType, "_", " "))
}

// href leads to what was changed, where it has a page.
func (n auditNames) href(l query.AuditLine) string {
	switch {
	case l.TargetId == nil:
		return ""
	case l.TargetType == "workflow" && l.Action != "workflow.deleted":
		return "/workflows/" + *l.TargetId
	case l.TargetType == "purchase":
		return "/orgs/" + n.Org.Id + "/purchases/" + *l.TargetId
	case (l.TargetType == "production" || l.TargetType == "pipeline") && !strings.HasSuffix(l.Action, ".deleted"):
		return map[string]string{"production": "/studio/", "pipeline": "/studio/pipelines/"}[l.TargetType] + *l.TargetId
	case shelves[l.TargetType] != "" && !strings.HasSuffix(l.Action, ".deleted") && l.Action != "consent.withdrawn":
		return shelves[l.TargetType] + *l.TargetId
	case pagesOf[l.TargetType] != "" && !strings.HasSuffix(l.Action, ".deleted"):
		return pagesOf[l.TargetType] + *l.TargetId
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

func tellReason(_ auditNames, l auditLine) said {
	return said{"", behind(": ", l.to("reason"))}
}

func tellOwner(_ auditNames, l auditLine) said {
	return said{"", behind("to ", frame.Value(l.PersonName))}
}

func tellGrant(_ auditNames, l auditLine) said {
	from, to, known := l.amounts("pool")
	if !known {
		return said{}
	}
	return said{"gave " + frame.InCredits(to-from) + " to the pool of", ", pool now " + frame.Credits(to) + behind(": ", l.to("reason"))}
}

// tellPurchased says what a purchase put into the pool.
func tellPurchased(_ auditNames, l auditLine) said {
	_, amount, known := l.amounts("amount")
	if !known {
		return said{}
	}
	return said{"put " + frame.InCredits(amount) + " into the pool for the purchase of", l.poolNow()}
}

// tellTaken says what was taken back and why, and what the pool did not hold of it.
func tellTaken(why string) func(auditNames, auditLine) said {
	return func(_ auditNames, l auditLine) said {
		_, requested, known := l.amounts("requested")
		_, applied, _ := l.amounts("applied")
		if !known {
			return said{"took credits back for " + why, ""}
		}
		tail := l.poolNow()
		if applied < requested {
			tail = ", of " + frame.InCredits(requested) + " asked for the pool held no more" + tail
		}
		return said{"took " + frame.InCredits(applied) + " back for " + why, tail}
	}
}

// tellReinstated says what went back into the pool.
func tellReinstated(_ auditNames, l auditLine) said {
	_, amount, known := l.amounts("amount")
	if !known {
		return said{}
	}
	return said{"gave " + frame.InCredits(amount) + " again for", l.poolNow()}
}

// tellStarted says how many credits a person wanted to buy.
func tellStarted(_ auditNames, l auditLine) said {
	_, amount, known := l.amounts("amount")
	if !known {
		return said{}
	}
	return said{"began to buy", ", " + frame.InCredits(amount)}
}

// poolNow is what the pool holds since.
func (l auditLine) poolNow() string {
	if _, pool, known := l.amounts("pool"); known {
		return ", pool now " + frame.Credits(pool)
	}
	return ""
}

// tellAllocation says how much went in which direction, and what the pool holds since.
func tellAllocation(_ auditNames, l auditLine) said {
	from, to, known := l.amounts("allocated")
	if !known {
		return said{"moved credits between the pool and", ""}
	}
	tail := ""
	if _, pool, known := l.amounts("pool"); known {
		tail = ", pool now " + frame.Credits(pool)
	}
	if to < from {
		return said{"took " + frame.InCredits(from-to) + " back from", tail}
	}
	return said{"gave " + frame.InCredits(to-from) + " to", tail}
}

func tellRequest(_ auditNames, l auditLine) said {
	what := "credits"
	if _, amount, known := l.amounts("amount"); known {
		what = frame.InCredits(amount)
	}
	return said{"asked for " + what + " for", behind(": ", l.to("reason"))}
}

// tellCap names the old cap and the new one; null is none.
func tellCap(n auditNames, l auditLine) said {
	where := n.where("in", l)
	from, to := l.credits("creditCap")
	switch {
	case to == "":
		return said{"took the cap off", join(where, behind("that was ", from))}
	case from == "":
		return said{"set the cap of", join(where, "to "+to)}
	}
	return said{"set the cap of", join(where, "from "+from+" to "+to)}
}

// tellDefaultCap names the old and the new cap of new members; null is none.
func tellDefaultCap(_ auditNames, l auditLine) said {
	from, to := l.credits("defaultCap")
	switch {
	case to == "":
		return said{"took away the default cap of", behind("that was ", from)}
	case from == "":
		return said{"set the default cap of", "to " + to}
	}
	return said{"set the default cap of", "from " + from + " to " + to}
}

func tellRole(n auditNames, l auditLine) said {
	if l.to("role") == "admin" {
		return said{"made", "an admin of " + n.Org.Name}
	}
	return said{"took the role of admin from", "in " + n.Org.Name}
}

func tellAdded(n auditNames, l auditLine) said {
	return said{"", join(n.where("to", l), behind("as ", n.role(l.to("role"))))}
}

func tellWorkspaceRole(n auditNames, l auditLine) said {
	from, to := n.role(l.from("role")), n.role(l.to("role"))
	if from == "" || to == "" {
		return said{"", n.where("in", l)}
	}
	return said{"", join(n.where("in", l), "from "+from+" to "+to)}
}

// tellCode says until when a code is open.
func tellCode(n auditNames, l auditLine) said {
	closes := l.time("closesAt")
	if l.Action == "join_code.disabled" || closes.IsZero() {
		return said{}
	}
	return said{"", "until " + ui.Soon(closes, l.CreatedAt, n.Zone)}
}

// tellInvitation says where a person is invited to, and as what.
func tellInvitation(n auditNames, l auditLine) said {
	place := n.Org.Name
	if l.WorkspaceId != nil {
		place = n.workspace(l.AuditLine)
	}
	place, role := "to "+place, ""
	if r := l.either("role"); r != "" {
		role = "as " + n.role(r)
	} else if l.either("organizationRole") == "admin" {
		role = "as admin"
	}
	if l.either("role") != "" && l.either("organizationRole") == "admin" {
		role += " and admin of " + n.Org.Name
	}
	return said{"", join(place, role)}
}

// tellShare names the person, and what they may do.
func tellShare(n auditNames, l auditLine) said {
	who := frame.Or(frame.Value(l.PersonName), "somebody")
	may := map[string]string{"viewer": "who may look at it", "editor": "who may change it"}
	switch l.Action {
	case "collaborator.removed":
		return said{"", join("with "+who, n.where("in", l))}
	case "collaborator.role_changed":
		return said{"", join(n.where("in", l), "for "+who) + behind(", ", may[l.to("role")])}
	}
	return said{"", join("with "+who, n.where("in", l)) + behind(", ", may[l.to("role")])}
}

func tellPublished(n auditNames, l auditLine) said {
	return said{"", join(n.where("in", l), behind("as version ", l.to("version")))}
}

// tellExport names the kind of file.
func tellExport(_ auditNames, l auditLine) said {
	names := map[string]string{"csv": "as CSV", "jsonl": "as JSON lines", "ocsf": "as OCSF events"}
	tail := names[l.to("format")]
	if l.to("filter") != "" {
		tail = join(tail, "in part")
	}
	return said{"", tail}
}

// join sets a blank between the parts that are there.
func join(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), " ")
}

// behind is a text behind its lead, nothing for no text.
func behind(lead, text string) string {
	if text == "" {
		return ""
	}
	return lead + text
}

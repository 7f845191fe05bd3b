package org

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"time"

	"atelier/web/frame"
	"atelier/web/locale"
	"atelier/web/query"
	"atelier/web/ui"
)

// said is what a line tells: a message whose first argument is who acted, the second the target, and the further arguments.
type said struct {
	Message string
	Args    []any
}

// tell is a message with its further arguments.
func tell(message string, args ...any) said { return said{message, args} }

// tail is what stands behind the message of an action: the parts that are there, as its third argument.
func tail(parts ...string) said { return said{"", []any{strings.Join(parts, "")}} }

// sentence is how an action is told. Message is its usual one; Words are what its sentences say beside it, for the search.
// Tell makes the sentence of one line; without a message of its own it takes the usual one.
type sentence struct {
	Message string
	Words   []string
	Tell    func(ctx context.Context, n auditNames, l auditLine) said
}

// plain is an action whose sentence is always the same; where is how its workspace is told, nil leaves that out.
func plain(message string, where func(context.Context, auditNames, auditLine) string) sentence {
	return sentence{message, nil, func(reader context.Context, n auditNames, l auditLine) said {
		if where == nil {
			return tail()
		}
		return tail(where(reader, n, l))
	}}
}

// auditSentences are the actions that have words. The list of actions is open: one that is missing is told by its
// name.
var auditSentences = map[string]sentence{
	"organization.created":    plain(mark("%[1]s created %[2]s%[3]s"), nil),
	"organization.updated":    {mark("%[1]s changed the settings of %[2]s%[3]s"), nil, tellSettings},
	"organization.approved":   plain(mark("%[1]s approved %[2]s%[3]s"), nil),
	"organization.suspended":  {mark("%[1]s suspended %[2]s%[3]s"), nil, tellReason},
	"organization.rejected":   {mark("%[1]s rejected %[2]s%[3]s"), nil, tellReason},
	"organization.reinstated": plain(mark("%[1]s lifted the suspension of %[2]s%[3]s"), nil),
	"organization.deleted":    plain(mark("%[1]s deleted %[2]s%[3]s"), nil),
	"ownership.transferred":   {mark("%[1]s handed over the ownership of %[2]s%[3]s"), nil, tellOwner},

	"credits.granted":       {mark("%[1]s gave credits to the pool of %[2]s%[3]s"), []string{mark("pool now")}, tellGrant},
	"credits.purchased":     {mark("%[1]s put credits into the pool for the purchase of %[2]s%[3]s"), []string{mark("pool now")}, tellPurchased},
	"credits.refunded":      {mark("%[1]s took credits back for a refund of %[2]s%[3]s"), []string{mark("the pool held"), mark("pool now")}, tellRefunded},
	"credits.disputed":      {mark("%[1]s took credits back for a dispute about %[2]s%[3]s"), []string{mark("the pool held"), mark("pool now")}, tellDisputed},
	"credits.reinstated":    {mark("%[1]s gave credits again for %[2]s%[3]s"), []string{mark("pool now")}, tellReinstated},
	"purchase.started":      {mark("%[1]s began to buy %[2]s%[3]s"), nil, tellStarted},
	"purchase.canceled":     plain(mark("%[1]s gave up the purchase of %[2]s%[3]s"), nil),
	"budget.allocated":      {mark("%[1]s gave credits to %[2]s%[3]s"), []string{mark("took credits back from"), mark("pool now")}, tellAllocation},
	"budget.requested":      {mark("%[1]s asked for credits for %[2]s%[3]s"), nil, tellRequest},
	"budget.request_closed": plain(mark("%[1]s closed the request for credits of %[2]s%[3]s"), inWorkspace),
	"member.cap_changed":    {mark("%[1]s set the cap of %[2]s%[3]s"), []string{mark("took the cap off")}, tellCap},

	"workspace.default_cap_changed": {mark("%[1]s set the default cap of %[2]s%[3]s"), []string{mark("took away the default cap of")}, tellDefaultCap},

	"member.joined":       plain(mark("%[1]s joined %[2]s%[3]s"), nil),
	"member.left":         plain(mark("%[1]s left %[2]s%[3]s"), nil),
	"member.role_changed": {mark("%[1]s made an admin of %[2]s%[3]s"), []string{mark("took the role of admin from")}, tellRole},
	"member.suspended":    plain(mark("%[1]s suspended %[2]s%[3]s"), nil),
	"member.reinstated":   plain(mark("%[1]s lifted the suspension of %[2]s%[3]s"), nil),
	"member.removed":      plain(mark("%[1]s removed %[2]s%[3]s"), nil),

	"workspace.created":             plain(mark("%[1]s created %[2]s%[3]s"), nil),
	"workspace.updated":             {mark("%[1]s changed the settings of %[2]s%[3]s"), nil, tellSettings},
	"workspace.archived":            plain(mark("%[1]s archived %[2]s%[3]s"), nil),
	"workspace.unarchived":          plain(mark("%[1]s brought back %[2]s%[3]s"), nil),
	"workspace_member.added":        {mark("%[1]s added %[2]s%[3]s"), nil, tellAdded},
	"workspace_member.removed":      plain(mark("%[1]s removed %[2]s%[3]s"), fromWorkspace),
	"workspace_member.role_changed": {mark("%[1]s changed the role of %[2]s%[3]s"), nil, tellWorkspaceRole},
	"workspace_member.suspended":    plain(mark("%[1]s suspended %[2]s%[3]s"), inWorkspace),
	"workspace_member.reinstated":   plain(mark("%[1]s lifted the suspension of %[2]s%[3]s"), inWorkspace),

	"join_code.rotated":  {mark("%[1]s made a new join code for %[2]s%[3]s"), nil, tellCode},
	"join_code.enabled":  {mark("%[1]s switched on the join code of %[2]s%[3]s"), []string{mark("until")}, tellCode},
	"join_code.disabled": {mark("%[1]s switched off the join code of %[2]s%[3]s"), nil, tellCode},

	"invitation.sent":     {mark("%[1]s invited %[2]s%[3]s"), nil, tellInvitation},
	"invitation.resent":   {mark("%[1]s sent the invitation again to %[2]s%[3]s"), nil, tellInvitation},
	"invitation.revoked":  {mark("%[1]s withdrew the invitation of %[2]s%[3]s"), nil, tellInvitation},
	"invitation.accepted": {mark("%[1]s accepted the invitation for %[2]s%[3]s"), nil, tellInvitation},

	"workflow.created":              plain(mark("%[1]s created the workflow %[2]s%[3]s"), inWorkspace),
	"workflow.updated":              {mark("%[1]s changed the workflow %[2]s%[3]s"), nil, tellFields},
	"workflow.moved":                plain(mark("%[1]s moved the workflow %[2]s%[3]s"), inWorkspace),
	"workflow.deleted":              plain(mark("%[1]s deleted the workflow %[2]s%[3]s"), inWorkspace),
	"trigger.created":               plain(mark("%[1]s made a trigger of the workflow %[2]s%[3]s"), inWorkspace),
	"trigger.updated":               plain(mark("%[1]s changed a trigger of the workflow %[2]s%[3]s"), inWorkspace),
	"trigger.deleted":               plain(mark("%[1]s deleted a trigger of the workflow %[2]s%[3]s"), inWorkspace),
	"collaborator.added":            {mark("%[1]s shared %[2]s%[3]s"), []string{mark("who may look at it"), mark("who may change it")}, tellShare},
	"collaborator.role_changed":     {mark("%[1]s changed what others may do with %[2]s%[3]s"), nil, tellShare},
	"collaborator.removed":          {mark("%[1]s no longer shares %[2]s%[3]s"), nil, tellShare},
	"consent.given":                 plain(mark("%[1]s agreed to the use of %[2]s%[3]s"), inWorkspace),
	"consent.withdrawn":             plain(mark("%[1]s withdrew the consent to %[2]s%[3]s"), inWorkspace),
	"character.trained":             plain(mark("%[1]s trained %[2]s%[3]s"), inWorkspace),
	"object.trained":                plain(mark("%[1]s trained %[2]s%[3]s"), inWorkspace),
	"creature.trained":              plain(mark("%[1]s trained %[2]s%[3]s"), inWorkspace),
	"project.created":               plain(mark("%[1]s created the project %[2]s%[3]s"), inWorkspace),
	"project.renamed":               {mark("%[1]s renamed the project %[2]s%[3]s"), nil, tellFields},
	"project.deleted":               plain(mark("%[1]s deleted the project %[2]s%[3]s"), inWorkspace),
	"voice.cloned":                  plain(mark("%[1]s cloned %[2]s%[3]s"), inWorkspace),
	"post.created":                  plain(mark("%[1]s posted %[2]s%[3]s"), inWorkspace),
	"post.updated":                  plain(mark("%[1]s changed %[2]s%[3]s"), inWorkspace),
	"post.deleted":                  plain(mark("%[1]s deleted %[2]s%[3]s"), inWorkspace),
	"post.approved":                 plain(mark("%[1]s approved %[2]s%[3]s"), inWorkspace),
	"post.rejected":                 plain(mark("%[1]s rejected %[2]s%[3]s"), inWorkspace),
	"post.hidden":                   plain(mark("%[1]s hid %[2]s%[3]s"), inWorkspace),
	"preset.created":                plain(mark("%[1]s kept %[2]s%[3]s"), inWorkspace),
	"preset.updated":                plain(mark("%[1]s changed %[2]s%[3]s"), inWorkspace),
	"preset.deleted":                plain(mark("%[1]s deleted %[2]s%[3]s"), inWorkspace),
	"preset.visibility_changed":     plain(mark("%[1]s changed who sees %[2]s%[3]s"), inWorkspace),
	"production.created":            plain(mark("%[1]s created the production %[2]s%[3]s"), inWorkspace),
	"production.updated":            plain(mark("%[1]s changed the production %[2]s%[3]s"), inWorkspace),
	"production.deleted":            plain(mark("%[1]s deleted the production %[2]s%[3]s"), inWorkspace),
	"production.visibility_changed": plain(mark("%[1]s changed who sees the production %[2]s%[3]s"), inWorkspace),
	"production.exported":           plain(mark("%[1]s exported the production %[2]s%[3]s"), inWorkspace),
	"shot.shared":                   plain(mark("%[1]s shared %[2]s%[3]s"), inWorkspace),
	"shot.unshared":                 plain(mark("%[1]s no longer shares %[2]s%[3]s"), inWorkspace),
	"pipeline.created":              plain(mark("%[1]s created the pipeline %[2]s%[3]s"), inWorkspace),
	"pipeline.updated":              plain(mark("%[1]s changed the pipeline %[2]s%[3]s"), inWorkspace),
	"pipeline.deleted":              plain(mark("%[1]s deleted the pipeline %[2]s%[3]s"), inWorkspace),
	"pipeline.visibility_changed":   plain(mark("%[1]s changed who sees the pipeline %[2]s%[3]s"), inWorkspace),
	"app.published":                 {mark("%[1]s published the app %[2]s%[3]s"), nil, tellPublished},
	"app.updated":                   {mark("%[1]s changed the app %[2]s%[3]s"), nil, tellFields},
	"app.markup_changed":            {mark("%[1]s changed the markup of the app %[2]s%[3]s"), nil, tellFields},
	"app.deleted":                   plain(mark("%[1]s deleted the app %[2]s%[3]s"), inWorkspace),
	"run.deleted":                   plain(mark("%[1]s deleted for good %[2]s%[3]s"), inWorkspace),
	"run.expired":                   {mark("%[1]s deleted the runs that %[2]s keeps no longer%[3]s"), nil, tellExpired},
	"result.shared":                 plain(mark("%[1]s shared %[2]s%[3]s"), withWorkspace),
	"result.unshared":               plain(mark("%[1]s no longer shares %[2]s%[3]s"), withWorkspace),

	"organization.exported": plain(mark("%[1]s saved all that is kept of %[2]s%[3]s"), nil),

	"audit.exported":   {mark("%[1]s saved the audit log of %[2]s%[3]s"), nil, tellExport},
	"members.exported": {mark("%[1]s saved the list of people of %[2]s%[3]s"), nil, tellExport},
	"ledger.exported":  {mark("%[1]s saved the ledger of %[2]s%[3]s"), nil, tellExport},
	"usage.exported":   {mark("%[1]s saved a usage report of %[2]s%[3]s"), nil, tellExport},
}

// shelves are where the things of the library stand, by what the log calls them.
var shelves = map[string]string{
	"character": "/library/characters/", "object": "/library/objects/", "creature": "/library/creatures/", "location": "/library/locations/",
	"face": "/library/faces/", "voice": "/voices/",
}

// pagesOf are where other things stand that may have no name in the log.
var pagesOf = map[string]string{"post": "/community/", "preset": "/presets/"}

func init() {
	for thing := range shelves {
		for action, message := range map[string]string{
			"created": mark("%[1]s made %[2]s%[3]s"), "updated": mark("%[1]s changed %[2]s%[3]s"), "deleted": mark("%[1]s deleted %[2]s%[3]s"),
			"visibility_changed": mark("%[1]s changed who sees %[2]s%[3]s"), "exported": mark("%[1]s saved all that is kept of %[2]s%[3]s"),
		} {
			auditSentences[thing+"."+action] = plain(message, inWorkspace)
		}
	}
}

// actionsSaying are the actions whose sentences hold the words; a number says nothing about which one it is.
func actionsSaying(ctx context.Context, words string) (actions []string) {
	words = strings.ToLower(strings.Join(strings.FieldsFunc(words, func(r rune) bool {
		return r == ' ' || r >= '0' && r <= '9' || r == '.' || r == ','
	}), " "))
	for action, sentence := range auditSentences {
		for _, text := range append([]string{sentence.Message}, sentence.Words...) {
			if words != "" && strings.Contains(searched(ctx, text), words) {
				actions = append(actions, action)
				break
			}
		}
	}
	slices.Sort(actions)
	return actions
}

// anArgument is where a message has one.
var anArgument = regexp.MustCompile(`%\[\d\]s`)

// searched is what a message says itself.
func searched(ctx context.Context, message string) string {
	return strings.ToLower(spoken(ctx, message))
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
func (n auditNames) workspace(ctx context.Context, l query.AuditLine) string {
	return frame.Or(frame.Value(l.WorkspaceName), tc(ctx, "within a sentence", "{a workspace}"))
}

// inWorkspace, fromWorkspace, toWorkspace and withWorkspace are the workspace of a line, "" where it has none.
func inWorkspace(ctx context.Context, n auditNames, l auditLine) string {
	if l.WorkspaceId == nil {
		return ""
	}
	return " " + tc(ctx, "log", "in %s", n.workspace(ctx, l.AuditLine))
}

func fromWorkspace(ctx context.Context, n auditNames, l auditLine) string {
	if l.WorkspaceId == nil {
		return ""
	}
	return " " + tc(ctx, "log", "from %s", n.workspace(ctx, l.AuditLine))
}

func toWorkspace(ctx context.Context, n auditNames, l auditLine) string {
	if l.WorkspaceId == nil {
		return ""
	}
	return " " + tc(ctx, "log", "to %s", n.workspace(ctx, l.AuditLine))
}

func withWorkspace(ctx context.Context, n auditNames, l auditLine) string {
	if l.WorkspaceId == nil {
		return ""
	}
	return " " + tc(ctx, "log", "with %s", n.workspace(ctx, l.AuditLine))
}

// entry is a line of the log as a sentence.
func (n auditNames) entry(ctx context.Context, line query.AuditLine) ui.LogEntry {
	ctx = frame.Saying(ctx, n.Org.Vocabulary)
	l := auditLine{line, detailsOf(line.Details)}
	e := ui.LogEntry{Actor: t(ctx, "System"), At: l.CreatedAt}
	if l.Actor != nil {
		e.Actor = l.Actor.DisplayName
	}
	if l.Action == "member.joined" || l.Action == "member.left" {
		e.Message, e.Args = auditSentences[l.Action].Message, []any{""}
		e.Object, e.Href = n.Org.Name, "/orgs/"+n.Org.Id
		if l.WorkspaceId != nil {
			e.Object, e.Href = n.workspace(ctx, line), "/workspaces/"+*l.WorkspaceId
		}
		return e
	}
	e.Object, e.Href = n.target(ctx, l), n.href(line)
	sentence, known := auditSentences[l.Action]
	if !known {
		e.Message, e.Args = "%[1]s %[3]s: %[2]s", []any{strings.NewReplacer(".", ", ", "_", " ").Replace(l.Action)}
		return e
	}
	told := sentence.Tell(ctx, n, l)
	e.Message, e.Args = frame.Or(told.Message, sentence.Message), told.Args
	return e
}

func (n auditNames) entries(ctx context.Context, lines []query.AuditLine) []ui.LogEntry {
	out := make([]ui.LogEntry, 0, len(lines))
	for _, l := range lines {
		out = append(out, n.entry(ctx, l))
	}
	return out
}

// thingNames are what the log calls things whose names it does not know: it keeps none of those of things, which may be
// those of people, and a thing may be gone, or not for all to see.
var thingNames = map[string]string{
	"character": mark("a character"), "object": mark("an object"), "creature": mark("a creature"), "location": mark("a location"), "face": mark("a face"),
	"voice": mark("a voice"), "post": mark("a post"), "preset": mark("a preset"), "purchase": mark("a purchase"), "shot": mark("a shot"),
	"run": mark("a run"), "execution": mark("an execution"), "result": mark("a result"), "trigger": mark("a trigger"),
}

// target is the name of what was changed, else the one that it had, else what kind of thing it was.
func (n auditNames) target(ctx context.Context, l auditLine) string {
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
		return t(ctx, "{a workspace} that is gone")
	case "organization":
		return n.Org.Name
	case "user":
		return t(ctx, "a person who is gone")
	case "invitation":
		return t(ctx, "someone")
	case "workflow", "project", "app", "production", "pipeline":
		return t(ctx, "that is gone")
	}
	if name := thingNames[l.TargetType]; name != "" {
		return t(ctx, name)
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

// reason is what was written down, behind a sentence.
func (l auditLine) reason(ctx context.Context) string {
	if r := l.to("reason"); r != "" {
		return locale.Labelled(ctx, "", r)
	}
	return ""
}

func tellReason(ctx context.Context, _ auditNames, l auditLine) said { return tail(l.reason(ctx)) }

func tellOwner(_ context.Context, _ auditNames, l auditLine) said {
	if l.PersonName == nil {
		return tail()
	}
	return tell(mark("%[1]s handed over the ownership of %[2]s to %[3]s"), *l.PersonName)
}

func tellGrant(ctx context.Context, _ auditNames, l auditLine) said {
	from, to, known := l.amounts("pool")
	if !known {
		return tail()
	}
	return tell(mark("%[1]s gave %[3]s to the pool of %[2]s%[4]s%[5]s"), inCredits(ctx, to-from), l.poolNow(ctx), l.reason(ctx))
}

// tellPurchased says what a purchase put into the pool.
func tellPurchased(ctx context.Context, _ auditNames, l auditLine) said {
	_, amount, known := l.amounts("amount")
	if !known {
		return tail()
	}
	return tell(mark("%[1]s put %[3]s into the pool for the purchase of %[2]s%[4]s"), inCredits(ctx, amount), l.poolNow(ctx))
}

func tellRefunded(ctx context.Context, _ auditNames, l auditLine) said {
	amount, behind, known := l.taken(ctx)
	if !known {
		return tail()
	}
	return tell(mark("%[1]s took %[3]s back for a refund of %[2]s%[4]s"), amount, behind)
}

func tellDisputed(ctx context.Context, _ auditNames, l auditLine) said {
	amount, behind, known := l.taken(ctx)
	if !known {
		return tail()
	}
	return tell(mark("%[1]s took %[3]s back for a dispute about %[2]s%[4]s"), amount, behind)
}

// taken is what was taken back, and behind the sentence what the pool did not hold of it.
func (l auditLine) taken(ctx context.Context) (amount, behind string, known bool) {
	_, requested, known := l.amounts("requested")
	_, applied, _ := l.amounts("applied")
	behind = l.poolNow(ctx)
	if applied < requested {
		behind = t(ctx, ", of %s asked for the pool held no more", inCredits(ctx, requested)) + behind
	}
	return inCredits(ctx, applied), behind, known
}

// tellReinstated says what went back into the pool.
func tellReinstated(ctx context.Context, _ auditNames, l auditLine) said {
	_, amount, known := l.amounts("amount")
	if !known {
		return tail()
	}
	return tell(mark("%[1]s gave %[3]s again for %[2]s%[4]s"), inCredits(ctx, amount), l.poolNow(ctx))
}

// tellStarted says how many credits a person wanted to buy.
func tellStarted(ctx context.Context, _ auditNames, l auditLine) said {
	_, amount, known := l.amounts("amount")
	if !known {
		return tail()
	}
	return tail(", " + inCredits(ctx, amount))
}

// poolNow is what the pool holds since.
func (l auditLine) poolNow(ctx context.Context) string {
	if _, pool, known := l.amounts("pool"); known {
		return t(ctx, ", pool now %s", credits(ctx, pool))
	}
	return ""
}

// tellAllocation says how much went in which direction, and what the pool holds since.
func tellAllocation(ctx context.Context, _ auditNames, l auditLine) said {
	from, to, known := l.amounts("allocated")
	switch {
	case !known:
		return tell(mark("%[1]s moved credits between the pool and %[2]s"))
	case to < from:
		return tell(mark("%[1]s took %[3]s back from %[2]s%[4]s"), inCredits(ctx, from-to), l.poolNow(ctx))
	}
	return tell(mark("%[1]s gave %[3]s to %[2]s%[4]s"), inCredits(ctx, to-from), l.poolNow(ctx))
}

func tellRequest(ctx context.Context, _ auditNames, l auditLine) said {
	if _, amount, known := l.amounts("amount"); known {
		return tell(mark("%[1]s asked for %[3]s for %[2]s%[4]s"), inCredits(ctx, amount), l.reason(ctx))
	}
	return tail(l.reason(ctx))
}

// tellCap names the old cap and the new one; null is none.
func tellCap(ctx context.Context, n auditNames, l auditLine) said {
	where := inWorkspace(ctx, n, l)
	from, to := l.credits(ctx, "creditCap")
	switch {
	case to == "" && from == "":
		return tell(mark("%[1]s took the cap off %[2]s%[3]s"), where)
	case to == "":
		return tell(mark("%[1]s took the cap off %[2]s%[3]s that was %[4]s"), where, from)
	case from == "":
		return tell(mark("%[1]s set the cap of %[2]s%[3]s to %[4]s"), where, to)
	}
	return tell(mark("%[1]s set the cap of %[2]s%[3]s from %[4]s to %[5]s"), where, from, to)
}

// tellDefaultCap names the old and the new cap of new members; null is none.
func tellDefaultCap(ctx context.Context, _ auditNames, l auditLine) said {
	from, to := l.credits(ctx, "defaultCap")
	switch {
	case to == "" && from == "":
		return tell(mark("%[1]s took away the default cap of %[2]s"))
	case to == "":
		return tell(mark("%[1]s took away the default cap of %[2]s that was %[3]s"), from)
	case from == "":
		return tell(mark("%[1]s set the default cap of %[2]s to %[3]s"), to)
	}
	return tell(mark("%[1]s set the default cap of %[2]s from %[3]s to %[4]s"), from, to)
}

func tellRole(_ context.Context, n auditNames, l auditLine) said {
	if l.to("role") == "admin" {
		return tell(mark("%[1]s made %[2]s an admin of %[3]s"), n.Org.Name)
	}
	return tell(mark("%[1]s took the role of admin from %[2]s in %[3]s"), n.Org.Name)
}

// asWhat is a role behind a sentence, "" for none.
func asWhat(ctx context.Context, role string) string {
	if role == "" {
		return ""
	}
	return " " + tc(ctx, "log", "as %s", role)
}

func tellAdded(ctx context.Context, n auditNames, l auditLine) said {
	return tail(toWorkspace(ctx, n, l), asWhat(ctx, n.role(ctx, l.to("role"))))
}

func tellWorkspaceRole(ctx context.Context, n auditNames, l auditLine) said {
	from, to := n.role(ctx, l.from("role")), n.role(ctx, l.to("role"))
	if from == "" || to == "" {
		return tail(inWorkspace(ctx, n, l))
	}
	return tail(inWorkspace(ctx, n, l), " "+tc(ctx, "log", "from %s to %s", from, to))
}

// tellCode says until when a code is open.
func tellCode(ctx context.Context, n auditNames, l auditLine) said {
	closes := l.time("closesAt")
	if l.Action == "join_code.disabled" || closes.IsZero() {
		return tail()
	}
	return tail(" " + tc(ctx, "log", "until %s", locale.Soon(locale.WithZone(ctx, n.Zone), closes, l.CreatedAt)))
}

// tellInvitation says where a person is invited to, and as what.
func tellInvitation(ctx context.Context, n auditNames, l auditLine) said {
	place := n.Org.Name
	if l.WorkspaceId != nil {
		place = n.workspace(ctx, l.AuditLine)
	}
	role, admin := n.role(ctx, l.either("role")), l.either("organizationRole") == "admin"
	as := asWhat(ctx, role)
	switch {
	case admin && role != "":
		as = " " + tc(ctx, "log", "as %s and admin of %s", role, n.Org.Name)
	case admin:
		as = " " + tc(ctx, "log", "as admin")
	}
	return tail(" "+tc(ctx, "log", "to %s", place), as)
}

// tellShare names the person, and what they may do.
func tellShare(ctx context.Context, n auditNames, l auditLine) said {
	who, may := frame.Or(frame.Value(l.PersonName), t(ctx, "someone")), ""
	switch l.to("role") {
	case "viewer":
		may = t(ctx, ", who may look at it")
	case "editor":
		may = t(ctx, ", who may change it")
	}
	switch l.Action {
	case "collaborator.removed":
		return tail(" "+tc(ctx, "log", "with %s", who), inWorkspace(ctx, n, l))
	case "collaborator.role_changed":
		return tail(inWorkspace(ctx, n, l), " "+tc(ctx, "log", "for %s", who), may)
	}
	return tail(" "+tc(ctx, "log", "with %s", who), inWorkspace(ctx, n, l), may)
}

func tellPublished(ctx context.Context, n auditNames, l auditLine) said {
	version := l.to("version")
	if version == "" {
		return tail(inWorkspace(ctx, n, l))
	}
	return tail(inWorkspace(ctx, n, l), " "+tc(ctx, "log", "as version %s", version))
}

// tellExport names the kind of file.
func tellExport(ctx context.Context, _ auditNames, l auditLine) said {
	kind, part := "", ""
	switch l.to("format") {
	case "csv":
		kind = " " + t(ctx, "as CSV")
	case "jsonl":
		kind = " " + t(ctx, "as JSON lines")
	case "ocsf":
		kind = " " + t(ctx, "as OCSF events")
	}
	if l.to("filter") != "" {
		part = " " + t(ctx, "in part")
	}
	return tail(kind, part)
}

package org

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"
	"unicode"

	"atelier/jsontext"
	"atelier/web/frame"
	"atelier/web/locale"
	"atelier/web/query"
	"atelier/web/ui"
)

// details are what an entry recorded: { field: { from, to } }. Those of another form are none.
type details map[string]struct{ From, To any }

func detailsOf(raw json.RawMessage) details {
	var d details
	if jsontext.Read(raw, &d) != nil {
		return nil
	}
	return d
}

// word is a recorded text or number as it is; "" for anything else.
func word(v any) string {
	switch v := v.(type) {
	case string:
		return ui.Short(v, frame.MaxOfValue)
	case float64:
		return ui.Amount(v)
	}
	return ""
}

func (d details) from(field string) string { return word(d[field].From) }
func (d details) to(field string) string   { return word(d[field].To) }

// either is a value that was recorded of what came or of what went.
func (d details) either(field string) string { return frame.Or(d.to(field), d.from(field)) }

// amounts are two numbers, of which the first may be missing.
func (d details) amounts(field string) (from, to float64, known bool) {
	from, _ = d[field].From.(float64)
	to, known = d[field].To.(float64)
	return from, to, known
}

// credits are two amounts, "" for none.
func (d details) credits(ctx context.Context, field string) (from, to string) {
	if f, ok := d[field].From.(float64); ok {
		from = credits(ctx, f)
	}
	if f, ok := d[field].To.(float64); ok {
		to = credits(ctx, f)
	}
	return from, to
}

// time is a recorded moment, zero for none.
func (d details) time(field string) time.Time {
	t, _ := time.Parse(time.RFC3339, d.to(field))
	return t
}

// role is a role in a workspace in the organization's words.
func (n auditNames) role(ctx context.Context, role string) string {
	switch role {
	case "admin":
		return t(ctx, "{admin}")
	case "member":
		return t(ctx, "{member}")
	}
	return role
}

// change is one field of an entry's details in words.
type change struct{ Field, From, To string }

// text is the change within a sentence.
func (c change) text(ctx context.Context) string {
	return t(ctx, "%s from “%s” to “%s”", c.Field, c.From, c.To)
}

// recordedFields are the names of recorded fields that are no settings. What is "" says nothing to people.
var recordedFields = map[string]string{
	"name": mark("The name"), "description": mark("The description"), "slug": mark("The short name"), "iconUrl": mark("The picture"), "version": mark("The version"),
	"visibility": mark("Who sees it"), "isActive": mark("Open for runs"), "allowedEmbedDomains": mark("Sites that may show it"),
	"maxRunsPerUserPerDay": mark("Runs a day for each person"), "markupPercent": mark("Its markup in percent"), "enabled": mark("The code is on"), "closesAt": mark("It closes"), "role": mark("The role"),
	"organizationRole": mark("The role in the organization"), "status": mark("The state"), "kind": mark("The kind"), "archived": mark("Archived"), "email": mark("The address"),
	"reason": mark("The reason"), "before": mark("Older than"), "amount": mark("Credits"), "allocated": mark("Credits given in total"), "pool": mark("The pool"), "creditCap": mark("The cap"), "defaultCap": mark("The cap of new members"),
	"format": mark("The form of the file"), "filter": mark("The filter"), "audience": mark("Who sees it"),
	"title": mark("The title"), "category": mark("The subject"), "tags": mark("The tags"), "license": mark("What others may do"), "images": mark("The pictures"),
	"prompt": mark("The prompt"), "attributes": mark("The looks"), "settings": mark("The settings"), "fields": mark("What was changed"), "shots": mark("The shots"),
	"script": mark("The script"), "provider": mark("The provider"), "subject": mark("Who it shows"), "source": mark("Where it is from"), "type": mark("The kind"),
	"price": mark("The price"), "requested": mark("Credits asked for"), "applied": mark("Credits taken"), "until": mark("Until"),
	"owner": "", "userId": "", "projectId": "", "workspaceId": "", "productionId": "",
}

// settingWords is a setting by its key, in the organization's words.
func (n auditNames) settingWords(ctx context.Context, key string) (label string, choices []ruleChoice) {
	for _, s := range ruleList(ctx, n.Org.Vocabulary) {
		if s.Key == key {
			return s.Label, s.Choices
		}
	}
	switch key {
	case "allowed_email_domains":
		return t(ctx, "Domains of addresses that may join"), nil
	case "vocabulary_overrides":
		return t(ctx, "The words for people and places"), nil
	case "require_second_factor":
		return t(ctx, "Everyone needs a second factor"), nil
	case "keep_runs_months":
		return t(ctx, "Months for which runs are kept"), nil
	}
	return frame.SentenceCase(spaced(key)), nil
}

// spaced is the name of a field in the words that it is made of.
func spaced(field string) string {
	var b strings.Builder
	for _, r := range field {
		if unicode.IsUpper(r) {
			b.WriteByte(' ')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return strings.Join(strings.FieldsFunc(b.String(), func(r rune) bool { return r == '_' || r == '.' || r == ' ' }), " ")
}

// changes are the details of an entry that say something to people.
func (n auditNames) changes(ctx context.Context, l query.AuditLine) []change {
	ctx = frame.Saying(ctx, n.Org.Vocabulary)
	fields := detailsOf(l.Details)
	out := make([]change, 0, len(fields))
	for name, f := range fields {
		key, isSetting := strings.CutPrefix(name, "settings.")
		label, known := recordedFields[name]
		var choices []ruleChoice
		switch {
		case isSetting:
			label, choices = n.settingWords(ctx, key)
		case !known:
			label = frame.SentenceCase(spaced(name))
		case label == "":
			continue
		default:
			label = t(ctx, label)
		}
		if f.From == nil && f.To == nil && !isSetting { // the log keeps that it was changed, and not what it says
			out = append(out, change{label, noValue(ctx), tc(ctx, "log", "changed")})
			continue
		}
		shown := func(v any) string { return n.value(ctx, l, name, v, choices, isSetting) }
		out = append(out, change{label, shown(f.From), shown(f.To)})
	}
	slices.SortFunc(out, func(a, b change) int { return strings.Compare(a.Field, b.Field) })
	return out
}

// value is a recorded value in words.
func (n auditNames) value(ctx context.Context, l query.AuditLine, field string, v any, choices []ruleChoice, isSetting bool) string {
	encoded, _ := json.Marshal(v)
	for _, o := range choices {
		if o.Value == string(encoded) {
			return o.Text
		}
	}
	switch v := v.(type) {
	case nil:
		return n.nothing(ctx, l, isSetting)
	case string:
		return n.text(ctx, l, field, v)
	case bool:
		if v {
			return t(ctx, "yes")
		}
		return t(ctx, "no")
	case float64:
		return locale.Amount(ctx, v)
	case []any:
		return several(ctx, v)
	case map[string]any:
		words := make([]any, 0, len(v))
		for _, key := range frame.SortedKeys(v) {
			words = append(words, v[key])
		}
		return several(ctx, words)
	}
	return ""
}

// nothing is what a value that is not set means: the layer below decides.
func (n auditNames) nothing(ctx context.Context, l query.AuditLine, isSetting bool) string {
	switch {
	case isSetting && l.WorkspaceId != nil:
		return t(ctx, "as %s has it", n.Org.Name)
	case isSetting:
		return t(ctx, "as usual")
	}
	return noValue(ctx)
}

// several is a list in a line.
func several(ctx context.Context, list []any) string {
	var texts []string
	for _, v := range list {
		if s := word(v); s != "" {
			texts = append(texts, s)
		}
	}
	if len(texts) == 0 {
		return noValue(ctx)
	}
	return ui.Short(strings.Join(texts, ", "), frame.MaxOfValue)
}

// text is a recorded word of a field that has a few, or a text as it is.
func (n auditNames) text(ctx context.Context, l query.AuditLine, field, s string) string {
	switch field {
	case "role":
		if l.TargetType == "workflow" {
			switch s {
			case "viewer":
				return t(ctx, "may look")
			case "editor":
				return t(ctx, "may change")
			}
			return ""
		}
		if l.WorkspaceId != nil || s == "member" {
			return n.role(ctx, s)
		}
	case "organizationRole":
		if s == "member" {
			return n.role(ctx, s)
		}
	case "visibility":
		if s == "workspace" {
			return t(ctx, "the whole {workspace}")
		}
		return t(ctx, "its creator")
	case "audience":
		switch s {
		case "workspace":
			return t(ctx, "the whole {workspace}")
		case "organization":
			return n.Org.Name
		case "everyone":
			return t(ctx, "everyone on this server")
		}
	case "status":
		if state := recordedStates[s]; state != "" {
			return t(ctx, state)
		}
	case "before":
		if at, err := time.Parse(time.RFC3339, s); err == nil {
			return locale.DayInFull(locale.WithZone(ctx, time.UTC), at)
		}
	case "closesAt", "until":
		if at, err := time.Parse(time.RFC3339, s); err == nil {
			return locale.Moment(locale.WithZone(ctx, n.Zone), at)
		}
	}
	if s == "" {
		return noValue(ctx)
	}
	return ui.Short(s, frame.MaxOfValue)
}

// recordedStates are the states of posts, people and organizations.
var recordedStates = map[string]string{
	"pending_review": mark("waits for review"), "visible": mark("visible"), "rejected": mark("rejected"), "hidden": mark("hidden"),
	"pending": mark("waits for approval"), "active": mark("active"), "suspended": mark("suspended"),
}

// maxChanges is how many changes stand within a sentence; all are behind it.
const maxChanges = 2

// tellSettings says what was set from what to what.
func tellSettings(ctx context.Context, n auditNames, l auditLine) said {
	return tail(n.changed(ctx, l))
}

// tellExpired says how old the runs were.
func tellExpired(ctx context.Context, n auditNames, l auditLine) said {
	return tail(" " + tc(ctx, "log", "(from before %s)", n.text(ctx, l.AuditLine, "before", l.to("before"))))
}

// tellFields is tellSettings of what is no settings.
func tellFields(ctx context.Context, n auditNames, l auditLine) said {
	if l.Action == "workflow.updated" {
		if _, only := l.details["version"]; only && len(l.details) == 1 {
			return tail(inWorkspace(ctx, n, l), " "+tc(ctx, "log", "to version %s", l.to("version")))
		}
	}
	return tail(inWorkspace(ctx, n, l), n.changed(ctx, l))
}

// changed is what an entry changed, behind its sentence.
func (n auditNames) changed(ctx context.Context, l auditLine) string {
	all := n.changes(ctx, l.AuditLine)
	if len(all) == 0 {
		return ""
	}
	var texts []string
	for _, c := range all[:min(len(all), maxChanges)] {
		texts = append(texts, change{c.Field, ui.Short(c.From, 60), ui.Short(c.To, 60)}.text(ctx))
	}
	if more := len(all) - maxChanges; more > 0 {
		texts = append(texts, tn(ctx, "%d thing more", "%d things more", more))
	}
	return locale.Labelled(ctx, "", strings.Join(texts, "; "))
}

// noValue is a value that is not there.
func noValue(ctx context.Context) string { return tc(ctx, "value", "none") }

// recorded is an entry as programs see it.
func recorded(l query.AuditLine) string {
	entry := map[string]any{"id": l.Id, "action": l.Action, "targetType": l.TargetType, "details": l.Details, "createdAt": l.CreatedAt.UTC()}
	for name, id := range map[string]*string{"targetId": l.TargetId, "workspaceId": l.WorkspaceId} {
		if id != nil {
			entry[name] = *id
		}
	}
	raw, _ := json.Marshal(entry)
	return frame.ShownRaw(raw)
}

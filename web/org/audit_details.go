package org

import (
	"encoding/json"
	"slices"
	"strings"
	"time"
	"unicode"

	"atelier/jsontext"
	"atelier/web/frame"
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
func (d details) credits(field string) (from, to string) {
	if f, ok := d[field].From.(float64); ok {
		from = frame.Credits(f)
	}
	if f, ok := d[field].To.(float64); ok {
		to = frame.Credits(f)
	}
	return from, to
}

// time is a recorded moment, zero for none.
func (d details) time(field string) time.Time {
	t, _ := time.Parse(time.RFC3339, d.to(field))
	return t
}

// role is a role in a workspace in the organization's words.
func (n auditNames) role(role string) string {
	switch role {
	case "admin":
		return frame.Lower(n.Org.Vocabulary.Admin)
	case "member":
		return frame.Lower(n.Org.Vocabulary.Member)
	}
	return role
}

// change is one field of an entry's details in words.
type change struct{ Field, From, To string }

// text is the change within a sentence.
func (c change) text() string { return c.Field + " from “" + c.From + "” to “" + c.To + "”" }

// recordedFields are the names of recorded fields that are no settings. What is "" says nothing to people.
var recordedFields = map[string]string{
	"name": "The name", "description": "The description", "slug": "The short name", "iconUrl": "The picture", "version": "The version",
	"visibility": "Who sees it", "isActive": "Open for runs", "allowedEmbedDomains": "Sites that may show it",
	"maxRunsPerUserPerDay": "Runs a day for each person", "markupPercent": "Its markup in percent", "enabled": "The code is on", "closesAt": "It closes", "role": "The role",
	"organizationRole": "The role in the organization", "status": "The state", "kind": "The kind", "archived": "Archived", "email": "The address",
	"reason": "The reason", "amount": "Credits", "allocated": "Credits given in all", "pool": "The pool", "creditCap": "The cap", "defaultCap": "The cap of new members",
	"format": "The form of the file", "filter": "The filter", "owner": "", "userId": "", "projectId": "", "workspaceId": "",
}

// settingWords is a setting by its key, in the organization's words.
func (n auditNames) settingWords(key string) (label string, choices []ruleChoice) {
	for _, s := range ruleList(n.Org.Vocabulary) {
		if s.Key == key {
			return s.Label, s.Choices
		}
	}
	switch key {
	case "allowed_email_domains":
		return "Domains of addresses that may join", nil
	case "vocabulary_overrides":
		return "The words for people and places", nil
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
func (n auditNames) changes(l query.AuditLine) []change {
	fields := detailsOf(l.Details)
	out := make([]change, 0, len(fields))
	for name, f := range fields {
		key, isSetting := strings.CutPrefix(name, "settings.")
		label, known := recordedFields[name]
		var choices []ruleChoice
		switch {
		case isSetting:
			label, choices = n.settingWords(key)
		case !known:
			label = frame.SentenceCase(spaced(name))
		case label == "":
			continue
		}
		shown := func(v any) string { return n.value(l, name, v, choices, isSetting) }
		out = append(out, change{label, shown(f.From), shown(f.To)})
	}
	slices.SortFunc(out, func(a, b change) int { return strings.Compare(a.Field, b.Field) })
	return out
}

// value is a recorded value in words.
func (n auditNames) value(l query.AuditLine, field string, v any, choices []ruleChoice, isSetting bool) string {
	encoded, _ := json.Marshal(v)
	for _, o := range choices {
		if o.Value == string(encoded) {
			return o.Text
		}
	}
	switch v := v.(type) {
	case nil:
		return n.nothing(l, isSetting)
	case string:
		return n.text(l, field, v)
	case bool:
		if v {
			return "yes"
		}
		return "no"
	case float64:
		return ui.Amount(v)
	case []any:
		return n.several(v)
	case map[string]any:
		words := make([]any, 0, len(v))
		for _, key := range frame.SortedKeys(v) {
			words = append(words, v[key])
		}
		return n.several(words)
	}
	return ""
}

// nothing is what a value that is not set means: the layer below decides.
func (n auditNames) nothing(l query.AuditLine, isSetting bool) string {
	switch {
	case isSetting && l.WorkspaceId != nil:
		return "as " + n.Org.Name + " has it"
	case isSetting:
		return "as usual"
	}
	return "none"
}

// several is a list in a line.
func (n auditNames) several(list []any) string {
	var texts []string
	for _, v := range list {
		if s := word(v); s != "" {
			texts = append(texts, s)
		}
	}
	if len(texts) == 0 {
		return "none"
	}
	return ui.Short(strings.Join(texts, ", "), frame.MaxOfValue)
}

// text is a recorded word of a field that has a few, or a text as it is.
func (n auditNames) text(l query.AuditLine, field, s string) string {
	switch field {
	case "role":
		if l.TargetType == "workflow" {
			return map[string]string{"viewer": "may look", "editor": "may change"}[s]
		}
		if l.WorkspaceId != nil || s == "member" {
			return n.role(s)
		}
	case "organizationRole":
		if s == "member" {
			return n.role(s)
		}
	case "visibility":
		if s == "workspace" {
			return "the whole " + frame.Lower(n.Org.Vocabulary.Workspace)
		}
		return "its creator"
	case "closesAt":
		if t, err := time.Parse(time.RFC3339, s); err == nil {
			return ui.Moment(t, n.Zone)
		}
	}
	if s == "" {
		return "none"
	}
	return ui.Short(s, frame.MaxOfValue)
}

// maxChanges is how many changes stand within a sentence; all are behind it.
const maxChanges = 2

// tellSettings says what was set from what to what.
func tellSettings(n auditNames, l auditLine) said { return n.told("", l) }

// tellFields is tellSettings of what is no settings.
func tellFields(n auditNames, l auditLine) said {
	if l.Action == "workflow.updated" {
		if _, only := l.details["version"]; only && len(l.details) == 1 {
			return said{"", join(n.where("in", l), "to version "+l.to("version"))}
		}
	}
	return n.told(n.where("in", l), l)
}

func (n auditNames) told(where string, l auditLine) said {
	all := n.changes(l.AuditLine)
	var texts []string
	for _, c := range all[:min(len(all), maxChanges)] {
		texts = append(texts, change{c.Field, ui.Short(c.From, 60), ui.Short(c.To, 60)}.text())
	}
	if more := len(all) - maxChanges; more > 0 {
		texts = append(texts, ui.Plural(more, "thing more", "things more"))
	}
	return said{"", where + behind(": ", strings.Join(texts, "; "))}
}

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

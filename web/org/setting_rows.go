package org

import (
	"context"
	"encoding/json"
	"net/url"
	"strings"

	"atelier/jsontext"
	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"

	"github.com/a-h/templ"
)

const (
	rulePrefix = "settings."
	wasPrefix  = "was." // what a rule was when the form was made
)

// rule is a setting of contract 3, "Settings", in words.
type rule struct {
	Key, Label, Hint string
	Choices          []ruleChoice
}

// ruleChoice is a value of a rule, what it is called, and what it means for people.
type ruleChoice struct {
	Value string // as JSON
	Text  string
	Means string
}

// text is a value in a word.
func (s rule) text(value string) string { return s.choice(value).Text }

func (s rule) choice(value string) ruleChoice {
	for _, c := range s.Choices {
		if c.Value == value {
			return c
		}
	}
	return ruleChoice{}
}

// ruleList are the settings that both layers have, in the organization's words.
func ruleList(w frame.Words) []rule {
	space, spaces := frame.Lower(w.Workspace), frame.Lower(w.Workspaces)
	member, members, admins := frame.Lower(w.Member), frame.Lower(w.Members), frame.Lower(w.Admins)
	yesNo := func(yes, no string) []ruleChoice { return []ruleChoice{{"true", "Yes", yes}, {"false", "No", no}} }
	return []rule{
		{"admin_access", w.Admins + "' access to " + member + " work", "Private work too.", []ruleChoice{
			{`"view"`, "View", w.Admins + " may open all work of " + members + ", private work too, and change none of it."},
			{`"edit"`, "Edit", w.Admins + " may open and change all work of " + members + ", private work too."},
		}},
		{"default_workflow_visibility", "Who sees a new workflow", "Whoever makes it can change that later.", []ruleChoice{
			{`"private"`, "Only its maker", "Nobody else sees a new workflow until its maker opens it to the " + space + "."},
			{`"workspace"`, "The whole " + space, "The whole " + space + " sees a new workflow at once."},
		}},
		{"member_access_to_shared", "What " + members + " may do with workflows that are open to the " + space, "", []ruleChoice{
			{`"view"`, "Look", w.Members + " may open the workflows of others in the " + space + ", and neither change nor run them."},
			{`"edit"`, "Change and run", w.Members + " may change and run the workflows of others in the " + space + "."},
		}},
		{"members_can_create_projects", w.Members + " may make folders for workflows", "Programs see the folders; these pages list all workflows together.", yesNo(
			w.Members+" may sort work into folders of their own.", "Only "+admins+" make folders."),
		},
		{"member_caps_enabled", "Each " + member + " can have a credit cap", "", yesNo(
			w.Admins+" can set how many credits each "+member+" may spend.", "Nobody has a cap: everybody spends what the "+space+" holds."),
		},
		{"personal_space_enabled", "Everybody may work in a space of their own", "What is in one stays there, either way.", yesNo(
			"Everybody may make new work in a personal space, too.", "New work is made in "+spaces+" alone; what is in a personal space can be looked at and moved out."),
		},
		{"workspace_admins_can_invite", w.Admins + " may invite people into their own " + space, "", yesNo(
			w.Admins+" may invite people into their own "+space+".", "Only the owner and admins invite people."),
		},
		{"collaborators_can_invite", "Whoever may change a workflow may share it on", "", yesNo(
			"Everybody who may change a workflow may share it with more people.", "Only the maker of a workflow, and "+admins+" where they may change it, share it."),
		},
	}
}

// rulesView is the rules of an organization or of a workspace, as one form.
type rulesView struct {
	Action, Reset, Preview string // addresses
	Version                string
	Layer                  string // the layer that the form edits
	Kind                   query.OrganizationKind
	From                   string // the organization
	Words                  frame.Words
	Rows                   []query.Setting
	Overrides              map[string]int // workspaces that set a key themselves
	Workspaces             string         // their list
	Count                  int            // of all workspaces in use
	Form                   frame.Form
	Locked                 bool
	Asked                  bool // what saving would change is shown
}

// list are the rules that mean something at the layer: whether there are personal spaces, an organization alone says.
func (v rulesView) list() (out []rule) {
	for _, s := range ruleList(v.Words) {
		if v.Layer == "organization" || s.Key != "personal_space_enabled" {
			out = append(out, s)
		}
	}
	return out
}

// ruleRow is a rule with what applies now.
type ruleRow struct {
	rule
	Now       string // the value that applies, as JSON
	Chosen    string // the value that the form shows
	SetHere   bool
	From      string // where the value comes from: "set here", "from Northgate School", "school default"
	Inherited string // what Reset leads to
	Differ    int    // workspaces that set it themselves
	Place     string // what it can be set for: "school", "class"
}

func (v rulesView) rows(ctx context.Context) []ruleRow {
	var out []ruleRow
	for _, s := range v.list() {
		row := settingOf(v.Rows, s.Key)
		r := ruleRow{rule: s, Now: jsonText(row.Value), SetHere: row.Source == v.Layer, From: v.source(ctx, row.Source), Differ: v.Overrides[s.Key], Place: v.place(ctx)}
		r.Chosen = v.Form.Value(rulePrefix+s.Key, r.Now)
		r.Inherited = s.text(jsonText(row.Inherited))
		out = append(out, r)
	}
	return out
}

// source says where a value comes from.
func (v rulesView) source(ctx context.Context, source string) string {
	switch source {
	case v.Layer:
		return "set here"
	case "organization":
		return "from " + v.From
	}
	return frame.Lower(frame.KindName(ctx, v.Kind)) + " default"
}

// ruleChange is a rule that saving would change, with what it means before and after.
type ruleChange struct {
	ruleRow
	Before, After string
}

// changes are what saving the form would change for people.
func (v rulesView) changes(ctx context.Context) (out []ruleChange) {
	for _, r := range v.rows(ctx) {
		if r.Chosen != r.Now {
			out = append(out, ruleChange{r, r.choice(r.Now).Means, r.choice(r.Chosen).Means})
		}
	}
	return out
}

// sentRules reads the rules that a form changes: a value, or null for a key that is to fall through. A rule that was
// sent as it was when the form was made is left as it is.
func sentRules(sent url.Values) map[string]any {
	out := map[string]any{}
	for _, s := range ruleList(frame.PlainWords) {
		value, changed := sentRule(sent, s.Key)
		if !changed {
			continue
		}
		var v any
		_ = jsontext.Read([]byte(value), &v) // what is no JSON unsets
		out[s.Key] = v
	}
	return out
}

// sentRule is the value of a rule that was sent, and whether it differs from what it was.
func sentRule(sent url.Values, key string) (value string, changed bool) {
	value, was := sent.Get(rulePrefix+key), sent.Get(wasPrefix+key)
	return value, sent.Has(rulePrefix+key) && (!sent.Has(wasPrefix+key) || value != was)
}

// resetRule is what the button beside a rule changes: it falls through again, or keeps here what fell through.
func resetRule(ctx context.Context, sent url.Values, v rulesView) (map[string]any, string) {
	for _, r := range v.rows(ctx) {
		switch r.Key {
		case sent.Get("reset"):
			row := settingOf(v.Rows, r.Key)
			return map[string]any{r.Key: nil}, r.Label + ": " + frame.Lower(r.Inherited) + ", " + v.source(ctx, row.InheritedFrom) + "."
		case sent.Get("keep"):
			var value any
			_ = json.Unmarshal([]byte(r.Now), &value)
			return map[string]any{r.Key: value}, r.Label + ": " + frame.Lower(r.text(r.Now)) + ", set here from now on."
		}
	}
	return map[string]any{}, "Nothing was changed."
}

func settingOf(rows []query.Setting, key string) query.Setting {
	for _, row := range rows {
		if row.Key == key {
			return row
		}
	}
	return query.Setting{}
}

// jsonText is a value as a form carries it.
func jsonText(raw *json.RawMessage) string {
	if raw == nil {
		return ""
	}
	return strings.TrimSpace(string(*raw))
}

// rulesLive lets the preview follow the form.
func rulesLive(ctx context.Context, v rulesView) templ.Attributes {
	return ui.Live(ctx, "post", v.Preview, "trigger", "change from:#"+rulesForm+" delay:150ms", "include", "#"+rulesForm, "target", "#rules-preview", "swap", "outerHTML")
}

// rowOf is a setting of a page that asks for values alone.
func rowOf(rows []query.SettingRow, key string) query.SettingRow {
	for _, row := range rows {
		if row.Key == key {
			return row
		}
	}
	return query.SettingRow{}
}

func sameJSON(raw *json.RawMessage, text string) bool { return jsonText(raw) == text }

// place is what the form's settings are for, in a word.
func (v rulesView) place(ctx context.Context) string {
	if v.Layer == "organization" {
		return frame.Lower(frame.KindName(ctx, v.Kind))
	}
	return frame.Lower(v.Words.Workspace)
}

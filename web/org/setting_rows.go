package org

import (
	"context"
	"encoding/json"
	"net/url"
	"strings"

	"atelier/jsontext"
	"atelier/web/frame"
	"atelier/web/locale"
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
func ruleList(ctx context.Context, w frame.Words) []rule {
	ctx = frame.Saying(ctx, w)
	yesNo := func(yes, no string) []ruleChoice {
		return []ruleChoice{{"true", t(ctx, "Yes"), yes}, {"false", t(ctx, "No"), no}}
	}
	return []rule{
		{"admin_access", t(ctx, "{Admins}' access to {member} work"), t(ctx, "Private work too."), []ruleChoice{
			{`"view"`, t(ctx, "View"), t(ctx, "{Admins} may open all work of {members}, private work too, and change none of it.")},
			{`"edit"`, t(ctx, "Edit"), t(ctx, "{Admins} may open and change all work of {members}, private work too.")},
		}},
		{"default_workflow_visibility", t(ctx, "Who sees a new workflow"), t(ctx, "The person who makes it can change that later."), []ruleChoice{
			{`"private"`, t(ctx, "Only its maker"), t(ctx, "No one else sees a new workflow until its maker opens it to the {workspace}.")},
			{`"workspace"`, t(ctx, "The whole {workspace}"), t(ctx, "The whole {workspace} sees a new workflow at once.")},
		}},
		{"member_access_to_shared", t(ctx, "What {members} may do with workflows that are open to the {workspace}"), "", []ruleChoice{
			{`"view"`, t(ctx, "Look"), t(ctx, "{Members} may open the workflows of others in the {workspace}, and neither change nor run them.")},
			{`"edit"`, t(ctx, "Change and run"), t(ctx, "{Members} may change and run the workflows of others in the {workspace}.")},
		}},
		{"members_can_create_projects", t(ctx, "{Members} may make folders for workflows"), t(ctx, "Programs see the folders; these pages list all "+
			"workflows together."), yesNo(
			t(ctx, "{Members} may sort work into folders of their own."), t(ctx, "Only {admins} make folders.")),
		},
		{"member_caps_enabled", t(ctx, "Each {member} can have a credit cap"), "", yesNo(
			t(ctx, "{Admins} can set how many credits each {member} may spend."), t(ctx, "No one has a cap: everyone spends what the {workspace} holds.")),
		},
		{"personal_space_enabled", t(ctx, "Everyone may work in a space of their own"), t(ctx, "What is in one stays there, either way."), yesNo(
			t(ctx, "Everyone may make new work in a personal space, too."), t(ctx, "New work is made in {workspaces} alone; what is in a personal space can "+
				"be looked at and moved out.")),
		},
		{"workspace_admins_can_invite", t(ctx, "{Admins} may invite people into their own {workspace}"), "", yesNo(
			t(ctx, "{Admins} may invite people into their own {workspace}."), t(ctx, "Only the owner and admins invite people.")),
		},
		{"collaborators_can_invite", t(ctx, "Anyone who may change a workflow may share it on"), "", yesNo(
			t(ctx, "Everyone who may change a workflow may share it with more people."), t(ctx, "Only the maker of a workflow, and {admins} where they may "+
				"change it, share it.")),
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
func (v rulesView) list(ctx context.Context) (out []rule) {
	for _, s := range ruleList(ctx, v.Words) {
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
	SetText   string // the button that sets it here
}

func (v rulesView) rows(ctx context.Context) []ruleRow {
	var out []ruleRow
	for _, s := range v.list(ctx) {
		row := settingOf(v.Rows, s.Key)
		r := ruleRow{rule: s, Now: jsonText(row.Value), SetHere: row.Source == v.Layer, From: v.source(ctx, row.Source), Differ: v.Overrides[s.Key], SetText: v.setText(ctx)}
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
		return t(ctx, "set here")
	case "organization":
		return t(ctx, "from %s", v.From)
	}
	return kindDefault(ctx, v.Kind)
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
func sentRules(ctx context.Context, sent url.Values) map[string]any {
	out := map[string]any{}
	for _, s := range ruleList(ctx, frame.PlainWords) {
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
			return map[string]any{r.Key: nil}, t(ctx, "%s: %s, %s.", r.Label, inSentence(ctx, r.Inherited), v.source(ctx, row.InheritedFrom))
		case sent.Get("keep"):
			var value any
			_ = json.Unmarshal([]byte(r.Now), &value)
			return map[string]any{r.Key: value}, t(ctx, "%s: %s, set here from now on.", r.Label, inSentence(ctx, r.text(r.Now)))
		}
	}
	return map[string]any{}, t(ctx, "Nothing was changed.")
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

// setText is the button that sets a rule at the layer of the form.
func (v rulesView) setText(ctx context.Context) string {
	switch {
	case v.Layer != "organization":
		return t(frame.Saying(ctx, v.Words), "Set for this {workspace}")
	case v.Kind == query.OrganizationKindSchool:
		return t(ctx, "Set for this school")
	}
	return t(ctx, "Set for this team")
}

// kindDefault names what a kind of organization brings along.
func kindDefault(ctx context.Context, kind query.OrganizationKind) string {
	if kind == query.OrganizationKindSchool {
		return t(ctx, "school default")
	}
	return t(ctx, "team default")
}

// inSentence is a label inside a sentence: small, but for German, whose nouns are not.
func inSentence(ctx context.Context, label string) string {
	if locale.Of(ctx).Code == "de" {
		return label
	}
	return strings.ToLower(label)
}

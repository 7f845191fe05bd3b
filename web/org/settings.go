package org

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"atelier/jsontext"
	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"
)

// organizationSettingsView is the settings of an organization.
type organizationSettingsView struct {
	Org     query.OrganizationHead
	Rows    []query.SettingRow
	Version string // of the row, for the form
	Form    frame.Form
}

// OrganizationSettings is the settings of an organization.
func (c Pages) OrganizationSettings(w http.ResponseWriter, r *http.Request) error {
	res, err := query.OrganizationSettings(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return err
	}
	org := res.Organization
	v := organizationSettingsView{Org: org.OrganizationHead, Rows: org.Settings, Version: version(org.UpdatedAt), Form: frame.FormOf(r)}
	return c.Page(w, r, res.Shell, frame.Page{Title: "Settings", Section: frame.SectionSettings, Org: org.Id}, organizationSettingsContent(v))
}

// UpdateOrganization saves them, unless somebody else did so meanwhile.
func (c Pages) UpdateOrganization(w http.ResponseWriter, r *http.Request) error {
	name, settings := frame.Text(r, "name"), chosenSettings(r)
	settings["allowed_email_domains"], settings["vocabulary_overrides"] = chosenDomains(r), chosenWords(r)
	res, err := query.UpdateOrganization(r.Context(), c.Client, frame.PathID(r), query.UpdateOrganizationInput{Name: &name, Settings: &settings, UnchangedSince: sentVersion(r)})
	if frame.HasCode(err, "stale_version") {
		return c.staleOrganization(w, r)
	}
	if err != nil {
		return frame.Again(w, r, err, c.OrganizationSettings)
	}
	return c.Done(w, "/orgs/"+frame.PathID(r)+"/settings", "The settings of "+res.UpdateOrganization.Name+" are saved.")
}

// workspaceSettingsView is the settings of a workspace.
type workspaceSettingsView struct {
	Workspace query.WorkspaceHead
	Rows      []query.SettingRow
	Version   string // of the row, for the form
	Form      frame.Form
}

// WorkspaceSettings is the settings of a workspace.
func (c Pages) WorkspaceSettings(w http.ResponseWriter, r *http.Request) error {
	res, err := query.WorkspaceSettings(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return err
	}
	ws := res.Workspace
	v := workspaceSettingsView{Workspace: ws.WorkspaceHead, Rows: ws.Settings, Version: version(ws.UpdatedAt), Form: frame.FormOf(r)}
	return c.Page(w, r, res.Shell, workspacePage(ws.WorkspaceHead, "Settings of "+ws.Name), workspaceSettingsContent(v))
}

// UpdateWorkspace saves them, unless somebody else did so meanwhile.
func (c Pages) UpdateWorkspace(w http.ResponseWriter, r *http.Request) error {
	name, description, settings := frame.Text(r, "name"), frame.Text(r, "description"), chosenSettings(r)
	res, err := query.UpdateWorkspace(r.Context(), c.Client, frame.PathID(r), query.UpdateWorkspaceInput{Name: &name, Description: &description, Settings: &settings, UnchangedSince: sentVersion(r)})
	if frame.HasCode(err, "stale_version") {
		return c.staleWorkspace(w, r)
	}
	if err != nil {
		return frame.Again(w, r, err, c.WorkspaceSettings)
	}
	return c.Done(w, "/workspaces/"+frame.PathID(r), res.UpdateWorkspace.Name+" is changed.")
}

// setting is a key of contract 3, "Settings", in words.
type setting struct {
	Key, Label, Hint string
	Choices          []ui.Option // value as JSON
}

// settingList are the keys that both layers have, in the organization's words.
func settingList(w frame.Words) []setting {
	member, members, admins := frame.Lower(w.Member), frame.Lower(w.Members), frame.Lower(w.Admins)
	access := []ui.Option{{Value: `"view"`, Text: "may look"}, {Value: `"edit"`, Text: "may change"}}
	yesNo := []ui.Option{{Value: "true", Text: "yes"}, {Value: "false", Text: "no"}}
	return []setting{
		{"admin_access", "What " + admins + " may do with the work of " + members, "Private work too.", access},
		{"default_workflow_visibility", "Who sees a new workflow", "Its creator can change that later.", []ui.Option{{Value: `"private"`, Text: "its creator"}, {Value: `"workspace"`, Text: "the whole " + frame.Lower(w.Workspace)}}},
		{"member_access_to_shared", "What " + members + " may do with shared work", "", access},
		{"members_can_create_projects", "Each " + member + " may make projects", "", yesNo},
		{"member_caps_enabled", "Each " + member + " can have a credit cap", "", yesNo},
		{"personal_space_enabled", "The personal space is open", "If not, everything new is made in " + frame.A(w.Workspace) + ".", yesNo},
		{"workspace_admins_can_invite", w.Admins + " may invite into their own " + frame.Lower(w.Workspace), "", yesNo},
		{"collaborators_can_invite", "Editors of a workflow may share it on", "", yesNo},
	}
}

// chosenSettings reads the form: a value, or null for a key that is to fall through to the layer below.
func chosenSettings(r *http.Request) map[string]any {
	out := map[string]any{}
	for _, s := range settingList(frame.PlainWords) {
		sent, there := r.PostForm["settings."+s.Key]
		if !there {
			continue
		}
		var v any
		_ = jsontext.Read([]byte(sent[0]), &v) // what is no JSON unsets
		out[s.Key] = v
	}
	return out
}

// chosenDomains reads one domain a line; none is null, for every domain.
func chosenDomains(r *http.Request) any {
	list := strings.FieldsFunc(r.PostForm.Get("settings.allowed_email_domains"), func(c rune) bool {
		return c == '\n' || c == '\r' || c == ',' || c == ' '
	})
	if len(list) == 0 {
		return nil
	}
	return list
}

// chosenWords reads the words that differ from the kind's; none is null.
func chosenWords(r *http.Request) any {
	out := map[string]any{}
	for _, w := range wordList {
		if s := frame.Text(r, "word."+w.Key); s != "" {
			out[w.Key] = s
		}
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// wordList are the words that an organization can replace.
var wordList = []struct{ Key, Label string }{
	{"workspace", "A place where people work"}, {"workspaces", "Several such places"}, {"member", "Somebody who works there"}, {"members", "Several of them"},
	{"admin", "Whoever leads such a place"}, {"admins", "Several who do"},
}

// settingField is the select of one setting. Layer is the layer that the page edits: a value that comes from
// another is shown as what falls through, so that false here and unset are different things.
func settingField(s setting, rows []query.SettingRow, layer string, f frame.Form, locked string) ui.Field {
	row := rowOf(rows, s.Key)
	own, inherited := "", "not set here"
	for _, o := range s.Choices {
		switch {
		case sameJSON(row.Value, o.Value) && row.Source == layer:
			own = o.Value
		case sameJSON(row.Value, o.Value):
			inherited = "not set here: " + o.Text + ", by " + sourceWord(row.Source)
		}
	}
	name := "settings." + s.Key
	chosen := f.Value(name, own)
	options := []ui.Option{{Value: "", Text: inherited, Selected: chosen == ""}}
	for _, o := range s.Choices {
		o.Selected = o.Value == chosen
		options = append(options, o)
	}
	return ui.Field{Name: name, Label: s.Label, Hint: s.Hint, Options: options, Error: f.Error(name), Required: true, Value: chosen, Locked: locked, Attrs: map[string]any{"required": false}}
}

func sourceWord(source string) string {
	switch source {
	case "organization":
		return "the organization"
	case "default":
		return "default"
	}
	return source
}

// domainsOf are the allowed domains as they are edited, one a line.
func domainsOf(rows []query.SettingRow) string {
	var list []string
	if raw := rowOf(rows, "allowed_email_domains").Value; raw != nil {
		_ = json.Unmarshal(*raw, &list)
	}
	return strings.Join(list, "\n")
}

// wordsOf are the replaced words by key.
func wordsOf(rows []query.SettingRow) map[string]string {
	out := map[string]string{}
	if raw := rowOf(rows, "vocabulary_overrides").Value; raw != nil {
		_ = json.Unmarshal(*raw, &out)
	}
	return out
}

// settingNames are the fields of a settings form, for its error summary.
func settingNames() []string {
	names := []string{"name", "description", "settings.allowed_email_domains", "settings.vocabulary_overrides"}
	for _, s := range settingList(frame.PlainWords) {
		names = append(names, "settings."+s.Key)
	}
	return slices.Clip(names)
}

package org

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"
)

// staleSettings shows settings as somebody else saved them beside what was typed meanwhile, and the way to save
// one's own all the same.
type staleSettings struct {
	Title, Action, Back string
	Version             string // as it is now
	Sent                url.Values
	Changes             []ui.Change
}

// fields are what was typed, to be sent again.
func (v staleSettings) fields() []ui.Hidden {
	var out []ui.Hidden
	for name, values := range v.Sent {
		if name != "version" && len(values) > 0 {
			out = append(out, ui.Hidden{Name: name, Value: values[0]})
		}
	}
	slices.SortFunc(out, func(a, b ui.Hidden) int { return strings.Compare(a.Name, b.Name) })
	return out
}

func (c Pages) staleOrganization(w http.ResponseWriter, r *http.Request) error {
	res, err := query.OrganizationSettings(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return err
	}
	org, path := res.Organization, "/orgs/"+frame.PathID(r)+"/settings"
	v := staleSettings{Title: org.Name, Action: path, Back: path, Version: version(org.UpdatedAt), Sent: r.PostForm}
	v.add("Name", org.Name, frame.Text(r, "name"))
	v.addSettings(org.Settings, org.Vocabulary, "organization")
	v.add("Allowed domains", domainsOf(org.Settings), strings.Join(strings.Fields(r.PostForm.Get("settings.allowed_email_domains")), "\n"))
	for _, word := range wordList {
		v.add("Word: "+word.Label, wordsOf(org.Settings)[word.Key], frame.Text(r, "word."+word.Key))
	}
	p := frame.Page{Title: "Somebody was faster", Section: frame.SectionSettings, Org: org.Id, Status: http.StatusConflict}
	return c.Page(w, r, res.Shell, p, staleSettingsContent(v))
}

func (c Pages) staleWorkspace(w http.ResponseWriter, r *http.Request) error {
	res, err := query.WorkspaceSettings(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return err
	}
	ws, path := res.Workspace, "/workspaces/"+frame.PathID(r)+"/edit"
	v := staleSettings{Title: ws.Name, Action: path, Back: path, Version: version(ws.UpdatedAt), Sent: r.PostForm}
	v.add("Name", ws.Name, frame.Text(r, "name"))
	v.add("What it is for", ws.Description, frame.Text(r, "description"))
	v.addSettings(ws.Settings, ws.Organization.Vocabulary, "workspace")
	p := workspacePage(ws.WorkspaceHead, "Somebody was faster")
	p.Status = http.StatusConflict
	return c.Page(w, r, res.Shell, p, staleSettingsContent(v))
}

func (v *staleSettings) add(name, now, mine string) {
	if strings.TrimSpace(now) != strings.TrimSpace(mine) {
		v.Changes = append(v.Changes, ui.Change{Name: name, Before: now, After: mine})
	}
}

// addSettings compares what each layer says itself; what falls through is "not set here".
func (v *staleSettings) addSettings(rows []query.SettingRow, w frame.Words, layer string) {
	for _, s := range settingList(w) {
		now := ""
		if row := rowOf(rows, s.Key); row.Source == layer && row.Value != nil {
			now = strings.TrimSpace(string(*row.Value))
		}
		v.add(s.Label, choiceText(s, now), choiceText(s, v.Sent.Get("settings."+s.Key)))
	}
}

func choiceText(s setting, value string) string {
	for _, o := range s.Choices {
		if o.Value == value {
			return o.Text
		}
	}
	return "not set here"
}

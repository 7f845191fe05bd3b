package org

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"atelier/web/locale"
	"atelier/web/ui"
)

// staleSettings shows settings as another person saved them beside what was typed meanwhile, and the way to save
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
	part := sentPart(r.PostForm)
	res, now, err := c.loadOrganizationSettings(r, part)
	if err != nil {
		return err
	}
	v := staleSettings{
		Title: now.Org.Name, Action: partGeneral.path(now.Org.Id), Back: part.path(now.Org.Id), Version: now.Version, Sent: r.PostForm,
	}
	v.addText(t(r.Context(), "Name"), now.Org.Name, "name")
	v.addRules(r.Context(), now.rules())
	if part == partDomains {
		list, _ := sentDomains(r.PostForm).([]string)
		v.add(t(r.Context(), "Domains that may join"), strings.Join(domainsOf(now.Rows), ", "), strings.Join(list, ", "))
	}
	if part == partWords {
		mine := sentWordMap(r.PostForm)
		for _, pair := range wordPairs {
			v.add(t(r.Context(), "Word: %s", locale.Term(r.Context(), pair.of(now.KindWords))), ownWords(now.Rows)[pair.One], mine[pair.One])
			v.add(t(r.Context(), "Word: %s", locale.Term(r.Context(), pair.manyOf(now.KindWords))), ownWords(now.Rows)[pair.Many], mine[pair.Many])
		}
	}
	p := now.page(t(r.Context(), "Another change came first"))
	p.Status = http.StatusConflict
	return c.Page(w, r, res.Shell, p, staleSettingsContent(v))
}

func (c Pages) staleWorkspace(w http.ResponseWriter, r *http.Request) error {
	res, now, err := c.loadWorkspaceSettings(r)
	if err != nil {
		return err
	}
	v := staleSettings{Title: now.Workspace.Name, Action: now.path(), Back: now.path(), Version: now.Version, Sent: r.PostForm}
	v.addText(t(r.Context(), "Name"), now.Workspace.Name, "name")
	v.addText(t(r.Context(), "What it is for"), now.Workspace.Description, "description")
	v.addRules(r.Context(), now.rules())
	p := workspacePage(now.Workspace, t(r.Context(), "Another change came first"))
	p.Status = http.StatusConflict
	return c.Page(w, r, res.Shell, p, staleSettingsContent(v))
}

func (v *staleSettings) add(name, now, mine string) {
	if strings.TrimSpace(now) != strings.TrimSpace(mine) {
		v.Changes = append(v.Changes, ui.Change{Name: name, Before: now, After: mine})
	}
}

// addText compares a field that the form has.
func (v *staleSettings) addText(name, now, field string) {
	if v.Sent.Has(field) {
		v.add(name, now, v.Sent.Get(field))
	}
}

// addRules compares the rules that were changed with what applies now.
func (v *staleSettings) addRules(ctx context.Context, rules rulesView) {
	for _, s := range rules.list(ctx) {
		if mine, changed := sentRule(v.Sent, s.Key); changed {
			v.add(s.Label, s.text(jsonText(settingOf(rules.Rows, s.Key).Value)), s.text(mine))
		}
	}
}

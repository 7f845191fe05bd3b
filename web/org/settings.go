package org

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"
)

// settingsPart is one part of an organization's settings, with an address of its own.
type settingsPart string

const (
	partGeneral settingsPart = "general"
	partWords   settingsPart = "words"
	partRules   settingsPart = "rules"
	partDomains settingsPart = "domains"
	partSignIn  settingsPart = "sign-in"
	partRuns    settingsPart = "runs"
	partEnding  settingsPart = "ending" // handing over and deleting
)

// path is the address of a part.
func (p settingsPart) path(org string) string {
	switch p {
	case partGeneral:
		return "/orgs/" + org + "/settings"
	case partEnding:
		return "/orgs/" + org + "/danger"
	}
	return "/orgs/" + org + "/settings/" + string(p)
}

// secondFactorField says whether members need a second factor: yes or no.
const secondFactorField = "requireSecondFactor"

// settingsTabs divides the settings of an organization.
func settingsTabs(ctx context.Context, o query.OrganizationHead, current settingsPart) []ui.NavItem {
	tabs := []ui.NavItem{
		{Text: t(ctx, "General"), Href: partGeneral.path(o.Id), Current: current == partGeneral},
		{Text: tc(ctx, "settings", "Words"), Href: partWords.path(o.Id), Current: current == partWords},
		{Text: t(ctx, "Rules"), Href: partRules.path(o.Id), Current: current == partRules},
		{Text: t(ctx, "Domains"), Href: partDomains.path(o.Id), Current: current == partDomains},
		{Text: t(ctx, "Sign-in"), Href: partSignIn.path(o.Id), Current: current == partSignIn},
		{Text: t(ctx, "Old runs"), Href: partRuns.path(o.Id), Current: current == partRuns},
	}
	if isOwner(o) {
		tabs = append(tabs, ui.NavItem{Text: t(ctx, "Hand over or delete"), Href: partEnding.path(o.Id), Current: current == partEnding})
	}
	return tabs
}

func isOwner(o query.OrganizationHead) bool {
	return o.Role != nil && *o.Role == query.OrganizationRoleOwner
}

// organizationSettingsView is one part of the settings of an organization.
type organizationSettingsView struct {
	Org       query.OrganizationHead
	Part      settingsPart
	Rows      []query.Setting
	Overrides []query.SettingOverride
	KindWords frame.Words
	// SecondFactor is whether members need one, Unguarded how many have none; nil is not told.
	SecondFactor bool
	Unguarded    *int
	// RunMonths is for how many whole months behind the current one runs are kept; nil is as long as the install keeps them.
	RunMonths *int
	RunsKept  string // in words, for the shorter time of what the organization and the install say
	Version   string // of the row, for the forms
	Form      frame.Form
	Asked     bool // what saving would change was asked for
}

// OrganizationSettings is what an organization is called.
func (c Pages) OrganizationSettings(w http.ResponseWriter, r *http.Request) error {
	return c.showOrganizationSettings(w, r, partGeneral)
}

// OrganizationWords is the words of an organization.
func (c Pages) OrganizationWords(w http.ResponseWriter, r *http.Request) error {
	return c.showOrganizationSettings(w, r, partWords)
}

// OrganizationRules is what people may do in an organization.
func (c Pages) OrganizationRules(w http.ResponseWriter, r *http.Request) error {
	return c.showOrganizationSettings(w, r, partRules)
}

// OrganizationDomains is whose addresses may join an organization.
func (c Pages) OrganizationDomains(w http.ResponseWriter, r *http.Request) error {
	return c.showOrganizationSettings(w, r, partDomains)
}

// OrganizationSignIn is what members of an organization need to sign in with.
func (c Pages) OrganizationSignIn(w http.ResponseWriter, r *http.Request) error {
	return c.showOrganizationSettings(w, r, partSignIn)
}

// OrganizationRuns is for how long an organization keeps its runs.
func (c Pages) OrganizationRuns(w http.ResponseWriter, r *http.Request) error {
	return c.showOrganizationSettings(w, r, partRuns)
}

func (c Pages) showOrganizationSettings(w http.ResponseWriter, r *http.Request, part settingsPart) error {
	res, v, err := c.loadOrganizationSettings(r, part)
	if err != nil {
		return err
	}
	return c.Page(w, r, res.Shell, v.page(t(r.Context(), "Settings")), organizationSettingsContent(v))
}

func (c Pages) loadOrganizationSettings(r *http.Request, part settingsPart) (*query.OrganizationSettingsResponse, organizationSettingsView, error) {
	res, err := query.OrganizationSettings(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return nil, organizationSettingsView{}, err
	}
	o := res.Organization
	return res, organizationSettingsView{
		Org: o.OrganizationHead, Part: part, Rows: o.Settings, Overrides: o.SettingOverrides, KindWords: o.KindVocabulary,
		SecondFactor: o.RequireSecondFactor, Unguarded: o.MembersWithoutSecondFactor, RunMonths: o.KeepRunsMonths, RunsKept: c.keptSentence(r.Context(), o.KeepRunsMonths),
		Version: version(o.UpdatedAt), Form: frame.FormOf(r),
	}, nil
}

func (v organizationSettingsView) page(title string) frame.Page {
	return frame.Page{Title: title, Section: frame.SectionSettings, Org: v.Org.Id}
}

// UpdateOrganization saves what a form of the settings holds, unless another person saved meanwhile.
func (c Pages) UpdateOrganization(w http.ResponseWriter, r *http.Request) error {
	settings := sentSettings(r.Context(), r.PostForm)
	input := query.UpdateOrganizationInput{Name: sentText(r, "name"), Settings: &settings, UnchangedSince: sentVersion(r)}
	if on := r.PostForm.Get(secondFactorField); on != "" {
		required := on == "yes"
		input = query.UpdateOrganizationInput{RequireSecondFactor: &required, UnchangedSince: sentVersion(r)}
	}
	res, err := query.UpdateOrganization(r.Context(), c.Client, frame.PathID(r), input)
	if frame.HasCode(err, "stale_version") {
		return c.staleOrganization(w, r)
	}
	part := sentPart(r.PostForm)
	if err != nil {
		return frame.Again(w, r, err, func(w http.ResponseWriter, r *http.Request) error {
			return c.showOrganizationSettings(w, r, part)
		})
	}
	return c.Done(w, part.path(frame.PathID(r)), savedSentence(r.Context(), part, r.PostForm, res.UpdateOrganization.Name))
}

// sentPart is the part whose form was sent, by its fields.
func sentPart(sent url.Values) settingsPart {
	for name := range sent {
		switch {
		case name == secondFactorField:
			return partSignIn
		case strings.HasPrefix(name, wordPrefix):
			return partWords
		case name == domainsField || name == "add" || name == "remove":
			return partDomains
		case strings.HasPrefix(name, rulePrefix):
			return partRules
		}
	}
	return partGeneral
}

func savedSentence(ctx context.Context, part settingsPart, sent url.Values, name string) string {
	switch {
	case part == partWords:
		return t(ctx, "The words of %s are saved.", name)
	case part == partSignIn && sent.Get(secondFactorField) == "yes":
		return t(ctx, "Members of %s need a second factor from now on.", name)
	case part == partSignIn:
		return t(ctx, "Members of %s need no second factor any more.", name)
	case part == partRules:
		return t(ctx, "The rules of %s are saved.", name)
	case part == partDomains && sent.Get("remove") != "":
		return t(ctx, "%s is no longer on the list.", sent.Get("remove"))
	case part == partDomains:
		return t(ctx, "The list of domains is saved.")
	}
	return t(ctx, "%s is saved.", name)
}

// sentText is a field that the form has, be it empty.
func sentText(r *http.Request, name string) *string {
	if !r.PostForm.Has(name) {
		return nil
	}
	text := frame.Text(r, name)
	return &text
}

// sentSettings are the settings that a form changes: a value, or null for one that is to fall through.
func sentSettings(ctx context.Context, sent url.Values) map[string]any {
	out := sentRules(ctx, sent)
	if part := sentPart(sent); part == partDomains || sent.Has(domainsField) {
		out["allowed_email_domains"] = sentDomains(sent)
	}
	for name := range sent {
		if strings.HasPrefix(name, wordPrefix) {
			out["vocabulary_overrides"] = sentWords(sent)
			break
		}
	}
	return out
}

// ResetOrganizationSetting lets a setting fall through again, or keeps the value that fell through.
func (c Pages) ResetOrganizationSetting(w http.ResponseWriter, r *http.Request) error {
	_, v, err := c.loadOrganizationSettings(r, partRules)
	if err != nil {
		return err
	}
	part, settings, sentence := v.resetting(r)
	if _, err := query.UpdateOrganization(r.Context(), c.Client, v.Org.Id, query.UpdateOrganizationInput{Settings: &settings}); err != nil {
		return frame.Again(w, r, err, func(w http.ResponseWriter, r *http.Request) error {
			return c.showOrganizationSettings(w, r, part)
		})
	}
	return c.Done(w, part.path(v.Org.Id), sentence)
}

// resetting is what a button beside a setting changes.
func (v organizationSettingsView) resetting(r *http.Request) (settingsPart, map[string]any, string) {
	switch key := frame.Text(r, "reset"); {
	case key == "allowed_email_domains":
		return partDomains, map[string]any{key: nil}, t(r.Context(), "Every address may join again.")
	case strings.HasPrefix(key, wordPrefix):
		kept := ownWords(v.Rows)
		for _, pair := range wordPairs {
			if wordPrefix+pair.One == key {
				delete(kept, pair.One)
				delete(kept, pair.Many)
			}
		}
		return partWords, map[string]any{"vocabulary_overrides": wordsOrNil(kept)}, wordIsBack(r.Context(), v.Org.Kind)
	}
	settings, sentence := resetRule(r.Context(), r.PostForm, v.rules())
	return partRules, settings, sentence
}

// PreviewOrganizationRules says what saving would change for people; nothing is saved.
func (c Pages) PreviewOrganizationRules(w http.ResponseWriter, r *http.Request) error {
	return c.previewOrganization(w, r, partRules)
}

// PreviewOrganizationWords shows the words where they would stand; nothing is saved.
func (c Pages) PreviewOrganizationWords(w http.ResponseWriter, r *http.Request) error {
	return c.previewOrganization(w, r, partWords)
}

func (c Pages) previewOrganization(w http.ResponseWriter, r *http.Request, part settingsPart) error {
	res, v, err := c.loadOrganizationSettings(r, part)
	if err != nil {
		return err
	}
	v.Asked, v.Form, v.Version = true, frame.Form{Values: r.PostForm}, frame.Text(r, "version")
	switch {
	case asksForPart(r) && part == partWords:
		return frame.Write(w, r, http.StatusOK, wordsPreview(v))
	case asksForPart(r):
		return frame.Write(w, r, http.StatusOK, rulesPreview(v.rules()))
	}
	return c.Page(w, r, res.Shell, v.page(t(r.Context(), "Settings")), organizationSettingsContent(v))
}

// asksForPart tells a request of htmx, which wants a part of a page, from one for a page.
func asksForPart(r *http.Request) bool { return r.Header.Get("HX-Request") == "true" }

// locked is why no one, or not this person, can change the settings; empty for the one who can.
func (v organizationSettingsView) locked(ctx context.Context) string {
	if v.Org.ViewerCan.Update {
		return ""
	}
	return lockedOrganization(ctx, v.Org)
}

// lockedOrganization is why a person cannot change an organization, and who can.
func lockedOrganization(ctx context.Context, o query.OrganizationHead) string {
	switch o.Status {
	case query.OrganizationStatusSuspended:
		return t(ctx, "%s is suspended: everything can be read, and nothing changes until that is lifted.", o.Name)
	case query.OrganizationStatusPending:
		return t(ctx, "%s waits for approval: it is read-only until an operator has approved it.", o.Name)
	}
	return t(ctx, "The owner and the admins of %s change this. Ask %s, who owns it.", o.Name, o.Owner.DisplayName)
}

// rules are the rules of the organization, as one form.
func (v organizationSettingsView) rules() rulesView {
	base := partRules.path(v.Org.Id)
	out := rulesView{
		Action: partGeneral.path(v.Org.Id), Reset: partGeneral.path(v.Org.Id) + "/reset", Preview: base + "/preview", Version: v.Version,
		Layer: "organization", Kind: v.Org.Kind, From: v.Org.Name, Words: v.Org.Vocabulary, Rows: v.Rows, Form: v.Form,
		Locked: !v.Org.ViewerCan.Update, Asked: v.Asked, Workspaces: "/orgs/" + v.Org.Id + "/workspaces", Count: v.Org.WorkspaceCount,
	}
	out.Overrides = map[string]int{}
	for _, o := range v.Overrides {
		out.Overrides[o.Key] = o.Workspaces
	}
	return out
}

func wordIsBack(ctx context.Context, kind query.OrganizationKind) string {
	if kind == query.OrganizationKindSchool {
		return t(ctx, "The word of a school is back.")
	}
	return t(ctx, "The word of a team is back.")
}

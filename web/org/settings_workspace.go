package org

import (
	"net/http"

	"atelier/web/frame"
	"atelier/web/query"
)

// workspaceSettingsView is the settings of a workspace.
type workspaceSettingsView struct {
	Workspace query.WorkspaceHead
	Around    query.WorkspaceSurroundings
	Rows      []query.Setting
	Version   string // of the row, for the forms
	Form      frame.Form
	Asked     bool // what saving would change was asked for
}

// WorkspaceSettings is the settings of a workspace.
func (c Pages) WorkspaceSettings(w http.ResponseWriter, r *http.Request) error {
	res, v, err := c.loadWorkspaceSettings(r)
	if err != nil {
		return err
	}
	return c.Page(w, r, res.Shell, v.page(), workspaceSettingsContent(v))
}

func (c Pages) loadWorkspaceSettings(r *http.Request) (*query.WorkspaceSettingsResponse, workspaceSettingsView, error) {
	res, err := query.WorkspaceSettings(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return nil, workspaceSettingsView{}, err
	}
	ws := res.Workspace
	return res, workspaceSettingsView{
		Workspace: ws.WorkspaceHead, Around: ws.Surroundings, Rows: ws.Settings, Version: version(ws.UpdatedAt), Form: frame.FormOf(r),
	}, nil
}

func (v workspaceSettingsView) page() frame.Page {
	return workspacePage(v.Workspace, "Settings of "+v.Workspace.Name)
}

func (v workspaceSettingsView) path() string { return "/workspaces/" + v.Workspace.Id + "/edit" }

// UpdateWorkspace saves what a form of the settings holds, unless another person saved meanwhile.
func (c Pages) UpdateWorkspace(w http.ResponseWriter, r *http.Request) error {
	settings := sentRules(r.PostForm)
	input := query.UpdateWorkspaceInput{
		Name: sentText(r, "name"), Description: sentText(r, "description"), Settings: &settings, UnchangedSince: sentVersion(r),
	}
	res, err := query.UpdateWorkspace(r.Context(), c.Client, frame.PathID(r), input)
	if frame.HasCode(err, "stale_version") {
		return c.staleWorkspace(w, r)
	}
	if err != nil {
		return frame.Again(w, r, err, c.WorkspaceSettings)
	}
	sentence := res.UpdateWorkspace.Name + " is saved."
	if sentPart(r.PostForm) == partRules {
		sentence = "The rules of " + res.UpdateWorkspace.Name + " are saved."
	}
	return c.Done(w, "/workspaces/"+frame.PathID(r)+"/edit", sentence)
}

// ResetWorkspaceSetting lets a setting fall through again, or keeps the value that fell through.
func (c Pages) ResetWorkspaceSetting(w http.ResponseWriter, r *http.Request) error {
	_, v, err := c.loadWorkspaceSettings(r)
	if err != nil {
		return err
	}
	settings, sentence := resetRule(r.Context(), r.PostForm, v.rules())
	if _, err := query.UpdateWorkspace(r.Context(), c.Client, v.Workspace.Id, query.UpdateWorkspaceInput{Settings: &settings}); err != nil {
		return frame.Again(w, r, err, c.WorkspaceSettings)
	}
	return c.Done(w, v.path(), sentence)
}

// PreviewWorkspaceRules says what saving would change for people; nothing is saved.
func (c Pages) PreviewWorkspaceRules(w http.ResponseWriter, r *http.Request) error {
	res, v, err := c.loadWorkspaceSettings(r)
	if err != nil {
		return err
	}
	v.Asked, v.Form, v.Version = true, frame.Form{Values: r.PostForm}, frame.Text(r, "version")
	if asksForPart(r) {
		return frame.Write(w, r, http.StatusOK, rulesPreview(v.rules()))
	}
	return c.Page(w, r, res.Shell, v.page(), workspaceSettingsContent(v))
}

// locked is why no one, or not this person, can change the settings; empty for the one who can.
func (v workspaceSettingsView) locked() string {
	ws := v.Workspace
	words := ws.Organization.Vocabulary
	switch {
	case ws.ViewerCan.Update:
		return ""
	case ws.Archived:
		return ws.Name + " is archived: it can be read, and nothing in it changes until it is brought back."
	case v.Around.Status != query.OrganizationStatusActive:
		return ws.Organization.Name + " is not active: everything can be read, and nothing changes."
	}
	return "The " + frame.Lower(words.Admins) + " of " + ws.Name + " change this."
}

// rules are the rules of the workspace, as one form.
func (v workspaceSettingsView) rules() rulesView {
	return rulesView{
		Action: v.path(), Reset: v.path() + "/reset", Preview: v.path() + "/preview", Version: v.Version, Layer: "workspace",
		Kind: v.Around.Kind, From: v.Workspace.Organization.Name, Words: v.Workspace.Organization.Vocabulary, Rows: v.Rows,
		Form: v.Form, Locked: !v.Workspace.ViewerCan.Update, Asked: v.Asked,
	}
}

package org

import (
	"context"
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
	return c.Page(w, r, res.Shell, v.page(r.Context()), workspaceSettingsContent(v))
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

func (v workspaceSettingsView) page(ctx context.Context) frame.Page {
	return workspacePage(v.Workspace, t(ctx, "Settings of %s", v.Workspace.Name))
}

func (v workspaceSettingsView) path() string { return "/workspaces/" + v.Workspace.Id + "/edit" }

// UpdateWorkspace saves what a form of the settings holds, unless another person saved meanwhile.
func (c Pages) UpdateWorkspace(w http.ResponseWriter, r *http.Request) error {
	settings := sentRules(r.Context(), r.PostForm)
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
	sentence := t(r.Context(), "%s is saved.", res.UpdateWorkspace.Name)
	if sentPart(r.PostForm) == partRules {
		sentence = t(r.Context(), "The rules of %s are saved.", res.UpdateWorkspace.Name)
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
	return c.Page(w, r, res.Shell, v.page(r.Context()), workspaceSettingsContent(v))
}

// locked is why no one, or not this person, can change the settings; empty for the one who can.
func (v workspaceSettingsView) locked(ctx context.Context) string {
	ws := v.Workspace
	switch {
	case ws.ViewerCan.Update:
		return ""
	case ws.Archived:
		return t(ctx, "%s is archived: it can be read, and nothing in it changes until it is brought back.", ws.Name)
	case v.Around.Status != query.OrganizationStatusActive:
		return t(ctx, "%s is not active: everything can be read, and nothing changes.", ws.Organization.Name)
	}
	return t(ctx, "The {admins} of %s change this.", ws.Name)
}

// rules are the rules of the workspace, as one form.
func (v workspaceSettingsView) rules() rulesView {
	return rulesView{
		Action: v.path(), Reset: v.path() + "/reset", Preview: v.path() + "/preview", Version: v.Version, Layer: "workspace",
		Kind: v.Around.Kind, From: v.Workspace.Organization.Name, Words: v.Workspace.Organization.Vocabulary, Rows: v.Rows,
		Form: v.Form, Locked: !v.Workspace.ViewerCan.Update, Asked: v.Asked,
	}
}

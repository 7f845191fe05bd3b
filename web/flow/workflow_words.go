package flow

import (
	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"
)

// accessWord is what the caller may do with a workflow.
func accessWord(a query.WorkflowAccess) string {
	switch a {
	case query.WorkflowAccessCreator:
		return "Yours"
	case query.WorkflowAccessEdit:
		return "Can edit"
	}
	return "Can view"
}

// visibilityOptions are who sees a workflow of a workspace.
func visibilityOptions(words frame.Words) []ui.Option {
	return []ui.Option{
		{Value: "private", Text: "Private"},
		{Value: "workspace", Text: "Everybody in the " + frame.Lower(words.Workspace)},
	}
}

func publishVerb(w query.WorkflowHead) string {
	if w.App == nil {
		return "Publish as an app"
	}
	return "Publish version " + ui.Count(w.App.Version+1)
}

// listHref is the list that a workflow stands in: that of its space.
func listHref(w query.WorkflowHead) string { return spaceHref(w.WorkspaceId, "/workflows") }

// spaceHref is the address of a list of a space; the personal one has none before it.
func spaceHref(workspace *string, list string) string {
	if id := frame.Value(workspace); id != "" {
		return "/workspaces/" + id + list
	}
	return list
}

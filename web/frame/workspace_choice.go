package frame

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"atelier/web/locale"
	"atelier/web/query"
	"atelier/web/ui"
)

// Choices are workspaces to choose from: however many there are, at most 50 are listed, and the chosen one. With more
// of them a part of a name is typed, as "find" of the address or of the form.
type Choices struct {
	Options []ui.Option // behind the one that chooses none
	Chosen  string
	More    bool
	Find    string
}

// WorkspaceChoices are workspaces that were found, with the one that is chosen.
func (c *Console) WorkspaceChoices(r *http.Request, found query.Choices, chosen string) Choices {
	out := Choices{Chosen: chosen, Find: FindOf(r), More: found.PageInfo.HasNextPage}
	listed := chosen == ""
	for _, w := range found.Nodes {
		out.Options = append(out.Options, ui.Option{Value: w.Id, Text: w.Name, Selected: w.Id == chosen})
		listed = listed || w.Id == chosen
	}
	if listed {
		return out
	}
	name := t(r.Context(), "The one that is chosen now")
	if res, err := query.WorkspaceChoice(r.Context(), c.Client, chosen); err == nil {
		name = res.Workspace.Name
	}
	out.Options = append([]ui.Option{{Value: chosen, Text: name, Selected: true}}, out.Options...)
	return out
}

// FilterChoices are the workspaces of an organization, to filter a list by. Where what was typed finds one alone, that
// is chosen.
func (c *Console) FilterChoices(r *http.Request, found query.Choices) Choices {
	out := c.WorkspaceChoices(r, found, r.URL.Query().Get("workspace"))
	if out.Chosen == "" && out.Find != "" && len(out.Options) == 1 {
		out.Chosen, out.Options[0].Selected = out.Options[0].Value, true
	}
	return out
}

// FindOf is the part of a name that narrows a choice.
func FindOf(r *http.Request) string { return strings.TrimSpace(r.URL.Query().Get("find")) }

// In is an address with what was found in place of the words that found it.
func (v Choices) In(address url.Values) url.Values {
	if v.Chosen != "" {
		address.Set("workspace", v.Chosen)
	}
	return address
}

// Tool is the choice as a filter above a list.
func (v Choices) Tool(ctx context.Context, label string) ui.ToolSelect {
	return ui.ToolSelect{Name: "workspace", Label: label, Options: append([]ui.Option{{Value: "", Text: t(ctx, "Any")}}, v.Options...)}
}

// Fields is where a part of a name is typed, when not all fit into the choice.
func (v Choices) Fields(ctx context.Context, label string) []ui.ToolField {
	if !v.More && v.Find == "" {
		return nil
	}
	return []ui.ToolField{{Name: "find", Label: findText(ctx, label), Value: v.Find}}
}

// findText is the label of a part of a name; the term is what a workspace is called.
func findText(ctx context.Context, term string) string {
	return t(locale.WithTerms(ctx, locale.Terms{Workspace: term, Workspaces: term}), "Find {a workspace}")
}

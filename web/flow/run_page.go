package flow

import (
	"context"
	"net/http"
	"net/url"
	"path"
	"strings"
	"unicode"

	"atelier/mediatype"
	"atelier/web/frame"
	"atelier/web/nodeform"
	"atelier/web/query"
	"atelier/web/ui"
)

// runPage is a run as its page shows it: what it made first, then what went in, then its steps.
type runPage struct {
	runView
	Title  string
	Base   string // address of this page
	Lead   string
	Class  string // what the workspace is called that the result may be shared with
	Words  frame.Words
	Again  string // address of the form with the values of this run, empty where there is none
	Inputs []usedInput
	// Results are what is shown on top, the main one first.
	Results []result
	Share   *query.RunResult
	Failed  *nodeRun // the first step that failed
	// Mine is set for the person who started the run: no one else may open its jobs.
	Mine bool
	// Embedded pages stand in a frame of another site.
	Embedded bool
}

// runPageOf prepares a run for a page at the address base; at is where it ran.
func (c Pages) runPageOf(ctx context.Context, base string, e query.RunDetail, k nodeform.Kinds, at frame.Place) runPage {
	p := runPage{
		runView: c.runViewOf(ctx, base, e, k), Title: runTitle(ctx, &e), Base: base, Words: at.Words,
		Inputs: c.usedInputs(ctx, e, k), Again: c.runAgain(ctx, e, k), Share: e.Result,
	}
	if at.Workspace != nil {
		p.Class = at.Workspace.Name
	}
	p.Lead = runLead(ctx, e, at)
	p.Results = c.mainResults(ctx, e, k)
	for i, n := range p.Nodes {
		if n.Word == "failed" {
			p.Failed = &p.Nodes[i]
			break
		}
	}
	return p
}

// titled is what has the title of a run and what it was about.
type titled interface {
	frame.Titled
	GetSubject() *string
}

// runTitle names what ran and what it was about: "Poster — “a red fox”".
func runTitle(ctx context.Context, run titled) string {
	name := frame.RunTitle(ctx, run)
	if name == "" {
		name = t(ctx, "A run")
	}
	if words := frame.Value(run.GetSubject()); words != "" {
		return t(ctx, "%s — “%s”", name, frame.Brief(words))
	}
	return name
}

// runLead says who ran it, how and where.
func runLead(ctx context.Context, e query.RunDetail, at frame.Place) string {
	if at.Workspace != nil {
		return t(ctx, "Run by %s, %s, in %s", e.StartedBy.DisplayName, triggerWord(ctx, e.Trigger), at.Workspace.Name)
	}
	return t(ctx, "Run by %s, %s", e.StartedBy.DisplayName, triggerWord(ctx, e.Trigger))
}

// placeOfRun is where a run lives.
func (c Pages) placeOfRun(r *http.Request, shell query.Shell, e query.RunDetail) frame.Place {
	workspace := frame.Value(e.WorkspaceId)
	if workspace == "" {
		return frame.Place{Words: frame.PlainWords}
	}
	return frame.PlaceOf(r, c.Placed(r, shell, "", workspace), "", workspace)
}

// usedInput is a value that a run was given.
type usedInput struct {
	Label string
	Text  string
	// Src is the path of a file of this install, Href the address of any.
	Src, Href, Kind string
}

// usedInputs are what a person filled in for a run, as its form names it.
func (c Pages) usedInputs(ctx context.Context, e query.RunDetail, k nodeform.Kinds) (out []usedInput) {
	for _, in := range controlsOf(inputsOf(ctx, e, k)) {
		used := usedInput{Label: in.Label, Text: shownInput(ctx, in)}
		if in.Kind == nodeform.ControlFile || nodeform.IsWebAddress(used.Text) && !strings.ContainsAny(used.Text, " \n") {
			href, own := c.MediaAddress(used.Text)
			used.Href, used.Kind = href, kindOfAddress(href)
			if own && used.Kind == "image" {
				used.Src = href
			}
		}
		if used.Text != "" {
			out = append(out, used)
		}
	}
	return out
}

// inputsOf is the form of a run with the values that it ran with: that of its app, else the one that its workflow is
// run with.
func inputsOf(ctx context.Context, e query.RunDetail, k nodeform.Kinds) []formPart {
	if e.App != nil {
		return formParts(readInputItems(e.App.InputItems), e.Nodes, e.Edges, k)
	}
	return runParts(ctx, e.Nodes, e.Edges, k)
}

// shownInput is a value as people read it.
func shownInput(ctx context.Context, in nodeform.Control) string {
	switch {
	case in.Withheld:
		return t(ctx, "Too long to show here")
	case in.Kind == nodeform.ControlToggle && in.Value == true:
		return t(ctx, "Yes")
	case in.Kind == nodeform.ControlToggle:
		return t(ctx, "No")
	case in.Value == nil:
		return ""
	}
	return in.Text(ctx)
}

// kindOfAddress tells by its ending how a file is shown.
func kindOfAddress(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "file"
	}
	switch kind := mediatype.KindOf(strings.TrimPrefix(strings.ToLower(path.Ext(u.Path)), ".")); kind {
	case "image", "video", "audio":
		return kind
	}
	return "file"
}

// runAgain is the form that starts such a run once more. That of an app reads the run itself; that of a workflow takes
// the values from its address, as long as they fit.
func (c Pages) runAgain(ctx context.Context, e query.RunDetail, k nodeform.Kinds) string {
	switch {
	case e.App != nil:
		return frame.Within("/app/"+e.App.Slug+"?again="+e.Id, frame.Value(e.WorkspaceId))
	case e.AppId == nil && e.WorkflowId == nil && len(e.Nodes) == 1:
		return oneAgain(e, k)
	case e.AppId != nil || e.WorkflowId == nil:
		return ""
	}
	values := url.Values{}
	for _, in := range controlsOf(runParts(ctx, e.Nodes, e.Edges, k)) {
		if in.Withheld {
			return ""
		}
		values.Set(in.Name, in.Initial())
	}
	if len(values.Encode()) > maxPrefill {
		return ""
	}
	return "/workflows/" + *e.WorkflowId + "?" + values.Encode() + "#run"
}

// oneAgain is the form of a node that ran by itself, with its settings.
func oneAgain(e query.RunDetail, k nodeform.Kinds) string {
	kind := k[e.Nodes[0].Type]
	if !kind.RunsAlone || ownMakers[kind.Type] != "" || len(e.NodeStates) == 0 || e.NodeStates[0].Job.Id == "" {
		return ""
	}
	return frame.SpacePath(frame.Value(e.WorkspaceId), "/make/"+kind.Type) + "?again=" + e.NodeStates[0].Job.Id
}

// prefillOf are the values of an earlier run for the fields of a form.
func prefillOf(controls []nodeform.Control, items []inputItem, nodes []query.FlowNode, k nodeform.Kinds) url.Values {
	ran := map[string]nodeform.Control{}
	for _, in := range controlsOf(formParts(items, nodes, nil, k)) {
		ran[in.NodeID+"\x00"+in.Field] = in
	}
	values := url.Values{nodeform.WholeForm: {"1"}}
	for _, c := range controls {
		in, ok := ran[c.NodeID+"\x00"+c.Field]
		switch {
		case !ok || in.Withheld:
			values.Set(c.Name, c.Initial())
		case in.Kind != nodeform.ControlToggle || in.Initial() != "":
			values.Set(c.Name, in.Initial())
		}
	}
	return values
}

// resultFile is what a result is kept as: "poster-a-red-fox.png".
func resultFile(title string, about *string, ending string) string {
	var b strings.Builder
	for _, r := range ui.Short(title+" "+frame.Value(about), 60) {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			b.WriteRune(unicode.ToLower(r))
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	name := strings.Trim(b.String(), "-")
	if name == "" {
		name = "result"
	}
	return name + ending
}

package studio

import (
	"context"
	"net/http"
	"strings"

	"atelier/humantext"
	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"
)

// productionsView is the list of productions of a space.
type productionsView struct {
	At     frame.Place
	Locked string
	List   frame.Listing
	Cards  []productionCard
	Search string
	Status string
	Mine   bool
}

// productionCard is a production as a tile.
type productionCard struct {
	query.ProductionCard
	Src string
}

func (p productionCard) path() string { return path(p.Id, p.WorkspaceId) }

// Productions lists the productions of the selected space.
func (c Pages) Productions(w http.ResponseWriter, r *http.Request) error {
	list := frame.ListingOf(r, r.URL.Path, 24)
	v := productionsView{Search: strings.TrimSpace(list.Values.Get("q")), Mine: list.Values.Get("mine") != ""}
	filter := query.ProductionFilter{Query: frame.Given(list.Values, "q"), ProjectId: frame.Given(list.Values, "project")}
	for _, status := range query.AllProductionStatus {
		if list.Values.Get("status") == string(status) {
			v.Status, filter.Status = string(status), &status
		}
	}
	if v.Mine {
		filter.Mine = &v.Mine
	}
	res, err := query.Productions(r.Context(), c.Client, list.After(), &filter)
	if err != nil {
		return err
	}
	list.Loaded(res.Productions.PageInfo, len(res.Productions.Nodes), res.Productions.TotalCount)
	v.At = frame.PlaceOf(r, c.Placed(r, res.Shell, "", ""), "", "")
	v.Locked, v.List = frame.ClosedTo(r.Context(), v.At), list
	for _, p := range res.Productions.Nodes {
		v.Cards = append(v.Cards, productionCard{p, c.ShownMedia(p.ThumbnailUrl)})
	}
	return c.Page(w, r, res.Shell, frame.Page{Title: t(r.Context(), "Studio"), Section: frame.SectionStudio, List: "/studio"}, productionsContent(v))
}

// filtered tells whether the list leaves something out.
func (v productionsView) filtered() bool {
	return v.Search != "" || v.Status != "" || v.Mine || v.List.Values.Get("project") != ""
}

func (v productionsView) statuses(ctx context.Context) ui.ToolSelect {
	out := ui.ToolSelect{Name: "status", Label: t(ctx, "Status"), Options: []ui.Option{{Value: "", Text: t(ctx, "Any status"), Selected: v.Status == ""}}}
	for _, status := range query.AllProductionStatus {
		out.Options = append(out.Options, ui.Option{Value: string(status), Text: statusOf(ctx, status).Text, Selected: v.Status == string(status)})
	}
	return out
}

func (v productionsView) chips(ctx context.Context) []ui.Chip {
	on := "1"
	if v.Mine {
		on = ""
	}
	return []ui.Chip{{Text: tc(ctx, "filter", "Made by you"), Href: v.List.With("mine", on), On: v.Mine}}
}

// newView is the form of a new production.
type newView struct {
	At        frame.Place
	Locked    string
	Form      frame.Form
	Pipelines []query.PipelineChoice
}

// NewProduction is the page on which a production is begun.
func (c Pages) NewProduction(w http.ResponseWriter, r *http.Request) error {
	res, err := query.NewProduction(r.Context(), c.Client)
	if err != nil {
		return err
	}
	v := newView{At: frame.PlaceOf(r, c.Placed(r, res.Shell, "", ""), "", ""), Form: frame.FormOf(r), Pipelines: res.Pipelines.Nodes}
	v.Locked = frame.ClosedTo(r.Context(), v.At)
	return c.Page(w, r, res.Shell, frame.Page{Title: t(r.Context(), "New production"), Section: frame.SectionStudio}, newContent(v))
}

// CreateProduction begins a production, and leads on to its script or its shots.
func (c Pages) CreateProduction(w http.ResponseWriter, r *http.Request) error {
	script, err := scriptIn(r)
	if err != nil {
		return frame.Again(w, r, err, c.NewProduction)
	}
	in := query.CreateProductionInput{
		Name: frame.Text(r, "name"), Description: frame.TextOrNil(r, "description"), Script: &script, Language: frame.TextOrNil(r, "language"),
		AspectRatio: frame.TextOrNil(r, "aspectRatio"), Resolution: frame.TextOrNil(r, "resolution"), PipelineId: frame.TextOrNil(r, "pipelineId"),
	}
	if v := query.WorkflowVisibility(frame.Text(r, "visibility")); v != "" {
		in.Visibility = &v
	}
	res, err := query.CreateProduction(r.Context(), c.Client, in)
	if err != nil {
		return frame.Again(w, r, err, c.NewProduction)
	}
	made := res.CreateProduction
	to, said := path(made.Id, made.WorkspaceId), t(r.Context(), "%s is created. Add its first shot.", made.Name)
	if script != "" {
		to, said = path(made.Id, made.WorkspaceId, "/breakdown"), t(r.Context(), "%s is created. Now its script can become shots.", made.Name)
	}
	return c.Done(w, to, said)
}

// scriptIn is the script of a form: of its file where one was chosen, else what was typed.
func scriptIn(r *http.Request) (string, error) {
	text, err := frame.ChosenText(r, "file")
	if err != nil || strings.TrimSpace(text) != "" {
		return text, err
	}
	return humantext.LineBreaks(r.PostForm.Get("script")), nil
}

package studio

import (
	"context"
	"net/http"
	"net/url"
	"strconv"

	"atelier/web/frame"
	"atelier/web/nodeform"
	"atelier/web/query"
	"atelier/web/ui"
)

// pipelinesView is the list of pipelines of a space, with those of the program.
type pipelinesView struct {
	At     frame.Place
	Locked string
	List   frame.Listing
	Rows   []query.PipelineRow
	kinds  nodeform.Kinds
}

// Pipelines lists the pipelines of the selected space, then those of the program.
func (c Pages) Pipelines(w http.ResponseWriter, r *http.Request) error {
	list := frame.ListingOf(r, r.URL.Path, 50)
	res, err := query.Pipelines(r.Context(), c.Client, list.After())
	if err != nil {
		return err
	}
	list.Loaded(res.Pipelines.PageInfo, len(res.Pipelines.Nodes), res.Pipelines.TotalCount)
	v := pipelinesView{At: frame.PlaceOf(r, c.Placed(r, res.Shell, "", ""), "", ""), List: list, Rows: res.Pipelines.Nodes, kinds: nodeform.KindsOf(res.NodeTypes)}
	v.Locked = frame.ClosedTo(r.Context(), v.At)
	return c.Page(w, r, res.Shell, frame.Page{Title: t(r.Context(), "Pipelines"), Section: frame.SectionStudio, List: "/studio/pipelines"}, pipelinesContent(v))
}

// pipelineView is the page of a pipeline, or its form.
type pipelineView struct {
	query.PipelineRow
	New    bool
	At     frame.Place
	Stages []stage
	Form   frame.Form
	kinds  nodeform.Kinds
}

func pipelinePath(id string, workspace *string, beneath string) string {
	return frame.Within("/studio/pipelines/"+id+beneath, frame.Value(workspace))
}

func (v pipelineView) path(beneath string) string {
	if v.IsFactory {
		return "/studio/pipelines/" + v.Id + beneath
	}
	return pipelinePath(v.Id, v.WorkspaceId, beneath)
}

// pipeline reads one for its page or its form; without an id a new one, of the types that the address names.
func (c Pages) pipeline(r *http.Request, id string) (pipelineView, query.Shell, error) {
	res, err := query.PipelinePage(r.Context(), c.Client, id, id != "", true)
	if err != nil {
		return pipelineView{}, query.Shell{}, err
	}
	v := pipelineView{PipelineRow: res.Pipeline, New: id == "", Form: frame.FormOf(r), kinds: nodeform.KindsOf(res.NodeTypes)}
	v.At = frame.PlaceOf(r, c.Placed(r, res.Shell, "", frame.Value(v.WorkspaceId)), "", frame.Value(v.WorkspaceId))
	values := r.URL.Query()
	if r.Method == http.MethodPost {
		values = r.PostForm
	} else if v.New && !values.Has("image") {
		values = url.Values{"image": {"generate-image"}, "speech": {"text-to-speech"}, "clip": {"shot-clip"}, "cut": {"freecut-export"}}
	}
	v.Stages = stagesOf(v.PipelineRow.Stages, values, v.kinds)
	for i := range v.Stages {
		s := &v.Stages[i]
		for _, list := range [][]query.LibraryPreset{res.NodePresets.Nodes, res.FactoryNodePresets.Nodes} {
			for _, p := range list {
				if p.NodeType == s.Type {
					s.Presets = append(s.Presets, ui.Option{Value: p.Id, Text: frame.PresetNamed(r.Context(), p.Name, p.IsFactory)})
				}
			}
		}
		for _, w := range res.Workflows.Nodes {
			s.Flows = append(s.Flows, ui.Option{Value: w.Id, Text: w.Name})
		}
	}
	return v, res.Shell, nil
}

// PipelinePage is a pipeline with its four stages in words.
func (c Pages) PipelinePage(w http.ResponseWriter, r *http.Request) error {
	v, shell, err := c.pipeline(r, frame.PathID(r))
	if err != nil {
		return err
	}
	at := frame.Page{Title: pipelineNamed(r.Context(), v.Name, v.IsFactory), Section: frame.SectionStudio, Workspace: frame.Value(v.WorkspaceId)}
	return c.Page(w, r, shell, at, pipelineContent(v))
}

// EditPipeline is the form of a pipeline.
func (c Pages) EditPipeline(w http.ResponseWriter, r *http.Request) error {
	v, shell, err := c.pipeline(r, frame.PathID(r))
	if err != nil {
		return err
	}
	at := frame.Page{Title: t(r.Context(), "Change %s", v.Name), Section: frame.SectionStudio, Workspace: frame.Value(v.WorkspaceId)}
	return c.Page(w, r, shell, at, editPipelineContent(v))
}

// NewPipeline is the form of a new pipeline.
func (c Pages) NewPipeline(w http.ResponseWriter, r *http.Request) error {
	v, shell, err := c.pipeline(r, "")
	if err != nil {
		return err
	}
	return c.Page(w, r, shell, frame.Page{Title: t(r.Context(), "New pipeline"), Section: frame.SectionStudio}, editPipelineContent(v))
}

// stagesIn are the stages of a form.
func (v pipelineView) stagesIn(ctx context.Context, values url.Values) (in query.PipelineStagesInput, err error) {
	for _, s := range v.Stages {
		one, err := s.read(ctx, values)
		if err != nil {
			return in, err
		}
		switch s.Name {
		case "image":
			in.Image = one
		case "speech":
			in.Speech = one
		case "clip":
			in.Clip = one
		case "cut":
			in.Cut = one
		}
	}
	return in, nil
}

// CreatePipeline keeps a new pipeline.
func (c Pages) CreatePipeline(w http.ResponseWriter, r *http.Request) error {
	v, _, err := c.pipeline(r, "")
	if err != nil {
		return err
	}
	in := query.CreatePipelineInput{Name: frame.Text(r, "name"), Description: frame.TextOrNil(r, "description"), Visibility: seenBy(r)}
	if in.Stages, err = v.stagesIn(r.Context(), r.PostForm); err != nil {
		return frame.Again(w, r, err, c.NewPipeline)
	}
	res, err := query.CreatePipeline(r.Context(), c.Client, in)
	if err != nil {
		return frame.Again(w, r, stageRefusal(r.Context(), err), c.NewPipeline)
	}
	made := res.CreatePipeline
	return c.Done(w, pipelinePath(made.Id, made.WorkspaceId, ""), t(r.Context(), "%s is kept.", made.Name))
}

// seenBy is who sees a thing, as a form says; nil leaves it.
func seenBy(r *http.Request) *query.WorkflowVisibility {
	if v := query.WorkflowVisibility(frame.Text(r, "visibility")); v != "" {
		return &v
	}
	return nil
}

// UpdatePipeline saves the form of a pipeline.
func (c Pages) UpdatePipeline(w http.ResponseWriter, r *http.Request) error {
	v, _, err := c.pipeline(r, frame.PathID(r))
	if err != nil {
		return err
	}
	name, description := frame.Text(r, "name"), frame.Text(r, "description")
	in := query.UpdatePipelineInput{Name: &name, Description: &description, Visibility: seenBy(r)}
	if version, err := strconv.Atoi(frame.Text(r, "version")); err == nil {
		in.Version = &version
	}
	stages, err := v.stagesIn(r.Context(), r.PostForm)
	if err != nil {
		return frame.Again(w, r, err, c.EditPipeline)
	}
	in.Stages = &stages
	res, err := query.UpdatePipeline(r.Context(), c.Client, v.Id, in)
	if err != nil {
		return frame.Again(w, r, stageRefusal(r.Context(), err), c.EditPipeline)
	}
	return c.Done(w, pipelinePath(v.Id, res.UpdatePipeline.WorkspaceId, ""), t(r.Context(), "%s is saved. Shots that were made with it count as changed.", name))
}

// DuplicatePipeline makes an own copy, of one of the program too.
func (c Pages) DuplicatePipeline(w http.ResponseWriter, r *http.Request) error {
	res, err := query.DuplicatePipeline(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return frame.Again(w, r, err, c.PipelinePage)
	}
	made := res.DuplicatePipeline
	return c.Done(w, pipelinePath(made.Id, made.WorkspaceId, ""), t(r.Context(), "This copy is yours."))
}

// AskDeletePipeline says what goes with a pipeline.
func (c Pages) AskDeletePipeline(w http.ResponseWriter, r *http.Request) error {
	v, shell, err := c.pipeline(r, frame.PathID(r))
	if err != nil {
		return err
	}
	ctx := r.Context()
	at := frame.Page{Title: t(ctx, "Delete %s", v.Name), Section: frame.SectionStudio, Workspace: frame.Value(v.WorkspaceId)}
	return c.Page(w, r, shell, at, ui.ConfirmPage(ui.ConfirmProps{
		ID: "delete", Title: t(ctx, "Delete the pipeline %s?", v.Name), Danger: true, Confirm: t(ctx, "Delete %s", v.Name), CancelHref: v.path(""),
		Consequences: []string{t(ctx, "What was made with it stays"), t(ctx, "Productions that use it cannot be rendered until you choose another pipeline for them")},
		Form:         ui.FormProps{Action: v.path("/delete"), Hidden: []ui.Hidden{{Name: "return", Value: frame.SpacePath(frame.Value(v.WorkspaceId), "/studio/pipelines")}}},
	}))
}

// DeletePipeline deletes a pipeline.
func (c Pages) DeletePipeline(w http.ResponseWriter, r *http.Request) error {
	if _, err := query.DeletePipeline(r.Context(), c.Client, frame.PathID(r)); err != nil {
		return frame.Again(w, r, err, c.PipelinePage)
	}
	return c.Done(w, frame.Return(r, "/studio/pipelines"), t(r.Context(), "The pipeline is deleted."))
}

package library

import (
	"context"
	"net/http"
	"net/url"
	"strconv"

	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"

	"github.com/gorilla/mux"
)

func pathImage(r *http.Request) string { return mux.Vars(r)["image"] }

// editView is the form of an element.
type editView struct {
	query.ElementDetail
	Kind   Kind
	At     frame.Place
	Form   frame.Form
	Voices []ui.Option
	Faces  []ui.Option
	Back   url.Values
}

// EditElement is the form of an element: its words, its attributes, its voice.
func (c Pages) EditElement(k Kind) frame.Action {
	return func(w http.ResponseWriter, r *http.Request) error {
		res, err := query.ElementForm(r.Context(), c.Client, frame.PathID(r))
		if err != nil {
			return err
		}
		e := res.Element
		if k.Kind != e.Kind {
			return ownPage(w, e)
		}
		v := editView{ElementDetail: e, Kind: kindOf(e.Kind), Form: frame.FormOf(r), At: c.spaceOf(r, res.Shell, e.WorkspaceId)}
		v.Voices = []ui.Option{{Value: "", Text: t(r.Context(), "None")}}
		for _, one := range res.Voices.Nodes {
			v.Voices = append(v.Voices, ui.Option{Value: one.Id, Text: frame.VoiceChoice(r.Context(), one.Name, one.Language, one.Source)})
		}
		v.Faces = []ui.Option{{Value: "", Text: t(r.Context(), "None")}}
		for _, one := range res.Faces.Nodes {
			v.Faces = append(v.Faces, ui.Option{Value: one.Id, Text: one.Name})
		}
		v.Voices, v.Faces = withChosen(r.Context(), v.Voices, e.VoiceId), withChosen(r.Context(), v.Faces, e.FaceId)
		at := frame.Page{Title: t(r.Context(), "Change %s", e.Name), Section: frame.SectionLibrary, Workspace: frame.Value(e.WorkspaceId)}
		return c.Page(w, r, res.Shell, at, editContent(v))
	}
}

// withChosen adds what is chosen now where the list does not hold it.
func withChosen(ctx context.Context, options []ui.Option, id *string) []ui.Option {
	if id == nil {
		return options
	}
	for _, o := range options {
		if o.Value == *id {
			return options
		}
	}
	return append(options, ui.Option{Value: *id, Text: t(ctx, "The one that is set now")})
}

// UpdateElement saves the form of an element.
func (c Pages) UpdateElement(k Kind) frame.Action {
	return func(w http.ResponseWriter, r *http.Request) error {
		attributes, err := readAttributes(r.Context(), k, r.PostForm)
		if err != nil {
			return frame.Again(w, r, err, c.EditElement(k))
		}
		text := func(name string) *string {
			s := frame.Text(r, name)
			return &s
		}
		in := query.UpdateElementInput{
			Name: text("name"), Handle: text("handle"), Description: text("description"), Prompt: text("prompt"), NegativePrompt: text("negativePrompt"),
			Tags: frame.SplitWords(frame.Text(r, "tags")), VoiceId: frame.TextOrNil(r, "voiceId"), FaceId: frame.TextOrNil(r, "faceId"),
		}
		if !k.isFace() {
			in.Attributes = &attributes
		}
		if version, err := strconv.Atoi(frame.Text(r, "version")); err == nil {
			in.Version = &version
		}
		res, err := query.UpdateElement(r.Context(), c.Client, frame.PathID(r), in)
		if err != nil {
			return frame.Again(w, r, err, c.EditElement(k))
		}
		return c.Done(w, itemPath(k.Kind, res.UpdateElement.Id), t(r.Context(), "%s is saved.", res.UpdateElement.Name))
	}
}

// AskDelete says what goes when an element is deleted.
func (c Pages) AskDelete(k Kind) frame.Action {
	return func(w http.ResponseWriter, r *http.Request) error {
		res, err := query.ElementPage(r.Context(), c.Client, frame.PathID(r), false, query.TrainElementInput{}, false, "")
		if err != nil {
			return err
		}
		e := res.Element
		if k.Kind != e.Kind {
			return ownPage(w, e)
		}
		at := frame.Page{Title: t(r.Context(), "Delete %s", e.Name), Section: frame.SectionLibrary, Workspace: frame.Value(e.WorkspaceId)}
		return c.Page(w, r, res.Shell, at, deleteContent(e, kindOf(e.Kind)))
	}
}

// facesGo says what becomes of the characters that have a face which is deleted.
var facesGo = mark("Characters that have this face can be used no more; when it is your own face, they are deleted with it")

// gone lists what goes with an element.
func gone(ctx context.Context, e query.ElementDetail) []string {
	out := []string{tn(ctx, "%d picture of it, at once", "%d pictures of it, at once", e.ImageCount)}
	if made := e.Training; made != nil && made.Provider != "" && made.Provider != "local" {
		out = append(out, t(ctx, "The model that was trained for it, at %s", frame.ProviderNamed(ctx, made.Provider)))
	}
	if e.UsedBy > 0 {
		out = append(out, tn(
			ctx, "%d workflow names it, and cannot run until something else is chosen there",
			"%d workflows name it, and cannot run until something else is chosen there", e.UsedBy,
		))
	}
	if e.UseCount > 0 {
		out = append(out, tn(ctx, "%d run used it; their results stay, unless you tick the box", "%d runs used it; their results stay, unless you tick the box", e.UseCount))
	}
	if e.DepictsPerson {
		out = append(out, t(ctx, "Runs that use it now are stopped"))
	}
	if e.Kind == query.ElementKindFace {
		out = append(out, t(ctx, facesGo))
	}
	return append(out, t(ctx, "Its handle @%s is free again", e.Handle))
}

// DeleteElement deletes an element and, where that was asked for, what was made with it.
func (c Pages) DeleteElement(k Kind) frame.Action {
	return func(w http.ResponseWriter, r *http.Request) error {
		results := r.PostForm.Get("results") != ""
		res, err := query.DeleteElement(r.Context(), c.Client, frame.PathID(r), &results)
		if err != nil {
			return frame.Again(w, r, err, c.AskDelete(k))
		}
		said := t(r.Context(), "It is deleted.")
		if done := res.DeleteElement; results {
			said = tn(r.Context(), "It is deleted, and %d result with it.", "It is deleted, and %d results with it.", done.Erased)
			if done.Remaining > 0 {
				said += " " + t(r.Context(), "%d more go within the hour.", done.Remaining)
			}
		}
		return c.Done(w, frame.Return(r, "/library/"+k.Path), said)
	}
}

// ExportElement is everything that is kept of an element, as one file.
func (c Pages) ExportElement(k Kind) frame.Action {
	return func(w http.ResponseWriter, r *http.Request) error {
		return c.export(w, r, string(k.Kind), c.ElementPage(k))
	}
}

// export is everything that is kept of an element or a voice, as one file; a refusal stands on its page.
func (c Pages) export(w http.ResponseWriter, r *http.Request, kind string, page frame.Action) error {
	if c.Config.Export == nil {
		return frame.ErrNotFound
	}
	file, name, err := c.Config.Export(r.Context(), kind, frame.PathID(r))
	if err != nil {
		return frame.Again(w, r, err, page)
	}
	return frame.SendFile(w, "application/zip", name, file)
}

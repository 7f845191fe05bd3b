package studio

import (
	"context"
	"net/http"
	"slices"
	"strconv"

	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"
)

// Settings is the form of a production: its script, how it is made, its cast.
func (c Pages) Settings(w http.ResponseWriter, r *http.Request) error {
	v, err := c.load(r, wanted{Voices: true})
	if err != nil {
		return err
	}
	return c.show(w, r, v, t(r.Context(), "Change %s", v.Name), settingsContent(v))
}

// UpdateProduction saves the form of a production.
func (c Pages) UpdateProduction(w http.ResponseWriter, r *http.Request) error {
	text := func(name string) *string {
		s := frame.Text(r, name)
		return &s
	}
	script, err := scriptIn(r)
	if err != nil {
		return frame.Again(w, r, err, c.Settings)
	}
	in := query.UpdateProductionInput{
		Name: text("name"), Description: text("description"), Script: &script, Language: text("language"), AspectRatio: text("aspectRatio"),
		Resolution: text("resolution"), PipelineId: frame.TextOrNil(r, "pipelineId"), PresetId: frame.TextOrNil(r, "presetId"),
		NarratorVoiceId: frame.TextOrNil(r, "narratorVoiceId"), Captions: text("captions"), CastIds: r.PostForm["castIds"],
	}
	if in.CastIds == nil {
		in.CastIds = []string{}
	}
	if version, err := strconv.Atoi(frame.Text(r, "version")); err == nil {
		in.Version = &version
	}
	if in.Seed, err = whole(r, "seed"); err == nil {
		in.Music, err = c.musicIn(r)
	}
	if err == nil {
		_, err = query.UpdateProduction(r.Context(), c.Client, frame.PathID(r), in)
	}
	if err != nil {
		return frame.Again(w, r, listRefusal(err), c.Settings)
	}
	return c.Done(w, frame.Return(r, "/studio/"+frame.PathID(r)), t(r.Context(), "%s is saved.", *in.Name))
}

// musicIn is what lies under the film: a file that was chosen, else the address that was typed; nil for none.
func (c Pages) musicIn(r *http.Request) (*query.MusicInput, error) {
	address, err := c.keptFile(r, "music-file")
	if err != nil {
		return nil, err
	}
	if address == "" {
		address = frame.PastedLink(r, "music")
	}
	if address == "" {
		return nil, nil
	}
	volume, err := whole(r, "volume")
	return &query.MusicInput{Url: address, Volume: volume}, err
}

// keptFile keeps the file of a field and returns its address; empty where none was chosen.
func (c Pages) keptFile(r *http.Request, field string) (string, error) {
	if r.MultipartForm == nil || c.Config.Upload == nil {
		return "", nil
	}
	for _, header := range r.MultipartForm.File[field] {
		if header.Size == 0 {
			continue
		}
		file, err := header.Open()
		if err != nil {
			return "", err
		}
		defer file.Close()
		address, err := c.Config.Upload(r.Context(), file)
		if e, known := frame.Refused(err); err != nil && known {
			return "", frame.Invalid(field, e.Message)
		}
		return address, err
	}
	return "", nil
}

// whole reads a whole number of a form, which may be 0; nil for an empty field.
func whole(r *http.Request, name string) (*int, error) {
	text := frame.Text(r, name)
	if text == "" {
		return nil, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		return nil, frame.Invalid(name, mark("Write a whole number."))
	}
	return &n, nil
}

// listRefusal makes a refusal of an entry one of the field that holds it.
func listRefusal(err error) error {
	e, known := frame.Refused(err)
	if !known {
		return err
	}
	out := *e
	switch out.Field {
	case "music.url":
		out.Field = "music"
	case "music.volume":
		out.Field = "volume"
	}
	for i := range out.Field {
		if out.Field[i] == '[' {
			out.Field = out.Field[:i]
			break
		}
	}
	return &out
}

// chosen are ids of a form's boxes, or those that are set.
func chosen(f frame.Form, name string, set []string) []string {
	if f.Values == nil {
		return set
	}
	return f.Values[name]
}

// memberBoxes are elements to tick; one that is ticked and not among them stays.
func memberBoxes(ctx context.Context, list []member, ticked []string) []ui.Option {
	var out []ui.Option
	for _, one := range list {
		out = append(out, ui.Option{Value: one.ID, Text: one.Name, Hint: one.Src, Selected: slices.Contains(ticked, one.ID)})
	}
	for _, id := range ticked {
		if !slices.ContainsFunc(list, func(one member) bool { return one.ID == id }) {
			out = append(out, ui.Option{Value: id, Text: t(ctx, "One that is gone, or not shown to you"), Selected: true})
		}
	}
	return out
}

// ShareProduction shows a production to its workspace, or to its owner alone.
func (c Pages) ShareProduction(w http.ResponseWriter, r *http.Request) error {
	visibility, said := query.WorkflowVisibilityPrivate, t(r.Context(), "Only you see it now.")
	if frame.Text(r, "shared") == "1" {
		visibility, said = query.WorkflowVisibilityWorkspace, t(r.Context(), "Everyone here sees it now.")
	}
	if _, err := query.ShareProduction(r.Context(), c.Client, frame.PathID(r), visibility); err != nil {
		return frame.Again(w, r, err, c.ProductionPage)
	}
	return c.Done(w, back(r), said)
}

// back is the page of the production that the address is beneath.
func back(r *http.Request) string {
	to := "/studio/" + frame.PathID(r)
	if in := frame.SpaceOf(r).Workspace; in != "" || frame.ChosePersonal(r) {
		return frame.Within(to, in)
	}
	return to
}

// DuplicateProduction makes a copy, with its shots and without what was made of them.
func (c Pages) DuplicateProduction(w http.ResponseWriter, r *http.Request) error {
	res, err := query.DuplicateProduction(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return frame.Again(w, r, err, c.ProductionPage)
	}
	made := res.DuplicateProduction
	return c.Done(w, path(made.Id, made.WorkspaceId), t(r.Context(), "This is the copy. Its shots are not made yet."))
}

// AskDelete says what goes with a production.
func (c Pages) AskDelete(w http.ResponseWriter, r *http.Request) error {
	v, err := c.load(r, wanted{})
	if err != nil {
		return err
	}
	if !v.ViewerCan.Delete {
		return frame.Refusal(http.StatusForbidden, "insufficient_role", mark("Only the person who made a production, or who looks after its space, may delete it."))
	}
	return c.show(w, r, v, t(r.Context(), "Delete %s", v.Name), deleteContent(v))
}

// gone lists what goes with a production.
func gone(ctx context.Context, v loaded) []string {
	shared := 0
	for _, s := range v.Shots {
		if s.IsShared {
			shared++
		}
	}
	out := []string{tn(ctx, "Its script, and %d shot", "Its script, and %d shots", len(v.Shots))}
	if v.rendering() {
		out = append(out, t(ctx, "The render that is going on is cancelled"))
	}
	if shared > 0 {
		out = append(out, tn(ctx, "%d shot that everyone sees is taken back at once", "%d shots that everyone sees are taken back at once", shared))
	}
	return append(out, t(ctx, "What its renders made stays among the results of the runs"))
}

// DeleteProduction deletes a production.
func (c Pages) DeleteProduction(w http.ResponseWriter, r *http.Request) error {
	if _, err := query.DeleteProduction(r.Context(), c.Client, frame.PathID(r)); err != nil {
		return frame.Again(w, r, err, c.AskDelete)
	}
	return c.Done(w, frame.Return(r, "/studio"), t(r.Context(), "The production is deleted."))
}

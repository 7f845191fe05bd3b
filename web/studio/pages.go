// Package studio is the pages of productions: a script with its shots, its cast and its film.
package studio

import (
	"context"
	"net/http"

	"atelier/web/frame"
	"atelier/web/locale"
	"atelier/web/query"
	"atelier/web/ui"

	"github.com/a-h/templ"
	"github.com/gorilla/mux"
)

// Pages are the pages of the studio.
type Pages struct{ *frame.Console }

// path is the address of a production, with the space that its pages work in.
func path(id string, workspace *string, beneath ...string) string {
	address := "/studio/" + id
	for _, more := range beneath {
		address += more
	}
	return frame.Within(address, frame.Value(workspace))
}

// pathShot is the {shot} of an address.
func pathShot(r *http.Request) string { return mux.Vars(r)["shot"] }

// loaded is a production with what can be chosen for it, as most of its pages need it.
type loaded struct {
	query.ProductionDetail
	Shell    query.Shell
	At       frame.Place
	Cast     cast
	Choices  query.StudioChoices
	Estimate *query.EstimateDetail
	Form     frame.Form
	Uploads  bool
	Exports  bool
}

func (v loaded) path(beneath ...string) string { return path(v.Id, v.WorkspaceId, beneath...) }

// wanted is what a page asks for beside the production.
type wanted struct {
	// Render is what is estimated, nil for nothing.
	Render *query.RenderInput
	// Voices that speak the language of the production are among what can be chosen.
	Voices bool
}

// load reads a production. Where the address names its space, what can be chosen comes with it; else, and where it
// depends on the language, it is asked for when the production is known.
func (c Pages) load(r *http.Request, want wanted) (loaded, error) {
	space := frame.SpaceOf(r).Workspace
	named := (space != "" || frame.ChosePersonal(r)) && !want.Voices
	in := query.RenderInput{}
	if want.Render != nil {
		in = *want.Render
	}
	ask := func(estimate bool) (*query.ProductionPageResponse, error) {
		return query.ProductionPage(r.Context(), c.Client, frame.PathID(r), in, estimate, named, nil, named && space != "", space)
	}
	res, err := ask(want.Render != nil)
	if _, refused := frame.Refused(err); err != nil && refused && want.Render != nil { // what cannot be estimated can be looked at
		res, err = ask(false)
		want.Render = nil
	}
	if err != nil {
		return loaded{}, err
	}
	v := loaded{
		ProductionDetail: res.Production, Shell: res.Shell, Choices: res.StudioChoices, Form: frame.FormOf(r),
		Uploads: c.Config.Upload != nil, Exports: c.Config.ExportProduction != nil,
	}
	if want.Render != nil {
		v.Estimate = &res.ProductionEstimate
	}
	if !named {
		if v.Choices, err = c.choices(r, v.ProductionDetail, want.Voices); err != nil {
			return loaded{}, err
		}
	}
	v.Cast = c.castOf(v.Choices)
	v.At = c.placeOf(r, v.Shell, v.WorkspaceId)
	return v, nil
}

// choices are what can be chosen in the space of a production.
func (c Pages) choices(r *http.Request, p query.ProductionDetail, voices bool) (query.StudioChoices, error) {
	ctx, workspace := r.Context(), frame.Value(p.WorkspaceId)
	if c.Config.InWorkspace != nil {
		var err error
		if ctx, err = c.Config.InWorkspace(ctx, workspace); err != nil {
			return query.StudioChoices{}, err
		}
	}
	var filter *query.VoiceFilter
	if voices {
		language := primary(p.Language)
		filter = &query.VoiceFilter{Language: &language}
	}
	res, err := query.StudioSpace(ctx, c.Client, true, filter, workspace != "", workspace)
	if err != nil {
		return query.StudioChoices{}, err
	}
	return res.StudioChoices, nil
}

// placeOf is the space that a production lives in.
func (c Pages) placeOf(r *http.Request, shell query.Shell, workspace *string) frame.Place {
	id := frame.Value(workspace)
	if id == "" {
		return frame.Place{Words: frame.PlainWords}
	}
	return frame.PlaceOf(r, c.Placed(r, shell, "", id), "", id)
}

// show answers with a page of a production.
func (c Pages) show(w http.ResponseWriter, r *http.Request, v loaded, title string, content templ.Component, scripts ...string) error {
	frame.AllowMedia(w)
	at := frame.Page{Title: title, Section: frame.SectionStudio, Workspace: frame.Value(v.WorkspaceId), Scripts: scripts}
	return c.Page(w, r, v.Shell, at, content)
}

// crumbs lead from the list of productions to one of them.
func (v loaded) crumbs(ctx context.Context) []ui.Crumb {
	return append(studioCrumbs(ctx), ui.Crumb{Text: v.Name, Href: v.path()})
}

// shot is the one that the address names.
func (v loaded) shot(r *http.Request) (query.ShotRow, bool) {
	for _, s := range v.Shots {
		if s.Id == pathShot(r) {
			return s, true
		}
	}
	return query.ShotRow{}, false
}

// payment says what there is left to render with.
func (v loaded) payment(ctx context.Context) string {
	if v.At.Workspace == nil {
		return t(ctx, "You have %s left in your personal space.", inCredits(ctx, v.Choices.PayingSelf.Wallet.Available))
	}
	budget := v.Choices.PayingWorkspace.Budget
	left := inCredits(ctx, max(0, budget.Headroom))
	if own := budget.Own.Headroom; own != nil {
		yours := locale.Credits(ctx, frame.Thousandths(max(0, min(*own, budget.Headroom))))
		return t(ctx, "%s has %s left, of which you may spend %s.", v.At.Workspace.Name, left, yours)
	}
	return t(ctx, "%s has %s left.", v.At.Workspace.Name, left)
}

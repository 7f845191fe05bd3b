package studio

import (
	"net/http"
	"net/url"
	"slices"

	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"
)

// renderView is the page on which a render begins: what it would make, and what that would cost.
type renderView struct {
	loaded
	Stage string
	Force bool
	Only  []query.ShotRow // those that alone are made; empty for all
	// Refusals are why it would not begin, in words.
	Refusals []string
	Pipeline string // that is used this time, empty for the production's own
}

// renderAsked is what an address or a form asks to render.
func renderAsked(values url.Values) query.RenderInput {
	in := query.RenderInput{PipelineId: frame.Given(values, "pipeline")}
	for _, stage := range query.AllStudioStage {
		if values.Get("stage") == string(stage) {
			in.Stage = &stage
		}
	}
	if values.Get("force") != "" {
		force := true
		in.Force = &force
	}
	for _, id := range values["shot"] {
		if isID(id) && len(in.ShotIds) < maxShots {
			in.ShotIds = append(in.ShotIds, id)
		}
	}
	return in
}

// RenderPage shows what a render would make, take over and cost, before it begins.
func (c Pages) RenderPage(w http.ResponseWriter, r *http.Request) error {
	values := r.URL.Query()
	if r.Method == http.MethodPost {
		values = r.PostForm
	}
	in := renderAsked(values)
	p, err := c.load(r, wanted{Render: &in})
	if err != nil {
		return err
	}
	v := renderView{loaded: p, Stage: string(frame.Value(in.Stage)), Force: frame.Value(in.Force), Pipeline: frame.Value(in.PipelineId)}
	for _, s := range p.Shots {
		if slices.Contains(in.ShotIds, s.Id) {
			v.Only = append(v.Only, s)
		}
	}
	if p.Estimate != nil {
		for _, refused := range p.Estimate.Refused {
			v.Refusals = append(v.Refusals, c.refusalWords(r, p, refused))
		}
	}
	return c.show(w, r, p, t(r.Context(), "Render %s", p.Name), renderContent(v))
}

// refusalWords are why a render would be refused; what is said of a shot names it as the page does.
func (c Pages) refusalWords(r *http.Request, p loaded, refused query.RenderRefused) string {
	field := frame.Value(refused.Field)
	said := c.InWords(r.Context(), field, refused.Message)
	for _, s := range p.Shots {
		if beneath, ok := cutShot(field, s.Id); ok {
			said = c.InWords(r.Context(), beneath, shorn(refused.Message, field, beneath))
			return t(r.Context(), "%s: %s", nameOf(r.Context(), s), said)
		}
	}
	return said
}

// RenderProduction begins a render.
func (c Pages) RenderProduction(w http.ResponseWriter, r *http.Request) error {
	in := renderAsked(r.PostForm)
	if frame.Text(r, "maxCredits") != "" {
		most, err := frame.Amount(r, "maxCredits")
		if err != nil {
			return frame.Again(w, r, err, c.RenderPage)
		}
		in.MaxCredits = &most
	}
	res, err := query.RenderProduction(r.Context(), c.Client, frame.PathID(r), in)
	if frame.HasCode(err, "run_already_started") {
		return c.Done(w, back(r), t(r.Context(), "A render is going on already."))
	}
	if err != nil {
		return frame.Again(w, r, c.shotOf(r, err), c.RenderPage)
	}
	begun := res.RenderProduction
	said := t(r.Context(), "The render has begun.")
	if begun.ReusedShots > 0 {
		said += " " + tn(r.Context(), "%d shot is taken over as it is.", "%d shots are taken over as they are.", begun.ReusedShots)
	}
	return c.Done(w, back(r), said)
}

// shotOf leaves the id of a shot out of what is said of it.
func (c Pages) shotOf(r *http.Request, err error) error {
	e, known := frame.Refused(err)
	if !known {
		return err
	}
	beneath, ok := anyShot(e.Field)
	if !ok {
		return err
	}
	out := *e
	out.Message = t(r.Context(), "One of the shots: %s", c.InWords(r.Context(), beneath, shorn(e.Said, e.Field, beneath)))
	return &out
}

// made, kept and their price, of an estimate.
func (v renderView) parts() (again, kept int) {
	if v.Estimate == nil {
		return 0, 0
	}
	for _, s := range v.Estimate.Shots {
		if s.Reuse {
			kept++
		} else {
			again++
		}
	}
	return again, kept
}

// enough tells whether what is left pays for it, as far as the page knows.
func (v renderView) enough() bool {
	if v.Estimate == nil || v.Estimate.Credits == 0 {
		return true
	}
	left := v.Choices.PayingSelf.Wallet.Available
	if v.At.Workspace != nil {
		budget := v.Choices.PayingWorkspace.Budget
		if left = budget.Headroom; budget.Own.Headroom != nil {
			left = min(left, *budget.Own.Headroom)
		}
	}
	return v.Estimate.Credits <= left
}

// asked are the fields that carry what was chosen.
func (v renderView) asked() []ui.Hidden {
	out := []ui.Hidden{{Name: "stage", Value: v.Stage}}
	if v.Force {
		out = append(out, ui.Hidden{Name: "force", Value: "on"})
	}
	if v.Pipeline != "" {
		out = append(out, ui.Hidden{Name: "pipeline", Value: v.Pipeline})
	}
	for _, s := range v.Only {
		out = append(out, ui.Hidden{Name: "shot", Value: s.Id})
	}
	return out
}

// price is what one shot of the estimate costs.
func (v renderView) price(id string) *query.ShotPrice {
	for i, s := range v.Estimate.Shots {
		if s.ShotId == id {
			return &v.Estimate.Shots[i]
		}
	}
	return nil
}

package org

import (
	"context"
	"net/http"

	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"

	"github.com/a-h/templ"
)

// allocateView is the page that moves credits between the pool and a workspace.
type allocateView struct {
	Org       query.OrganizationHead
	Credit    query.Credits
	Held      []query.HeldWorkspace // to choose from
	More      bool                  // there are further ones
	Find      string                // what narrowed them
	Workspace string                // chosen
	Back      bool                  // from the workspace to the pool
	Amount    string                // as typed
	Preview   string
	Form      frame.Form
}

// AllocatePage is the page that moves credits between the pool and a workspace.
func (c Pages) AllocatePage(w http.ResponseWriter, r *http.Request) error {
	res, err := query.AllocatePage(r.Context(), c.Client, frame.PathID(r), frame.FindOf(r))
	if err != nil {
		return err
	}
	v, err := c.allocation(r, res)
	if err != nil {
		return err
	}
	return c.Page(w, r, res.Shell, frame.Page{Title: t(r.Context(), "Allocate credits"), Section: frame.SectionCredits, Org: v.Org.Id}, allocateContent(v))
}

// AllocatePreview is the sentence about both sides alone, again while a person types.
func (c Pages) AllocatePreview(w http.ResponseWriter, r *http.Request) error {
	res, err := query.AllocatePage(r.Context(), c.Client, frame.PathID(r), frame.FindOf(r))
	if err != nil {
		return err
	}
	v, err := c.allocation(r, res)
	if err != nil {
		return err
	}
	return frame.Write(w, r, http.StatusOK, allocationPreview(v))
}

// allocation reads what was chosen so far, from the address or from the form.
func (c Pages) allocation(r *http.Request, res *query.AllocatePageResponse) (allocateView, error) {
	v := allocateView{
		Org: res.Organization.OrganizationHead, Credit: res.Organization.Credits.Credits, Form: frame.FormOf(r),
		Held: res.Organization.Workspaces.Nodes, More: res.Organization.Workspaces.PageInfo.HasNextPage, Find: frame.FindOf(r),
		Workspace: r.FormValue("workspace"), Back: r.FormValue("direction") == "back", Amount: r.FormValue("amount"),
	}
	if err := c.addChosen(r, &v); err != nil {
		return v, err
	}
	typed, err := frame.ParseAmount(r.Context(), "amount", v.Amount)
	if row := v.chosen(); row != nil && err == nil {
		v.Preview = previewSentence(r.Context(), v.Credit.Pool, *row, typed, v.Back)
	}
	return v, nil
}

// addChosen lists the chosen workspace also when it is not among the newest.
func (c Pages) addChosen(r *http.Request, v *allocateView) error {
	if v.Workspace == "" || v.chosen() != nil {
		return nil
	}
	res, err := query.WorkspaceHeld(r.Context(), c.Client, v.Workspace)
	if frame.HasCode(err, "not_found") || frame.HasCode(err, "validation_error") {
		return nil
	}
	if err != nil {
		return err
	}
	if res.Workspace.OrganizationId == v.Org.Id {
		v.Held = append([]query.HeldWorkspace{res.Workspace}, v.Held...)
	}
	return nil
}

// chosen is what the chosen workspace holds; nil while none is.
func (v allocateView) chosen() *query.AllocationRow {
	for _, w := range v.Held {
		if w.Id == v.Workspace {
			return w.Allocation
		}
	}
	return nil
}

// previewSentence says what both sides hold before and after, or why that does not work.
func previewSentence(ctx context.Context, pool float64, a query.AllocationRow, amount float64, back bool) string {
	switch {
	case amount <= 0:
		return t(ctx, "The amount must be more than zero.")
	case back && amount > a.Headroom:
		return t(ctx, "Only %s can be taken back: the rest is reserved or spent.", credits(ctx, a.Headroom))
	case !back && amount > pool:
		return t(ctx, "The pool holds only %s.", credits(ctx, pool))
	case back:
		amount = -amount
	}
	return t(ctx, "Pool %s → %s; %s has %s left → %s.", credits(ctx, pool), credits(ctx, pool-amount), a.Name, credits(ctx, a.Headroom), credits(ctx, a.Headroom+amount))
}

// Allocate moves credits, or shows what that would do.
func (c Pages) Allocate(w http.ResponseWriter, r *http.Request) error {
	if frame.Text(r, "step") == "preview" {
		return c.AllocatePage(w, r)
	}
	delta, err := frame.Amount(r, "amount")
	if err == nil && delta <= 0 {
		err = frame.Invalid("amount", t(r.Context(), "The amount must be more than zero."))
	}
	if frame.Text(r, "workspace") == "" {
		err = frame.Invalid("workspace", t(r.Context(), "Choose where the credits go."))
	}
	if err != nil {
		return frame.Again(w, r, err, c.AllocatePage)
	}
	sentence := t(r.Context(), "%s moved from the pool.", inCredits(r.Context(), delta))
	if frame.Text(r, "direction") == "back" {
		sentence, delta = t(r.Context(), "%s went back to the pool.", inCredits(r.Context(), delta)), -delta
	}
	res, err := query.Allocate(r.Context(), c.Client, frame.PathID(r), frame.Text(r, "workspace"), delta)
	if err != nil {
		return frame.Again(w, r, err, c.AllocatePage)
	}
	return c.Done(w, "/orgs/"+frame.PathID(r)+"/credits", sentence+" "+t(r.Context(), "The pool holds %s now.", credits(r.Context(), res.AllocateCredits.Pool)))
}

// allocationOptions are the workspaces with what they have left, which is also the most that can be taken back.
func allocationOptions(ctx context.Context, v allocateView) []ui.Option {
	var out []ui.Option
	for _, w := range v.Held {
		if a := w.Allocation; a != nil && (!a.Archived || a.Headroom > 0) {
			out = append(out, ui.Option{Value: a.WorkspaceId, Text: t(ctx, "%s (%s left)", a.Name, credits(ctx, a.Headroom)), Selected: a.WorkspaceId == v.Workspace})
		}
	}
	return out
}

// livePreview keeps the sentence about both sides current.
func livePreview(ctx context.Context, v allocateView, trigger string) templ.Attributes {
	return ui.Live(ctx, "get", "/orgs/"+v.Org.Id+"/credits/preview", "trigger", trigger, "include", "closest form", "target", "#allocation-preview", "swap", "outerHTML")
}

func direction(back bool) string {
	if back {
		return "back"
	}
	return "give"
}

package org

import (
	"context"
	"net/http"

	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"
)

// SetDefaultCap sets the cap that people get who join, or none, and offers to put it back.
func (c Pages) SetDefaultCap(w http.ResponseWriter, r *http.Request) error {
	path := "/workspaces/" + frame.PathID(r) + "/members"
	var limit *float64
	if frame.Text(r, "default_cap") != "" {
		amount, err := frame.Amount(r, "default_cap")
		if err == nil && amount < 0 {
			err = frame.Invalid("default_cap", t(r.Context(), "A cap is zero or more."))
		}
		if err != nil {
			return frame.Again(w, r, err, c.WorkspaceMembers)
		}
		limit = &amount
	}
	if _, err := query.SetDefaultCap(r.Context(), c.Client, frame.PathID(r), limit); err != nil {
		return frame.Again(w, r, err, c.WorkspaceMembers)
	}
	out := frame.Outcome{Sentence: t(r.Context(), "Anyone who joins has no cap.")}
	if limit != nil {
		out.Sentence = t(r.Context(), "Anyone who joins begins with a cap of %s.", inCredits(r.Context(), *limit))
	}
	back := frame.Return(r, path)
	if _, sent := r.PostForm["was"]; sent {
		out.Undo = &frame.Undo{Action: path + "/default-cap", Fields: []ui.Hidden{
			{Name: "default_cap", Value: frame.Text(r, "was")}, {Name: "return", Value: back},
		}}
	}
	return c.DoneWith(w, back, out)
}

// ApplyDefaultCap gives the default cap to those who have none.
func (c Pages) ApplyDefaultCap(w http.ResponseWriter, r *http.Request) error {
	res, err := query.ApplyDefaultCap(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return frame.Again(w, r, err, c.WorkspaceMembers)
	}
	sentence := t(r.Context(), "Everyone here who can have a cap has one now.")
	if n := frame.Value(res.ApplyWorkspaceDefaultCap.Uncapped); n > 0 {
		sentence = tn(r.Context(), "%d person is still without a cap. Do it once more.", "%d people are still without a cap. Do it once more.", n)
	}
	return c.Done(w, frame.Return(r, "/workspaces/"+frame.PathID(r)+"/members"), sentence)
}

// defaultCapLock says why the default cap cannot change; empty when it can.
func defaultCapLock(ctx context.Context, v workspaceMembersView) string {
	if !v.Workspace.ViewerCan.ManageMembers {
		return t(ctx, "Not while it is archived or the organization is not active.")
	}
	return ""
}

// uncappedSentence says how many plain members have no cap.
func uncappedSentence(ctx context.Context, n int) string {
	return tn(ctx, "%d {member} has no cap: what they spend is bounded by the whole budget alone.",
		"%d {members} have no cap: what they spend is bounded by the whole budget alone.", n)
}

// applyText names whom the default cap is given to.
func applyText(ctx context.Context, v workspaceMembersView, n int) string {
	if n == 1 {
		return t(ctx, "Give %s as the cap to that one", inCredits(ctx, *v.Default.DefaultCap))
	}
	return tn(ctx, "Apply to the %d {member} without a cap", "Apply to the %d {members} without a cap", n)
}

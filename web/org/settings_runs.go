package org

import (
	"context"
	"net/http"
	"strconv"

	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"
)

// runMonthsField is for how many months runs are kept; empty is as long as the install keeps them.
const runMonthsField = "keepRunsMonths"

// runMonths are the choices; another number comes from the API.
var runMonths = []int{2, 3, 6, 12, 18, 24, 36, 60, 120}

// KeepOrganizationRuns saves for how long an organization keeps its runs. It asks first where runs would be deleted.
func (c Pages) KeepOrganizationRuns(w http.ResponseWriter, r *http.Request) error {
	months, err := sentMonths(r)
	if err == nil && months != nil && frame.Text(r, "confirmed") == "" {
		var found *query.UnkeptRunsResponse
		if found, err = query.UnkeptRuns(r.Context(), c.Client, frame.PathID(r), *months); err == nil && frame.Value(found.Organization.UnkeptRuns) > 0 {
			at := organizationSettingsView{Org: found.Organization.OrganizationHead}.page(t(r.Context(), "How long runs are kept"))
			return c.Page(w, r, found.Shell, at, ui.ConfirmPage(c.unkeptQuestion(r.Context(), found.Organization.Id, *months, *found.Organization.UnkeptRuns)))
		}
	}
	if err == nil {
		_, err = query.KeepRuns(r.Context(), c.Client, frame.PathID(r), months)
	}
	if err != nil {
		return frame.Again(w, r, err, func(w http.ResponseWriter, r *http.Request) error {
			return c.showOrganizationSettings(w, r, partRuns)
		})
	}
	return c.Done(w, partRuns.path(frame.PathID(r)), c.keptSentence(r.Context(), months))
}

// unkeptQuestion asks before runs are deleted that a shorter time does not keep.
func (c Pages) unkeptQuestion(ctx context.Context, id string, months, unkept int) ui.ConfirmProps {
	gone := tn(ctx, "%d run is deleted within a day, with its results", "%d runs are deleted within a day, with their results", unkept)
	if unkept > c.Config.MaxUnkept {
		gone = t(ctx, "More than %d runs are deleted within a day, with their results", c.Config.MaxUnkept)
	}
	return ui.ConfirmProps{
		ID: "keep-runs", Title: t(ctx, "Delete what is older?"), Text: c.keptSentence(ctx, &months), Danger: true,
		Consequences: []string{gone, t(ctx, "They do not come back"), t(ctx, "What they cost stays in reports")},
		Form: ui.FormProps{Action: partRuns.path(id), Hidden: []ui.Hidden{
			{Name: runMonthsField, Value: strconv.Itoa(months)}, {Name: "confirmed", Value: "yes"},
		}},
		Confirm: t(ctx, "Delete the older runs"), CancelHref: partRuns.path(id),
	}
}

// sentMonths are the months of a form; nil is as long as the install keeps runs.
func sentMonths(r *http.Request) (*int, error) {
	text := frame.Text(r, runMonthsField)
	if text == "" {
		return nil, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		return nil, frame.Invalid(runMonthsField, t(r.Context(), "Choose one of the list."))
	}
	return &n, nil
}

// keptSentence is for how long runs are kept: for the shorter time of what the organization and the install say.
func (c Pages) keptSentence(ctx context.Context, months *int) string {
	kept := c.Config.RunMonths
	if months != nil && (kept == 0 || *months < kept) {
		kept = *months
	}
	if kept == 0 {
		return t(ctx, "Runs are kept until they are deleted by hand.")
	}
	return tn(ctx, "Runs are kept for the current month and %d whole month before it.", "Runs are kept for the current month and %d whole months before it.", kept)
}

// monthOptions are the choices of how long runs are kept.
func (v organizationSettingsView) monthOptions(ctx context.Context) []ui.Option {
	chosen := v.Form.Value(runMonthsField, "")
	if v.Form.Err == nil && v.RunMonths != nil {
		chosen = strconv.Itoa(*v.RunMonths)
	}
	options := []ui.Option{{Value: "", Text: t(ctx, "As long as this install keeps them"), Selected: chosen == ""}}
	listed := false
	for _, n := range runMonths {
		value := strconv.Itoa(n)
		listed = listed || value == chosen
		options = append(options, ui.Option{Value: value, Text: monthsText(ctx, n), Selected: value == chosen})
	}
	if n, err := strconv.Atoi(chosen); err == nil && !listed {
		options = append(options, ui.Option{Value: chosen, Text: monthsText(ctx, n), Selected: true})
	}
	return options
}

func monthsText(ctx context.Context, n int) string {
	if n%12 == 0 && n > 0 {
		return tn(ctx, "%d year", "%d years", n/12)
	}
	return tn(ctx, "%d month", "%d months", n)
}

// runsLocked is why a person cannot choose for how long runs are kept; empty for the one who can.
func (v organizationSettingsView) runsLocked(ctx context.Context) string {
	if reason := v.locked(ctx); reason != "" || isOwner(v.Org) {
		return reason
	}
	return t(ctx, "Only the owner chooses this. Ask %s.", v.Org.Owner.DisplayName)
}

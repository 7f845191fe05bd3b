package account

import (
	"context"
	"net/http"
	"time"

	"atelier/web/frame"
	"atelier/web/query"
)

// zoneView is the choice of the zone in which the person reads times.
type zoneView struct {
	Chosen string
	Told   *time.Location // by the browser
	Form   frame.Form
}

// automatic says what happens while no zone is chosen.
func (v zoneView) automatic(ctx context.Context) string {
	if v.Told == nil {
		return t(ctx, "Leave it empty to follow your browser. It has not said where it is, so times are shown in UTC.")
	}
	return t(ctx, "Leave it empty to follow your browser, which says %s.", v.Told.String())
}

// UpdateTimeZone saves the zone; none is that of the browser.
func (c Pages) UpdateTimeZone(w http.ResponseWriter, r *http.Request) error {
	zone := frame.TextOrNil(r, "timeZone")
	if _, err := query.UpdateTimeZone(r.Context(), c.Client, zone); err != nil {
		return frame.Again(w, r, err, c.Account)
	}
	if zone == nil {
		return c.Done(w, "/account", t(r.Context(), "Times follow your browser now."))
	}
	return c.Done(w, "/account", t(r.Context(), "Times are shown in %s now.", *zone))
}

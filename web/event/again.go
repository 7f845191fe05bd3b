package event

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"atelier/web/frame"
	"atelier/web/locale"
	"atelier/web/query"
	"atelier/web/ui"
)

// againView asks which failed deliveries are sent again.
type againView struct {
	Endpoint query.Endpoint
	Found    query.Redeliverable
	From, To time.Time
	Form     frame.Form
}

// localMinute is how a field of a day and a time is written.
const localMinute = "2006-01-02T15:04"

// AgainPage counts what failed between two moments of its address, the last day
// unless it names others, before anything is sent.
func (c Pages) AgainPage(w http.ResponseWriter, r *http.Request) error {
	from, to, wrong := rangeOf(r, c.Now())
	res, err := query.WebhookAgain(r.Context(), c.Client, frame.PathID(r), from, to)
	if err != nil {
		return err
	}
	v := againView{Endpoint: res.WebhookEndpoint.Endpoint, Found: res.WebhookEndpoint.Redeliverable, From: from, To: to, Form: frame.FormOf(r)}
	if wrong != nil && v.Form.Err == nil {
		v.Form.Err, v.Form.Values = wrong, r.URL.Query()
	}
	p := frame.Page{Title: t(r.Context(), "Send failed deliveries again"), Section: frame.SectionWebhooks}
	return c.Page(w, r, res.Shell, p, againContent(v, c.Now()))
}

// rangeOf are the moments that an address, or the form of a refused call, names.
func rangeOf(r *http.Request, now time.Time) (from, to time.Time, wrong *frame.Error) {
	zone := ui.OrUTC(ui.ZoneFrom(r.Context()))
	// Up to the end of this minute, which holds what failed just now.
	to = now.In(zone).Truncate(time.Minute).Add(time.Minute)
	from = to.Add(-24 * time.Hour)
	values := r.URL.Query()
	if r.Method == http.MethodPost {
		values = r.PostForm
	}
	first, errFirst := momentOf(r.Context(), values, "from", from, zone)
	last, errLast := momentOf(r.Context(), values, "to", to, zone)
	switch {
	case errFirst != nil:
		return from, to, errFirst
	case errLast != nil:
		return from, to, errLast
	case !first.Before(last):
		return from, to, frame.Invalid("to", t(r.Context(), "The end must be later than the beginning."))
	}
	return first, last, nil
}

func momentOf(ctx context.Context, values url.Values, name string, fallback time.Time, zone *time.Location) (time.Time, *frame.Error) {
	text := values.Get(name)
	if text == "" {
		return fallback, nil
	}
	if at, err := time.Parse(time.RFC3339, text); err == nil {
		return at, nil
	}
	at, err := time.ParseInLocation(localMinute, text, zone)
	if err != nil || at.Year() < 2000 || at.Year() > 9000 {
		return fallback, frame.Invalid(name, t(ctx, "Write the day and the time, such as 2026-11-20T14:30."))
	}
	return at, nil
}

// Again sends what failed between two moments once more.
func (c Pages) Again(w http.ResponseWriter, r *http.Request) error {
	from, to, wrong := rangeOf(r, c.Now())
	if wrong != nil {
		return frame.Again(w, r, wrong, c.AgainPage)
	}
	res, err := query.RedeliverRange(r.Context(), c.Client, frame.PathID(r), from, to)
	if err != nil {
		return frame.Again(w, r, frame.ItemRefusal(r.Context(), err), c.AgainPage)
	}
	path, done := "/webhooks/"+frame.PathID(r), res.RedeliverRange
	switch {
	case done.Queued == 0:
		return c.Done(w, path, t(r.Context(), "Nothing of that time was left to send again."))
	case done.Remaining > 0:
		again := url.Values{"from": {from.UTC().Format(time.RFC3339)}, "to": {to.UTC().Format(time.RFC3339)}}
		return c.Done(w, path+"/again?"+again.Encode(), tn(r.Context(), "%d event is on the way again.", "%d events are on the way again.", done.Queued)+" "+
			t(r.Context(), "%s of that time are left for another round.", atLeast(r.Context(), done.Remaining)))
	}
	return c.Done(w, path+"?status=pending", tn(
		r.Context(), "%d event is on the way again, five at a time at most.", "%d events are on the way again, five at a time at most.", done.Queued,
	))
}

// maxCounted is how far failed deliveries are counted.
const maxCounted = 10_000

func atLeast(ctx context.Context, n int) string {
	if n >= maxCounted {
		return t(ctx, "%d or more", maxCounted)
	}
	return locale.Count(ctx, n)
}

// againSentence says what a press of the button does.
func againSentence(ctx context.Context, f query.Redeliverable) string {
	switch {
	case f.Count == 0:
		return t(ctx, "Nothing that failed in this time can be sent again.")
	case f.Now < f.Count:
		return t(ctx, "This sends %d of %s events again, the oldest first. The others take further rounds.", f.Now, atLeast(ctx, f.Count))
	}
	return tn(ctx, "This sends %d event again.", "This sends %d events again.", f.Count)
}

// againPresets are ranges of time that are often wanted, until now.
func againPresets(ctx context.Context, id string, now time.Time) []ui.NavItem {
	var out []ui.NavItem
	for _, p := range []struct {
		text string
		back time.Duration
	}{
		{t(ctx, "Last hour"), time.Hour}, {tc(ctx, "span of time", "Last day"), 24 * time.Hour}, {t(ctx, "Last 7 days"), 7 * 24 * time.Hour},
		{t(ctx, "All 30 days"), 30 * 24 * time.Hour},
	} {
		to := now.UTC().Truncate(time.Minute).Add(time.Minute)
		values := url.Values{"from": {to.Add(-p.back).Format(time.RFC3339)}, "to": {to.Format(time.RFC3339)}}
		out = append(out, ui.NavItem{Text: p.text, Href: "/webhooks/" + id + "/again?" + values.Encode()})
	}
	return out
}

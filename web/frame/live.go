package frame

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"time"

	"atelier/web/ui"

	"github.com/a-h/templ"
)

const heartbeat = 15 * time.Second

// Subscription names a generated subscription: query.WorkspaceChanged_Operation and its variables.
type Subscription struct {
	Query     string
	Name      string
	Variables map[string]any
}

// Live streams a part of a page: at once, and again at every event of the subscription. The receiving element is
//
//	<div { ui.Live(ctx, "sse:connect", "/runs/…/live", "sse:close", "done", "swap", "innerHTML")... }>
//
// The fragment holds no htmx attributes, for their nonce would be this response's and not the page's. Render
// reports whether the stream ends with this fragment. Without script a page
// refreshes itself (see Refreshing).
func (c *Console) Live(w http.ResponseWriter, r *http.Request, s Subscription, render func() (part templ.Component, last bool, err error)) error {
	variables, err := json.Marshal(s.Variables)
	if err != nil {
		return err
	}
	ticks, err := c.Config.Executor.Subscribe(r.Context(), s.Query, s.Name, variables)
	if err != nil {
		return tooManyOpen(r.Context(), err)
	}
	control := http.NewResponseController(w)
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("X-Accel-Buffering", "no")
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	for first := true; ; first = false {
		part, last, err := render()
		if err != nil && first {
			return err
		}
		if err != nil || sendPart(w, r, part, last) != nil || control.Flush() != nil || last {
			return nil // the status has left: htmx connects again, and is refused then if need be
		}
		if !wait(w, r, control, ticks, beat.C) {
			return nil
		}
	}
}

// tooManyOpen is the refusal of a stream beyond those that an account may have open.
func tooManyOpen(ctx context.Context, err error) error {
	var refused interface{ HTTPStatus() int }
	if !errors.As(err, &refused) || refused.HTTPStatus() != http.StatusTooManyRequests {
		return err
	}
	return &Error{
		Status: http.StatusTooManyRequests, Code: "rate_limit_exceeded", RetryAfter: 10 * time.Second,
		Message: t(ctx, "Too many pages are open at once. Close some of them."),
	}
}

// wait returns true at the next event, and false when the stream is over.
func wait(w http.ResponseWriter, r *http.Request, control *http.ResponseController, ticks <-chan struct{}, beat <-chan time.Time) bool {
	for {
		select {
		case _, open := <-ticks:
			return open
		case <-beat:
			if _, err := w.Write([]byte(": still here\n\n")); err != nil || control.Flush() != nil {
				return false
			}
		case <-r.Context().Done():
			return false
		}
	}
}

// sendPart writes a fragment as one unnamed event, and the event "done" behind the last one.
func sendPart(w http.ResponseWriter, r *http.Request, part templ.Component, last bool) error {
	var b bytes.Buffer
	if err := part.Render(ui.WithBudget(r.Context()), &b); err != nil {
		return err
	}
	text := strings.ReplaceAll(strings.ReplaceAll(b.String(), "\r\n", "\n"), "\r", "\n")
	message := "data: " + strings.ReplaceAll(text, "\n", "\ndata: ") + "\n\n"
	if last {
		message += "event: done\ndata: done\n\n"
	}
	_, err := w.Write([]byte(message))
	return err
}

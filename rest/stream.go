package rest

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"atelier/graph"
	"atelier/models"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humamux"
)

const (
	eventStream = "text/event-stream"
	// heartbeat keeps a silent stream open through proxies.
	heartbeat = 15 * time.Second
)

// Resume is the header by which a client goes on with a stream that broke off.
type Resume struct {
	LastEventID string `header:"Last-Event-ID" doc:"id of the last event that arrived. Nothing new: the stream waits; ended: 204."`
}

// streamed is an answer of server-sent events.
type streamed struct {
	ContentType string `header:"Content-Type" hidden:"true"` // the document has it as the content's type
	NoBuffering string `header:"X-Accel-Buffering"`
	Body        func(huma.Context)
}

// snapshot is what a stream shows at one moment.
type snapshot struct {
	// Tag names the state, as the ETag of a poll does.
	Tag  string
	View any
	Last bool
}

// stream sends what view makes of each value of changes that differs from the
// one before, as an event called name. It ends with the changes, with the last
// snapshot, and when the caller's credentials stop counting.
func stream[T any](ctx context.Context, a *API, name, seen string, changes <-chan T, view func(context.Context, T) (snapshot, error)) (*streamed, error) {
	show := func(value T) (snapshot, error) { return view(graph.WithLoaders(ctx, a.Resolver), value) }
	first, open := <-changes
	if !open {
		return nil, cmp.Or(context.Cause(ctx), error(models.NotFound("Run")))
	}
	now, err := show(first)
	if err != nil {
		return nil, err
	}
	if now.Last && now.Tag == seen {
		return &streamed{Body: func(out huma.Context) { out.SetStatus(http.StatusNoContent) }}, nil // an EventSource asks no more
	}
	reply := &streamed{ContentType: eventStream, NoBuffering: "no"}
	reply.Body = func(out huma.Context) {
		out.SetStatus(http.StatusOK)
		_, w := humamux.Unwrap(out)
		_ = http.NewResponseController(w).SetWriteDeadline(time.Time{})
		beat := time.NewTicker(heartbeat)
		defer beat.Stop()
		for {
			if now.Tag != seen && send(w, name, now) != nil || now.Last {
				return
			}
			seen = now.Tag
			change, open := next(ctx, w, changes, beat.C)
			if !open {
				return
			}
			if now, err = show(change); err != nil {
				return // the client connects again, and is told why then
			}
		}
	}
	return reply, nil
}

// next waits for a change and keeps the connection alive meanwhile.
func next[T any](ctx context.Context, w http.ResponseWriter, changes <-chan T, beat <-chan time.Time) (change T, open bool) {
	for {
		if http.NewResponseController(w).Flush() != nil {
			return change, false
		}
		select {
		case change, open = <-changes:
			return change, open
		case <-beat:
			if _, err := w.Write([]byte(": still here\n\n")); err != nil {
				return change, false
			}
		case <-ctx.Done():
			return change, false
		}
	}
}

// send writes one event.
func send(w http.ResponseWriter, name string, s snapshot) error {
	var data bytes.Buffer
	if err := jsonFormat.Marshal(&data, s.View); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "id: %s\nevent: %s\ndata: %s\n\n", s.Tag, name, strings.TrimSpace(data.String()))
	return err
}

// streaming describes the answer of a stream in the document.
func streaming() map[string]*huma.Response {
	return map[string]*huma.Response{"200": {
		Description: "Server-sent events: at once, and after each change until the end. The data of each is the object that the poll shows.",
		Content:     map[string]*huma.MediaType{eventStream: {Schema: &huma.Schema{Type: huma.TypeString}}},
	}, "204": {Description: "It has ended, and the client knows."}}
}
